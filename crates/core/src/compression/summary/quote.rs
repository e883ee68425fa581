//! Formats history for the summary model: as numbered, quoted data that can neither close its quotation nor open a
//! message of its own (R7.5).

use std::collections::HashSet;

use serde_json::Value;

use crate::compression::message::{ChatMessage, ChatRole, CreatedKind, ToolCall};
use crate::compression::plain_text::{one_line, plain_text};
use crate::compression::plan::turns::Pairs;
use crate::compression::record::digest::CallOutcome;
use crate::compression::whole_tokens;
use crate::text::hash::fnv1a;
use crate::tokens::models::Model;
use crate::tokens::truncate::{Keep, assemble, truncate};
use crate::tools::arguments::distinguishing;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockKind {
    ToolResult,
    Arguments,
    Text,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    pub kind: BlockKind,
    /// Number of its message, from 1.
    pub message_number: usize,
    /// Names the author: `user`, `assistant calls Bash`, ``result of Bash `npm test` `` …
    pub label: String,
    pub has_failed: bool,
    /// Without escape sequences and binary data.
    pub text: String,
}

pub fn blocks_of(messages: &[ChatMessage]) -> Vec<Vec<Block>> {
    let pairs = Pairs::new(messages);
    let quoted = messages.iter().enumerate().map(|(index, message)| {
        let answered: Vec<&ToolCall> = pairs.calls_answered_by(index).collect();
        let block = |kind, label, text, has_failed| Block {
            kind,
            message_number: index + 1,
            label,
            has_failed,
            text: plain_text(text),
        };
        // The next attempt must know the output of a failed call.
        let fails = |call: &&ToolCall| CallOutcome::read(call, message) != CallOutcome::Succeeded;
        let has_failed = message.is_result() && (message.failed || answered.iter().any(fails));
        let kind = if message.is_result() { BlockKind::ToolResult } else { BlockKind::Text };
        let label = || label_of_text(message, &answered, has_failed);
        let text_block = (!message.text.is_empty()).then(|| block(kind, label(), &message.text, has_failed));
        let label_of_call = |call| format!("assistant calls {}", name_of(call));
        let calls = message.calls.iter();
        let calls = calls.map(|call| block(BlockKind::Arguments, label_of_call(call), &call.arguments, false));
        text_block.into_iter().chain(calls).collect()
    });
    quoted.collect()
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
        // No text is long enough to contain all words of six digits.
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

    /// `text` between a line that names it and one that ends it, without the boundary word: the model may have repeated
    /// it.
    pub fn enclose(&self, name: &str, text: &str) -> String {
        let (word, text) = (&self.word, self.purge(text));
        format!("[{word} {name}]\n{text}\n[{word} end]")
    }

    pub fn purge(&self, text: &str) -> String {
        // The word is ASCII, so lower-casing ASCII keeps all offsets.
        let lower = text.to_ascii_lowercase();
        let (mut purged, mut end) = (String::with_capacity(text.len()), 0);
        for (start, word) in lower.match_indices(&self.word) {
            purged.extend([text.get(end..start).unwrap_or_default(), "…"]);
            end = start + word.len();
        }
        purged + text.get(end..).unwrap_or_default()
    }
}

/// The values of the words in `text` that a boundary with this many hexadecimal digits could equal.
fn words_in(text: &str, digits: u32) -> impl Iterator<Item = u64> + '_ {
    let width = digits as usize;
    let starts = text.bytes().enumerate().filter(|&(_, byte)| byte | 0x20 == b'q').map(|(at, _)| at + 1);
    let is_hexadecimal = |word: &&str| word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let words = starts.filter_map(move |start| text.get(start..start + width)).filter(is_hexadecimal);
    words.filter_map(|word| u64::from_str_radix(word, 16).ok())
}

/// `text` with at most `limit_tokens`, its middle replaced by a mark; `None` if it fits as it is. The text after the
/// mark begins a line: a header there remains a header.
#[must_use]
pub fn shortened(text: &str, limit_tokens: f64, model: &Model) -> Option<String> {
    if model.fits(text, limit_tokens) {
        return None;
    }
    let count_tokens = |text: &str| whole_tokens(model.count(text).ceil());
    let marker = if limit_tokens < 40.0 { " …\n" } else { "\n[… shortened …]\n" };
    let kept = truncate(&count_tokens, text, whole_tokens(limit_tokens), Keep::Both, marker);
    kept.map(|kept| assemble(text, kept, marker))
}

/// Names and arguments come from the history, and must not make a header arbitrarily long.
const LONGEST_NAME_CHARS: usize = 64;
const LONGEST_ARGUMENTS_CHARS: usize = 60;
/// A header names at most this many calls: a message in Anthropic's form may answer any number.
const MAX_CALLS: usize = 3;

fn label_of_text(message: &ChatMessage, answered: &[&ToolCall], has_failed: bool) -> String {
    let author = match message.role {
        _ if message.is_result() => &*label_of_result(answered),
        _ if message.created_as == Some(CreatedKind::Notice) => "notice of a truncation",
        ChatRole::System => "system",
        ChatRole::User => "user",
        ChatRole::Assistant => "assistant",
        ChatRole::Tool | ChatRole::Other => "other",
    };
    [author, if has_failed || message.failed { " (failed)" } else { "" }].concat()
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

/// The call's name with its command, path, pattern or similar; else with all arguments.
fn with_arguments(call: &ToolCall) -> String {
    let parsed: Value = serde_json::from_str(&call.arguments).unwrap_or_default();
    let all = || parsed.as_object().is_some_and(|fields| !fields.is_empty()).then(|| call.arguments.clone());
    let arguments = distinguishing(&call.name, &parsed).or_else(all).unwrap_or_default();
    let arguments = harmless(&one_line(&arguments, LONGEST_ARGUMENTS_CHARS));
    if arguments.is_empty() { name_of(call) } else { format!("{} `{arguments}`", name_of(call)) }
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
mod tests;
