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
    breakpoints.iter().any(|&breakpoint| {
        breakpoint >= prefix && prompt.blocks_between(prefix, breakpoint) <= LOOK_BACK_BLOCKS
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prompt(blocks: &[f64]) -> PromptTokens {
        let mut prompt = PromptTokens::default();
        for &blocks in blocks {
            prompt.push(100.0, blocks);
        }
        prompt
    }

    fn head(system: usize) -> ConversationHead {
        ConversationHead { system_len: system, ..ConversationHead::default() }
    }

    fn wanted(read: usize, next: Option<usize>) -> WantedBreakpoints {
        WantedBreakpoints { read: Some(read), changed: None, next }
    }

    #[test]
    fn r10_8_breakpoints_are_at_the_end_of_the_system_prompt_the_next_removal_and_the_end() {
        let ten = prompt(&[1.0; 10]);
        assert_eq!(choose_prefixes(&ten, &head(1), wanted(8, Some(5))), [1, 5, 10]);
        assert_eq!(choose_prefixes(&ten, &head(0), wanted(8, None)), [10]);
        assert_eq!(
            choose_prefixes(
                &ten,
                &head(1),
                WantedBreakpoints { read: Some(4), changed: Some(4), next: None }
            ),
            [1, 4, 10]
        );
        assert_eq!(choose_prefixes(&prompt(&[]), &head(0), WantedBreakpoints::default()), [0]);
    }

    #[test]
    fn r10_8_the_previous_end_gets_a_breakpoint_if_it_is_beyond_the_look_back() {
        let forty = prompt(&[1.0; 40]);
        assert_eq!(
            choose_prefixes(&forty, &head(1), wanted(20, Some(5))),
            [1, 5, 40],
            "20 blocks before the end"
        );
        assert_eq!(choose_prefixes(&forty, &head(1), wanted(19, Some(5))), [1, 5, 19, 40]);
        assert_eq!(
            choose_prefixes(&prompt(&[5.0; 10]), &head(1), wanted(5, Some(3))),
            [1, 3, 5, 10],
            "five blocks per message"
        );
    }

    #[test]
    fn r10_8_application_breakpoints_at_unknown_places_reduce_the_number_of_ours() {
        let ten = prompt(&[1.0; 10]);
        let marked_head = ConversationHead { message_breakpoints: 3, ..head(1) };
        assert_eq!(
            choose_prefixes(&ten, &marked_head, wanted(8, Some(5))),
            [5, 10],
            "the system prompt has no room"
        );
        let full = ConversationHead { message_breakpoints: 5, ..ConversationHead::default() };
        assert_eq!(choose_prefixes(&ten, &full, wanted(8, Some(5))), [0_usize; 0]);
    }

    #[test]
    fn r10_8_the_system_prompt_gets_no_second_breakpoint_if_the_application_set_one() {
        let ten = prompt(&[1.0; 10]);
        let marked_head = ConversationHead { head_breakpoints: 1, ..head(1) };
        assert_eq!(choose_prefixes(&ten, &marked_head, wanted(8, Some(5))), [5, 10]);
    }

    #[test]
    fn r10_8_fixed_tokens_before_all_messages_get_a_breakpoint() {
        let mut two = PromptTokens::new(900.0);
        two.push(100.0, 1.0);
        two.push(100.0, 1.0);
        assert_eq!(choose_prefixes(&two, &head(0), WantedBreakpoints::default()), [0, 2]);
    }

    #[test]
    fn r10_8_a_position_past_the_end_gets_no_breakpoint() {
        let two = prompt(&[1.0; 2]);
        assert_eq!(choose_prefixes(&two, &head(0), wanted(9, Some(8))), [2]);
    }

    #[test]
    fn r10_8_the_cache_entry_to_be_read_gets_a_breakpoint_unless_another_one_reaches_it() {
        let forty = prompt(&[1.0; 40]);
        let read = WantedBreakpoints { read: Some(10), changed: Some(12), next: Some(2) };
        assert_eq!(choose_prefixes(&forty, &head(1), read), [1, 2, 12, 40], "the change reaches it");
        let crowded = ConversationHead { message_breakpoints: 3, ..head(1) };
        assert_eq!(choose_prefixes(&forty, &crowded, read), [10, 40], "no room for the change");
        assert_eq!(choose_prefixes(&forty, &crowded, WantedBreakpoints { next: Some(12), ..read }), [12, 40]);
    }

    #[test]
    fn r10_8_the_breakpoints_of_the_application_count_among_the_four() {
        let ten = prompt(&[1.0; 10]);
        let marked_head = ConversationHead { message_breakpoints: 1, ..head(1) };
        assert_eq!(choose_prefixes(&ten, &marked_head, wanted(8, Some(5))), [1, 5, 10]);
        let crowded = ConversationHead { head_breakpoints: 2, message_breakpoints: 2, ..marked_head };
        assert_eq!(choose_prefixes(&ten, &crowded, wanted(8, Some(5))), [10]);
    }
}
