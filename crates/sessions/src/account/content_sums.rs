//! Contents of the context by kind and by tool, and outdated results by rule.

use palimpsest_core::cleanup::rules::Rule;
use serde::Serialize;

use super::{ContentKind, CountedContext, CountedRows};

#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Tokens {
    /// Each message counted once.
    pub once: f64,
    /// Each message counted as often as it was sent.
    pub sent: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KindFigures {
    pub kind: &'static str,
    pub tokens: Tokens,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ToolFigures {
    pub tool: String,
    pub results: u64,
    pub calls: Tokens,
    pub tokens: Tokens,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RuleFigures {
    pub rule: String,
    pub results: u64,
    /// Tokens that the rule would remove; `sent` counts requests from the one at which a result is outdated.
    pub tokens: Tokens,
}

pub(super) struct ContentSums {
    kinds: Vec<KindFigures>,
    tools: Vec<ToolFigures>,
    rules: Vec<RuleFigures>,
    seen: Vec<bool>,
}

impl Tokens {
    fn add(&mut self, tokens: f64, is_new: bool, times: f64) {
        self.once += if is_new { tokens } else { 0.0 };
        self.sent += tokens * times;
    }
}

impl ContentSums {
    pub fn new(rows: &CountedRows<'_>, rules: &[Rule]) -> Self {
        let none = Tokens::default();
        let tool = |tool: &String| ToolFigures { tool: tool.clone(), results: 0, calls: none, tokens: none };
        let rule = |rule: &Rule| RuleFigures { rule: rule.name.clone(), results: 0, tokens: none };
        Self {
            kinds: ContentKind::NAMES.map(|kind| KindFigures { kind, tokens: none }).to_vec(),
            tools: rows.tools.iter().map(tool).collect(),
            rules: rules.iter().map(rule).collect(),
            seen: vec![false; rows.all.len()],
        }
    }

    /// Adds system prompt and tools that aren't among the messages: once per thread, and once per request.
    pub fn add_fixed(&mut self, tokens: f64, requests: f64) {
        if let Some(system) = self.kinds.first_mut() {
            system.tokens.add(tokens, true, requests);
        }
    }

    pub fn add_context(&mut self, context: &CountedContext<'_>) {
        let CountedContext { rows, lengths, columns, outdated, .. } = context;
        let times_sent = times_sent(rows.rows.len(), lengths);
        for ((&row, &tokens), &times) in rows.rows.iter().zip(&rows.tokens).zip(&times_sent) {
            self.add_row(context.thread.rows, row, tokens, times);
        }
        for found in outdated {
            let Some(rule) = self.rules.get_mut(found.rule) else { continue };
            let later = lengths.iter().skip(found.request);
            let times = later.filter(|&&length| length > found.position).count();
            rule.results += 1;
            rule.tokens.add(columns.saving(found.position), true, times as f64);
        }
    }

    fn add_row(&mut self, rows: &CountedRows<'_>, index: usize, tokens: f64, times: f64) {
        let Some(row) = rows.all.get(index) else { return };
        let is_new = self.seen.get_mut(index).is_some_and(|seen| !std::mem::replace(seen, true));
        let factor = if row.tokens > 0.0 { tokens / row.tokens } else { 0.0 };
        for (kind, share) in row.kind_shares() {
            if let Some(figures) = self.kinds.get_mut(kind as usize) {
                figures.tokens.add(share * row.tokens * factor, is_new, times);
            }
        }
        for &(tool, call_tokens) in &row.call_tokens {
            if let Some(figures) = self.tools.get_mut(tool) {
                figures.calls.add(call_tokens * factor, is_new, times);
            }
        }
        if let Some(figures) = row.tool.and_then(|tool| self.tools.get_mut(tool)) {
            figures.results += u64::from(is_new);
            figures.tokens.add(tokens, is_new, times);
        }
    }

    /// Figures by kind, by tool (most sent first) and by rule.
    pub fn figures(mut self) -> (Vec<KindFigures>, Vec<ToolFigures>, Vec<RuleFigures>) {
        self.kinds.retain(|figures| figures.tokens.once > 0.0);
        self.tools.sort_by(|a, b| (b.tokens.sent + b.calls.sent).total_cmp(&(a.tokens.sent + a.calls.sent)));
        (self.kinds, self.tools, self.rules)
    }
}

/// By row, the number of requests that sent it.
fn times_sent(row_count: usize, lengths: &[usize]) -> Vec<f64> {
    let mut requests_by_length = vec![0_usize; row_count + 1];
    for &length in lengths {
        if let Some(count) = requests_by_length.get_mut(length.min(row_count)) {
            *count += 1;
        }
    }
    let mut longer = lengths.len();
    let sent = requests_by_length.iter().take(row_count).map(|count| {
        longer -= count;
        longer as f64
    });
    sent.collect()
}
