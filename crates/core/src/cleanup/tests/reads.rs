//! Tests of the rule for file reads (R2).

use super::session::TestSession;

#[test]
fn r2_4_the_five_newest_successful_reads_of_each_path_stay() {
    let mut session = TestSession::reads();
    let arguments = r#"{"filePath":"src/Button.tsx"}"#;
    let rows: Vec<usize> = (0..7)
        .map(|minute| {
            let content = if minute == 4 { "Error: File not found" } else { "read" };
            session.call("filesystem-read", arguments, content, f64::from(minute))
        })
        .collect();
    assert_eq!(session.edited(10.0), [rows[0]]);
}

#[test]
fn r2_5_a_batch_read_stays_while_it_is_recent_for_one_of_its_files() {
    let mut session = TestSession::reads();
    let batch = session.call("filesystem-read", r#"{"filePath":["a.ts","b.ts"]}"#, "both", 0.0);
    for minute in 1..=5 {
        session.call("filesystem-read", r#"{"filePath":"./a.ts"}"#, "a", f64::from(minute));
    }
    assert!(session.edited(10.0).is_empty(), "it is the newest read of b.ts");
    for minute in 6..=10 {
        session.call("filesystem-read", r#"{"filePath":"/app/b.ts"}"#, "b", f64::from(minute));
    }
    let edits = session.evaluate(20.0).edits;
    assert_eq!(edits.iter().map(|edit| edit.row as usize).collect::<Vec<_>>(), [batch]);
    let paths: Vec<String> =
        edits[0].groups.iter().map(|&group| String::from_utf16_lossy(session.cleanup.group_key(0, group))).collect();
    assert_eq!(paths, ["a.ts", "b.ts"]);
}
