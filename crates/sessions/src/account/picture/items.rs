//! The items that fill a session's context windows: a file, a log, a message, however often it was sent.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::cell_costs::ThreadCosts;
use super::cells::{Cell, ThreadPicture, rounded};

const MAX_ITEMS: usize = 10;

/// Cells with the same kind and label, such as repeated reads of one file.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    /// Index of the thread that has the item's largest cell.
    pub thread: usize,
    /// Index of the last request of that thread that sent the cell.
    pub request: usize,
    /// Index of the cell in the thread; `None` for the system prompt and tools, which have no cell.
    pub cell: Option<usize>,
    pub kind: usize,
    pub tool: Option<usize>,
    pub label: String,
    /// Number of messages or message parts.
    pub copies: usize,
    /// Tokens of all copies, each counted once.
    #[serde(serialize_with = "rounded")]
    pub tokens: f64,
    /// Tokens of all copies, each counted as often as it was sent.
    #[serde(serialize_with = "rounded")]
    pub sent_tokens: f64,
    /// Number of requests that sent at least one of them.
    pub requests: usize,
    /// In the currency of the session's bill; 0 without a bill.
    pub cost: f64,
    /// Part of the cost that was paid after they were outdated.
    pub stale_cost: f64,
}

/// Kind, tool and label; without a label also message and part, so that it is not grouped.
type GroupKey<'a> = (usize, Option<usize>, &'a str, u32, Option<usize>);

#[derive(Default)]
struct Group {
    /// Pairs of thread and cell.
    cells: Vec<(usize, usize)>,
    sent_tokens: f64,
    cost: f64,
    stale_cost: f64,
}

/// The items with the most sent tokens, in descending order; at most `MAX_ITEMS`.
pub(super) fn items_of(threads: &[ThreadPicture], cell_costs: &[ThreadCosts]) -> Vec<Item> {
    let mut groups: BTreeMap<GroupKey<'_>, Group> = BTreeMap::new();
    for (number, (thread, sums)) in threads.iter().zip(cell_costs).enumerate() {
        for (at, (cell, sum)) in thread.cells.iter().zip(&sums.cells).enumerate() {
            let group = groups.entry(key_of(cell)).or_default();
            group.cells.push((number, at));
            group.sent_tokens += sum.tokens;
            group.cost += sum.cost;
            group.stale_cost += sum.stale_cost;
        }
    }
    let mut ranked: Vec<Group> = groups.into_values().filter(|group| group.sent_tokens > 0.0).collect();
    ranked.sort_by(|a, b| b.sent_tokens.total_cmp(&a.sent_tokens));
    ranked.truncate(MAX_ITEMS);
    let mut items: Vec<Item> = ranked.iter().filter_map(|group| item_of(group, threads)).collect();
    items.extend(threads.iter().zip(cell_costs).enumerate().filter_map(fixed_of));
    items.sort_by(|a, b| b.sent_tokens.total_cmp(&a.sent_tokens));
    items.truncate(MAX_ITEMS);
    items
}

fn key_of(cell: &Cell) -> GroupKey<'_> {
    if cell.label.is_empty() {
        (cell.kind, cell.tool, "", cell.message, cell.part)
    } else {
        (cell.kind, cell.tool, &cell.label, 0, None)
    }
}

fn cell_at(threads: &[ThreadPicture], (thread, cell): (usize, usize)) -> Option<&Cell> {
    threads.get(thread)?.cells.get(cell)
}

fn item_of(group: &Group, threads: &[ThreadPicture]) -> Option<Item> {
    let cells = group.cells.iter().filter_map(|&place| Some((place, cell_at(threads, place)?)));
    let mut copies: HashMap<(u32, Option<usize>), f64> = HashMap::new();
    for (_, cell) in cells.clone() {
        let tokens = copies.entry((cell.message, cell.part)).or_default();
        *tokens = tokens.max(cell.tokens);
    }
    // The first of equal ones.
    let ((thread, at), cell) = cells.rev().max_by(|(_, a), (_, b)| a.tokens.total_cmp(&b.tokens))?;
    let sent = |(number, at): (usize, usize)| {
        let requests = threads.get(number).map_or(&[][..], |thread| &thread.requests);
        let cell = cell_at(threads, (number, at));
        requests.iter().enumerate().filter_map(move |(request, picture)| {
            let is_there = picture.prompt.iter().any(|&(from, to)| from <= at && at < to);
            let is_sent = is_there && cell.is_some_and(|cell| cell.tokens_at(request) > 0.0);
            is_sent.then_some((number, request))
        })
    };
    let request = sent((thread, at)).next_back().map_or(0, |(_, request)| request);
    let mut requests: Vec<(usize, usize)> = group.cells.iter().flat_map(|&place| sent(place)).collect();
    requests.sort_unstable();
    requests.dedup();
    Some(Item {
        thread,
        request,
        cell: Some(at),
        kind: cell.kind,
        tool: cell.tool,
        label: cell.label.clone(),
        copies: copies.len(),
        tokens: copies.values().sum(),
        sent_tokens: group.sent_tokens,
        requests: requests.len(),
        cost: group.cost,
        stale_cost: group.stale_cost,
    })
}

/// System prompt and tools that are not in a message.
fn fixed_of((number, (thread, cell_costs)): (usize, (&ThreadPicture, &ThreadCosts))) -> Option<Item> {
    (cell_costs.fixed.tokens > 0.0).then(|| Item {
        thread: number,
        request: thread.requests.len().saturating_sub(1),
        copies: 1,
        tokens: thread.fixed_tokens,
        sent_tokens: cell_costs.fixed.tokens,
        requests: cell_costs.fixed.requests,
        cost: cell_costs.fixed.cost,
        ..Item::default()
    })
}
