//! The picture of a thread: what it sent with each request, divided into cells, and what that cost under each policy.

use palimpsest_core::tools::label::KINDS;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::super::{CacheMissCause, Surprise};
use crate::model::ThreadKind;

/// One thread. Requests are counted from 0 in it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ThreadPicture {
    pub kind: ThreadKind,
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context_window: Option<f64>,
    #[serde(serialize_with = "rounded")]
    pub fixed_tokens: f64,
    /// What was sent, context after context; messages that a context shares with the previous one have cells in both.
    pub cells: Vec<Cell>,
    pub requests: Vec<RequestPicture>,
    pub costs: Vec<PricedCosts>,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Cell {
    pub message: u32,
    /// Index of the first of its parts in the message; `None` if it is the whole message.
    pub part: Option<usize>,
    /// Index into [`KINDS`].
    pub kind: usize,
    pub tool: Option<usize>,
    #[serde(serialize_with = "rounded")]
    pub tokens: f64,
    /// Tokens if a view sends it with references to lines that the prompt already holds.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "rounded_option")]
    pub tokens_short: Option<f64>,
    #[serde(serialize_with = "rounded_option")]
    pub tokens_replaced: Option<f64>,
    /// Request from which on the agent itself cleared part of it. A guess from the provider's count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cleared_from: Option<usize>,
    #[serde(skip_serializing_if = "is_zero", serialize_with = "rounded")]
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
    /// Ranges of the cells that were sent: first index, and the index after the last one.
    pub prompt: Vec<(usize, usize)>,
    #[serde(serialize_with = "rounded")]
    pub tokens: f64,
    #[serde(serialize_with = "all_rounded")]
    pub tokens_by_kind: [f64; KINDS.len()],
    /// Tokens as a view would have sent it.
    #[serde(serialize_with = "rounded")]
    pub tokens_view: f64,
    /// The first cells, and tokens, of these that would have been cached.
    pub cached_cells: usize,
    #[serde(serialize_with = "rounded")]
    pub cached_tokens: f64,
    pub usage: Option<UsagePicture>,
    #[serde(rename = "bust")]
    pub cache_miss: Option<CacheMissPicture>,
    pub is_compaction: bool,
    /// Why a new context begins with this request; `None` if it continues one.
    pub begins: Option<&'static str>,
}

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
pub struct CacheMissPicture {
    pub cause: CacheMissCause,
    pub surprise: Option<Surprise>,
    pub pause_ms: f64,
    /// Tokens lost, and their extra cost compared with a cache hit.
    #[serde(serialize_with = "rounded")]
    pub tokens: f64,
    #[serde(serialize_with = "rounded")]
    pub cost: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PricedCosts {
    pub prices: String,
    /// US dollars per million units of cost, if the models' prices are known.
    #[serde(serialize_with = "rounded_option")]
    pub usd_per_million: Option<f64>,
    pub policies: PolicyCosts,
}

/// The policies of a picture, and their keys in JSON.
pub const POLICIES: [(&str, &str); 6] = [
    ("leave-alone", "leftAlone"),
    ("every-request", "everyRequest"),
    ("batches-20k", "batches20k"),
    ("batches-30k", "batches30k"),
    ("clear-above-100k", "clearAbove100k"),
    ("view", "view"),
];

#[derive(Debug, Clone, PartialEq, Default)]
pub struct PolicyCosts {
    /// By policy of [`POLICIES`], the cost of each request.
    pub by_policy: [Vec<f64>; POLICIES.len()],
    /// As paid; only at the session's own prices, and only for requests with recorded usage.
    pub paid: Option<Vec<Option<f64>>>,
}

impl PolicyCosts {
    pub(super) fn policy_mut(&mut self, policy: &str) -> Option<&mut Vec<f64>> {
        let index = POLICIES.iter().position(|(known, _)| *known == policy)?;
        self.by_policy.get_mut(index)
    }
}

impl Serialize for PolicyCosts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(POLICIES.len() + 1))?;
        for ((_, key), costs) in POLICIES.iter().zip(&self.by_policy) {
            map.serialize_entry(key, &costs.iter().copied().map(hundredth).collect::<Vec<_>>())?;
        }
        map.serialize_entry("paid", &self.paid)?;
        map.end()
    }
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde calls it so
pub(super) fn is_zero(tokens: &f64) -> bool {
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
