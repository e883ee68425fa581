//! Decides which prefixes of a request get a cache breakpoint, by the removals of this request and the next.

use super::{Decision, Fold, PAYBACK_REQUESTS, PreviousRequest};
use crate::cache::breakpoints::{WantedBreakpoints, breakpoints};
use crate::cache::cuts::{Cut, CutInputs};

impl Fold {
    /// Prefixes of the last request that get a breakpoint, as message counts, ascending.
    pub fn breakpoints(&self) -> Vec<usize> {
        let Some(previous) = &self.previous else { return Vec::new() };
        if self.options.uses_breakpoints {
            return previous.breakpoints.clone();
        }
        let wanted = WantedBreakpoints { next: self.next_removal(), ..WantedBreakpoints::default() };
        breakpoints(&self.prompt, &self.head, wanted)
    }

    /// First message that the next warm request would change: by its best allowed cut, or else by its best cut.
    fn next_removal(&self) -> Option<usize> {
        let inputs = CutInputs {
            cached_prefixes: None,
            previous_len: self.prompt.len(),
            is_warm: true,
            ..self.inputs(None)
        };
        let without_cut = inputs.cost_without_cut();
        let gain = |cut: &Cut| cut.gain(PAYBACK_REQUESTS, inputs.prices.read, without_cut);
        let best = |accepts: &dyn Fn(&Cut) -> bool| {
            let cuts = inputs.cuts(&self.pending).filter(|cut| accepts(cut));
            cuts.max_by(|one, other| gain(one).total_cmp(&gain(other)))
        };
        best(&|cut| self.is_allowed(&inputs, cut)).or_else(|| best(&|_| true)).map(|cut| cut.position)
    }

    /// The decided request with its breakpoints.
    pub(super) fn with_breakpoints(&self, decision: &Decision) -> PreviousRequest {
        let len = self.prompt.len();
        let mut own = Vec::new();
        if self.options.uses_breakpoints {
            let changed = (!decision.rows.is_empty()).then_some(decision.first_changed);
            let read = self.previous.as_ref().and_then(|previous| {
                let unchanged = decision.first_changed.min(previous.len);
                previous.cached_prefixes.iter().copied().rev().find(|&prefix| prefix <= unchanged)
            });
            let wanted = WantedBreakpoints { read, changed, next: self.next_removal() };
            own = breakpoints(&self.prompt, &self.head, wanted);
        }
        let mut cached_prefixes = own.clone();
        cached_prefixes.extend((self.head.head_breakpoints > 0).then_some(0));
        // The newest of the application's breakpoints on messages is at the end.
        cached_prefixes.extend((self.head.message_breakpoints > 0).then_some(len));
        cached_prefixes.sort_unstable();
        cached_prefixes.dedup();
        PreviousRequest { len, cached_prefixes, breakpoints: own }
    }
}
