//! Which results of the agent's tools the cleanup rules would remove, and from which request on.

use std::collections::HashMap;
use std::sync::Arc;

use palimpsest_core::cleanup::rules::Rule;
use palimpsest_core::cleanup::rules::ages::Ages;
use palimpsest_core::cleanup::rules::subject::Subject;
use palimpsest_core::cleanup::rules::{presets, repeated_commands};
use palimpsest_core::cleanup::{Cleanup, Policy, Purpose};
use palimpsest_core::conversation::{Call, NONE, Row, RowKind, RowTexts};
use palimpsest_core::results::Language;
use palimpsest_core::text::paths::ProjectRoot;
use palimpsest_core::text::utf16::units;
use palimpsest_core::tools::registry::agent_named;

use super::CountedRows;
use crate::{Agent, Part, Role};

/// Assumed time between requests if the file has no timestamps.
const PACE_MS: f64 = 10_000.0;

pub(super) struct Rules {
    /// The rules of every simulated policy but the view: each result's age.
    pub by_age: Arc<Policy>,
    /// The rules of a context view: ages by kind of result.
    pub by_kind: Arc<Policy>,
}

#[derive(Debug, Clone)]
pub(super) struct OutdatedResult {
    /// Index among the context's rows.
    pub position: usize,
    /// Index of the context's request from which on it is outdated.
    pub request: usize,
    pub rule: usize,
    pub placeholder: Option<String>,
}

/// A context's rows and requests, as input of the rules. A row is a tool result, or the rest of a message.
pub(super) struct RuleInput<'a> {
    pub rows: &'a CountedRows<'a>,
    /// Indices into `CountedRows::all`.
    pub order: &'a [usize],
    pub lengths: &'a [usize],
    /// By request, its time; `None` if the file has no timestamps.
    pub times_ms: Option<&'a [f64]>,
}

impl Rules {
    pub fn of(rows: &CountedRows<'_>, ages: Ages) -> Self {
        let session = rows.session;
        // Only the tools of this agent; `None` for those of all agents.
        let tools = agent_named(if session.agent == Agent::QwenCode { "gemini-cli" } else { session.agent.key() });
        let root = session.project.as_deref().and_then(|root| ProjectRoot::new(&units(root), false));
        let root = root.or_else(|| ProjectRoot::new(&units("/"), false));
        let language = Language::English;
        let mut rules = vec![presets::terminal_of(tools, language)];
        let mut view_rules: Vec<Rule> = Vec::new();
        if let Some(root) = &root {
            let rule = |subject: Subject| presets::by_kind(subject.name(), tools, root.clone(), language);
            view_rules.extend(Subject::ALL.into_iter().filter_map(rule));
            view_rules.push(repeated_commands::rule(tools, language));
        }
        rules.extend(root.map(|root| presets::file_reads_of(tools, root, language)));
        rules.push(presets::text_search_of(tools, language));
        let policy = |rules| Arc::new(Policy { purpose: Purpose::View, rules, language, ages, ..Policy::default() });
        Self { by_age: policy(rules), by_kind: policy(view_rules) }
    }
}

/// The results that become outdated in one context, each once, in that order.
pub(super) fn outdated_results(policy: &Arc<Policy>, input: &RuleInput<'_>) -> Vec<OutdatedResult> {
    let mut found = Vec::new();
    let mut seen = vec![false; input.order.len()];
    let mut sent_rows = SentRows {
        cleanup: Cleanup::new(Arc::clone(policy)),
        texts: ContextTexts { input, arguments: Vec::new() },
        names: HashMap::new(),
        ids: HashMap::new(),
    };
    let mut sent = 0;
    let mut now = f64::NEG_INFINITY;
    for (request, &length) in input.lengths.iter().enumerate() {
        now = now.max(input.now_ms(request));
        for &row in input.order.get(sent..length).unwrap_or_default() {
            sent_rows.push(row, now);
        }
        sent = sent.max(length);
        sent_rows.cleanup.evaluate(&mut sent_rows.texts, now);
        let evaluation = sent_rows.cleanup.last_evaluation();
        for edit in evaluation.edits.get(evaluation.kept_edits..).unwrap_or_default() {
            let (position, index) = (edit.row as usize, edit.rule as usize);
            let is_new = seen.get_mut(position).is_some_and(|seen| !std::mem::replace(seen, true));
            let Some(rule) = policy.rules.get(index).filter(|_| is_new) else { continue };
            let text = edit.text.as_deref().or_else(|| rule.placeholder.fixed());
            let placeholder = text.map(String::from_utf16_lossy);
            found.push(OutdatedResult { position, request, rule: index, placeholder });
        }
    }
    found
}

impl RuleInput<'_> {
    pub fn now_ms(&self, request: usize) -> f64 {
        let recorded = self.times_ms.and_then(|times| times.get(request).copied());
        recorded.unwrap_or(request as f64 * PACE_MS)
    }

    pub fn result(&self, position: usize) -> Option<&Part> {
        self.rows.result(*self.order.get(position)?)
    }
}

/// The rows sent so far, in the form of the core, which refers to names and call ids by number.
struct SentRows<'a> {
    cleanup: Cleanup,
    texts: ContextTexts<'a>,
    /// Numbers of tool names, and of call ids, in the order of their first use.
    names: HashMap<&'a str, u32>,
    ids: HashMap<&'a str, u32>,
}

impl SentRows<'_> {
    fn push(&mut self, row: usize, now: f64) {
        let Self { cleanup, texts, names, ids } = self;
        let rows = texts.input.rows;
        let Some(message) = rows.message(row) else { return };
        let recorded = message.at_ms.map(|at| at as f64);
        let timestamp = match texts.input.times_ms {
            Some(_) => recorded.unwrap_or(f64::NAN),
            None => now,
        };
        let unspecific = Row { has_text: true, timestamp, ..Row::new(RowKind::Other, NONE) };
        if let Some(Part::Result { id, content, is_error }) = rows.result(row) {
            let has_media = content.iter().any(|part| matches!(part, Part::Media(_)));
            let call_id = number_of(id, ids);
            let kind = RowKind::Tool;
            cleanup.push(Row { kind, status_error: *is_error, has_media, call_id, ..unspecific }, []);
            return;
        }
        let mut calls = Vec::new();
        for (id, name, arguments) in message.calls() {
            if !names.contains_key(name) {
                cleanup.add_name(&units(name));
            }
            calls.push(Call { id: number_of(id, ids), name: number_of(name, names), settled: false });
            texts.arguments.push(arguments);
        }
        let kind = if message.role == Role::Assistant { RowKind::Assistant } else { RowKind::Other };
        cleanup.push(Row { kind, ..unspecific }, calls);
    }
}

fn number_of<'a>(name: &'a str, known: &mut HashMap<&'a str, u32>) -> u32 {
    let next = u32::try_from(known.len()).unwrap_or(NONE);
    *known.entry(name).or_insert(next)
}

struct ContextTexts<'a> {
    input: &'a RuleInput<'a>,
    arguments: Vec<&'a str>,
}

impl ContextTexts<'_> {
    fn text(&self, index: usize) -> Option<Vec<u16>> {
        let Part::Result { content, .. } = self.input.result(index)? else { return None };
        Some(units_of(content))
    }
}

/// The texts of a result, without images and files.
pub(super) fn units_of(content: &[Part]) -> Vec<u16> {
    content.iter().filter_map(Part::as_text).flat_map(str::encode_utf16).collect()
}

impl RowTexts for ContextTexts<'_> {
    fn content_head(&mut self, index: usize, limit: usize, read: &mut dyn FnMut(&[u16], usize)) {
        if let Some(text) = self.text(index) {
            read(text.get(..limit).unwrap_or(&text), text.len());
        }
    }

    fn content_to_only(&mut self, index: usize, unit: u16, limit: usize, read: &mut dyn FnMut(&[u16])) {
        let Some(text) = self.text(index) else { return };
        let end = text.iter().position(|&other| other == unit).map_or(0, |at| at + 1);
        let (head, tail) = text.split_at(end);
        if !tail.contains(&unit) {
            read(head.get(end.saturating_sub(limit)..).unwrap_or_default());
        }
    }

    fn content(&mut self, index: usize, read: &mut dyn FnMut(&[u16])) {
        if let Some(text) = self.text(index) {
            read(&text);
        }
    }

    fn arguments(&mut self, index: usize, read: &mut dyn FnMut(&[u16])) {
        if let Some(text) = self.arguments.get(index) {
            read(&units(text));
        }
    }
}
