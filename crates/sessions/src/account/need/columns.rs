//! A context as numeric columns, for callers that play their own policies.

use std::collections::{BTreeMap, HashMap};

use palimpsest_core::cache::simulation::PlayedRequest;
use palimpsest_core::failure::{Verdict, verdict_of};
use palimpsest_core::tools::fetch::Fetch;
use palimpsest_core::tools::result_kind::ResultKind;
use palimpsest_core::tools::{ToolKind, kind_of};
use serde::Serialize;

use super::super::rows::CountedRows;
use super::context::NeedContext;
use super::place::{GramTexts, NeedPlace};
use crate::model::{Part, Role};

/// An append-only list of messages, and the requests that sent it. A position is one tool result, or the rest of a message.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ContextColumns {
    pub thread: usize,
    pub fixed_tokens: f64,
    pub tokens: Vec<f64>,
    /// By position, the kind of result.
    pub kinds: Vec<Option<&'static str>>,
    /// By position, true for the result of a failed call.
    pub errors: Vec<bool>,
    /// By position: `result`, `call` for a message with calls, `system`, `user` or `other`.
    pub roles: Vec<&'static str>,
    /// By position, the position of its call.
    pub calls: Vec<Option<usize>>,
    /// By position, the tokens of its calls.
    pub call_tokens: Vec<f64>,
    /// By position of a result, the first result with the same text.
    pub same: Vec<Option<usize>>,
    /// By position of a result, the first result of the same call.
    pub fetches: Vec<Option<usize>>,
    pub lengths: Vec<usize>,
    pub times_ms: Vec<f64>,
    pub needs: Vec<NeedColumns>,
    /// By price list and policy, the removed results.
    pub gone: BTreeMap<String, Vec<Removal>>,
    /// By price list and policy, results sent with references from their first request on, and their tokens.
    pub short: BTreeMap<String, Vec<(usize, f64)>>,
    /// By position of such a result, the results that it refers to.
    pub refers: BTreeMap<usize, Vec<usize>>,
    #[serde(skip)]
    pub(super) played: Vec<(usize, &'static str, Removal)>,
    #[serde(skip)]
    pub(super) played_short: BTreeMap<(usize, &'static str, usize), f64>,
}

/// Position, request that removed it, and tokens of its placeholder.
type Removal = (usize, usize, f64);

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NeedColumns {
    /// Index among the context's requests.
    pub request: usize,
    pub source: usize,
    pub first_sent: usize,
    pub kind: &'static str,
    pub strong: bool,
    /// By gram, all positions that hold it.
    pub grams: Vec<Vec<u32>>,
    pub texts: Vec<GramTexts>,
    #[serde(rename = "told")]
    pub place: Option<NeedPlace>,
}

impl ContextColumns {
    pub(super) fn of(context: &NeedContext<'_>) -> Self {
        let columns = &context.counted.view;
        let rows = context.thread.rows;
        Self {
            thread: context.thread.number,
            fixed_tokens: columns.fixed_tokens,
            tokens: columns.messages.iter().map(|message| message.tokens).collect(),
            kinds: context.kinds.iter().map(|kind| kind.map(ResultKind::name)).collect(),
            errors: context.order.iter().map(|&row| has_failed(rows, row)).collect(),
            roles: context.order.iter().map(|&row| role_of(rows, row)).collect(),
            calls: calls_of(context),
            call_tokens: call_tokens_of(context),
            same: same_of(context),
            fetches: fetches_of(context),
            lengths: context.counted.lengths.clone(),
            times_ms: columns.requests.iter().map(|sent| sent.now_ms).collect(),
            refers: context.counted.referring.iter().map(|one| (one.position, one.results.clone())).collect(),
            ..Self::default()
        }
    }

    pub(super) fn note(&mut self, list: usize, policy: &'static str, step: &PlayedRequest<'_>) {
        let sum = |position: usize| step.sums.get(position).copied().unwrap_or_default();
        let gone = |&position: &usize| (position, step.request, sum(position + 1) - sum(position));
        self.played.extend(step.newly_replaced.iter().map(|position| (list, policy, gone(position))));
        for &position in self.refers.keys() {
            if step.has_references.get(position) == Some(&true)
                && step.is_replaced.get(position) == Some(&false)
            {
                let tokens = sum(position + 1) - sum(position);
                self.played_short.entry((list, policy, position)).or_insert(tokens);
            }
        }
    }
}

/// True if a row is the result of a failed call.
fn has_failed(rows: &CountedRows<'_>, row: usize) -> bool {
    let Some(Part::Result { id, content, is_error }) = rows.result(row) else { return false };
    let tool = rows.all.get(row).and_then(|row| rows.tools.get(row.tool?));
    let kind = tool.map_or(ToolKind::Other, |tool| kind_of(tool));
    let text = content
        .iter()
        .filter_map(|part| if let Part::Text(text) = part { Some(text.as_str()) } else { None });
    *is_error || verdict_of(&text.collect::<String>(), kind, Some(id)) == Verdict::Failed
}

fn role_of(rows: &CountedRows<'_>, row: usize) -> &'static str {
    let Some(message) = rows.message(row) else { return "other" };
    match message.role {
        _ if rows.is_result(row) => "result",
        _ if message.calls().next().is_some() => "call",
        Role::System | Role::Developer => "system",
        Role::User => "user",
        Role::Assistant | Role::Tool => "other",
    }
}

/// By position, the tokens of a row's calls, scaled to usage.
fn call_tokens_of(context: &NeedContext<'_>) -> Vec<f64> {
    let rows = context.order.iter().map(|&row| context.thread.rows.all.get(row));
    let each = rows.zip(&context.counted.view.messages).map(|(row, message)| {
        let (calls, all) = row
            .map_or((0.0, 0.0), |row| (row.calls.iter().map(|(_, tokens)| tokens).sum::<f64>(), row.tokens));
        if all > 0.0 { message.tokens * calls / all } else { 0.0 }
    });
    each.collect()
}

fn same_of(context: &NeedContext<'_>) -> Vec<Option<usize>> {
    let mut first: HashMap<String, usize> = HashMap::new();
    let each = context.order.iter().enumerate().map(|(position, &row)| {
        let Some(Part::Result { content, .. }) = context.thread.rows.result(row) else { return None };
        Some(*first.entry(format!("{content:?}")).or_insert(position))
    });
    each.collect()
}

fn fetches_of(context: &NeedContext<'_>) -> Vec<Option<usize>> {
    let rows = context.thread.rows;
    let mut callers: HashMap<&str, Fetch> = HashMap::new();
    let mut first: HashMap<Fetch, usize> = HashMap::new();
    let each = context.order.iter().enumerate().map(|(position, &row)| {
        if let Some(Part::Result { id, .. }) = rows.result(row) {
            return Some(*first.entry(callers.get(id.as_str())?.clone()).or_insert(position));
        }
        callers.extend(rows.calls(row).map(|(id, name, arguments)| (id, Fetch::of_call(name, arguments))));
        None
    });
    each.collect()
}

fn calls_of(context: &NeedContext<'_>) -> Vec<Option<usize>> {
    let rows = context.thread.rows;
    let mut callers: HashMap<&str, usize> = HashMap::new();
    let each = context.order.iter().enumerate().map(|(position, &row)| {
        let called = match rows.result(row) {
            Some(Part::Result { id, .. }) => callers.get(id.as_str()).copied(),
            _ => None,
        };
        if let Some(message) = rows.message(row).filter(|_| called.is_none()) {
            callers.extend(message.calls().map(|(id, ..)| (id, position)));
        }
        called
    });
    each.collect()
}
