//! Where a need is in its session, and which texts prove it.

use std::collections::BTreeMap;

use palimpsest_core::need::{GramKind, Index, NeedEvent, RequestSpan};
use palimpsest_core::tools::label::of_call;
use serde::Serialize;

use super::super::rows::CountedRows;
use super::context::NeedContext;
use super::texts::OnePart;
use crate::model::Part;

/// Maximum length of a shown gram or label.
const SHOWN_CHARS: usize = 80;
/// Text shown before and after a gram.
const AROUND_BYTES: usize = 160;

/// Place of a need in its session. Requests are counted from 1 in each thread.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NeedPlace {
    /// 0 is the main thread.
    pub thread: usize,
    /// The request whose assistant message needs a result, and the line of that message.
    pub request: usize,
    pub line: u64,
    /// The message's call that uses what was taken; `None` if the message's text does.
    pub call: Option<String>,
    /// The call whose result was needed, and the request whose assistant message made that call.
    pub source_call: Option<String>,
    pub source_request: Option<usize>,
    /// By gram, its text and the surrounding text in the assistant message and in the result.
    #[serde(skip)]
    pub texts: Vec<GramTexts>,
    /// By request of the context, the request's number in the thread.
    #[serde(skip)]
    pub(super) request_numbers: Vec<usize>,
}

/// A gram (line, quote or name) with the text around it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct GramTexts {
    pub gram: String,
    /// In the assistant message.
    #[serde(rename = "said")]
    pub in_answer: String,
    /// In the result.
    #[serde(rename = "shown")]
    pub in_result: String,
}

impl NeedPlace {
    pub(super) fn of(context: &NeedContext<'_>, event: &NeedEvent, requests: &[RequestSpan]) -> Self {
        let rows = context.thread.rows;
        let request_numbers: Vec<usize> = context.requests().map(|(number, _)| number).collect();
        let number = |index: usize| request_numbers.get(index).copied();
        let line = context.requests().nth(event.request).map_or(0, |(_, request)| request.line);
        let source = context.order.get(event.source).copied().unwrap_or_default();
        let answer = requests.get(event.request).map_or(0..0, |asked| asked.assistant_rows.clone());
        let answer_parts =
            answer.clone().flat_map(|row| rows.message(row).map_or(&[][..], |message| &message.parts));
        Self {
            thread: context.thread.number,
            request: number(event.request).unwrap_or_default(),
            line,
            call: answer_parts.filter(|part| holds_any(part, event)).find_map(label),
            source_call: call_of(context, source).and_then(label),
            source_request: event.first_sent.checked_sub(1).and_then(number),
            texts: gram_texts(rows, answer, source, event),
            request_numbers,
        }
    }
}

pub(super) const fn kind_name(kind: GramKind) -> &'static str {
    match kind {
        GramKind::Edit => "edit",
        GramKind::Quote => "quote",
        GramKind::Name => "name",
    }
}

/// True if a part of an assistant message is a call that holds a gram of the need.
fn holds_any(part: &Part, event: &NeedEvent) -> bool {
    let mut holds = false;
    if matches!(part, Part::Call { .. }) {
        Index::visit_assistant_grams(&OnePart(part), 0, &mut |_, gram| {
            holds |= event.grams.iter().any(|needed| needed.key == gram.key);
        });
    }
    holds
}

/// The call whose result is in `row`.
fn call_of<'a>(context: &NeedContext<'a>, row: usize) -> Option<&'a Part> {
    let rows = context.thread.rows;
    let Some(Part::Result { id: wanted, .. }) = rows.result(row) else { return None };
    let position = context.order.iter().position(|&other| other == row)?;
    let before = context.order.get(..position)?.iter().rev();
    let mut parts = before.filter_map(|&row| rows.message(row)).flat_map(|message| &message.parts);
    parts.find(|part| matches!(part, Part::Call { id, .. } if id == wanted))
}

/// Label of a call: the tool, and its path or command.
fn label(part: &Part) -> Option<String> {
    let Part::Call { name, arguments, .. } = part else { return None };
    let patched_file = arguments.split(" File: ").nth(1).and_then(|rest| rest.split(['\n', '\\']).next());
    let label = patched_file.map_or_else(|| of_call(name, arguments), |path| format!("{name}: {path}"));
    Some(one_line(&label, SHOWN_CHARS))
}

/// By gram of the need, its texts. `answer`: the rows of the assistant message; `source`: the row of the result.
fn gram_texts(
    rows: &CountedRows<'_>,
    answer: std::ops::Range<usize>,
    source: usize,
    event: &NeedEvent,
) -> Vec<GramTexts> {
    let mut found: BTreeMap<u64, GramTexts> = BTreeMap::new();
    for row in answer {
        Index::visit_assistant_grams(rows, row, &mut |text, gram| {
            if event.grams.iter().any(|needed| needed.key == gram.key) {
                found.entry(gram.key).or_insert_with(|| GramTexts {
                    gram: one_line(&slice(text, gram.start, gram.end), SHOWN_CHARS),
                    in_answer: surroundings(text, gram.start, gram.end),
                    in_result: String::new(),
                });
            }
        });
    }
    Index::visit_row_grams(rows, source, &mut |text, gram| {
        if let Some(known) = found.get_mut(&gram.key).filter(|known| known.in_result.is_empty()) {
            known.in_result = surroundings(text, gram.start, gram.end);
        }
    });
    event.grams.iter().map(|gram| found.get(&gram.key).cloned().unwrap_or_default()).collect()
}

/// The text between two byte offsets, which may be within a character.
fn slice(text: &str, start: usize, end: usize) -> String {
    String::from_utf8_lossy(text.as_bytes().get(start..end).unwrap_or_default()).into_owned()
}

fn surroundings(text: &str, start: usize, end: usize) -> String {
    let cut = slice(text, start.saturating_sub(AROUND_BYTES), (end + AROUND_BYTES).min(text.len()));
    one_line(&cut, 4 * AROUND_BYTES)
}

/// The text with single spaces between words, of at most `max_chars`.
fn one_line(text: &str, max_chars: usize) -> String {
    let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match joined.char_indices().nth(max_chars) {
        Some((end, _)) => format!("{}…", joined.get(..end).unwrap_or_default()),
        None => joined,
    }
}
