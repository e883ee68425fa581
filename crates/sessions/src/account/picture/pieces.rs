//! Splits rows (a tool result, or the rest of a message) into reasoning, text, calls and other kinds of content.

use std::collections::HashMap;

use palimpsest_core::tools::label;

use super::super::{ContentKind, CountedRow, CountedRows};
use crate::model::{Media, Message, Part};

pub(super) const SUMMARY: usize = 8;

#[derive(Debug, Clone, Default)]
pub(super) struct CellPiece {
    /// Index of its first message part; `None` if it is the whole message.
    pub part: Option<usize>,
    pub kind: usize,
    pub tool: Option<usize>,
    /// Share of the row's tokens, from 0 to 1.
    pub share: f64,
    pub label: String,
}

/// By row, its pieces; at least one.
pub(super) fn pieces_by_row(rows: &CountedRows<'_>) -> Vec<Vec<CellPiece>> {
    let calls = rows.session.messages.iter().flat_map(Message::calls);
    let labels = calls.map(|(id, name, arguments)| (id, label::of_call(name, arguments))).collect();
    let tools: HashMap<&str, usize> = (0..).zip(&rows.tools).map(|(index, name)| (name.as_str(), index)).collect();
    let each = |row: &CountedRow| {
        let Some(message) = rows.session.messages.get(row.message as usize) else { return Vec::new() };
        let mut pieces = match row.part.and_then(|part| message.parts.get(part)) {
            Some(result) => {
                let (kind, label) = (kind_index(ContentKind::ToolResults), label_of_result(result, &labels));
                vec![CellPiece { part: row.part, kind, tool: row.tool, share: 1.0, label }]
            }
            None => split(message, row, &tools),
        };
        // A piece that is a whole message.
        if let ([piece], 1) = (pieces.as_mut_slice(), rows.of_message(row.message).len()) {
            piece.part = None;
        }
        pieces
    };
    rows.all.iter().map(each).collect()
}

fn split(message: &Message, row: &CountedRow, tools: &HashMap<&str, usize>) -> Vec<CellPiece> {
    let parts = message.parts.iter().enumerate().filter(|(_, part)| !matches!(part, Part::Result { .. }));
    let mut pieces: Vec<CellPiece> = Vec::new();
    for ((index, part), (kind, share)) in parts.zip(row.kind_shares()) {
        let kind = kind_index(kind);
        let tool = match part {
            Part::Call { name, .. } => tools.get(name.as_str()).copied(),
            _ => None,
        };
        let same_kind = pieces.last_mut().filter(|last| tool.is_none() && last.kind == kind && last.tool.is_none());
        match same_kind {
            Some(last) => {
                last.share += share;
                if last.label.is_empty() {
                    last.label = label_of(part);
                }
            }
            None => pieces.push(CellPiece { part: Some(index), kind, tool, share, label: label_of(part) }),
        }
    }
    let has_tokens = row.parts.iter().any(|(_, tokens)| *tokens > 0.0);
    match pieces.first_mut() {
        Some(first) if !has_tokens => first.share = 1.0,
        Some(_) => {}
        None => {
            let kind = kind_index(ContentKind::of_text(message.role));
            pieces.push(CellPiece { kind, share: 1.0, ..CellPiece::default() });
        }
    }
    pieces
}

/// Index into `KINDS`, which has fixed tokens before all kinds of content, and summaries before other content.
fn kind_index(kind: ContentKind) -> usize {
    let index = kind as usize + 1;
    if index < SUMMARY { index } else { index + 1 }
}

fn label_of_result(result: &Part, labels: &HashMap<&str, String>) -> String {
    let Part::Result { id, content, .. } = result else { return String::new() };
    let of_content = || content.iter().map(label_of).find(|label| !label.is_empty()).unwrap_or_default();
    labels.get(id.as_str()).cloned().unwrap_or_else(of_content)
}

fn label_of(part: &Part) -> String {
    match part {
        Part::Text(text) | Part::Reasoning { text, .. } | Part::Tools(text) => label::of_text(text),
        Part::Call { name, arguments, .. } => label::of_call(name, arguments),
        Part::Other { kind, .. } => label::of_text(kind),
        Part::Media(Media { media_type, .. }) => label::of_text(media_type.as_deref().unwrap_or_default()),
        Part::Result { .. } => String::new(),
    }
}
