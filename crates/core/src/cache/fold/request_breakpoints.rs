//! Decides which prefixes of a request get a breakpoint, by the removals of this request and the next.

use super::{Decision, Fold, PAYBACK_REQUESTS, Sent};
use crate::cache::breakpoints::{ApplicationBreakpoints, WantedBreakpoints, breakpoints};
use crate::cache::cuts::{Cut, CutInputs};

impl Fold {
    /// Prefixes of the last request that get a breakpoint, as message counts, ascending.
    pub fn breakpoints(&self) -> Vec<usize> {
        let Some(sent) = &self.sent else { return Vec::new() };
        if self.options.uses_breakpoints {
            return sent.breakpoints.clone();
        }
        let wanted = WantedBreakpoints { next: self.next_removal(), ..WantedBreakpoints::default() };
        breakpoints(&self.prompt, &self.application_breakpoints(), wanted)
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

    fn application_breakpoints(&self) -> ApplicationBreakpoints {
        ApplicationBreakpoints {
            system: self.head.system,
            on_messages: if self.head.message_breakpoints > 0 { vec![self.prompt.len()] } else { Vec::new() },
            on_head: self.head.head_breakpoints,
            unplaced: self.head.message_breakpoints.saturating_sub(1),
        }
    }

    /// Places the breakpoints of the decided request.
    pub(super) fn sent_with_breakpoints(&self, decision: &Decision) -> Sent {
        let len = self.prompt.len();
        let application = self.application_breakpoints();
        let mut own = Vec::new();
        if self.options.uses_breakpoints {
            let changed = (!decision.rows.is_empty()).then_some(decision.position);
            let limit = decision.position.min(self.sent.as_ref().map_or(0, |sent| sent.len));
            let read = self
                .sent
                .as_ref()
                .and_then(|sent| sent.entries.iter().copied().rev().find(|&entry| entry <= limit));
            own = breakpoints(
                &self.prompt,
                &application,
                WantedBreakpoints { read, changed, next: self.next_removal() },
            );
        }
        let mut entries = application.entries(len);
        entries.extend(&own);
        entries.sort_unstable();
        entries.dedup();
        Sent { len, entries, breakpoints: own }
    }
}
