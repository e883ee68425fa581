//! Formats history for the summary model: as numbered, quoted data that can neither close its quotation nor open a
//! message of its own (R7.5).

use std::collections::HashSet;

use serde_json::Value;

use crate::compression::message::{ChatMessage, ChatRole, CreatedKind, ToolCall};
use crate::compression::plain_text::{one_line, plain_text};
use crate::compression::plan::pairs::Pairs;
use crate::compression::record::digest::CallOutcome;
use crate::text::hash::fnv1a;
use crate::tokens::models::Model;
use crate::tokens::truncate::{Keep, assemble, truncate};
use crate::tools::arguments::distinguishing;

/// The parts of a message, in the order in which long ones are shortened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum BlockKind {
    ToolResult,
    Arguments,
    Text,
}

/// One quoted text: a message's own, or the arguments of one of its calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    pub kind: BlockKind,
    /// Number of its message, from 1.
    pub message_number: usize,
    /// Names the author: `user`, `assistant calls Bash`, ``result of Bash `npm test` `` …
    pub label: String,
    pub has_failed: bool,
    /// The text without escape sequences and binary data.
    pub text: String,
}

/// The quoted texts of each message. O(text).
pub fn blocks_of(messages: &[ChatMessage]) -> Vec<Vec<Block>> {
    let pairs = Pairs::new(messages);
    let quoted = messages.iter().enumerate().map(|(index, message)| {
        let is_result = message.is_result();
        let has_failed = is_result && has_failed(message, pairs.calls_answered_by(index, messages));
        let text_block = (!message.text.is_empty()).then(|| Block {
            kind: if is_result { BlockKind::ToolResult } else { BlockKind::Text },
            message_number: index + 1,
            label: label_of_text(messages, &pairs, index, has_failed),
            has_failed,
            text: plain_text(&message.text),
        });
        let calls = message.calls.iter().map(|call| Block {
            kind: BlockKind::Arguments,
            message_number: index + 1,
            label: format!("assistant calls {}", name_of(call)),
            has_failed: false,
            text: plain_text(&call.arguments),
        });
        text_block.into_iter().chain(calls).collect()
    });
    quoted.collect()
}

/// The next attempt must know the output of a failed call.
fn has_failed<'c>(message: &ChatMessage, mut calls: impl Iterator<Item = &'c ToolCall>) -> bool {
    message.failed || calls.any(|call| CallOutcome::read(call, message) != CallOutcome::Succeeded)
}

/// A word that occurs in none of the quoted texts, in any case, so that only this library can write a header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Boundary {
    pub word: String,
}

impl Boundary {
    /// The same texts give the same word. O(text), also for texts crafted to contain every short word.
    pub fn outside_of(texts: &[&str]) -> Self {
        let start = fnv1a(texts.iter().flat_map(|text| text.bytes()));
        // No text is long enough to contain all words of six digits, let alone more.
        for digits in 4..=15_u32 {
            let taken: HashSet<u64> = texts.iter().flat_map(|text| words_in(text, digits)).collect();
            let values = 1_u64 << (4 * digits);
            let mut candidates = (0..values).map(|step| start.wrapping_add(step) % values);
            if let Some(value) = candidates.find(|value| !taken.contains(value)) {
                return Self { word: format!("q{value:0width$x}", width = digits as usize) };
            }
        }
        Self { word: format!("q{start:016x}") }
    }

    pub fn header(&self, block: &Block) -> String {
        format!("\n[{} #{} {}]\n", self.word, block.message_number, block.label)
    }

    /// `text` between a line that names it and one that ends it. Removes the boundary word from it, because the model
    /// may have repeated it since.
    pub fn enclose(&self, name: &str, text: &str) -> String {
        let (word, text) = (&self.word, self.purge(text));
        format!("[{word} {name}]\n{text}\n[{word} end]")
    }

    /// `text` with each boundary word replaced by an ellipsis.
    pub fn purge(&self, text: &str) -> String {
        // The word is ASCII, so lower-casing ASCII keeps all offsets.
        let lower = text.to_ascii_lowercase();
        if !lower.contains(&self.word) {
            return text.to_owned();
        }
        let mut purged = String::with_capacity(text.len());
        let mut from = 0;
        for (start, word) in lower.match_indices(&self.word) {
            purged.push_str(text.get(from..start).unwrap_or_default());
            purged.push('…');
            from = start + word.len();
        }
        purged.push_str(text.get(from..).unwrap_or_default());
        purged
    }
}

/// The values of the words in `text` that a boundary with this many hexadecimal digits could equal.
fn words_in(text: &str, digits: u32) -> impl Iterator<Item = u64> + '_ {
    let width = digits as usize;
    let starts = text.bytes().enumerate().filter(|&(_, byte)| byte | 0x20 == b'q').map(|(at, _)| at + 1);
    starts.filter_map(move |start| {
        let digits = text.get(start..start + width)?;
        let is_hexadecimal = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_hexadecimal.then(|| u64::from_str_radix(digits, 16).ok()).flatten()
    })
}

/// `text` with at most `limit_tokens`, its middle replaced by a mark; `None` if it fits as it is. The text after the
/// mark begins a line, so that a header after the cut remains a header.
#[must_use]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "token counts, not negative")]
pub fn shortened(text: &str, limit_tokens: f64, model: &Model) -> Option<String> {
    if model.fits(text, limit_tokens) {
        return None;
    }
    let count_tokens = |text: &str| model.count(text).ceil() as usize;
    let marker = if limit_tokens < 40.0 { " …\n" } else { "\n[… shortened …]\n" };
    let kept = truncate(&count_tokens, text, limit_tokens.max(0.0) as usize, Keep::Both, marker);
    kept.map(|kept| assemble(text, kept, marker))
}

/// Names and arguments come from the history, and must not make a header arbitrarily long.
const LONGEST_NAME_CHARS: usize = 64;
const LONGEST_ARGUMENTS_CHARS: usize = 60;

/// A header names at most this many calls: a message in Anthropic's form may answer any number.
const MAX_CALLS: usize = 3;

/// `user`, ``result of Bash `npm test` (failed)``.
fn label_of_text(messages: &[ChatMessage], pairs: &Pairs, index: usize, has_failed: bool) -> String {
    let Some(message) = messages.get(index) else { return String::new() };
    let mut label = match message.role {
        _ if message.is_result() => {
            label_of_result(&pairs.calls_answered_by(index, messages).collect::<Vec<_>>())
        }
        _ if message.created_as == Some(CreatedKind::Notice) => "notice of a truncation".to_owned(),
        ChatRole::System => "system".to_owned(),
        ChatRole::User => "user".to_owned(),
        ChatRole::Assistant => "assistant".to_owned(),
        ChatRole::Tool | ChatRole::Other => "other".to_owned(),
    };
    if has_failed || message.failed {
        label.push_str(" (failed)");
    }
    label
}

fn label_of_result(calls: &[&ToolCall]) -> String {
    if calls.is_empty() {
        return "tool result".to_owned();
    }
    let mut names: Vec<String> = calls.iter().take(MAX_CALLS).map(|call| with_arguments(call)).collect();
    if calls.len() > MAX_CALLS {
        names.push(format!("and {} more", calls.len() - MAX_CALLS));
    }
    format!("result of {}", names.join(", "))
}

fn with_arguments(call: &ToolCall) -> String {
    match telling_argument(call).map(|text| harmless(&one_line(&text, LONGEST_ARGUMENTS_CHARS))) {
        Some(arguments) if !arguments.is_empty() => format!("{} `{arguments}`", name_of(call)),
        _ => name_of(call),
    }
}

/// The command, path, pattern or similar; else all arguments.
fn telling_argument(call: &ToolCall) -> Option<String> {
    let arguments: Value = serde_json::from_str(&call.arguments).ok()?;
    distinguishing(&call.name, &arguments).or_else(|| {
        let fields = arguments.as_object()?;
        (!fields.is_empty()).then(|| call.arguments.clone())
    })
}

fn name_of(call: &ToolCall) -> String {
    let name: String = harmless(&call.name).chars().take(LONGEST_NAME_CHARS).collect();
    if name.trim().is_empty() { "a tool".to_owned() } else { name }
}

/// Removes characters that could end a header.
fn harmless(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).collect::<String>().replace('[', "(").replace(']', ")")
}

#[cfg(test)]
#[path = "quote_tests.rs"]
mod tests;
