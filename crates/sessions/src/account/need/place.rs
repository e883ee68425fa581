//! Where a need is in its session, which texts are searched for grams, and which of them prove it.

use std::collections::BTreeMap;
use std::ops::Range;

use palimpsest_core::need::{Field, GramKind, Index, NeedEvent, RequestSpan, Texts};
use palimpsest_core::tools::label::of_call;
use serde::Serialize;

use super::super::{CountedContext, CountedRows};
use crate::model::Part;

const SHOWN_CHARS: usize = 80;
const AROUND_BYTES: usize = 160;
/// Maximum length of a gram with the text around it; a gram may be a long line.
const MAX_EXCERPT_CHARS: usize = 640;
/// What precedes a path in the arguments of Codex's `apply_patch`: `*** Update File: src/a.ts`.
const BEFORE_PATCHED_PATH: &str = " File: ";

/// Place of a need in its session. Requests are counted from 1 in each thread.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NeedPlace {
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

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct GramTexts {
    pub gram: String,
    #[serde(rename = "said")]
    pub in_answer: String,
    #[serde(rename = "shown")]
    pub in_result: String,
}

impl NeedPlace {
    pub(super) fn of(context: &CountedContext<'_>, event: &NeedEvent, requests: &[RequestSpan]) -> Self {
        let rows = context.thread.rows;
        let request_numbers: Vec<usize> = context.request_indices.iter().map(|index| index + 1).collect();
        let number_of = |request: usize| request_numbers.get(request).copied();
        let answer = requests.get(event.request).map_or(0..0, |request| request.assistant_rows.clone());
        let mut answer_parts = answer.clone().filter_map(|row| rows.message(row)).flat_map(|message| &message.parts);
        // The assistant message of the request before made the call.
        let calling_request = event.first_sent.checked_sub(1);
        let source_row = context.rows.rows.get(event.source).copied().unwrap_or_default();
        Self {
            thread: context.thread.index,
            request: number_of(event.request).unwrap_or_default(),
            line: context.requests().nth(event.request).map_or(0, |request| request.line),
            call: answer_parts.find(|part| is_call_with_gram(part, event)).and_then(label_of_call),
            source_call: call_of(context, event.source).and_then(label_of_call),
            source_request: calling_request.and_then(number_of),
            texts: gram_texts(rows, answer, source_row, event),
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

fn is_call_with_gram(part: &Part, event: &NeedEvent) -> bool {
    let mut has_gram = false;
    if matches!(part, Part::Call { .. }) {
        Index::visit_assistant_grams(&part, 0, &mut |_, gram| {
            has_gram |= event.grams.iter().any(|needed| needed.key == gram.key);
        });
    }
    has_gram
}

fn call_of<'a>(context: &CountedContext<'a>, position: usize) -> Option<&'a Part> {
    let (rows, order) = (context.thread.rows, &context.rows.rows);
    let Some(Part::Result { id: wanted, .. }) = rows.result(*order.get(position)?) else { return None };
    let before = order.get(..position)?.iter().rev();
    let mut parts = before.filter_map(|&row| rows.message(row)).flat_map(|message| &message.parts);
    parts.find(|part| matches!(part, Part::Call { id, .. } if id == wanted))
}

fn label_of_call(part: &Part) -> Option<String> {
    let Part::Call { name, arguments, .. } = part else { return None };
    // In JSON text, the line that names the file ends with an escaped line break.
    let patch = arguments.split(BEFORE_PATCHED_PATH).nth(1);
    let patched_file = patch.and_then(|rest| rest.split(['\n', '\\']).next());
    let label = patched_file.map_or_else(|| of_call(name, arguments), |path| format!("{name}: {path}"));
    Some(one_line(&label, SHOWN_CHARS))
}

/// By gram of the need, its texts. `answer`: the rows of the assistant message; `source`: the row of the result.
fn gram_texts(rows: &CountedRows<'_>, answer: Range<usize>, source: usize, event: &NeedEvent) -> Vec<GramTexts> {
    let mut found: BTreeMap<u64, GramTexts> = BTreeMap::new();
    for row in answer {
        Index::visit_assistant_grams(rows, row, &mut |text, gram| {
            if event.grams.iter().any(|needed| needed.key == gram.key) {
                found.entry(gram.key).or_insert_with(|| GramTexts {
                    gram: one_line(&slice(text, gram.start, gram.end), SHOWN_CHARS),
                    in_answer: excerpt(text, gram.start, gram.end),
                    in_result: String::new(),
                });
            }
        });
    }
    Index::visit_row_grams(rows, source, &mut |text, gram| {
        if let Some(known) = found.get_mut(&gram.key).filter(|known| known.in_result.is_empty()) {
            known.in_result = excerpt(text, gram.start, gram.end);
        }
    });
    event.grams.iter().map(|gram| found.get(&gram.key).cloned().unwrap_or_default()).collect()
}

/// The text between two byte offsets, which may be within a character.
fn slice(text: &str, start: usize, end: usize) -> String {
    String::from_utf8_lossy(text.as_bytes().get(start..end).unwrap_or_default()).into_owned()
}

fn excerpt(text: &str, start: usize, end: usize) -> String {
    let around = slice(text, start.saturating_sub(AROUND_BYTES), (end + AROUND_BYTES).min(text.len()));
    one_line(&around, MAX_EXCERPT_CHARS)
}

/// The text with single spaces between words, of at most `max_chars`.
fn one_line(text: &str, max_chars: usize) -> String {
    let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let start = joined.char_indices().nth(max_chars).and_then(|(end, _)| joined.get(..end));
    start.map(|start| format!("{start}…")).unwrap_or(joined)
}

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

impl Texts for &Part {
    fn row_count(&self) -> usize {
        1
    }

    fn read(&self, _: usize, read: &mut dyn FnMut(Field<'_>)) {
        read_fields(self, read);
    }
}

fn read_fields(part: &Part, read: &mut dyn FnMut(Field<'_>)) {
    match part {
        Part::Text(text) | Part::Reasoning { text, .. } | Part::Tools(text) | Part::Other { json: text, .. } => {
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
