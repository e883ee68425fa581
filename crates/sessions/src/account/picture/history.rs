//! A thread as a conversation in which each compaction can be expanded: chat messages whose summaries carry a record of
//! the messages that they replace, in the form of the package's own compression.

use std::collections::HashMap;

use serde::Serialize;
use serde_json::{Value, json};

use super::super::prompt::{Prompt, Prompts, amount};
use super::super::rows::CountedRows;
use super::cells::hundredth;
use crate::model::{ContextStart, Message, Part, RequestKind, Role, Session, Thread};
use crate::write::chat_messages;

/// A session's compactions, and the conversation that contains them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SessionHistory {
    pub points: Vec<CompressionPoint>,
    /// In OpenAI's chat form; `sessionMessage` is the index into the session's messages, as in cells of the map.
    pub messages: Vec<Value>,
}

/// A point where the agent replaced history with a summary.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CompressionPoint {
    pub id: String,
    pub kind: &'static str,
    pub level: usize,
    pub at_ms: Option<i64>,
    pub model: Option<String>,
    /// Index of the first request after it in the thread, if any.
    pub request: Option<usize>,
    /// Figures of the requests before and after; `None` if there is no such request.
    pub messages_before: Option<usize>,
    pub messages_after: Option<usize>,
    pub tokens_before: Option<f64>,
    pub tokens_after: Option<f64>,
    pub tokens_saved: Option<f64>,
    pub original_count: usize,
}

impl SessionHistory {
    /// History of thread `number`, 0 for the main one; empty if there is no such thread. O(texts).
    pub fn of(session: &Session, number: usize) -> Self {
        let mut history = Self { points: Vec::new(), messages: Vec::new() };
        if let Some(thread) = session.threads.get(number) {
            let rows = CountedRows::sized(session);
            let prompts = Prompts::of(thread, &rows);
            let (summaries, places) = (HashMap::new(), HashMap::new());
            Folding { thread, rows: &rows, prompts: &prompts, summaries, places }.fold(&mut history);
        }
        history
    }

    /// JSON text with camelCase names.
    pub fn to_json(&self) -> String {
        // Can't fail: all map keys are strings.
        serde_json::to_string(self).unwrap_or_default()
    }
}

struct Folding<'a> {
    thread: &'a Thread,
    rows: &'a CountedRows<'a>,
    prompts: &'a Prompts,
    /// By message, a summary with its record until it is written. A record holds the whole earlier conversation, moved, not copied.
    summaries: HashMap<u32, Value>,
    /// By record id, the summary's message.
    places: HashMap<String, u32>,
}

impl Folding<'_> {
    fn fold(mut self, history: &mut SessionHistory) {
        for (number, context) in (0..).zip(&self.thread.contexts) {
            let before = std::mem::take(&mut history.messages);
            if matches!(context.start, ContextStart::Compaction { .. }) {
                let point = self.point(number, before.len(), history.points.len());
                let summary = self.summary(number);
                let record = self.record(&point, summary, before);
                history.points.push(point);
                match summary {
                    Some(at) => {
                        let id = history.points.last().map(|point| point.id.clone()).unwrap_or_default();
                        self.places.insert(id, at);
                        self.summaries.insert(at, record);
                    }
                    // The summary isn't recorded.
                    None => history.messages.push(record),
                }
            } else {
                self.take_back(before);
            }
            for &at in &context.messages {
                let written = self.written(at);
                history.messages.extend(written);
            }
        }
    }

    fn summary(&self, number: u32) -> Option<u32> {
        let prompt = self.prompts.contexts.get(number as usize)?;
        let mut requests = self.thread.requests.iter().filter(|request| request.context == number);
        let sent = requests.next().map_or(prompt.rows.len(), |request| prompt.end(request.sent));
        summary_of(self.rows, self.thread, (number, prompt, sent))
    }

    /// Makes summaries available again after the conversation restarts, such as after a rewind.
    fn take_back(&mut self, messages: Vec<Value>) {
        for message in messages {
            let id = message.get("compression").and_then(|record| record.get("id")).and_then(Value::as_str);
            if let Some(&at) = id.and_then(|id| self.places.get(id)) {
                self.summaries.insert(at, message);
            }
        }
    }

    fn written(&mut self, at: u32) -> Vec<Value> {
        if let Some(summary) = self.summaries.remove(&at) {
            return vec![summary];
        }
        self.rows
            .session
            .messages
            .get(at as usize)
            .map_or_else(Vec::new, |message| chat_messages_at(message, at))
    }

    /// The compaction at the start of context `number`.
    fn point(&self, number: u32, original_count: usize, earlier: usize) -> CompressionPoint {
        let requests = self.thread.requests.iter().enumerate();
        let after = requests.clone().find(|(_, request)| request.context == number);
        let before = requests.clone().rfind(|(_, request)| request.context < number);
        let total = |at: usize| hundredth(self.prompts.totals.get(at).copied().unwrap_or(0.0));
        let reported = self.thread.contexts.get(number as usize).and_then(|context| match context.start {
            ContextStart::Compaction { tokens_before } => tokens_before,
            _ => None,
        });
        let tokens_before = reported.map(amount).or(before.map(|(at, _)| total(at)));
        let tokens_after = after.map(|(at, _)| total(at));
        let summary = self.summary(number).and_then(|at| self.rows.session.messages.get(at as usize));
        let written = before.filter(|(_, request)| request.kind == RequestKind::Compaction);
        CompressionPoint {
            id: format!("{}-{}", self.rows.session.id.as_deref().unwrap_or("session"), earlier + 1),
            kind: if summary.is_some() { "summary" } else { "truncation" },
            level: earlier + 1,
            at_ms: summary.and_then(|message| message.at_ms).or(after.and_then(|(_, request)| request.at_ms)),
            model: written.and_then(|(_, request)| request.model.as_deref()).map(str::to_owned),
            request: after.map(|(at, _)| at),
            messages_before: before.map(|(_, request)| request.sent as usize),
            messages_after: after.map(|(_, request)| request.sent as usize),
            tokens_before,
            tokens_after,
            tokens_saved: tokens_before.zip(tokens_after).map(|(before, after)| hundredth(before - after)),
            original_count,
        }
    }

    /// The summary as a message with the messages that it replaces.
    fn record(&self, point: &CompressionPoint, summary: Option<u32>, originals: Vec<Value>) -> Value {
        let message = summary.and_then(|at| self.rows.session.messages.get(at as usize));
        let content = message.map_or(String::new(), text_of);
        // The agent's name, if the model that wrote the summary isn't recorded.
        let model = point.model.as_deref().unwrap_or(self.rows.session.agent.name());
        let mut written = json!({
            "role": "user",
            "content": content,
            "isCompressed": true,
            "compressedAt": point.at_ms,
            "sessionMessage": summary,
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
                "messageCount": originals.len(),
                "originalMessages": null,
            },
        });
        // Moved in: the macro would copy them.
        if let Some(place) = written.pointer_mut("/compression/originalMessages") {
            *place = Value::Array(originals);
        }
        written
    }
}

/// The summary message of a compacted context: the longest new text in the first request after a compaction; agents mark their summaries differently, or not at
/// all. The context is given by its number, its prompt, and the number of rows of its first request.
pub(super) fn summary_of(
    all: &CountedRows<'_>,
    thread: &Thread,
    (number, prompt, sent): (u32, &Prompt, usize),
) -> Option<u32> {
    let context = thread.contexts.get(number as usize)?;
    if !matches!(context.start, ContextStart::Compaction { .. }) {
        return None;
    }
    let before = number.checked_sub(1).and_then(|before| thread.contexts.get(before as usize));
    let before = before.map_or(&[][..], |context| &context.messages);
    let is_candidate = |at: u32| {
        all.session.messages.get(at as usize).is_some_and(|message| {
            let says =
                |part: &Part| !matches!(part, Part::Call { .. } | Part::Result { .. } | Part::Tools(_));
            matches!(message.role, Role::User | Role::Assistant) && message.parts.iter().all(says)
        })
    };
    let rows = prompt.rows.iter().zip(&prompt.tokens).take(sent);
    let messages = rows.filter_map(|(&row, &tokens)| Some((all.all.get(row)?.message, tokens)));
    let new = messages.filter(|&(at, _)| is_candidate(at) && !before.contains(&at));
    new.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(at, _)| at)
}

/// One message in chat form, with its index and time, without image data.
fn chat_messages_at(message: &Message, at: u32) -> Vec<Value> {
    let parts = message.parts.iter().map(|part| match part {
        Part::Media(_) => Part::Text("[image or file]".to_owned()),
        Part::Other { kind, .. } => Part::Text(format!("[{kind}]")),
        other => other.clone(),
    });
    let shown = Message { role: message.role, at_ms: message.at_ms, parts: parts.collect() };
    let mut written = chat_messages(&shown);
    for value in written.iter_mut().filter_map(Value::as_object_mut) {
        value.insert("sessionMessage".to_owned(), at.into());
        if let Some(at_ms) = message.at_ms {
            value.insert("timestamp".to_owned(), at_ms.into());
        }
    }
    written
}

fn text_of(message: &Message) -> String {
    let texts = message.parts.iter().filter_map(|part| match part {
        Part::Text(text) => Some(text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}
