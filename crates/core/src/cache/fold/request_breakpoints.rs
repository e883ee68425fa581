//! Decides which prefixes of a request get a breakpoint, by the removals of this request and the next.

use super::{Decision, Fold, PAYBACK_REQUESTS, Sent};
use crate::cache::breakpoints::{WantedBreakpoints, breakpoints};
use crate::cache::cuts::{Cut, CutInputs};

impl Fold {
    /// Prefixes of the last request that get a breakpoint, as message counts, ascending.
    pub fn breakpoints(&self) -> Vec<usize> {
        let Some(sent) = &self.sent else { return Vec::new() };
        if self.options.uses_breakpoints {
            return sent.breakpoints.clone();
        }
        let wanted = WantedBreakpoints { next: self.next_removal(), ..WantedBreakpoints::default() };
        breakpoints(&self.prompt, &self.head, wanted)
    }

    /// Message at which the next warm request would cut if it were allowed to.
    fn next_removal(&self) -> Option<usize> {
        let inputs =
            CutInputs { entries: None, unchanged: self.prompt.len(), is_warm: true, ..self.inputs(None) };
        let without_cut = inputs.cost_without_cut();
        let worth = |cut: &Cut| PAYBACK_REQUESTS * inputs.prices.read * cut.saved - (cut.cost - without_cut);
        let best = |accepts: &dyn Fn(&Cut) -> bool| {
            let cuts = inputs.cuts(&self.pending).filter(|cut| accepts(cut));
            cuts.max_by(|one, other| worth(one).total_cmp(&worth(other)))
        };
        best(&|cut| self.is_allowed(&inputs, cut)).or_else(|| best(&|_| true)).map(|cut| cut.position)
    }

    /// Places the breakpoints of the decided request.
    pub(super) fn sent_with_breakpoints(&self, decision: &Decision) -> Sent {
        let len = self.prompt.len();
        let mut own = Vec::new();
        if self.options.uses_breakpoints {
            let changed = (!decision.rows.is_empty()).then_some(decision.position);
            let read = self.sent.as_ref().and_then(|sent| {
                let limit = decision.position.min(sent.len);
                sent.entries.iter().copied().rev().find(|&entry| entry <= limit)
            });
            let wanted = WantedBreakpoints { read, changed, next: self.next_removal() };
            own = breakpoints(&self.prompt, &self.head, wanted);
        }
        let mut entries = own.clone();
        entries.extend((self.head.head_breakpoints > 0).then_some(0));
        // The newest of the application's breakpoints on messages is at the end.
        entries.extend((self.head.message_breakpoints > 0).then_some(len));
        entries.sort_unstable();
        entries.dedup();
        Sent { len, entries, breakpoints: own }
    }
}
