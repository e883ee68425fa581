//! Decides which prefixes of a request get one of Anthropic's cache breakpoints, by the removals of this request and the next. From each
//! breakpoint, the provider looks back for a prefix cached before. A prefix is given by its message count; 0 is the system prompt and tools
//! if they are not messages.

use super::{ConversationHead, Decision, Fold, PAYBACK_REQUESTS, PreviousRequest};
use crate::cache::cuts::{Cut, CutInputs};
use crate::cache::prompt::PromptTokens;

/// Breakpoints that Anthropic accepts in one request.
const MAX_BREAKPOINTS: usize = 4;
/// Content blocks over which the provider looks back from a breakpoint.
const LOOK_BACK_BLOCKS: f64 = 20.0;

/// Prefixes whose breakpoint saves cost.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct WantedBreakpoints {
    /// The cached prefix that this request reads; `None` if nothing is cached.
    read: Option<usize>,
    /// First messages that this request changes, and that the next request would change.
    changed: Option<usize>,
    next: Option<usize>,
}

impl Fold {
    /// Prefixes of the last request that get a breakpoint, as message counts, ascending.
    pub fn breakpoints(&self) -> Vec<usize> {
        let Some(previous) = &self.previous else { return Vec::new() };
        if self.options.uses_breakpoints {
            return previous.breakpoints.clone();
        }
        let wanted = WantedBreakpoints { next: self.next_removal(), ..WantedBreakpoints::default() };
        choose_prefixes(&self.prompt, &self.head, wanted)
    }

    /// First message that the next warm request would change: by its best allowed cut, or else by its best cut.
    fn next_removal(&self) -> Option<usize> {
        let inputs = CutInputs {
            cached_prefixes: None,
            previous_len: self.prompt.len(),
            is_warm: true,
            ..self.cut_inputs(None)
        };
        let without_cut = inputs.cost_without_cut();
        let gain = |cut: &Cut| cut.gain(PAYBACK_REQUESTS, inputs.prices.read, without_cut);
        let best_of = |cuts: &mut dyn Iterator<Item = Cut>| {
            cuts.max_by(|one, other| gain(one).total_cmp(&gain(other))).map(|cut| cut.position)
        };
        best_of(&mut inputs.cuts(&self.pending).filter(|cut| self.is_allowed(&inputs, cut)))
            .or_else(|| best_of(&mut inputs.cuts(&self.pending)))
    }

    /// The decided request, with its breakpoints, as the next one will see it.
    pub(super) fn with_breakpoints(&self, decision: &Decision) -> PreviousRequest {
        let len = self.prompt.len();
        let mut breakpoints = Vec::new();
        if self.options.uses_breakpoints {
            let changed = (!decision.rows.is_empty()).then_some(decision.cut.position);
            let read = self.previous.as_ref().and_then(|previous| {
                let unchanged = decision.cut.position.min(previous.len);
                previous.cached_prefixes.iter().copied().rev().find(|&prefix| prefix <= unchanged)
            });
            let wanted = WantedBreakpoints { read, changed, next: self.next_removal() };
            breakpoints = choose_prefixes(&self.prompt, &self.head, wanted);
        }
        let mut cached_prefixes = breakpoints.clone();
        cached_prefixes.extend((self.head.head_breakpoints > 0).then_some(0));
        // The newest of the application's breakpoints on messages is at the end.
        cached_prefixes.extend((self.head.message_breakpoints > 0).then_some(len));
        cached_prefixes.sort_unstable();
        cached_prefixes.dedup();
        PreviousRequest { len, cached_prefixes, breakpoints }
    }
}

/// The prefixes that get a breakpoint, ascending, the application's at the end included. Chosen in order of what a missing one costs: the end;
/// the prefix to read, if no other breakpoint looks back that far; the next or current change; the system prompt.
fn choose_prefixes(prompt: &PromptTokens, head: &ConversationHead, wanted: WantedBreakpoints) -> Vec<usize> {
    let end = prompt.len();
    let before_end = head.head_breakpoints + head.message_breakpoints.saturating_sub(1);
    let max_chosen = MAX_BREAKPOINTS.saturating_sub(before_end);
    let add = |prefix: usize, chosen: &mut Vec<usize>| {
        if chosen.len() < max_chosen && prefix <= end && !chosen.contains(&prefix) {
            chosen.push(prefix);
        }
    };
    let mut chosen = Vec::new();
    add(end, &mut chosen);
    let mut without_read = chosen.clone();
    let changes = [wanted.next, wanted.changed].into_iter().flatten();
    changes.clone().for_each(|prefix| add(prefix, &mut without_read));
    if let Some(read) = wanted.read
        && !is_reached(prompt, read, &without_read)
    {
        add(read, &mut chosen);
    }
    changes.for_each(|prefix| add(prefix, &mut chosen));
    if head.head_breakpoints == 0 && (head.system_len > 0 || prompt.fixed() > 0.0) {
        add(head.system_len, &mut chosen);
    }
    chosen.sort_unstable();
    chosen
}

/// True if the provider's look-back from one of the breakpoints finds `prefix`.
fn is_reached(prompt: &PromptTokens, prefix: usize, breakpoints: &[usize]) -> bool {
    breakpoints
        .iter()
        .any(|&breakpoint| breakpoint >= prefix && prompt.blocks_between(prefix, breakpoint) <= LOOK_BACK_BLOCKS)
}

#[cfg(test)]
#[path = "breakpoints_tests.rs"]
mod tests;
