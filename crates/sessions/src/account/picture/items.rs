//! What fills a session's context windows most: a file, a log or a message, however often it was read and sent.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Serialize;

use super::cell_costs::{CellCost, ThreadCosts};
use super::cells::{Cell, ThreadPicture, rounded};

const MAX_ITEMS: usize = 10;

/// Cells with the same kind, tool and label, such as repeated reads of one file.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    pub thread: usize,
    /// Index of the last request of that thread that sent the cell.
    pub request: usize,
    /// Index of the cell in the thread; `None` for the system prompt and tools, which have no cell.
    pub cell: Option<usize>,
    pub kind: usize,
    pub tool: Option<usize>,
    pub label: String,
    pub copies: usize,
    /// Tokens of all copies, each counted once.
    #[serde(serialize_with = "rounded")]
    pub tokens: f64,
    /// Tokens of all copies, each counted as often as it was sent.
    #[serde(serialize_with = "rounded")]
    pub sent_tokens: f64,
    pub requests: usize,
    pub cost: f64,
    pub stale_cost: f64,
}

/// What the cells of one item have in common: kind, tool and label. A cell without a label is an item of its own, by
/// its message and part.
type GroupKey<'a> = (usize, Option<usize>, &'a str, Option<(u32, Option<usize>)>);

type CellId = (usize, usize);

pub(super) fn items_of(threads: &[ThreadPicture], cell_costs: &[ThreadCosts]) -> Vec<Item> {
    let mut groups: BTreeMap<GroupKey<'_>, (Item, Vec<CellId>)> = BTreeMap::new();
    for (thread_index, (thread, costs)) in threads.iter().zip(cell_costs).enumerate() {
        for (index, (cell, cell_cost)) in thread.cells.iter().zip(&costs.cells).enumerate() {
            let only = cell.label.is_empty().then_some((cell.message, cell.part));
            let (item, cells) = groups.entry((cell.kind, cell.tool, &cell.label, only)).or_default();
            cells.push((thread_index, index));
            item.sent_tokens += cell_cost.tokens;
            item.cost += cell_cost.cost;
            item.stale_cost += cell_cost.outdated_cost;
        }
    }
    let mut ranked: Vec<(Item, Vec<CellId>)> =
        groups.into_values().filter(|(sums, _)| sums.sent_tokens > 0.0).collect();
    ranked.sort_by(|(a, _), (b, _)| b.sent_tokens.total_cmp(&a.sent_tokens));
    ranked.truncate(MAX_ITEMS);
    let mut items: Vec<Item> = ranked.iter().filter_map(|(sums, cells)| item_of(sums, cells, threads)).collect();
    for (thread_index, (thread, costs)) in threads.iter().zip(cell_costs).enumerate() {
        items.extend(fixed_item_of(thread_index, thread, &costs.fixed));
    }
    items.sort_by(|a, b| b.sent_tokens.total_cmp(&a.sent_tokens));
    items.truncate(MAX_ITEMS);
    items
}

fn cell_at(threads: &[ThreadPicture], (thread, cell): CellId) -> Option<&Cell> {
    threads.get(thread)?.cells.get(cell)
}

/// The item of the cells with these `ids`; `sums` has its tokens and costs.
fn item_of(sums: &Item, ids: &[CellId], threads: &[ThreadPicture]) -> Option<Item> {
    let cells = ids.iter().filter_map(|&id| Some((id, cell_at(threads, id)?)));
    // By message and part, the tokens.
    let mut copies: HashMap<(u32, Option<usize>), f64> = HashMap::new();
    for (_, cell) in cells.clone() {
        let tokens = copies.entry((cell.message, cell.part)).or_default();
        *tokens = tokens.max(cell.tokens);
    }
    // Reversed, since `max_by` takes the last of several largest cells.
    let (largest, cell) = cells.rev().max_by(|(_, a), (_, b)| a.tokens.total_cmp(&b.tokens))?;
    let all_requests = |&id: &CellId| requests_with(threads, id).map(move |request| (id.0, request));
    let requests: HashSet<(usize, usize)> = ids.iter().flat_map(all_requests).collect();
    Some(Item {
        thread: largest.0,
        request: requests_with(threads, largest).last().unwrap_or(0),
        cell: Some(largest.1),
        kind: cell.kind,
        tool: cell.tool,
        label: cell.label.clone(),
        copies: copies.len(),
        tokens: copies.values().sum(),
        requests: requests.len(),
        ..*sums
    })
}

fn requests_with(threads: &[ThreadPicture], id: CellId) -> impl Iterator<Item = usize> {
    let requests = threads.get(id.0).map_or(&[][..], |thread| &thread.requests);
    let cell = cell_at(threads, id);
    requests.iter().enumerate().filter_map(move |(index, request)| {
        let is_in_prompt = request.prompt.iter().any(|&(start, end)| (start..end).contains(&id.1));
        let is_sent = is_in_prompt && cell.is_some_and(|cell| cell.tokens_at(index) > 0.0);
        is_sent.then_some(index)
    })
}

fn fixed_item_of(thread_index: usize, thread: &ThreadPicture, fixed: &CellCost) -> Option<Item> {
    (fixed.tokens > 0.0).then(|| Item {
        thread: thread_index,
        request: thread.requests.len().saturating_sub(1),
        copies: 1,
        tokens: thread.fixed_tokens,
        sent_tokens: fixed.tokens,
        requests: fixed.requests,
        cost: fixed.cost,
        ..Item::default()
    })
}
