//! A session's rows as texts to search.

use palimpsest_core::need::{Field, Texts};

use super::super::rows::CountedRows;
use crate::model::{Message, Part, Session};

pub(super) struct SessionTexts<'a> {
    pub session: &'a Session,
    pub rows: &'a CountedRows,
}

impl<'a> SessionTexts<'a> {
    pub fn is_result(&self, row: usize) -> bool {
        self.rows.all.get(row).is_some_and(|row| row.part.is_some())
    }

    pub fn message(&self, row: usize) -> Option<&'a Message> {
        self.session.messages.get(self.rows.all.get(row)?.message as usize)
    }

    pub fn result(&self, row: usize) -> Option<&'a Part> {
        self.message(row)?.parts.get(self.rows.all.get(row)?.part?)
    }
}

impl Texts for SessionTexts<'_> {
    fn len(&self) -> usize {
        self.rows.all.len()
    }

    fn read(&self, row: usize, read: &mut dyn FnMut(Field<'_>)) {
        if let Some(result) = self.result(row) {
            fields(result, read);
            return;
        }
        let parts = self.message(row).map_or(&[][..], |message| &message.parts);
        for part in parts.iter().filter(|part| !matches!(part, Part::Result { .. })) {
            fields(part, read);
        }
    }
}

pub(super) struct OnePart<'a>(pub &'a Part);

impl Texts for OnePart<'_> {
    fn len(&self) -> usize {
        1
    }

    fn read(&self, _: usize, read: &mut dyn FnMut(Field<'_>)) {
        fields(self.0, read);
    }
}

fn fields(part: &Part, read: &mut dyn FnMut(Field<'_>)) {
    match part {
        Part::Text(text)
        | Part::Reasoning { text, .. }
        | Part::Tools(text)
        | Part::Other { json: text, .. } => {
            read(Field::Text(text));
        }
        Part::Call { arguments, free_text: true, .. } => read(Field::Text(arguments)),
        Part::Call { arguments, .. } => read(Field::Arguments(arguments)),
        Part::Result { content, .. } => {
            for part in content {
                fields(part, read);
            }
        }
        Part::Media(_) => {}
    }
}
