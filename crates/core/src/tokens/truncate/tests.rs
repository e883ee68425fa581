use proptest::prelude::*;

use super::super::encoding::o200k;
use super::*;

fn shortened(text: &str, limit: usize, keep: Keep, marker: &str) -> String {
    let count = |text: &str| o200k().count(text);
    truncate(&count, text, limit, keep, marker).map_or_else(|| text.to_owned(), |kept| assemble(text, kept, marker))
}

#[test]
fn a_text_that_fits_stays_whole_and_a_longer_one_keeps_head_tail_or_both() {
    let text = "one two three four five six seven eight nine ten";
    assert_eq!(shortened(text, 10, Keep::Head, ""), text);
    assert_eq!(shortened(text, 3, Keep::Head, ""), "one two three");
    assert_eq!(shortened(text, 2, Keep::Tail, ""), " nine ten");
    assert_eq!(shortened(text, 5, Keep::Both, "…"), "one two… nine ten");
    assert_eq!(shortened(text, 0, Keep::Both, "…"), "");
}

#[test]
fn truncation_uses_at_least_99_percent_of_the_limit() {
    let text = "The quick brown fox jumps over the lazy dog. 今天天气很好。\n".repeat(400);
    for keep in [Keep::Head, Keep::Tail, Keep::Both] {
        let tokens = o200k().count(&shortened(&text, 1_000, keep, "\n…\n"));
        assert!((990..=1_000).contains(&tokens), "{tokens} {keep:?}");
    }
}

proptest! {
    // The fuzz campaign of texts runs many more cases.
    #![proptest_config(ProptestConfig::with_cases(5_000))]

    #[test]
    fn a_truncated_text_is_never_above_the_limit(
        text in "([a-z]{1,9} ?|[\\PC]{1,5}|[ \n]{1,4}|[0-9]{1,9}|[你好世界]{1,6}|😀\u{200d}){0,40}",
        limit in 0_usize..60,
        keep in prop::sample::select(vec![Keep::Head, Keep::Tail, Keep::Both]),
    ) {
        prop_assert!(o200k().count(&shortened(&text, limit, keep, "\n…\n")) <= limit);
    }
}
