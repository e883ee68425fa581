//! A session's rows (a tool result, or the rest of a message) as texts, in which grams are searched.

use palimpsest_core::need::{Field, Texts};

use super::super::rows::CountedRows;
use crate::model::Part;

impl Texts for CountedRows<'_> {
    fn row_count(&self) -> usize {
        self.all.len()
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

/// One part as the only row.
pub(super) struct OnePart<'a>(pub &'a Part);

impl Texts for OnePart<'_> {
    fn row_count(&self) -> usize {
        1
    }

    fn read(&self, _: usize, read: &mut dyn FnMut(Field<'_>)) {
        fields(self.0, read);
    }
}

/// Passes the texts of a part to `read`.
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
