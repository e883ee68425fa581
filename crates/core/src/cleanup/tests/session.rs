//! A test conversation, built message by message with its texts in memory.

use std::sync::Arc;

use crate::cleanup::rules::presets;
use crate::cleanup::{Cleanup, Evaluation, Policy, Purpose};
use crate::conversation::{Call, NONE, Row, RowKind, RowTexts};
use crate::results::Language;
use crate::text::paths::ProjectRoot;
use crate::text::utf16::units;

pub const MINUTE: f64 = 60_000.0;

/// Texts in memory; counts how often each content is read in full.
#[derive(Clone, Default)]
pub struct RecordedTexts {
    pub contents: Vec<Option<Vec<u16>>>,
    pub arguments: Vec<Option<Vec<u16>>>,
    pub whole_reads: Vec<usize>,
}

impl RowTexts for RecordedTexts {
    fn content_head(&mut self, index: usize, limit: usize, read: &mut dyn FnMut(&[u16], usize)) {
        if let Some(Some(text)) = self.contents.get(index) {
            read(&text[..limit.min(text.len())], text.len());
        }
    }

    fn content_to_only(&mut self, index: usize, unit: u16, limit: usize, read: &mut dyn FnMut(&[u16])) {
        let Some(Some(text)) = self.contents.get(index) else { return };
        let end = text.iter().position(|&other| other == unit).map_or(0, |at| at + 1);
        if !text[end..].contains(&unit) {
            read(&text[end - limit.min(end)..end]);
        }
    }

    fn content(&mut self, index: usize, read: &mut dyn FnMut(&[u16])) {
        self.whole_reads.resize(self.contents.len(), 0);
        self.whole_reads[index] += 1;
        if let Some(Some(text)) = self.contents.get(index) {
            read(text);
        }
    }

    fn arguments(&mut self, index: usize, read: &mut dyn FnMut(&[u16])) {
        if let Some(Some(text)) = self.arguments.get(index) {
            read(text);
        }
    }
}

/// A conversation built message by message, as the native binding does.
pub struct TestSession {
    pub cleanup: Cleanup,
    pub texts: RecordedTexts,
    pub names: Vec<&'static str>,
    pub next_id: u32,
}

impl TestSession {
    pub fn new(policy: Policy) -> Self {
        Self { cleanup: Cleanup::new(Arc::new(policy)), texts: RecordedTexts::default(), names: Vec::new(), next_id: 0 }
    }

    pub fn terminal() -> Self {
        Self::new(Policy {
            purpose: Purpose::DropIn,
            rules: vec![presets::terminal(Language::Chinese)],
            ..Policy::default()
        })
    }

    pub fn reads() -> Self {
        let root = ProjectRoot::new(&units("/app"), false).unwrap();
        Self::new(Policy {
            purpose: Purpose::DropIn,
            rules: vec![presets::file_reads(root, Language::Chinese)],
            ..Policy::default()
        })
    }

    pub fn name(&mut self, name: &'static str) -> u32 {
        let number = self.names.iter().position(|known| *known == name).unwrap_or_else(|| {
            self.cleanup.add_name(&units(name));
            self.names.push(name);
            self.names.len() - 1
        });
        u32::try_from(number).unwrap()
    }

    /// Adds a call of `tool` and its result; returns the result's row.
    pub fn call(&mut self, tool: &'static str, arguments: &str, content: &str, timestamp: f64) -> usize {
        let id = self.next_id;
        self.next_id += 1;
        let name = self.name(tool);
        let assistant = Row::new(RowKind::Assistant, NONE);
        self.cleanup.push(assistant, [Call { id, name, settled: false }]);
        self.texts.contents.push(None);
        self.texts.arguments.push(Some(units(arguments)));
        self.result(id, content, timestamp)
    }

    /// Adds an assistant message, which ends the turn.
    pub fn answer(&mut self) {
        let row = Row::new(RowKind::Assistant, NONE);
        self.cleanup.push(row, []);
        self.texts.contents.push(None);
    }

    /// Adds a user message.
    pub fn user(&mut self) {
        let row = Row::new(RowKind::Other, NONE);
        self.cleanup.push(row, []);
        self.texts.contents.push(None);
    }

    /// Adds `count` user messages, each with an assistant message.
    pub fn turns(&mut self, count: u32) {
        for _ in 0..count {
            self.user();
            self.answer();
        }
    }

    /// Adds a call of `tool` without a result.
    pub fn unanswered(&mut self, tool: &'static str) {
        self.call(tool, "{}", "", f64::NAN);
        self.cleanup.truncate(self.cleanup.conversation().len() - 1);
        self.texts.contents.pop();
    }

    /// The same conversation in a new `Cleanup` without facts.
    pub fn rebuilt(&self) -> Self {
        let mut cleanup = self.empty();
        for (row, calls) in self.rows() {
            cleanup.push(row, calls);
        }
        Self { cleanup, texts: self.texts.clone(), names: self.names.clone(), next_id: self.next_id }
    }

    /// The same rules and tools, without messages.
    pub fn empty(&self) -> Cleanup {
        let mut cleanup = Cleanup::new(Arc::clone(&self.cleanup.policy));
        for name in &self.names {
            cleanup.add_name(&units(name));
        }
        cleanup
    }

    pub fn rows(&self) -> Vec<(Row, Vec<Call>)> {
        let known = self.cleanup.conversation();
        let calls = |index| known.calls_of(index).filter_map(|call| known.call(call).copied()).collect();
        known.rows().iter().enumerate().map(|(index, &row)| (row, calls(index))).collect()
    }

    pub fn result(&mut self, call_id: u32, content: &str, timestamp: f64) -> usize {
        let row = Row { timestamp, ..Row::new(RowKind::Tool, call_id) };
        self.cleanup.push(row, []);
        self.texts.contents.push(Some(units(content)));
        self.cleanup.conversation().len() - 1
    }

    pub fn evaluate(&mut self, now: f64) -> Evaluation {
        let mut evaluation = self.cleanup.evaluate(&mut self.texts, now).clone();
        evaluation.edits.sort_unstable_by_key(|edit| edit.row);
        evaluation
    }

    pub fn edited(&mut self, now: f64) -> Vec<usize> {
        self.evaluate(now).edits.iter().map(|edit| edit.row as usize).collect()
    }
}

pub const SUCCESS: &str = r#"{"stdout":"Done in 3.2s","stderr":"","exitCode":0}"#;
pub const FAILURE: &str = r#"{"stdout":"","stderr":"Cannot find module","exitCode":1}"#;
