use super::*;
use crate::testing::{TempArchive, batch, found, messages};

fn new(version: i64, fence: i64, text: &str) -> NewState<'_> {
    NewState { fence, version, text, is_whole: version == 0, batches: &[] }
}

fn lease(owner: &str, ms: f64) -> Lease<'_> {
    Lease { owner, ms }
}

#[test]
fn r15_2_of_two_commits_to_one_version_the_second_is_refused_and_a_repeated_one_is_answered_again() {
    let place = TempArchive::new();
    let (mut one, mut other) = (place.open(), place.open());
    assert_eq!(one.acquire("a", None).unwrap().unwrap().version, 0);
    assert_eq!(one.commit("a", &new(0, 0, "s")).unwrap().version, 1);
    assert_eq!(one.commit("a", &new(1, 0, "d")).unwrap().version, 2);
    assert_eq!(other.commit("a", &new(1, 0, "other")).unwrap_err().code, Code::Stale);
    assert_eq!(other.commit("a", &new(1, 0, "d")).unwrap().version, 2);
    let read = other.acquire("a", None).unwrap().unwrap();
    assert_eq!((read.snapshot.as_deref(), read.deltas, read.version), (Some("s"), vec!["d".to_owned()], 2));
    let whole = NewState { is_whole: true, ..new(2, 0, "t") };
    assert_eq!(other.commit("a", &whole).unwrap().version, 3);
    let read = one.acquire("a", None).unwrap().unwrap();
    assert_eq!((read.snapshot.as_deref(), read.deltas.len()), (Some("t"), 0));
}

#[test]
fn r15_1_a_lease_keeps_others_out_until_it_ends_and_an_old_fence_is_refused() {
    let place = TempArchive::new();
    let mut archive = place.open();
    assert_eq!(archive.acquire("a", Some(lease("one", 60_000.0))).unwrap().unwrap().fence, 1);
    assert_eq!(archive.acquire("a", Some(lease("other", 60_000.0))).unwrap(), None);
    assert_eq!(archive.acquire("a", None).unwrap().unwrap().fence, 1, "reading takes nothing");
    assert_eq!(
        archive.acquire("a", Some(lease("one", 0.0))).unwrap().unwrap().fence,
        1,
        "prolonged, to end now"
    );
    assert_eq!(archive.acquire("a", Some(lease("other", 60_000.0))).unwrap().unwrap().fence, 2);
    assert_eq!(archive.commit("a", &new(0, 1, "s")).unwrap_err().code, Code::Stale);
    archive.release("a", 1).unwrap();
    assert_eq!(archive.acquire("a", Some(lease("one", 1.0))).unwrap(), None, "another's lease");
    archive.release("a", 2).unwrap();
    assert_eq!(archive.acquire("a", Some(lease("one", 1.0))).unwrap().unwrap().fence, 3);
}

#[test]
fn r15_2_state_and_batches_are_written_in_one_step_or_not_at_all() {
    let place = TempArchive::new();
    let mut archive = place.open();
    let (first, second) = (messages(&["needle"]), messages(&["other words"]));
    let batches = [batch("b", &first)];
    archive.commit("a", &NewState { batches: &batches, ..new(0, 0, "s") }).unwrap();
    assert_eq!(found(&mut archive, "needle").len(), 1);
    let conflicting = [batch("c", &second), batch("b", &second)];
    let refused = archive.commit("a", &NewState { batches: &conflicting, ..new(1, 0, "d") });
    assert_eq!(refused.unwrap_err().code, Code::Conflict);
    assert!(found(&mut archive, "other").is_empty());
    assert_eq!(archive.acquire("a", None).unwrap().unwrap().version, 1);
    archive.delete("a").unwrap();
    let deleted = archive.acquire("a", None).unwrap().unwrap();
    assert_eq!((deleted.version, deleted.snapshot), (0, None));
}
