use super::*;

fn fetched(tool: &str, arguments: &str, called_at: usize, removed_at: Option<usize>) -> Fetched {
    Fetched { fetch: Fetch::of_call(tool, arguments), called_at, removed_at }
}

#[test]
fn r14_4_a_result_is_reacquired_if_its_call_comes_again_while_no_newer_result_is_sent() {
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
