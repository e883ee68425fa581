//! Decides which texts of a message or a result are searched for grams.

use palimpsest_core::need::{Field, Texts};

use super::super::rows::CountedRows;
use crate::model::Part;

impl Texts for CountedRows<'_> {
    fn row_count(&self) -> usize {
        self.all.len()
    }

    fn read(&self, row: usize, read: &mut dyn FnMut(Field<'_>)) {
        if let Some(result) = self.result(row) {
            read_fields(result, read);
            return;
        }
        let parts = self.message(row).map_or(&[][..], |message| &message.parts);
        for part in parts.iter().filter(|part| !matches!(part, Part::Result { .. })) {
            read_fields(part, read);
        }
    }
}

/// One message part as the only row.
pub(super) struct OnePart<'a>(pub &'a Part);

impl Texts for OnePart<'_> {
    fn row_count(&self) -> usize {
        1
    }

    fn read(&self, _: usize, read: &mut dyn FnMut(Field<'_>)) {
        read_fields(self.0, read);
    }
}

/// Passes the texts of a part to `read`.
fn read_fields(part: &Part, read: &mut dyn FnMut(Field<'_>)) {
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
                read_fields(part, read);
            }
        }
        Part::Media(_) => {}
    }
}
