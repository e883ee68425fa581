//! Search queries and texts: a text is found by its n-grams and shown if and only if it contains all words. The first
//! line is the query.
#![no_main]

use libfuzzer_sys::fuzz_target;
use palimpsest_archive::{index_text, is_within_limits, parse_query, snippet, without_base64};

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let (query, text) = text.split_once('\n').unwrap_or((&text, ""));
    if !is_within_limits(query) {
        return;
    }
    let (parsed, stored) = (parse_query(query, "t"), index_text(text, "t"));
    assert!(without_base64(&without_base64(text)) == without_base64(text), "once is enough");
    assert!(parsed.grams.is_sorted() && stored.grams.is_sorted());
    let holds_all = parsed.words.iter().all(|word| stored.text.contains(word.as_str()));
    let is_found = holds_all && !parsed.words.is_empty();
    if holds_all {
        assert!(
            parsed.grams.iter().all(|gram| stored.grams.binary_search(gram).is_ok()),
            "{query:?} {text:?}"
        );
    }
    assert_eq!(is_found, !snippet(query, text, 5).is_empty(), "{query:?} {text:?}");
});
