//! Decides how a conversation is repaired that a provider would reject (R3), before any rule applies: which rows are removed and which calls
//! get an invented result.

use crate::cleanup::policy::{Orphans, Policy, Purpose};
use crate::conversation::duplicates::Duplicates;
use crate::conversation::pairing::Pairing;
use crate::conversation::{Conversation, RowKind};

#[derive(Default)]
pub(super) struct Repairs {
    /// Rows to remove, ascending, including those of `duplicates`.
    pub dropped: Vec<usize>,
    pub answered: Vec<u32>,
    pub duplicates: Duplicates,
    /// Count of results without a declared call that stay, because no call is declared at all.
    pub unmatched: usize,
}

impl Repairs {
    /// `is_compressed`: a summary is in the conversation. A provider would then reject a result whose call the summary replaced.
    pub fn find(policy: &Policy, conversation: &Conversation, pairing: &Pairing, is_compressed: bool) -> Self {
        let never_had_calls = conversation.call_count() == 0 && !is_compressed;
        let mut repairs = match policy.orphans {
            Orphans::Keep => return Self::default(),
            Orphans::Remove => Self { dropped: pairing.orphans(), ..Self::default() },
            Orphans::Answer if never_had_calls => {
                Self { unmatched: pairing.results_without_call().len(), ..Self::default() }
            }
            Orphans::Answer => {
                let mut answered = pairing.unanswered();
                if policy.purpose == Purpose::View {
                    // The results of the turn in progress are still to come.
                    let in_progress = conversation.calls_in_progress();
                    answered.retain(|&call| !in_progress.contains(&(call as usize)));
                }
                Self { dropped: pairing.results_without_call(), answered, ..Self::default() }
            }
        };
        repairs.duplicates = pairing.duplicates(conversation, &repairs.dropped);
        repairs.dropped.extend(&repairs.duplicates.rows);
        repairs.dropped.sort_unstable();
        repairs
    }

    /// The number of leading rows that may be replaced because a sent assistant message follows them. O(the turn).
    pub fn answered_rows(&self, policy: &Policy, conversation: &Conversation) -> usize {
        if policy.purpose.trusts_clock() {
            return usize::MAX;
        }
        let is_sent = |index: usize| self.dropped.binary_search(&index).is_err();
        let mut rows = conversation.rows().iter().enumerate();
        let last = rows.rfind(|&(index, row)| row.kind == RowKind::Assistant && is_sent(index));
        last.map_or(0, |(index, _)| index)
    }
}
