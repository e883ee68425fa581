//! Takes requests as sent, with what they change and cost.

use crate::cache::bill::BilledRequest;
use crate::cache::cuts::NextRequest;
use crate::cache::decision::Decision;
use crate::cache::guarantee::surely_cached;
use crate::cache::ledger::LedgerEntry;
use crate::cache::marks::{WantedMarks, marks};
use crate::cache::moment::Moment;
use crate::cache::path::{Checkpoint, PromptChange};
use crate::cache::schedule::Schedule;

impl Schedule {
    /// Plans the request at `moment` and takes it as sent.
    pub fn decide(&mut self, moment: Moment) -> Decision {
        let decision = self.plan(moment);
        self.take(moment, decision)
    }

    /// Takes the request at `moment` as sent with the planned `decision`.
    pub fn take(&mut self, moment: Moment, mut decision: Decision) -> Decision {
        let asked = self.asked(moment, &decision);
        let read = self.entry_read(&decision);
        self.apply(moment, &decision);
        let len = self.len();
        (self.unchanged, self.unchanged_as_sent) = (len, len);
        let accounts = self.accounts().with(decision.promised);
        decision.changes = self.path.changes().len();
        self.path.note_request(Checkpoint {
            len,
            accounts,
            changes: decision.changes,
            now_ms: moment.now_ms,
            entries: Vec::new(),
        });
        if self.options.has_marks {
            let changed = decision.positions.first().map(|&(position, _)| position);
            let next = self.next_cut();
            decision.marks = marks(&self.prompt, &self.host, WantedMarks { read, changed, next });
        }
        self.path.set_entries(self.entries_of(&decision.marks));
        if let Some(sent_ms) = moment.sent_ms {
            self.last_listed = surely_cached(&self.options.prices, asked.cached);
            decision.number = self.bill.add(asked, &self.options.prices);
            self.last_sent_ms = Some(self.last_sent_ms.map_or(sent_ms, |last| last.max(sent_ms)));
        }
        decision
    }

    fn apply(&mut self, moment: Moment, decision: &Decision) {
        let Some(&(position, _)) = decision.positions.first() else { return };
        let before = self.prompt.replace(&decision.positions);
        let request = self.path.requests().len();
        let replaced = self.pending.take_from(position);
        self.path.note_change(PromptChange { request, replaced, before });
        self.ledger.note(LedgerEntry {
            time_ms: moment.now_ms,
            request: self.requests(),
            reason: decision.reason,
            position,
            results: decision.positions.len(),
            tokens_saved: decision.tokens_saved,
            extra_cost: decision.extra_cost,
            gain_per_request: decision.gain_per_request,
        });
    }

    /// The earlier entry that the decided request reads.
    fn entry_read(&self, decision: &Decision) -> Option<usize> {
        let first = decision.positions.first().map_or(usize::MAX, |&(position, _)| position);
        let limit = first.min(self.unchanged_as_sent);
        self.path.last()?.entries.iter().copied().rev().find(|&entry| entry <= limit)
    }

    /// The bill counts times even where decisions don't.
    fn asked(&self, moment: Moment, decision: &Decision) -> BilledRequest {
        let request = self.request(moment);
        let is_warm = match (moment.sent_ms, self.last_sent_ms) {
            (Some(now), Some(last)) => now - last <= self.options.prices.ttl_ms && self.is_sent_before(),
            _ => request.is_warm,
        };
        let is_warm = is_warm && !self.observations.has_no_cache();
        let request = NextRequest { is_warm, ..request };
        let first = decision.positions.first().map_or(usize::MAX, |&(position, _)| position);
        BilledRequest {
            sent: decision.total_tokens,
            stored: request.prompt.total().stored,
            readable: request.readable_up_to(first),
            readable_left_alone: request.readable_if_left_alone(),
            cached: request.cached_up_to(first),
            cached_left_alone: request.cached_if_left_alone(),
        }
    }
}
