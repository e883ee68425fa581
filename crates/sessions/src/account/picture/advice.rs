//! What the user could have done to save cost in this session, computed from the bill. Advice that would have saved
//! nothing is listed, too, as the reason not to follow it.

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;
use serde_json::Value;

use super::super::bill::is_one_hour;
use super::super::bust::Cause;
use super::super::charge::Charge;
use super::super::prompt::amount;
use super::super::rows::count;
use super::super::waterfall::Currency;
use super::super::{Bill, PriceList};
use super::cell_costs::ThreadCosts;
use super::cells::ThreadPicture;
use crate::model::{Message, Part, Session, Thread};

const HOUR_MS: f64 = 3_600_000.0;
/// Assumed size of a summary.
pub const SUMMARY_TOKENS: f64 = 4_000.0;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AdviceKind {
    /// The one-hour cache instead of the five-minute one.
    OneHourCache,
    /// MCP servers whose tools were in every request and never called.
    UnusedServers,
    /// A compaction before the most expensive pause.
    CompactBeforePause,
    /// Removing outdated results.
    Outdated,
}

/// One piece of advice, in the currency of the session's bill.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Advice {
    pub what: AdviceKind,
    /// Maximum savings; negative if it would have cost more. `None` if only a simulation can tell.
    pub saves: Option<f64>,
    /// Cost paid for the pauses, tools or results concerned.
    pub cost: f64,
    /// Number of pauses, servers or results concerned.
    pub times: usize,
    /// Their tokens per request; for outdated results, over all requests.
    pub tokens: f64,
    pub share: f64,
    /// The names of unused servers.
    pub names: Vec<String>,
    /// Thread and request concerned.
    pub request: Option<(usize, usize)>,
}

impl Advice {
    fn new(what: AdviceKind) -> Self {
        Self {
            what,
            saves: None,
            cost: 0.0,
            times: 0,
            tokens: 0.0,
            share: 0.0,
            names: Vec::new(),
            request: None,
        }
    }
}

pub(super) struct Adviser<'a> {
    pub session: &'a Session,
    pub threads: &'a [ThreadPicture],
    pub cell_costs: &'a [ThreadCosts],
    pub bill: &'a Bill,
    pub currency: Currency,
    pub list: &'a PriceList,
}

impl Adviser<'_> {
    /// All advice that the recording allows, largest savings first.
    pub fn advice(&self) -> Vec<Advice> {
        let found = [self.one_hour(), self.servers(), self.compaction(), self.outdated()];
        let mut advice: Vec<Advice> = found.into_iter().flatten().collect();
        advice.sort_by(|a, b| b.saves.unwrap_or(0.0).total_cmp(&a.saves.unwrap_or(0.0)));
        advice
    }

    fn charge(&self, thread: usize, request: usize) -> Option<&Charge> {
        self.bill.charges.get(thread)?.get(request)?.as_ref()
    }

    /// With the one-hour cache, shorter pauses would have lost nothing, and every written token would have cost more.
    fn one_hour(&self) -> Option<Advice> {
        let mut advice = Advice::new(AdviceKind::OneHourCache);
        let mut premium = 0.0;
        for (number, thread) in self.session.threads.iter().enumerate() {
            if is_one_hour(&thread.usage().1) || !self.has_choice(thread) {
                continue;
            }
            for (at, request) in thread.requests.iter().enumerate() {
                let Some((charge, usage)) = self.charge(number, at).zip(request.usage) else { continue };
                let rates = self.list.rates_for(request.model.as_deref(), usage.total());
                let dearer = self.currency.worth(charge) * (rates.write_1h - rates.write_5m);
                premium += dearer * amount(usage.cache_write);
            }
            let pauses =
                self.bill.busts.iter().filter(|bust| bust.thread == number && bust.cause == Cause::Idle);
            for bust in pauses.filter(|bust| bust.pause_ms <= HOUR_MS) {
                let Some((charge, request)) =
                    self.charge(number, bust.request).zip(thread.requests.get(bust.request))
                else {
                    continue;
                };
                let worth = self.currency.worth(charge);
                let rates = self.list.rates_for(request.model.as_deref(), 0);
                advice.times += 1;
                advice.cost += worth * bust.cost;
                // Lost tokens would have been read instead of written.
                premium -=
                    worth * (rates.write_1h - rates.write_5m) * (charge.previous_tokens - charge.read_tokens);
            }
        }
        advice.saves = Some(advice.cost - premium);
        (advice.times > 0).then_some(advice)
    }

    fn has_choice(&self, thread: &Thread) -> bool {
        thread.requests.iter().any(|request| {
            let rates = self.list.rates(request.model.as_deref());
            request.usage.is_some_and(|usage| usage.cache_write > 0) && rates.write_1h > rates.write_5m
        })
    }

    /// Finds MCP servers that were never called; needs a recording with tool definitions.
    fn servers(&self) -> Option<Advice> {
        let calls = self.session.messages.iter().flat_map(Message::calls);
        let called: HashSet<&str> = calls.map(|(_, tool, _)| tool).collect();
        let mut unused: BTreeMap<String, f64> = BTreeMap::new();
        let mut cost = 0.0;
        for (thread, cell_costs) in self.threads.iter().zip(self.cell_costs) {
            for (cell, sum) in thread.cells.iter().zip(&cell_costs.cells) {
                let Some(message) = self.session.messages.get(cell.message as usize) else { continue };
                for part in &message.parts {
                    let Part::Tools(text) = part else { continue };
                    let all = count(text).max(1.0);
                    for (server, tokens) in servers_in(text) {
                        let prefix = format!("mcp__{server}__");
                        if called.iter().any(|name| name.starts_with(&prefix)) {
                            continue;
                        }
                        let known = unused.entry(server).or_default();
                        *known = known.max(tokens);
                        cost += sum.cost * (tokens / all).min(1.0);
                    }
                }
            }
        }
        let mut advice = Advice::new(AdviceKind::UnusedServers);
        advice.tokens = unused.values().sum();
        advice.times = unused.len();
        advice.names = unused.into_keys().collect();
        (advice.cost, advice.saves) = (cost, Some(cost));
        (advice.times > 0).then_some(advice)
    }

    /// With a summary before the most expensive pause, the history would neither have been written again after it nor read by
    /// later requests.
    fn compaction(&self) -> Option<Advice> {
        let worth = |thread, request| self.charge(thread, request).map(|charge| self.currency.worth(charge));
        let pauses = self.bill.busts.iter().filter(|bust| bust.cause == Cause::Idle && bust.request > 0);
        let priced = pauses.filter_map(|bust| Some((bust, worth(bust.thread, bust.request)? * bust.cost)));
        let (bust, cost) = priced.max_by(|a, b| a.1.total_cmp(&b.1))?;
        let thread = self.threads.get(bust.thread)?;
        let charges = self.bill.charges.get(bust.thread)?;
        let before = thread.requests.get(bust.request - 1)?;
        let asked = charges.get(bust.request - 1)?.as_ref()?;
        let history = before.tokens - thread.fixed_tokens;
        if history <= 2.0 * SUMMARY_TOKENS {
            return None;
        }
        let cell_costs = ThreadCosts::of(thread, charges, self.currency, bust.request);
        let cells = before.prompt.iter().filter_map(|&(from, to)| cell_costs.cells.get(from..to));
        let later: f64 = cells.flatten().map(|sum| sum.cost).sum();
        let share = SUMMARY_TOKENS / history;
        let summary = asked.read_rate * before.tokens + asked.output_rate * SUMMARY_TOKENS;
        let saves = Some(later * (1.0 - share) - self.currency.worth(asked) * summary);
        let request = Some((bust.thread, bust.request));
        let advice = Advice::new(AdviceKind::CompactBeforePause);
        Some(Advice { saves, cost, times: 1, tokens: history, request, ..advice })
    }

    fn outdated(&self) -> Option<Advice> {
        let mut advice = Advice::new(AdviceKind::Outdated);
        let mut sent = 0.0;
        for cell_costs in self.cell_costs {
            sent += cell_costs.fixed.tokens;
            for sum in &cell_costs.cells {
                sent += sum.tokens;
                advice.tokens += sum.stale_tokens;
                advice.cost += sum.stale_cost;
                advice.times += usize::from(sum.stale_tokens > 0.0);
            }
        }
        advice.share = if sent > 0.0 { advice.tokens / sent } else { 0.0 };
        (advice.times > 0).then_some(advice)
    }
}

/// Tokens of each MCP server's tools in tool definitions.
fn servers_in(definitions: &str) -> BTreeMap<String, f64> {
    let mut servers = BTreeMap::new();
    let parsed: Value = serde_json::from_str(definitions).unwrap_or_default();
    for tool in parsed.as_array().into_iter().flatten() {
        let name = tool.get("name").or_else(|| tool.get("function")?.get("name")).and_then(Value::as_str);
        let server = name.and_then(|name| name.strip_prefix("mcp__")?.split_once("__"));
        if let Some((server, _)) = server {
            *servers.entry(server.to_owned()).or_default() += count(&tool.to_string());
        }
    }
    servers
}
