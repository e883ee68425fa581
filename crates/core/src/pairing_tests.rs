use super::*;
use crate::conversation::{Call, Row};
use proptest::prelude::*;

/// `A` with call ids, `T` with one, `O`: a conversation in a line.
fn conversation(messages: &[(char, &[u32])]) -> Conversation {
    let mut built = Conversation::default();
    for &(kind, ids) in messages {
        let (kind, call_id) = match kind {
            'A' => (Kind::Assistant, NONE),
            'T' => (Kind::Tool, ids.first().copied().unwrap_or(NONE)),
            _ => (Kind::Other, NONE),
        };
        let calls = if kind == Kind::Assistant { ids } else { &[] };
        let row = Row { kind, status_error: false, has_text: true, timestamp: 0.0, call_id };
        built.push(row, calls.iter().map(|&id| Call { id, name: 0 }));
    }
    built
}

#[test]
fn r3_1_an_unanswered_call_takes_its_message_and_the_other_results_along() {
    let built = conversation(&[('O', &[]), ('A', &[0, 1]), ('T', &[0]), ('A', &[2]), ('T', &[2])]);
    assert_eq!(orphans(&built), [1, 2]);
}

#[test]
fn r3_1_a_result_without_a_call_goes() {
    assert_eq!(orphans(&conversation(&[('T', &[7]), ('A', &[1]), ('T', &[1])])), [0]);
}

#[test]
fn r3_1_the_cascade_runs_until_nothing_changes() {
    let built = conversation(&[('A', &[1, 2]), ('T', &[2]), ('A', &[3]), ('T', &[3])]);
    assert_eq!(orphans(&built), [0, 1]);
    let chained = conversation(&[('A', &[1, 2]), ('A', &[2, 3]), ('T', &[2]), ('T', &[3])]);
    assert_eq!(orphans(&chained), [0], "2 is still declared by row 1");
}

#[test]
fn r3_2_what_has_no_id_stays() {
    assert!(orphans(&conversation(&[('T', &[]), ('A', &[]), ('A', &[NONE]), ('O', &[])])).is_empty());
}

#[test]
fn reused_ids_keep_every_turn() {
    let built = conversation(&[('A', &[0]), ('T', &[0]), ('A', &[0]), ('T', &[0])]);
    assert!(orphans(&built).is_empty());
    assert_eq!(resolve(&built, |_| true), [NONE, 0, NONE, 1], "each result answers the call before it");
}

#[test]
fn a_result_before_its_call_is_resolved_to_the_first_one_after_it() {
    let built = conversation(&[('T', &[0]), ('A', &[0]), ('A', &[0])]);
    assert_eq!(resolve(&built, |_| true), [0, NONE, NONE]);
    assert_eq!(resolve(&built, |index| index != 1), [1, NONE, NONE]);
}

fn any_conversation() -> impl Strategy<Value = Conversation> {
    let ids = prop::collection::vec(prop_oneof![0u32..6, Just(NONE)], 0..3);
    prop::collection::vec((prop_oneof![Just('A'), Just('T'), Just('O')], ids), 0..14).prop_map(|messages| {
        let borrowed: Vec<(char, &[u32])> =
            messages.iter().map(|(kind, ids)| (*kind, ids.as_slice())).collect();
        conversation(&borrowed)
    })
}

/// The rule as the spec words it: passes over what is left, until a pass drops nothing.
fn orphans_by_passes(conversation: &Conversation) -> Vec<usize> {
    let mut dropped = vec![false; conversation.len()];
    loop {
        let declared = |id: u32, dropped: &[bool]| {
            (0..conversation.len())
                .filter(|&i| !dropped[i])
                .flat_map(|i| conversation.calls_of(i))
                .any(|c| conversation.call(c).unwrap().id == id)
        };
        let answered = |id: u32, dropped: &[bool]| {
            (0..conversation.len())
                .filter(|&i| !dropped[i])
                .any(|i| conversation.rows()[i].kind == Kind::Tool && conversation.rows()[i].call_id == id)
        };
        let before = dropped.clone();
        for (index, slot) in dropped.iter_mut().enumerate() {
            let row = conversation.rows()[index];
            let gone = match row.kind {
                Kind::Tool => row.call_id != NONE && !declared(row.call_id, &before),
                _ => conversation.calls_of(index).any(|c| {
                    let id = conversation.call(c).unwrap().id;
                    id != NONE && !answered(id, &before)
                }),
            };
            *slot |= gone;
        }
        if dropped == before {
            return (0..conversation.len()).filter(|&i| dropped[i]).collect();
        }
    }
}

proptest! {
    #[test]
    fn r3_1_the_sweep_drops_what_repeated_passes_drop(built in any_conversation()) {
        prop_assert_eq!(orphans(&built), orphans_by_passes(&built));
    }

    #[test]
    fn told_message_by_message_the_pairs_are_the_same(built in any_conversation(), steps in prop::collection::vec(1usize..4, 0..14)) {
        let mut pairing = Pairing::default();
        let mut growing = Conversation::default();
        let mut next = 0;
        for step in steps.into_iter().chain([built.len()]) {
            for index in next..built.len().min(next + step) {
                growing.push(built.rows()[index], built.calls_of(index).map(|call| *built.call(call).unwrap()));
            }
            next = growing.len();
            pairing.extend(&growing);
            prop_assert_eq!(pairing.resolved(), resolve(&growing, |_| true));
            prop_assert_eq!(pairing.orphans(&growing), orphans(&growing));
        }
    }

    #[test]
    fn every_result_resolves_to_a_call_with_its_id(built in any_conversation()) {
        for (index, &call) in resolve(&built, |_| true).iter().enumerate() {
            let row = built.rows()[index];
            let declared = (0..built.call_count()).any(|c| built.call(c).unwrap().id == row.call_id);
            if call == NONE {
                prop_assert!(row.kind != Kind::Tool || row.call_id == NONE || !declared);
            } else {
                prop_assert_eq!(built.call(call as usize).unwrap().id, row.call_id);
            }
        }
    }
}
