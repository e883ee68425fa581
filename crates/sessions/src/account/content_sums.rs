//! Contents of the context by kind and by tool, and outdated results by rule.

use serde::Serialize;

use super::rows::{ContentKind, CountedRows};

/// Tokens counted once, and summed over all requests that sent them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Tokens {
    /// Each message counted once.
    pub once: f64,
    /// Each message counted as often as it was sent.
    pub sent: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct KindFigures {
    pub kind: &'static str,
    pub tokens: Tokens,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolFigures {
    pub tool: String,
    pub results: u64,
    pub calls: Tokens,
    pub tokens: Tokens,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RuleFigures {
    pub rule: String,
    pub results: u64,
    /// Tokens that the rule would remove; `sent` counts requests from the one at which a result is outdated.
    pub tokens: Tokens,
}

/// Running sums of one session.
#[derive(Debug)]
pub(super) struct ContentSums {
    kinds: Vec<Tokens>,
    tools: Vec<(u64, Tokens, Tokens)>,
    rules: Vec<(u64, Tokens)>,
    /// By row, true once it has been counted.
    seen: Vec<bool>,
}

impl Tokens {
    fn add(&mut self, tokens: f64, is_new: bool, times: f64) {
        self.once += if is_new { tokens } else { 0.0 };
        self.sent += tokens * times;
    }
}

impl ContentSums {
    pub fn new(rows: &CountedRows<'_>, rules: usize) -> Self {
        Self {
            kinds: vec![Tokens::default(); ContentKind::NAMES.len()],
            tools: vec![<(u64, Tokens, Tokens)>::default(); rows.tools.len()],
            rules: vec![<(u64, Tokens)>::default(); rules],
            seen: vec![false; rows.all.len()],
        }
    }

    /// Adds system prompt and tools that aren't among the messages: once per thread, and once per request.
    pub fn add_fixed(&mut self, tokens: f64, requests: f64) {
        if let Some(figures) = self.kinds.first_mut() {
            figures.add(tokens, true, requests);
        }
    }

    /// Adds a row of `tokens` that `times` requests of one context sent.
    pub fn add_row(&mut self, rows: &CountedRows<'_>, at: usize, tokens: f64, times: f64) {
        let Some(row) = rows.all.get(at) else { return };
        let is_new = self.seen.get_mut(at).is_some_and(|seen| !std::mem::replace(seen, true));
        let factor = if row.tokens > 0.0 { tokens / row.tokens } else { 0.0 };
        let inner: f64 = row.kinds.iter().map(|(_, tokens)| tokens).sum();
        for &(kind, share) in &row.kinds {
            // Distribute the message overhead over its content.
            let share = if inner > 0.0 { share / inner * row.tokens } else { 0.0 };
            if let Some(figures) = self.kinds.get_mut(kind as usize) {
                figures.add(share * factor, is_new, times);
            }
        }
        for &(tool, call) in &row.calls {
            if let Some((_, calls, _)) = self.tools.get_mut(tool) {
                calls.add(call * factor, is_new, times);
            }
        }
        if let Some((results, _, figures)) = row.tool.and_then(|tool| self.tools.get_mut(tool)) {
            *results += u64::from(is_new);
            figures.add(tokens, is_new, times);
        }
    }

    /// Adds a result that one rule would have removed from the last `times` requests of its context.
    pub fn add_outdated(&mut self, rule: usize, tokens: f64, times: f64) {
        if let Some((results, figures)) = self.rules.get_mut(rule) {
            *results += 1;
            figures.add(tokens, true, times);
        }
    }

    /// Figures by kind, by tool (most sent first) and by rule.
    pub fn figures(
        self,
        rows: &CountedRows<'_>,
        rules: &[(String, f64)],
    ) -> (Vec<KindFigures>, Vec<ToolFigures>, Vec<RuleFigures>) {
        let kinds = ContentKind::NAMES.iter().zip(self.kinds).filter(|(_, tokens)| tokens.once > 0.0);
        let kinds = kinds.map(|(&(_, kind), tokens)| KindFigures { kind, tokens }).collect();
        let tools = rows.tools.iter().zip(self.tools).map(|(tool, (results, calls, tokens))| ToolFigures {
            tool: tool.clone(),
            results,
            calls,
            tokens,
        });
        let mut tools: Vec<ToolFigures> = tools.collect();
        tools.sort_by(|a, b| (b.tokens.sent + b.calls.sent).total_cmp(&(a.tokens.sent + a.calls.sent)));
        let rules = rules.iter().zip(self.rules).map(|((rule, _), (results, tokens))| RuleFigures {
            rule: rule.clone(),
            results,
            tokens,
        });
        (kinds, tools, rules.collect())
    }
}

/// By row, the number of requests that sent it.
#[allow(clippy::cast_precision_loss)] // a number of requests
pub(super) fn times_sent(rows: usize, lengths: &[usize]) -> Vec<f64> {
    let mut ending = vec![0_usize; rows + 1];
    for &length in lengths {
        if let Some(count) = ending.get_mut(length.min(rows)) {
            *count += 1;
        }
    }
    let mut still = lengths.len();
    let sent = ending.iter().take(rows).map(|count| {
        still -= count;
        still as f64
    });
    sent.collect()
}
