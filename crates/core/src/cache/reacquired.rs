//! Results that an agent fetched again after they had gone: their kind goes too early. A project in which that happens clearly more
//! often than in the sessions behind the table of ages keeps results of that kind for longer.

use std::collections::HashMap;

use crate::cache::aging::Lives;
use crate::tools::fetch::Fetch;
use crate::tools::result_kind::ResultKind;

/// Fewer are no sign.
const FEWEST: u32 = 4;

/// How many of a thousand gone results of a kind are fetched again in recorded sessions, somewhat rounded up (`bench/need.mjs`). `None`
/// where a call is repeated for what is new, and not for what is gone.
const fn expected_of(kind: ResultKind) -> Option<f64> {
    match kind {
        ResultKind::ShellRun | ResultKind::EditResult => None,
        ResultKind::FileRead => Some(60.0),
        ResultKind::ShellRead
        | ResultKind::ShellSearch
        | ResultKind::Search
        | ResultKind::Web
        | ResultKind::Other => Some(10.0),
    }
}

/// In the order of the conversation.
#[derive(Debug, Clone)]
pub struct Fetched {
    pub fetch: Fetch,
    /// The call's place.
    pub called: usize,
    /// The place from which on it wasn't sent any more; `None` where it is.
    pub gone: Option<usize>,
}

/// Replaced results of a kind, and how many of them were fetched again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    pub replaced: u32,
    pub reacquired: u32,
}

/// In the order of [`ResultKind::ALL`].
pub type Tallies = [Tally; ResultKind::ALL.len()];

/// A result is fetched again when its call comes again while no newer result of such a call is sent. O(results).
#[must_use]
pub fn tallies(results: impl IntoIterator<Item = Fetched>) -> Tallies {
    let mut tallies = Tallies::default();
    let mut newest: HashMap<Fetch, Option<usize>> = HashMap::new();
    for Fetched { fetch, called, gone } in results {
        let Some(tally) = tallies.get_mut(fetch.kind as usize) else { continue };
        tally.replaced += u32::from(gone.is_some());
        let before = newest.insert(fetch, gone).flatten();
        tally.reacquired += u32::from(before.is_some_and(|gone| gone <= called));
    }
    tallies
}

impl Lives {
    /// Ages with half or all added where a kind is clearly fetched again too often; at most twice those of `table`.
    #[must_use]
    pub fn learnt_from(self, table: Self, tallies: &Tallies) -> Self {
        let kinds = ResultKind::ALL.into_iter().zip(tallies);
        kinds.fold(self, |lives, (kind, tally)| {
            let age = lives.of(kind);
            let longest = age.max(table.of(kind).saturating_mul(2));
            lives.with(kind, (age.saturating_mul(2 + tally.halves(kind)) / 2).min(longest))
        })
    }
}

impl Tally {
    /// Halves of its age that a kind stays longer: one for each clear excess, which is more than two standard deviations.
    fn halves(self, kind: ResultKind) -> u32 {
        let Some(expected) = expected_of(kind) else { return 0 };
        let expected = expected / 1_000.0 * f64::from(self.replaced);
        let clear = f64::from(FEWEST).max(2.0f64.mul_add(expected.sqrt(), expected));
        let found = f64::from(self.reacquired);
        u32::from(found >= clear) + u32::from(found >= 2.0 * clear)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fetched(tool: &str, arguments: &str, called: usize, gone: Option<usize>) -> Fetched {
        Fetched { fetch: Fetch::of_call(tool, arguments), called, gone }
    }

    fn tally(kind: ResultKind, replaced: u32, reacquired: u32) -> Tallies {
        let mut tallies = Tallies::default();
        tallies[kind as usize] = Tally { replaced, reacquired };
        tallies
    }

    #[test]
    fn issue_22_9_a_result_is_fetched_again_when_its_call_comes_after_the_newest_of_such_results_has_gone() {
        let a = r#"{"file_path":"a.ts"}"#;
        let counted = |later: &[Fetched]| {
            tallies([fetched("Read", a, 1, Some(9))].into_iter().chain(later.iter().cloned()))
                [ResultKind::FileRead as usize]
        };
        assert_eq!(counted(&[]), Tally { replaced: 1, reacquired: 0 });
        assert_eq!(counted(&[fetched("Read", a, 9, None)]), Tally { replaced: 1, reacquired: 1 });
        assert_eq!(counted(&[fetched("Read", a, 8, None)]).reacquired, 0, "it still was sent");
        assert_eq!(counted(&[fetched("Read", r#"{"file_path":"b.ts"}"#, 9, None)]).reacquired, 0);
        let newer = [fetched("Read", a, 3, None), fetched("Read", a, 12, None)];
        assert_eq!(counted(&newer).reacquired, 0, "a newer one is still sent");
        let twice = [fetched("Read", a, 9, Some(20)), fetched("Read", a, 21, None)];
        assert_eq!(counted(&twice), Tally { replaced: 2, reacquired: 2 });
    }

    #[test]
    fn issue_22_9_a_kind_stays_longer_when_clearly_more_came_again_than_expected_and_at_most_twice_as_long() {
        let table = Lives::default();
        let age = |replaced, reacquired| {
            let kind = ResultKind::FileRead;
            table.learnt_from(table, &tally(kind, replaced, reacquired)).of(kind)
        };
        assert_eq!([age(0, 0), age(3, 3), age(62, 4)], [160; 3], "too few, or as expected");
        assert_eq!([age(4, 4), age(100, 11)], [240; 2]);
        assert_eq!([age(8, 8), age(1_000_000, 1_000_000)], [320; 2]);
        let others = table.learnt_from(table, &tally(ResultKind::FileRead, 50, 50));
        assert!(
            ResultKind::ALL
                .into_iter()
                .all(|kind| kind == ResultKind::FileRead || others.of(kind) == table.of(kind))
        );
        for kind in [ResultKind::ShellRun, ResultKind::EditResult] {
            assert_eq!(
                table.learnt_from(table, &tally(kind, 50, 50)),
                table,
                "tests run again for what is new"
            );
        }
    }

    #[test]
    fn issue_22_9_what_was_learnt_before_is_no_ground_to_go_beyond_the_bound() {
        let (kind, table) = (ResultKind::Search, Lives::default());
        let often = tally(kind, 50, 50);
        let learnt = table.learnt_from(table, &often);
        assert_eq!(learnt.of(kind), 120);
        assert_eq!(learnt.learnt_from(table, &often), learnt);
        assert_eq!(table.with(kind, 10).learnt_from(table, &often).of(kind), 20, "a host's own");
        assert_eq!(table.with(kind, 500).learnt_from(table, &often).of(kind), 500);
    }
}
