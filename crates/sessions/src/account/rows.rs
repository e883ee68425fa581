//! A session's messages as rows: one for each tool result of a message, then one for its rest, if it has any.

use std::collections::HashMap;
use std::ops::Range;

use indexmap::IndexSet;
use palimpsest_core::tokens::encoding::o200k;
use palimpsest_core::tokens::weights::{CALL_TOKENS, MEDIA_TOKENS, MESSAGE_TOKENS};
use palimpsest_core::tools::result_kind::{ResultKind, result_kind_of};

use crate::model::{Message, Part, Role, Session};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ContentKind {
    System,
    User,
    Assistant,
    Reasoning,
    ToolCalls,
    ToolResults,
    Media,
    Other,
}

impl ContentKind {
    /// Names in reports, in the order of the kinds.
    pub const NAMES: [&str; 8] =
        ["system", "user", "assistant", "reasoning", "tool calls", "tool results", "images and files", "other"];

    pub(super) fn of_text(role: Role) -> Self {
        match role {
            Role::System | Role::Developer => Self::System,
            Role::User => Self::User,
            Role::Assistant => Self::Assistant,
            Role::Tool => Self::ToolResults,
        }
    }
}

#[derive(Debug, Clone, Default)]
pub(super) struct CountedRow {
    pub message: u32,
    /// Index of the result among the message's parts.
    pub part: Option<usize>,
    /// Index of the result's tool in `CountedRows::tools`.
    pub tool: Option<usize>,
    /// `None` for a row that is no result.
    pub result_kind: Option<ResultKind>,
    pub tokens: f64,
    /// By part of the row, its kind and tokens.
    pub parts: Vec<(ContentKind, f64)>,
    /// By call of the row: index of the tool, and tokens of the call.
    pub call_tokens: Vec<(usize, f64)>,
}

impl CountedRow {
    /// By part of the row, its kind and its share (0 to 1) of the tokens of all `parts`.
    pub fn kind_shares(&self) -> impl Iterator<Item = (ContentKind, f64)> {
        let sum: f64 = self.parts.iter().map(|(_, tokens)| tokens).sum();
        self.parts.iter().map(move |&(kind, tokens)| (kind, if sum > 0.0 { tokens / sum } else { 0.0 }))
    }
}

/// A call's tool as index into `CountedRows::tools`, and the kind of its result.
type CalledTool = (usize, ResultKind);

pub(super) struct CountedRows<'a> {
    pub session: &'a Session,
    pub all: Vec<CountedRow>,
    pub tools: Vec<String>,
    /// Index of each message's first row; one more entry for the end.
    starts: Vec<usize>,
}

impl<'a> CountedRows<'a> {
    pub fn of(session: &'a Session) -> Self {
        Self::counted_by(session, count_tokens)
    }

    /// Like [`Self::of`] with estimated tokens, for callers that only need proportions.
    pub fn estimated(session: &'a Session) -> Self {
        const BYTES_PER_TOKEN: f64 = 4.0;
        Self::counted_by(session, |text| text.len() as f64 / BYTES_PER_TOKEN)
    }

    fn counted_by(session: &'a Session, count: fn(&str) -> f64) -> Self {
        let mut rows = Self { session, all: Vec::new(), tools: Vec::new(), starts: Vec::new() };
        let mut tools: IndexSet<&str> = IndexSet::new();
        let mut tool_of_call: HashMap<&str, CalledTool> = HashMap::new();
        for (index, message) in (0..).zip(&session.messages) {
            rows.starts.push(rows.all.len());
            tool_of_call.extend(message.calls().map(|(id, name, arguments)| {
                let (tool, _) = tools.insert_full(name);
                (id, (tool, result_kind_of(name, arguments)))
            }));
            rows.push_rows_of(index, message, (&tools, &tool_of_call), count);
        }
        rows.starts.push(rows.all.len());
        rows.tools = tools.into_iter().map(str::to_owned).collect();
        rows
    }

    fn push_rows_of(
        &mut self,
        index: u32,
        message: &Message,
        (tools, tool_of_call): (&IndexSet<&str>, &HashMap<&str, CalledTool>),
        count: fn(&str) -> f64,
    ) {
        let mut rest = CountedRow { message: index, tokens: MESSAGE_TOKENS, ..CountedRow::default() };
        for (part_index, part) in message.parts.iter().enumerate() {
            let tokens = tokens_of(part, count);
            if let Part::Result { id, .. } = part {
                let tokens = tokens + MESSAGE_TOKENS;
                let called = tool_of_call.get(id.as_str());
                self.all.push(CountedRow {
                    message: index,
                    part: Some(part_index),
                    tool: called.map(|(tool, _)| *tool),
                    result_kind: Some(called.map_or(ResultKind::Other, |(_, kind)| *kind)),
                    tokens,
                    parts: vec![(ContentKind::ToolResults, tokens)],
                    call_tokens: Vec::new(),
                });
                continue;
            }
            if let Part::Call { name, .. } = part {
                rest.call_tokens.extend(tools.get_index_of(name.as_str()).map(|tool| (tool, tokens)));
            }
            rest.tokens += tokens;
            rest.parts.push((kind_of(message.role, part), tokens));
        }
        if !message.has_only_results() {
            self.all.push(rest);
        }
    }

    pub fn of_message(&self, message: u32) -> Range<usize> {
        let index = message as usize;
        let start = self.starts.get(index).copied().unwrap_or_default();
        start..self.starts.get(index + 1).copied().unwrap_or(start)
    }

    pub fn is_result(&self, row: usize) -> bool {
        self.all.get(row).is_some_and(|row| row.part.is_some())
    }

    pub fn message(&self, row: usize) -> Option<&'a Message> {
        self.session.messages.get(self.all.get(row)?.message as usize)
    }

    pub fn result(&self, row: usize) -> Option<&'a Part> {
        self.message(row)?.parts.get(self.all.get(row)?.part?)
    }

    /// Id, tool and arguments of each call; empty if the row is a result.
    pub fn calls(&self, row: usize) -> impl Iterator<Item = (&'a str, &'a str, &'a str)> {
        self.message(row).filter(|_| !self.is_result(row)).into_iter().flat_map(Message::calls)
    }
}

fn kind_of(role: Role, part: &Part) -> ContentKind {
    match part {
        Part::Reasoning { .. } => ContentKind::Reasoning,
        Part::Call { .. } => ContentKind::ToolCalls,
        Part::Result { .. } => ContentKind::ToolResults,
        Part::Media(_) => ContentKind::Media,
        Part::Tools(_) => ContentKind::System,
        Part::Other { .. } => ContentKind::Other,
        Part::Text(_) => ContentKind::of_text(role),
    }
}

/// Text as counted by `count`, and [`MEDIA_TOKENS`] for an image or a file. Encrypted reasoning is 0: only the provider's usage has its tokens.
fn tokens_of(part: &Part, count: fn(&str) -> f64) -> f64 {
    match part {
        Part::Text(text) | Part::Tools(text) | Part::Other { json: text, .. } | Part::Reasoning { text, .. } => {
            count(text)
        }
        Part::Call { name, arguments, .. } => CALL_TOKENS + count(name) + count(arguments),
        Part::Result { content, .. } => content.iter().map(|part| tokens_of(part, count)).sum(),
        Part::Media(_) => MEDIA_TOKENS,
    }
}

pub(super) fn count_tokens(text: &str) -> f64 {
    o200k().count(text) as f64
}
