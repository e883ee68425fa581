//! What the user could have done to save cost in this session. Advice that would have saved nothing is listed, too.

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;
use serde_json::Value;

use super::super::{Bill, CacheMiss, CacheMissCause, Charge, Currency, PriceList, count_tokens, is_one_hour, to_f64};
use super::cell_costs::ThreadCosts;
use super::cells::{Cell, ThreadPicture};
use crate::model::{Message, Part, Request, Session, Thread};

const HOUR_MS: f64 = 3_600_000.0;
/// Assumed size of a summary.
pub const SUMMARY_TOKENS: f64 = 4_000.0;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AdviceKind {
    /// The one-hour cache instead of the five-minute one.
    #[default]
    OneHourCache,
    /// MCP servers whose tools were in every request and never called.
    UnusedServers,
    CompactBeforePause,
    Outdated,
}

/// One piece of advice, in the currency of the session's bill.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Advice {
    pub what: AdviceKind,
    /// Maximum savings; negative if it would have cost more. `None` if only a simulation can tell.
    pub saves: Option<f64>,
    /// Cost paid for the pauses, tools or results concerned.
    pub cost: f64,
    /// Number of pauses, servers or results concerned.
    pub times: usize,
    /// Tokens of the tools per request, of the compacted history, or of outdated results over all requests; else 0.
    pub tokens: f64,
    /// For outdated results, their share of all tokens sent.
    pub share: f64,
    pub names: Vec<String>,
    /// Thread and request concerned.
    pub request: Option<(usize, usize)>,
}

pub(super) struct Adviser<'a> {
    pub session: &'a Session,
    pub threads: &'a [ThreadPicture],
    pub cell_costs: &'a [ThreadCosts],
    pub bill: &'a Bill,
    pub currency: Currency,
    pub prices: &'a PriceList,
}

impl Adviser<'_> {
    pub fn advice(&self) -> Vec<Advice> {
        let found = [self.one_hour(), self.unused_servers(), self.compaction(), self.outdated()];
        let mut advice: Vec<Advice> = found.into_iter().flatten().collect();
        advice.sort_by(|a, b| b.saves.unwrap_or(0.0).total_cmp(&a.saves.unwrap_or(0.0)));
        advice
    }

    fn charge(&self, thread: usize, request: usize) -> Option<&Charge> {
        self.bill.charges.get(thread)?.get(request)?.as_ref()
    }

    /// With the one-hour cache, shorter pauses would have lost nothing, and every written token would have cost more.
    fn one_hour(&self) -> Option<Advice> {
        let mut advice = Advice { what: AdviceKind::OneHourCache, ..Advice::default() };
        let mut premium = 0.0;
        for (thread_index, thread) in self.session.threads.iter().enumerate() {
            let (_, usage) = thread.usage();
            if is_one_hour(&usage) || !self.has_choice(thread) {
                continue;
            }
            for (index, request) in thread.requests.iter().enumerate() {
                if let Some((charge, usage)) = self.charge(thread_index, index).zip(request.usage) {
                    premium += self.one_hour_premium(request, charge) * to_f64(usage.cache_write);
                }
            }
            let pauses = self.idle_misses().filter(|miss| miss.thread == thread_index);
            for miss in pauses.filter(|miss| miss.pause_ms <= HOUR_MS) {
                let charge = self.charge(thread_index, miss.request);
                let Some((charge, request)) = charge.zip(thread.requests.get(miss.request)) else { continue };
                advice.times += 1;
                advice.cost += self.currency.unit_value(charge) * miss.cost;
                // The loop above counted a premium for the lost tokens, too. They would have been read, not written.
                let lost = charge.previous_tokens - charge.read_tokens;
                premium -= self.one_hour_premium(request, charge) * lost;
            }
        }
        advice.saves = Some(advice.cost - premium);
        (advice.times > 0).then_some(advice)
    }

    /// Price difference between the two caches, for a token written by `request`.
    fn one_hour_premium(&self, request: &Request, charge: &Charge) -> f64 {
        let prompt_tokens = request.usage.map_or(0, |usage| usage.total());
        let rates = self.prices.rates_for(request.model.as_deref(), prompt_tokens);
        self.currency.unit_value(charge) * (rates.write_1h - rates.write_5m)
    }

    fn idle_misses(&self) -> impl Iterator<Item = &CacheMiss> {
        self.bill.cache_misses.iter().filter(|miss| miss.cause == CacheMissCause::Idle)
    }

    /// True if the thread wrote to the cache of a model whose one-hour cache costs more to write.
    fn has_choice(&self, thread: &Thread) -> bool {
        thread.requests.iter().any(|request| {
            let rates = self.prices.rates(request.model.as_deref());
            request.usage.is_some_and(|usage| usage.cache_write > 0) && rates.write_1h > rates.write_5m
        })
    }

    /// Finds MCP servers that were never called; needs a recording with tool definitions.
    fn unused_servers(&self) -> Option<Advice> {
        let calls = self.session.messages.iter().flat_map(Message::calls);
        let called: HashSet<&str> = calls.map(|(_, tool, _)| tool).collect();
        let mut unused: BTreeMap<String, f64> = BTreeMap::new();
        let mut cost = 0.0;
        let threads = self.threads.iter().zip(self.cell_costs);
        for (cell, cell_cost) in threads.flat_map(|(thread, costs)| thread.cells.iter().zip(&costs.cells)) {
            let texts = self.system_texts(cell);
            let definitions = || texts.iter().filter(|(_, is_tools)| *is_tools);
            if definitions().next().is_none() {
                continue;
            }
            let cell_tokens = texts.iter().map(|(text, _)| count_tokens(text)).sum::<f64>().max(1.0);
            for (server, tokens) in definitions().flat_map(|(json, _)| servers_in(json)) {
                let prefix = format!("mcp__{server}__");
                if called.iter().any(|name| name.starts_with(&prefix)) {
                    continue;
                }
                let known = unused.entry(server).or_default();
                *known = known.max(tokens);
                cost += cell_cost.cost * (tokens / cell_tokens).min(1.0);
            }
        }
        let (what, saves) = (AdviceKind::UnusedServers, Some(cost));
        let (tokens, times, names) = (unused.values().sum(), unused.len(), unused.into_keys().collect());
        (times > 0).then_some(Advice { what, saves, cost, times, tokens, names, ..Advice::default() })
    }

    /// The texts with which a cell begins, each with whether it is tool definitions. A cell is a run of parts of one
    /// kind: a system prompt and tools are both system content.
    fn system_texts(&self, cell: &Cell) -> Vec<(&str, bool)> {
        let message = self.session.messages.get(cell.message as usize);
        let parts = message.and_then(|message| message.parts.get(cell.part.unwrap_or(0)..)).unwrap_or_default();
        let texts = parts.iter().map_while(|part| match part {
            Part::Text(text) => Some((text.as_str(), false)),
            Part::Tools(json) => Some((json.as_str(), true)),
            _ => None,
        });
        texts.collect()
    }

    /// With a summary, the history would neither have been written again after the pause nor read by later requests.
    /// Considers only the pause that cost most; `saves` covers the request after it and all later ones.
    fn compaction(&self) -> Option<Advice> {
        let pauses = self.idle_misses().filter(|miss| miss.request > 0);
        let priced = pauses.filter_map(|miss| {
            let charge = self.charge(miss.thread, miss.request)?;
            Some((miss, self.currency.unit_value(charge) * miss.cost))
        });
        let (miss, cost) = priced.max_by(|a, b| a.1.total_cmp(&b.1))?;
        let thread = self.threads.get(miss.thread)?;
        let charges = self.bill.charges.get(miss.thread)?;
        let before = thread.requests.get(miss.request - 1)?;
        let charge = charges.get(miss.request - 1)?.as_ref()?;
        let history_tokens = before.tokens - thread.fixed_tokens;
        if history_tokens <= 2.0 * SUMMARY_TOKENS {
            return None;
        }
        let costs_after = ThreadCosts::of(thread, charges, self.currency, miss.request);
        let cells = before.prompt.iter().filter_map(|&(from, to)| costs_after.cells.get(from..to));
        let history_cost: f64 = cells.flatten().map(|cell_cost| cell_cost.cost).sum();
        let kept_share = SUMMARY_TOKENS / history_tokens;
        let summary_cost = charge.read_rate * before.tokens + charge.output_rate * SUMMARY_TOKENS;
        let saves = Some(history_cost * (1.0 - kept_share) - self.currency.unit_value(charge) * summary_cost);
        let request = Some((miss.thread, miss.request));
        let what = AdviceKind::CompactBeforePause;
        Some(Advice { what, saves, cost, times: 1, tokens: history_tokens, request, ..Advice::default() })
    }

    fn outdated(&self) -> Option<Advice> {
        let mut advice = Advice { what: AdviceKind::Outdated, ..Advice::default() };
        let mut sent = 0.0;
        for costs in self.cell_costs {
            sent += costs.fixed.tokens;
            for cell_cost in &costs.cells {
                sent += cell_cost.tokens;
                advice.tokens += cell_cost.outdated_tokens;
                advice.cost += cell_cost.outdated_cost;
                advice.times += usize::from(cell_cost.outdated_tokens > 0.0);
            }
        }
        advice.share = if sent > 0.0 { advice.tokens / sent } else { 0.0 };
        (advice.times > 0).then_some(advice)
    }
}

fn servers_in(definitions: &str) -> BTreeMap<String, f64> {
    let mut servers = BTreeMap::new();
    let parsed: Value = serde_json::from_str(definitions).unwrap_or_default();
    for tool in parsed.as_array().into_iter().flatten() {
        let name = tool.get("name").or_else(|| tool.get("function")?.get("name")).and_then(Value::as_str);
        let server = name.and_then(|name| name.strip_prefix("mcp__")?.split_once("__"));
        if let Some((server, _)) = server {
            *servers.entry(server.to_owned()).or_default() += count_tokens(&tool.to_string());
        }
    }
    servers
}
