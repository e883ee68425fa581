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

impl Fold {
    /// Prefixes of the last request that get a breakpoint, as message counts, ascending.
    pub fn breakpoints(&self) -> Vec<usize> {
        let Some(previous) = &self.previous else { return Vec::new() };
        if self.options.uses_breakpoints {
            return previous.breakpoints.clone();
        }
        choose_prefixes(&self.prompt, &self.head, None, [self.next_removal(), None])
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
            breakpoints = choose_prefixes(&self.prompt, &self.head, read, [self.next_removal(), changed]);
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

/// The prefixes that get a breakpoint, ascending, the application's at the end included. Chosen in order of what a missing one costs: the
/// end; `read`, the cached prefix that the request reads, if no other breakpoint looks back that far; the first messages that the next
/// request and this one change; the system prompt.
fn choose_prefixes(
    prompt: &PromptTokens,
    head: &ConversationHead,
    read: Option<usize>,
    [next, changed]: [Option<usize>; 2],
) -> Vec<usize> {
    let end = prompt.len();
    let before_end = head.head_breakpoints + head.message_breakpoints.saturating_sub(1);
    let max_chosen = MAX_BREAKPOINTS.saturating_sub(before_end);
    let choose = |prefixes: &[Option<usize>]| {
        let mut chosen: Vec<usize> = Vec::new();
        for &prefix in prefixes.iter().flatten() {
            if chosen.len() < max_chosen && prefix <= end && !chosen.contains(&prefix) {
                chosen.push(prefix);
            }
        }
        chosen
    };
    let without_read = choose(&[Some(end), next, changed]);
    let looks_back_to = |read: usize, breakpoint: usize| {
        breakpoint >= read && prompt.blocks_between(read, breakpoint) <= LOOK_BACK_BLOCKS
    };
    let read = read.filter(|&read| !without_read.iter().any(|&breakpoint| looks_back_to(read, breakpoint)));
    let has_system_prompt = head.system_len > 0 || prompt.fixed() > 0.0;
    let system = (head.head_breakpoints == 0 && has_system_prompt).then_some(head.system_len);
    let mut chosen = choose(&[Some(end), read, next, changed, system]);
    chosen.sort_unstable();
    chosen
}

#[cfg(test)]
mod tests;
