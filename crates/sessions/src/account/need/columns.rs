//! A context and its needs as numeric columns, for callers that simulate their own policies.

use std::collections::{BTreeMap, HashMap};

use palimpsest_core::cache::simulation::PlayedRequest;
use palimpsest_core::failure::{Verdict, verdict_of};
use palimpsest_core::tools::arguments::Fetch;
use palimpsest_core::tools::result_kind::ResultKind;
use palimpsest_core::tools::{ToolKind, kind_of};
use serde::Serialize;

use super::super::{CountedContext, CountedRows};
use super::place::{GramTexts, NeedPlace};
use crate::model::{Part, Role};

/// A *position* is the index of a row (a tool result, or the rest of a message) in the context.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ContextColumns {
    pub thread: usize,
    pub fixed_tokens: f64,
    pub tokens: Vec<f64>,
    pub kinds: Vec<Option<&'static str>>,
    pub errors: Vec<bool>,
    /// By position: `result`, `call` for a message with calls, `system`, `user` or `other`.
    pub roles: Vec<&'static str>,
    /// By position, the position of its call.
    pub calls: Vec<Option<usize>>,
    pub call_tokens: Vec<f64>,
    pub same: Vec<Option<usize>>,
    /// By position of a result, the first result of the same call.
    pub fetches: Vec<Option<usize>>,
    pub lengths: Vec<usize>,
    pub times_ms: Vec<f64>,
    pub needs: Vec<NeedColumns>,
    /// By names of price list and policy (`own:view`), the removed results.
    #[serde(rename = "gone")]
    pub removals: BTreeMap<String, Vec<Removal>>,
    /// Likewise, position and tokens of each result that was sent with references from its first request on.
    #[serde(rename = "short")]
    pub referring: BTreeMap<String, Vec<(usize, f64)>>,
    /// By position of such a result, the results that it refers to.
    pub refers: BTreeMap<usize, Vec<usize>>,
}

/// Position, request that removed it, and tokens of its placeholder.
type Removal = (usize, usize, f64);

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NeedColumns {
    pub request: usize,
    /// Position of the newest result that was needed, and the first request that sent it.
    pub source: usize,
    pub first_sent: usize,
    pub kind: &'static str,
    pub strong: bool,
    /// By gram (line, quote or name), all positions that hold it.
    pub grams: Vec<Vec<u32>>,
    pub texts: Vec<GramTexts>,
    #[serde(rename = "told")]
    pub place: Option<NeedPlace>,
}

impl ContextColumns {
    pub(super) fn of(context: &CountedContext<'_>) -> Self {
        let view = &context.view_columns;
        let rows = context.thread.rows;
        let order = &context.rows.rows;
        let kind = |&row: &usize| rows.all.get(row)?.result_kind.map(ResultKind::name);
        let mut columns = Self {
            thread: context.thread.index,
            fixed_tokens: view.fixed_tokens,
            tokens: view.messages.iter().map(|message| message.tokens).collect(),
            kinds: order.iter().map(kind).collect(),
            errors: order.iter().map(|&row| has_failed(rows, row)).collect(),
            roles: order.iter().map(|&row| role_of(rows, row)).collect(),
            call_tokens: call_tokens_of(context),
            lengths: context.lengths.clone(),
            times_ms: view.requests.iter().map(|sent| sent.now_ms).collect(),
            refers: refers(context),
            ..Self::default()
        };
        columns.add_links(rows, order);
        columns
    }

    /// Fills `calls`, `same` and `fetches`. A fetch is a tool with its arguments.
    fn add_links(&mut self, rows: &CountedRows<'_>, order: &[usize]) {
        let mut position_of_call: HashMap<&str, usize> = HashMap::new();
        let mut fetch_of_call: HashMap<&str, Fetch> = HashMap::new();
        let mut first_with_text: HashMap<String, usize> = HashMap::new();
        let mut first_of_fetch: HashMap<Fetch, usize> = HashMap::new();
        for (position, &row) in order.iter().enumerate() {
            let (mut called, mut same, mut fetch) = (None, None, None);
            if let Some(Part::Result { id, content, .. }) = rows.result(row) {
                called = position_of_call.get(id.as_str()).copied();
                same = Some(*first_with_text.entry(format!("{content:?}")).or_insert(position));
                let first = |fetch: &Fetch| *first_of_fetch.entry(fetch.clone()).or_insert(position);
                fetch = fetch_of_call.get(id.as_str()).map(first);
            }
            fetch_of_call.extend(rows.calls(row).map(|(id, name, arguments)| (id, Fetch::of_call(name, arguments))));
            if let Some(message) = rows.message(row).filter(|_| called.is_none()) {
                position_of_call.extend(message.calls().map(|(id, ..)| (id, position)));
            }
            self.calls.push(called);
            self.same.push(same);
            self.fetches.push(fetch);
        }
    }

    pub(super) fn add_step(&mut self, name: &str, step: &PlayedRequest<'_>) {
        let sum = |position: usize| step.sums.get(position).copied().unwrap_or_default();
        let tokens = |position: usize| sum(position + 1) - sum(position);
        let removal = |&position: &usize| (position, step.request, tokens(position));
        if !step.newly_replaced.is_empty() {
            let removals = self.removals.entry(name.to_owned()).or_default();
            removals.extend(step.newly_replaced.iter().map(removal));
        }
        let is_sent_with_references = |position: usize| {
            step.has_references.get(position) == Some(&true) && step.is_replaced.get(position) == Some(&false)
        };
        for &position in self.refers.keys().filter(|&&position| is_sent_with_references(position)) {
            let referring = self.referring.entry(name.to_owned()).or_default();
            if let Err(place) = referring.binary_search_by_key(&position, |&(known, _)| known) {
                referring.insert(place, (position, tokens(position)));
            }
        }
    }
}

pub(super) fn refers(context: &CountedContext<'_>) -> BTreeMap<usize, Vec<usize>> {
    context.referring.iter().map(|found| (found.position, found.results.clone())).collect()
}

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

fn call_tokens_of(context: &CountedContext<'_>) -> Vec<f64> {
    let rows = context.rows.rows.iter().map(|&row| context.thread.rows.all.get(row));
    let call_tokens = rows.zip(&context.view_columns.messages).map(|(row, message)| {
        let Some(row) = row.filter(|row| row.tokens > 0.0) else { return 0.0 };
        message.tokens * row.call_tokens.iter().map(|(_, tokens)| tokens).sum::<f64>() / row.tokens
    });
    call_tokens.collect()
}
