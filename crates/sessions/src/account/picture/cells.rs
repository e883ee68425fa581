//! What a thread sent with each request, and what that cost under each policy.

use palimpsest_core::tools::label::KINDS;
use serde::{Serialize, Serializer};

use super::super::bust::Cause;
use super::super::surprises::Surprise;
use crate::model::ThreadKind;

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ThreadPicture {
    pub kind: ThreadKind,
    pub name: Option<String>,
    /// Context window of the thread's main model, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context_window: Option<f64>,
    #[serde(serialize_with = "rounded")]
    pub fixed_tokens: f64,
    /// What was sent, context after context; messages that a context shares with the previous one have cells in both.
    pub cells: Vec<Cell>,
    pub requests: Vec<RequestPicture>,
    pub costs: Vec<PricedCosts>,
}

/// One message, or one kind of content in it.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Cell {
    pub message: u32,
    pub part: Option<usize>,
    /// Index into [`KINDS`].
    pub kind: usize,
    /// Index into the session's tools.
    pub tool: Option<usize>,
    #[serde(serialize_with = "rounded")]
    pub tokens: f64,
    /// Tokens if a view sends it with references to lines that the prompt already holds.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "rounded_option")]
    pub tokens_short: Option<f64>,
    #[serde(serialize_with = "rounded_option")]
    pub tokens_replaced: Option<f64>,
    /// Request from which on the agent itself cleared part of it, inferred from the provider's count; the cell is a guess.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cleared_from: Option<usize>,
    /// Tokens that the agent cleared.
    #[serde(skip_serializing_if = "is_nothing", serialize_with = "rounded")]
    pub tokens_cleared: f64,
    pub stale_from: Option<usize>,
    pub replaced_from: Option<usize>,
    pub rule: Option<String>,
    pub placeholder: Option<String>,
    pub label: String,
}

impl Cell {
    /// Tokens at a request, without what the agent had cleared before it.
    pub(super) fn tokens_at(&self, request: usize) -> f64 {
        let is_cleared = self.cleared_from.is_some_and(|from| from <= request);
        if is_cleared { self.tokens - self.tokens_cleared } else { self.tokens }
    }
}

#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RequestPicture {
    pub time_ms: Option<i64>,
    pub model: Option<String>,
    /// Ranges of cells.
    pub prompt: Vec<(usize, usize)>,
    #[serde(serialize_with = "rounded")]
    pub tokens: f64,
    #[serde(serialize_with = "all_rounded")]
    pub tokens_by_kind: [f64; KINDS.len()],
    #[serde(serialize_with = "rounded")]
    pub tokens_view: f64,
    pub cached_cells: usize,
    #[serde(serialize_with = "rounded")]
    pub cached_tokens: f64,
    pub usage: Option<UsagePicture>,
    pub bust: Option<BustPicture>,
    pub is_compaction: bool,
    pub begins: Option<&'static str>,
}

/// Usage reported by the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UsagePicture {
    pub prompt: u64,
    pub cache_read: u64,
    /// `None` if usage doesn't separate writes from other input.
    pub cache_write: Option<u64>,
    pub output: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BustPicture {
    pub cause: Cause,
    /// What happened, if the file doesn't tell the cause.
    pub surprise: Option<Surprise>,
    pub pause_ms: f64,
    #[serde(serialize_with = "rounded")]
    pub tokens: f64,
    #[serde(serialize_with = "rounded")]
    pub cost: f64,
}

/// Cost of each request of a thread under one price list.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PricedCosts {
    pub prices: String,
    #[serde(serialize_with = "rounded_option")]
    pub usd_per_million: Option<f64>,
    pub policies: PolicyCosts,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PolicyCosts {
    #[serde(serialize_with = "all_rounded")]
    pub left_alone: Vec<f64>,
    #[serde(serialize_with = "all_rounded")]
    pub every_request: Vec<f64>,
    #[serde(serialize_with = "all_rounded")]
    pub batches_20k: Vec<f64>,
    #[serde(serialize_with = "all_rounded")]
    pub batches_30k: Vec<f64>,
    #[serde(serialize_with = "all_rounded")]
    pub clear_above_100k: Vec<f64>,
    #[serde(serialize_with = "all_rounded")]
    pub view: Vec<f64>,
    pub paid: Option<Vec<Option<f64>>>,
}

impl PolicyCosts {
    /// Costs of 0 for `requests` requests.
    pub(super) fn none(requests: usize) -> Self {
        let none = vec![0.0; requests];
        Self {
            left_alone: none.clone(),
            every_request: none.clone(),
            batches_20k: none.clone(),
            batches_30k: none.clone(),
            clear_above_100k: none.clone(),
            view: none,
            paid: None,
        }
    }

    pub(super) fn of_mut(&mut self, policy: &str) -> Option<&mut Vec<f64>> {
        match policy {
            "leave-alone" => Some(&mut self.left_alone),
            "every-request" => Some(&mut self.every_request),
            "batches-20k" => Some(&mut self.batches_20k),
            "batches-30k" => Some(&mut self.batches_30k),
            "clear-above-100k" => Some(&mut self.clear_above_100k),
            "view" => Some(&mut self.view),
            _ => None,
        }
    }
}

pub(super) fn place_of_kind(kind: &str) -> usize {
    KINDS.iter().position(|known| *known == kind).unwrap_or(KINDS.len())
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde calls it so
pub(super) fn is_nothing(tokens: &f64) -> bool {
    *tokens <= 0.0
}

/// Rounds to a hundredth of a token; more digits would make up a third of the JSON.
pub(super) fn hundredth(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde calls it so
pub(super) fn rounded<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(hundredth(*value))
}

#[allow(clippy::ref_option)] // serde calls it so
pub(super) fn rounded_option<S: Serializer>(value: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    value.map(hundredth).serialize(serializer)
}

pub(super) fn all_rounded<S: Serializer>(values: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(values.iter().map(|value| hundredth(*value)))
}
