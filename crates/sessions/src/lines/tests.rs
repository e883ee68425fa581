use super::Lines;

fn all(text: &[u8], limit: usize) -> Vec<(Vec<u8>, bool, bool)> {
    let mut lines = Lines::new(text, limit);
    let mut out = Vec::new();
    while let Some(line) = lines.next().unwrap() {
        out.push((line.bytes.to_vec(), line.unfinished, line.too_long));
    }
    out
}

#[test]
fn lines_are_returned_whole_and_the_last_is_marked_unfinished() {
    let lines = all(b"a\n\nbc", 100);
    assert_eq!(lines, [(b"a".to_vec(), false, false), (vec![], false, false), (b"bc".to_vec(), true, false)]);
}

#[test]
fn a_line_above_the_limit_is_skipped_and_the_next_one_is_read() {
    let mut text = vec![b'x'; 3_000_000];
    text.extend_from_slice(b"\nnext\n");
    let lines = all(&text, 1_000_000);
    assert_eq!(lines, [(vec![], false, true), (b"next".to_vec(), false, false)]);
}

#[test]
fn peek_consumes_nothing() {
    let mut lines = Lines::new(&b"one\ntwo"[..], 100);
    assert_eq!(lines.peek(2).unwrap().0.get(..2), Some(&b"on"[..]));
    assert_eq!(lines.next().unwrap().unwrap().bytes, b"one");
    assert_eq!(lines.peek(100).unwrap(), (&b"two"[..], true));
}
