//! A thread as chat messages, whose summaries carry the messages that they replace, as the package's compression does.

use std::collections::HashMap;

use serde::Serialize;
use serde_json::{Value, json};

use super::super::{CountedRows, CountedThread, to_f64};
use super::cells::hundredth;
use crate::{ContextStart, Message, Part, RequestKind, Role, Session, chat_messages};

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SessionHistory {
    pub points: Vec<CompressionPoint>,
    /// In OpenAI's chat form; `sessionMessage` is the index into the session's messages.
    pub messages: Vec<Value>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CompressionPoint {
    pub id: String,
    /// `summary`, or `truncation` if no summary is recorded.
    pub kind: &'static str,
    pub level: usize,
    pub at_ms: Option<i64>,
    pub model: Option<String>,
    pub request: Option<usize>,
    /// Figures of the requests before and after, `None` if there is no such request; `tokens_before` is the agent's own
    /// figure if it is recorded.
    pub messages_before: Option<usize>,
    pub messages_after: Option<usize>,
    pub tokens_before: Option<f64>,
    pub tokens_after: Option<f64>,
    pub tokens_saved: Option<f64>,
    /// Number of chat messages before it, including those that the agent keeps.
    pub original_count: usize,
}

impl SessionHistory {
    /// History of thread `number`, 0 for the main one; empty if there is no such thread. O(texts).
    pub fn of(session: &Session, number: usize) -> Self {
        let mut history = Self { points: Vec::new(), messages: Vec::new() };
        if let Some(thread) = session.threads.get(number) {
            let rows = CountedRows::estimated(session);
            let thread = &CountedThread::of(number, thread, &rows);
            HistoryWriter { thread, summaries: HashMap::new() }.write(&mut history);
        }
        history
    }
}

/// Writes the contexts of a thread in order, each compaction around what was written before it.
struct HistoryWriter<'a> {
    thread: &'a CountedThread<'a>,
    /// Summaries to be written, by message index. Each holds the whole earlier conversation, so it is moved, not copied.
    summaries: HashMap<u32, Value>,
}

impl HistoryWriter<'_> {
    fn write(mut self, history: &mut SessionHistory) {
        for (context_index, context) in (0..).zip(&self.thread.thread.contexts) {
            let before = std::mem::take(&mut history.messages);
            if matches!(context.start, ContextStart::Compaction { .. }) {
                let summary_index = summary_of(self.thread, context_index);
                let messages = &self.thread.rows.session.messages;
                let summary_message = summary_index.and_then(|index| messages.get(index as usize));
                let point = self.point(context_index, summary_message, before.len(), history.points.len() + 1);
                let summary_value = self.summary_value(&point, summary_index.zip(summary_message), before);
                match summary_index {
                    Some(summary_index) => drop(self.summaries.insert(summary_index, summary_value)),
                    None => history.messages.push(summary_value),
                }
                history.points.push(point);
            } else {
                // The conversation restarts, such as after a rewind, and may send its summaries again.
                for message in before.into_iter().filter(|message| message.get("compression").is_some()) {
                    let index = message.get("sessionMessage").and_then(Value::as_u64);
                    self.summaries.extend(index.and_then(|index| Some((u32::try_from(index).ok()?, message))));
                }
            }
            for &message in &context.messages {
                history.messages.extend(self.take_messages(message));
            }
        }
    }

    /// The message with this index in chat form, or the summary with its record, which is taken from `summaries`.
    fn take_messages(&mut self, index: u32) -> Vec<Value> {
        let message = || self.thread.rows.session.messages.get(index as usize);
        let shown = || message().map_or_else(Vec::new, |message| shown_messages(message, index));
        self.summaries.remove(&index).map_or_else(shown, |summary| vec![summary])
    }

    fn point(&self, context: u32, summary: Option<&Message>, original_count: usize, level: usize) -> CompressionPoint {
        let requests = self.thread.thread.requests.iter().enumerate();
        let after = requests.clone().find(|(_, request)| request.context == context);
        let before = requests.clone().rfind(|(_, request)| request.context < context);
        let total = |request: usize| hundredth(self.thread.prompt_tokens.get(request).copied().unwrap_or(0.0));
        let start = self.thread.thread.contexts.get(context as usize).map(|context| &context.start);
        let tokens_before = match start {
            Some(ContextStart::Compaction { tokens_before: Some(reported) }) => Some(to_f64(*reported)),
            _ => before.map(|(index, _)| total(index)),
        };
        let tokens_after = after.map(|(index, _)| total(index));
        let summary_request = before.filter(|(_, request)| request.kind == RequestKind::Compaction);
        CompressionPoint {
            id: format!("{}-{level}", self.thread.rows.session.id.as_deref().unwrap_or("session")),
            kind: if summary.is_some() { "summary" } else { "truncation" },
            level,
            at_ms: summary.and_then(|message| message.at_ms).or(after.and_then(|(_, request)| request.at_ms)),
            model: summary_request.and_then(|(_, request)| request.model.as_deref()).map(str::to_owned),
            request: after.map(|(index, _)| index),
            messages_before: before.map(|(_, request)| request.sent_count as usize),
            messages_after: after.map(|(_, request)| request.sent_count as usize),
            tokens_before,
            tokens_after,
            tokens_saved: tokens_before.zip(tokens_after).map(|(before, after)| hundredth(before - after)),
            original_count,
        }
    }

    fn summary_value(&self, point: &CompressionPoint, summary: Option<(u32, &Message)>, before: Vec<Value>) -> Value {
        let parts = summary.map_or(&[][..], |(_, message)| &message.parts);
        let content = parts.iter().filter_map(Part::as_text).collect::<Vec<_>>().join("\n");
        // The agent's name, if the model that wrote the summary isn't recorded.
        let model = point.model.as_deref().unwrap_or(self.thread.rows.session.agent.name());
        let mut value = json!({
            "role": "user",
            "content": content,
            "isCompressed": true,
            "compressedAt": point.at_ms,
            "sessionMessage": summary.map(|(index, _)| index),
            "compression": {
                "id": point.id,
                "level": point.level,
                "kind": point.kind,
                "beforeCount": point.messages_before,
                "afterCount": point.messages_after,
                "tokensBefore": point.tokens_before,
                "tokensAfter": point.tokens_after,
                "model": model,
                "durationMs": 0,
                "messageCount": before.len(),
                "originalMessages": null,
            },
        });
        // Moved in: the macro would copy them.
        if let Some(place) = value.pointer_mut("/compression/originalMessages") {
            *place = Value::Array(before);
        }
        value
    }
}

/// Index of the summary message of a compacted context: the longest new text in the first request after a compaction;
/// agents mark their summaries differently, or not at all.
pub(super) fn summary_of(thread: &CountedThread<'_>, index: u32) -> Option<u32> {
    let contexts = &thread.thread.contexts;
    let context_rows = thread.contexts.get(index as usize)?;
    if !matches!(contexts.get(index as usize)?.start, ContextStart::Compaction { .. }) {
        return None;
    }
    let first = thread.thread.requests.iter().find(|request| request.context == index);
    let sent = first.map_or(context_rows.rows.len(), |request| context_rows.row_count(request.sent_count));
    let before = index.checked_sub(1).and_then(|before| contexts.get(before as usize));
    let before = before.map_or(&[][..], |context| &context.messages);
    let is_tool_part = |part: &Part| matches!(part, Part::Call { .. } | Part::Result { .. } | Part::Tools(_));
    let is_candidate = |message: &Message| {
        matches!(message.role, Role::User | Role::Assistant) && !message.parts.iter().any(is_tool_part)
    };
    let candidates = context_rows.rows.iter().zip(&context_rows.tokens).take(sent).filter_map(|(&row, &tokens)| {
        let index = thread.rows.all.get(row)?.message;
        let is_new = thread.rows.message(row).is_some_and(is_candidate) && !before.contains(&index);
        is_new.then_some((index, tokens))
    });
    candidates.max_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(index, _)| index)
}

fn shown_messages(message: &Message, index: u32) -> Vec<Value> {
    let parts = message.parts.iter().map(|part| match part {
        Part::Media(_) => Part::Text("[image or file]".to_owned()),
        Part::Other { kind, .. } => Part::Text(format!("[{kind}]")),
        other => other.clone(),
    });
    let shown = Message { role: message.role, at_ms: message.at_ms, parts: parts.collect() };
    let mut written = chat_messages(&shown);
    for value in written.iter_mut().filter_map(Value::as_object_mut) {
        value.insert("sessionMessage".to_owned(), index.into());
        if let Some(at_ms) = message.at_ms {
            value.insert("timestamp".to_owned(), at_ms.into());
        }
    }
    written
}
