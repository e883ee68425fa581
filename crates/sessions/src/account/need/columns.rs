//! A context and its needs as numeric columns, for callers that simulate their own policies.

use std::collections::{BTreeMap, HashMap};

use palimpsest_core::cache::simulation::PlayedRequest;
use palimpsest_core::failure::{Verdict, verdict_of};
use palimpsest_core::tools::arguments::Fetch;
use palimpsest_core::tools::result_kind::ResultKind;
use palimpsest_core::tools::{ToolKind, kind_of};
use serde::Serialize;

use super::super::counted_context::CountedContext;
use super::super::outdated::Rules;
use super::super::rows::CountedRows;
use super::place::{GramTexts, NeedPlace};
use crate::model::{Part, Role};

/// One context: its rows, and the requests that sent them. A row is one tool result, or the rest of a message; a
/// position is the index of a row in the context.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ContextColumns {
    /// Index of the thread in the session.
    pub thread: usize,
    /// Tokens of system prompt and tools that aren't among the messages.
    pub fixed_tokens: f64,
    /// By position, its tokens.
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
    /// By request, the number of rows that it sent.
    pub lengths: Vec<usize>,
    /// By request, its time.
    pub times_ms: Vec<f64>,
    pub needs: Vec<NeedColumns>,
    /// By names of price list and policy (`own:view`), the removed results.
    #[serde(rename = "gone")]
    pub removals: BTreeMap<String, Vec<Removal>>,
    /// By names of price list and policy, the position of each result that was sent with references from its first
    /// request on, and its tokens.
    #[serde(rename = "short")]
    pub referring: BTreeMap<String, Vec<(usize, f64)>>,
    /// By position of such a result, the results that it refers to.
    pub refers: BTreeMap<usize, Vec<usize>>,
    /// `removals` with the index of the price list and the policy, until the names are known.
    #[serde(skip)]
    pub(super) unnamed_removals: Vec<(usize, &'static str, Removal)>,
    /// `referring` by index of the price list, policy and position, until the names are known.
    #[serde(skip)]
    pub(super) unnamed_referring: BTreeMap<(usize, &'static str, usize), f64>,
}

/// Position, request that removed it, and tokens of its placeholder.
type Removal = (usize, usize, f64);

/// One need of an assistant message.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NeedColumns {
    /// Index among the context's requests.
    pub request: usize,
    /// Position of the newest result that was needed, and the first request that sent it.
    pub source: usize,
    pub first_sent: usize,
    /// `edit`, `quote` or `name`.
    pub kind: &'static str,
    /// True if it is proved by an edit, a quote, two names or a hash.
    pub strong: bool,
    /// By gram (line, quote or name), all positions that hold it.
    pub grams: Vec<Vec<u32>>,
    /// Texts of the first grams.
    pub texts: Vec<GramTexts>,
    #[serde(rename = "told")]
    pub place: Option<NeedPlace>,
}

impl ContextColumns {
    pub(super) fn of(context: &CountedContext<'_>, rules: &Rules) -> Self {
        let view = &context.view_columns;
        let rows = context.thread.rows;
        let order = &context.rows.rows;
        let result_kind = |&row: &usize| rules.result_kinds.get(row).copied().flatten();
        Self {
            thread: context.thread.index,
            fixed_tokens: view.fixed_tokens,
            tokens: view.messages.iter().map(|message| message.tokens).collect(),
            kinds: order.iter().map(|row| result_kind(row).map(ResultKind::name)).collect(),
            errors: order.iter().map(|&row| has_failed(rows, row)).collect(),
            roles: order.iter().map(|&row| role_of(rows, row)).collect(),
            calls: calls_of(context),
            call_tokens: call_tokens_of(context),
            same: same_of(context),
            fetches: fetches_of(context),
            lengths: context.lengths.clone(),
            times_ms: view.requests.iter().map(|sent| sent.now_ms).collect(),
            refers: refers(context),
            ..Self::default()
        }
    }

    /// Adds what one request sends under one policy. `list`: index of the price list.
    pub(super) fn add_step(&mut self, list: usize, policy: &'static str, step: &PlayedRequest<'_>) {
        let sum = |position: usize| step.sums.get(position).copied().unwrap_or_default();
        let tokens = |position: usize| sum(position + 1) - sum(position);
        let removal = |&position: &usize| (position, step.request, tokens(position));
        self.unnamed_removals
            .extend(step.newly_replaced.iter().map(|position| (list, policy, removal(position))));
        for &position in self.refers.keys() {
            if step.has_references.get(position) == Some(&true)
                && step.is_replaced.get(position) == Some(&false)
            {
                self.unnamed_referring.entry((list, policy, position)).or_insert(tokens(position));
            }
        }
    }
}

/// By position of a result that is sent with references, the results that it refers to.
pub(super) fn refers(context: &CountedContext<'_>) -> BTreeMap<usize, Vec<usize>> {
    context.referring.iter().map(|found| (found.position, found.results.clone())).collect()
}

/// True if a row is the result of a failed call.
fn has_failed(rows: &CountedRows<'_>, row: usize) -> bool {
    let Some(Part::Result { id, content, is_error }) = rows.result(row) else { return false };
    let tool = rows.all.get(row).and_then(|row| rows.tools.get(row.tool?));
    let kind = tool.map_or(ToolKind::Other, |tool| kind_of(tool));
    let text: String = content.iter().filter_map(Part::as_text).collect();
    *is_error || verdict_of(&text, kind, Some(id)) == Verdict::Failed
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
fn call_tokens_of(context: &CountedContext<'_>) -> Vec<f64> {
    let rows = context.rows.rows.iter().map(|&row| context.thread.rows.all.get(row));
    let call_tokens = rows.zip(&context.view_columns.messages).map(|(row, message)| {
        let Some(row) = row.filter(|row| row.tokens > 0.0) else { return 0.0 };
        message.tokens * row.calls.iter().map(|(_, tokens)| tokens).sum::<f64>() / row.tokens
    });
    call_tokens.collect()
}

/// By position of a result, the first result with the same text.
fn same_of(context: &CountedContext<'_>) -> Vec<Option<usize>> {
    let mut first: HashMap<String, usize> = HashMap::new();
    let each = context.rows.rows.iter().enumerate().map(|(position, &row)| {
        let Some(Part::Result { content, .. }) = context.thread.rows.result(row) else { return None };
        Some(*first.entry(format!("{content:?}")).or_insert(position))
    });
    each.collect()
}

/// By position of a result, the first result of the same call: the same tool with the same arguments.
fn fetches_of(context: &CountedContext<'_>) -> Vec<Option<usize>> {
    let rows = context.thread.rows;
    let mut fetch_of_call: HashMap<&str, Fetch> = HashMap::new();
    let mut first: HashMap<Fetch, usize> = HashMap::new();
    let each = context.rows.rows.iter().enumerate().map(|(position, &row)| {
        if let Some(Part::Result { id, .. }) = rows.result(row) {
            return Some(*first.entry(fetch_of_call.get(id.as_str())?.clone()).or_insert(position));
        }
        fetch_of_call
            .extend(rows.calls(row).map(|(id, name, arguments)| (id, Fetch::of_call(name, arguments))));
        None
    });
    each.collect()
}

/// By position of a result, the position of its call.
fn calls_of(context: &CountedContext<'_>) -> Vec<Option<usize>> {
    let rows = context.thread.rows;
    let mut position_of_call: HashMap<&str, usize> = HashMap::new();
    let each = context.rows.rows.iter().enumerate().map(|(position, &row)| {
        let called = match rows.result(row) {
            Some(Part::Result { id, .. }) => position_of_call.get(id.as_str()).copied(),
            _ => None,
        };
        if let Some(message) = rows.message(row).filter(|_| called.is_none()) {
            position_of_call.extend(message.calls().map(|(id, ..)| (id, position)));
        }
        called
    });
    each.collect()
}
