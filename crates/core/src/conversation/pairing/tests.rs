use super::*;
use crate::conversation::{Call, Row};
use proptest::prelude::*;

/// A conversation in one line: `A` with call ids, `T` with one, `!` for an interruption's result, `O` for other, `S` for a system message,
/// `?` for a row of unknown form.
fn conversation(messages: &[(char, &[u32])]) -> Conversation {
    let mut built = Conversation::default();
    for &(kind, ids) in messages {
        let id = ids.first().copied().unwrap_or(NONE);
        let row = match kind {
            'A' => Row::new(RowKind::Assistant, NONE),
            'T' => Row::new(RowKind::Tool, id),
            '!' => Row { is_interruption: true, ..Row::new(RowKind::Tool, id) },
            'S' => Row { is_aside: true, ..Row::new(RowKind::Other, NONE) },
            '?' => Row { is_unknown: true, ..Row::new(RowKind::Other, NONE) },
            _ => Row::new(RowKind::Other, NONE),
        };
        let calls = if kind == 'A' { ids } else { &[] };
        built.push(row, calls.iter().map(|&id| Call { id, name: 0, settled: false }));
    }
    built
}

fn orphans(conversation: &Conversation) -> Vec<usize> {
    paired(conversation).orphans()
}

#[test]
fn r3_1_an_unanswered_call_removes_its_message_and_its_other_results() {
    let built = conversation(&[('O', &[]), ('A', &[0, 1]), ('T', &[0]), ('A', &[2]), ('T', &[2])]);
    assert_eq!(orphans(&built), [1, 2]);
}

#[test]
fn r3_1_a_result_without_a_call_is_removed() {
    assert_eq!(orphans(&conversation(&[('T', &[7]), ('A', &[1]), ('T', &[1])])), [0]);
}

#[test]
fn r3_1_a_second_use_of_an_id_needs_a_result_of_its_own() {
    let built = conversation(&[('A', &[0]), ('T', &[0]), ('A', &[0])]);
    assert_eq!(orphans(&built), [2], "the earlier call's result is not its answer");
    let interrupted = conversation(&[('A', &[0]), ('O', &[]), ('A', &[0]), ('T', &[0])]);
    assert_eq!(orphans(&interrupted), [0], "the result answers the nearest declaration");
}

#[test]
fn r3_1_a_removed_message_removes_its_own_results_and_not_those_of_an_earlier_use() {
    let built = conversation(&[('A', &[0]), ('T', &[0]), ('A', &[0, 1]), ('T', &[0])]);
    assert_eq!(orphans(&built), [2, 3]);
}

#[test]
fn r3_1_an_id_declared_twice_by_one_message_needs_one_result() {
    assert!(orphans(&conversation(&[('A', &[0, 0]), ('T', &[0])])).is_empty());
}

#[test]
fn r3_2_messages_without_an_id_stay() {
    assert!(orphans(&conversation(&[('T', &[]), ('A', &[]), ('A', &[NONE]), ('O', &[])])).is_empty());
}

#[test]
fn r3_1_reused_ids_keep_every_turn() {
    let built = conversation(&[('A', &[0]), ('T', &[0]), ('A', &[0]), ('T', &[0])]);
    assert!(orphans(&built).is_empty());
    assert_eq!(calls_by_row(&built), [NONE, 0, NONE, 1], "each result answers the call before it");
}

#[test]
fn r3_1_a_result_before_its_call_is_paired_with_the_first_call_after_it() {
    let built = conversation(&[('T', &[0]), ('A', &[0]), ('A', &[0])]);
    assert_eq!(calls_by_row(&built), [0, NONE, NONE]);
    assert_eq!(orphans(&built), [2]);
}

/// With messages added one at a time, a scan of all earlier results at each call would take 10^10 steps.
#[test]
fn a_hundred_thousand_results_before_their_calls_are_paired_once_each() {
    const RESULTS: u32 = 100_000;
    let (mut built, mut pairing) = (Conversation::default(), Pairing::default());
    for id in 0..RESULTS {
        built.push(Row::new(RowKind::Tool, id), []);
        assert!(pairing.extend(&built));
    }
    assert_eq!(pairing.orphans().len(), 100_000);
    for id in 0..RESULTS {
        built.push(Row::new(RowKind::Assistant, NONE), [Call { id, name: 0, settled: false }]);
        assert!(!pairing.extend(&built), "a result is paired with a later call");
    }
    assert!(pairing.orphans().is_empty());
    assert!(pairing.call_by_row().iter().take(100_000).zip(0..).all(|(&call, id)| call == id));
}

/// Results have ids: the row right after a call may change when others are removed.
fn any_conversation() -> impl Strategy<Value = Conversation> {
    any_messages(1)
}

fn any_messages(fewest_ids: usize) -> impl Strategy<Value = Conversation> {
    let call_ids = prop::collection::vec(prop_oneof![0u32..4, Just(NONE)], 0..3);
    let result_id = prop::collection::vec(0u32..4, fewest_ids..2);
    let message = prop_oneof![
        call_ids.prop_map(|ids| ('A', ids)),
        result_id.prop_map(|ids| ('T', ids)),
        Just(('O', Vec::new())),
    ];
    prop::collection::vec(message, 0..16).prop_map(|messages| {
        let borrowed: Vec<(char, &[u32])> = messages.iter().map(|(kind, ids)| (*kind, ids.as_slice())).collect();
        conversation(&borrowed)
    })
}

fn declares(conversation: &Conversation, row: usize, id: u32) -> bool {
    let is_id = |call| conversation.call(call).unwrap().id == id;
    conversation.rows()[row].kind == RowKind::Assistant && conversation.calls_of(row).any(is_id)
}

/// The row whose declaration a result answers among the remaining rows, by R3.1.
fn declaration_of(conversation: &Conversation, left: &[bool], result: usize) -> Option<usize> {
    let id = conversation.rows()[result].call_id;
    let mut candidates = (0..=result).rev().chain(result..conversation.len());
    candidates.find(|&row| left[row] && declares(conversation, row, id))
}

fn is_result(conversation: &Conversation, row: usize) -> bool {
    conversation.rows()[row].kind == RowKind::Tool && conversation.rows()[row].call_id != NONE
}

/// R3.1, one removal at a time in the order of `picks`, with all pairs computed again after each.
fn orphans_one_by_one(conversation: &Conversation, picks: &[prop::sample::Index]) -> Vec<usize> {
    let rows = 0..conversation.len();
    let mut left = vec![true; conversation.len()];
    for pick in picks.iter().cycle() {
        let pairs: Vec<Option<usize>> = rows
            .clone()
            .map(|row| {
                if left[row] && is_result(conversation, row) { declaration_of(conversation, &left, row) } else { None }
            })
            .collect();
        let unanswered = |row: usize| {
            conversation.rows()[row].kind == RowKind::Assistant
                && conversation.calls_of(row).map(|call| conversation.call(call).unwrap().id).any(|id| {
                    id != NONE && !rows.clone().any(|r| pairs[r] == Some(row) && conversation.rows()[r].call_id == id)
                })
        };
        let orphans: Vec<usize> = rows
            .clone()
            .filter(|&row| left[row])
            .filter(|&row| unanswered(row) || (is_result(conversation, row) && pairs[row].is_none()))
            .collect();
        if orphans.is_empty() {
            break;
        }
        let removed = orphans[pick.index(orphans.len())];
        rows.clone().filter(|&row| row == removed || pairs[row] == Some(removed)).for_each(|row| left[row] = false);
    }
    rows.filter(|&row| !left[row]).collect()
}

fn without(conversation: &Conversation, dropped: &[usize]) -> Conversation {
    let mut kept = Conversation::default();
    for row in (0..conversation.len()).filter(|row| !dropped.contains(row)) {
        let calls = conversation.calls_of(row).map(|call| *conversation.call(call).unwrap());
        kept.push(conversation.rows()[row], calls);
    }
    kept
}

proptest! {
    #[test]
    fn r3_1_one_pass_removes_what_removing_one_by_one_removes_in_any_order(
        built in any_conversation(),
        picks in prop::collection::vec(any::<prop::sample::Index>(), 1..16),
    ) {
        prop_assert_eq!(orphans(&built), orphans_one_by_one(&built, &picks));
    }

    #[test]
    fn r3_1_the_kept_messages_have_no_orphans_and_the_same_pairs(built in any_conversation()) {
        let dropped = orphans(&built);
        let kept = without(&built, &dropped);
        prop_assert!(orphans(&kept).is_empty());
        let call_of = |conversation: &Conversation, pairs: &[u32], row: usize| {
            let call = pairs[row];
            let declared_by = (0..conversation.len()).find(|&r| conversation.calls_of(r).contains(&(call as usize)));
            declared_by.map(|row| (row, call as usize - conversation.calls_of(row).start))
        };
        let (before, after) = (calls_by_row(&built), calls_by_row(&kept));
        let places: Vec<usize> = (0..built.len()).filter(|row| !dropped.contains(row)).collect();
        for (at, &row) in places.iter().enumerate() {
            let moved = call_of(&kept, &after, at).map(|(row, call)| (places[row], call));
            prop_assert_eq!(moved, call_of(&built, &before, row));
        }
    }

    #[test]
    fn r3_1_pairing_message_by_message_gives_the_same_pairs(built in any_messages(0), steps in prop::collection::vec(1usize..4, 0..14)) {
        let mut pairing = Pairing::default();
        let mut growing = Conversation::default();
        let mut next = 0;
        for step in steps.into_iter().chain([built.len()]) {
            let known = pairing.call_by_row().to_vec();
            for index in next..built.len().min(next + step) {
                growing.push(built.rows()[index], built.calls_of(index).map(|call| *built.call(call).unwrap()));
            }
            next = growing.len();
            let is_prefix_kept = pairing.extend(&growing);
            prop_assert_eq!(pairing.call_by_row(), calls_by_row(&growing));
            prop_assert_eq!(pairing.orphans(), orphans(&growing));
            let dropped = orphans(&growing);
            prop_assert_eq!(pairing.duplicates(&growing, &dropped), paired(&growing).duplicates(&growing, &dropped));
            prop_assert!(!is_prefix_kept || pairing.call_by_row().starts_with(&known), "earlier pairs are unchanged");
        }
    }

    #[test]
    fn r3_1_results_without_an_id_leave_no_orphans(built in any_messages(0)) {
        prop_assert!(orphans(&without(&built, &orphans(&built))).is_empty());
    }

    #[test]
    fn r3_1_each_call_keeps_one_result_and_a_second_pass_removes_nothing(
        built in any_conversation(),
        interrupted in prop::collection::vec(any::<bool>(), 16),
    ) {
        let mut built = built;
        for (index, is_interruption) in interrupted.into_iter().enumerate().take(built.len()) {
            let row = *built.row(index).unwrap();
            built.patch(index, Row { is_interruption, ..row });
        }
        let pairing = paired(&built);
        let dropped = pairing.orphans();
        let found = pairing.duplicates(&built, &dropped);
        let removed: Vec<usize> = (0..built.len()).filter(|row| dropped.contains(row) || found.rows.contains(row)).collect();
        let kept = without(&built, &removed);
        prop_assert!(orphans(&kept).is_empty());
        prop_assert_eq!(paired(&kept).duplicates(&kept, &[]).rows, Vec::<usize>::new());
        for &row in &found.rows {
            // Calls with the same id in one row count as one.
            let declared = |row: usize| {
                let call = pairing.call_by_row()[row] as usize;
                ((0..built.len()).find(|&by| built.calls_of(by).contains(&call)), built.rows()[row].call_id)
            };
            let is_rival = |&other: &usize| built.rows()[other].kind == RowKind::Tool && declared(other) == declared(row);
            let rivals: Vec<usize> = (0..built.len()).filter(is_rival).filter(|other| !removed.contains(other)).collect();
            prop_assert_eq!(rivals.len(), 1, "one result stays");
            let (kept_row, dropped_row) = (built.rows()[rivals[0]], built.rows()[row]);
            prop_assert!(!kept_row.is_interruption || dropped_row.is_interruption, "an interruption stays only if all results are interruptions");
        }
        for &call in &found.calls {
            let row = (0..built.len()).find(|&row| built.calls_of(row).contains(&(call as usize))).unwrap();
            let id = built.call(call as usize).unwrap().id;
            let left = built.calls_of(row).filter(|&other| {
                built.call(other).unwrap().id == id && !found.calls.iter().any(|&removed| removed as usize == other)
            });
            prop_assert_eq!(left.count(), 1);
            prop_assert!(!dropped.contains(&row));
        }
    }

    #[test]
    fn r3_1_every_result_is_paired_with_a_call_of_its_id(built in any_conversation()) {
        for (index, &call) in calls_by_row(&built).iter().enumerate() {
            let row = built.rows()[index];
            let declared = (0..built.len()).any(|other| declares(&built, other, row.call_id));
            if call == NONE {
                prop_assert!(row.kind != RowKind::Tool || row.call_id == NONE || !declared);
            } else {
                prop_assert_eq!(built.call(call as usize).unwrap().id, row.call_id);
            }
        }
    }
}

fn paired(conversation: &Conversation) -> Pairing {
    let mut pairing = Pairing::default();
    pairing.extend(conversation);
    pairing
}

#[test]
fn r11_4_each_interrupted_call_is_unanswered_and_only_results_without_a_call_are_removed() {
    let built = conversation(&[('T', &[9]), ('A', &[0, 1]), ('T', &[0]), ('A', &[0]), ('O', &[]), ('A', &[2])]);
    assert_eq!(paired(&built).unanswered(), [1, 2, 3], "an id that is used again is another call");
    assert_eq!(paired(&built).results_without_call(), [0]);
    let whole = conversation(&[('A', &[0]), ('T', &[0])]);
    assert!(paired(&whole).unanswered().is_empty() && paired(&whole).results_without_call().is_empty());
}

#[test]
fn r11_4_a_call_that_needs_no_result_is_no_orphan_and_keeps_a_result_it_has() {
    let mut built = Conversation::default();
    let settled = |id| Call { id, name: 0, settled: true };
    built.push(Row::new(RowKind::Assistant, NONE), [settled(0), settled(1)]);
    built.push(Row::new(RowKind::Tool, 1), []);
    assert!(orphans(&built).is_empty() && paired(&built).unanswered().is_empty());
    assert_eq!(calls_by_row(&built), [NONE, 1]);
    built.push(Row::new(RowKind::Assistant, NONE), [Call { settled: false, ..settled(0) }]);
    assert_eq!((orphans(&built), paired(&built).unanswered()), (vec![2], vec![2]));
}

fn duplicates(messages: &[(char, &[u32])]) -> (Vec<usize>, Vec<u32>) {
    let built = conversation(messages);
    let pairing = paired(&built);
    let Duplicates { rows, calls, .. } = pairing.duplicates(&built, &pairing.orphans());
    (rows, calls)
}

#[test]
fn r3_1_of_several_results_for_one_call_the_last_that_is_no_interruption_stays() {
    let question = ('O', [].as_slice());
    for (messages, removed) in [
        ([('A', [0].as_slice()), ('T', &[0]), ('T', &[0])].as_slice(), [1].as_slice()),
        (&[('A', &[0]), ('!', &[0]), ('T', &[0])], &[1]),
        (&[('A', &[0]), ('T', &[0]), ('!', &[0])], &[2]),
        (&[('A', &[0]), ('!', &[0]), ('!', &[0])], &[1]),
        (&[('A', &[0]), ('!', &[0]), question, ('T', &[0])], &[1]),
        // A provider accepts the result in its call's own turn only.
        (&[('A', &[0]), ('T', &[0]), question, ('T', &[0])], &[3]),
        (&[('A', &[0]), ('T', &[0]), ('T', &[0]), ('T', &[0])], &[1, 2]),
        (&[('T', &[0]), ('T', &[0]), ('A', &[0])], &[0]),
        (&[('A', &[0, 1]), ('T', &[0]), ('T', &[1]), ('T', &[0])], &[1]),
        (&[('A', &[0]), ('T', &[0]), ('A', &[0]), ('T', &[0])], &[]),
    ] {
        assert_eq!(duplicates(messages), (removed.to_vec(), Vec::new()), "{messages:?}");
    }
}

#[test]
fn r3_1_of_several_calls_with_one_id_in_a_message_one_stays() {
    assert_eq!(duplicates(&[('A', &[0, 0]), ('T', &[0])]), (vec![], vec![0]));
    assert_eq!(duplicates(&[('A', &[0, 1, 0]), ('T', &[0]), ('T', &[1])]), (vec![], vec![0]));
    assert_eq!(duplicates(&[('A', &[0, 0]), ('T', &[0]), ('T', &[0])]), (vec![1], vec![0]));
    assert_eq!(duplicates(&[('A', &[0, 0]), ('T', &[0]), ('!', &[0])]), (vec![2], vec![1]), "the call of its result");
    assert_eq!(duplicates(&[('T', &[0]), ('A', &[0, 0])]), (vec![], vec![0]));
    assert_eq!(calls_by_row(&conversation(&[('T', &[0]), ('A', &[0, 0])])), [1, NONE], "the call that stays decides");
    assert_eq!(duplicates(&[('A', &[0, 0])]), (vec![], vec![]), "an orphan is removed whole");
}

#[test]
fn r3_2_a_result_without_an_id_may_answer_any_call_of_its_turn() {
    assert!(
        orphans(&conversation(&[('A', &[0]), ('T', &[]), ('O', &[]), ('A', &[1]), ('S', &[]), ('T', &[])])).is_empty()
    );
    let several = conversation(&[('A', &[0, 1]), ('T', &[]), ('T', &[0])]);
    assert_eq!((orphans(&several), calls_by_row(&several)), (vec![], vec![NONE, NONE, 0]));
    let later = conversation(&[('A', &[0]), ('O', &[]), ('T', &[])]);
    assert_eq!(orphans(&later), [0], "a user message ended the turn");
}

#[test]
fn r0_7_a_row_of_unknown_form_removes_nothing_of_its_turn() {
    assert!(orphans(&conversation(&[('A', &[0, 1]), ('T', &[0]), ('?', &[])])).is_empty());
    assert!(orphans(&conversation(&[('?', &[]), ('T', &[0])])).is_empty());
    assert_eq!(orphans(&conversation(&[('?', &[]), ('O', &[]), ('T', &[0])])), [2]);
    assert_eq!(orphans(&conversation(&[('A', &[0]), ('O', &[]), ('?', &[])])), [0]);
    let unknown_model = Row { is_unknown: true, ..Row::new(RowKind::Assistant, NONE) };
    let mut built = Conversation::default();
    built.push(unknown_model, []);
    built.push(Row::new(RowKind::Tool, 3), []);
    assert!(orphans(&built).is_empty());
    assert!(paired(&built).results_without_call().is_empty());
}

#[test]
fn r11_4_a_system_message_within_a_turn_does_not_end_it() {
    assert_eq!(
        duplicates(&[('A', &[0]), ('T', &[0]), ('S', &[]), ('T', &[0])]).0,
        [1],
        "both are in the turn of the call"
    );
    let built = conversation(&[('A', &[0]), ('T', &[0]), ('S', &[]), ('A', &[1]), ('S', &[])]);
    assert_eq!((orphans(&built), built.calls_in_progress()), (vec![3], 1..2));
    assert_eq!(conversation(&[('A', &[0, 1]), ('T', &[0]), ('S', &[])]).calls_in_progress(), 0..2);
    assert_eq!(conversation(&[('S', &[]), ('O', &[]), ('S', &[])]).calls_in_progress(), 0..0);
}
