//! Tests that windows and scanning give the same result as one heap over the whole piece.

use proptest::prelude::*;

use super::super::super::encoding::O200K_VOCABULARY;
use super::*;
use std::sync::LazyLock;

static VOCABULARY: LazyLock<TokenVocabulary> = LazyLock::new(|| TokenVocabulary::read(O200K_VOCABULARY));

fn whole(piece: &[u8]) -> usize {
    token_ends(&VOCABULARY, piece).len()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn r6_1_counting_in_windows_of_any_size_equals_counting_the_whole(
        piece in "([a-c]{1,40}|-{1,200}|[ =_]{1,300}|[a-z]{1,50}|[你好世界的是]{1,40}){1,20}",
        window in 300_usize..900,
    ) {
        let counted = count_in_windows(&VOCABULARY, piece.as_bytes(), window, usize::MAX);
        prop_assert_eq!(counted, Counted { tokens: whole(piece.as_bytes()), bytes: piece.len() });
    }

    #[test]
    fn r6_1_scanning_a_short_piece_equals_merging_by_heap(piece in prop::collection::vec(any::<u8>(), 2..=SCANNED_BYTES)) {
        prop_assert_eq!(merge_by_scanning(&VOCABULARY, &piece).0, whole(&piece));
    }

    #[test]
    fn r6_1_scanning_a_word_equals_merging_by_heap(piece in "[a-zA-Z你好]{2,20}") {
        let ends = token_ends(&VOCABULARY, piece.as_bytes());
        let expected = (ends.len(), ends[0] as usize);
        prop_assert_eq!(merge_by_scanning(&VOCABULARY, piece.as_bytes()), expected);
    }
}

#[test]
fn r6_1_a_long_run_of_one_letter_is_counted_exactly_in_windows() {
    for byte in *b"a -=_\0" {
        for length in [4097, 5000, 8191, 10_000, 12_289] {
            let piece = vec![byte; length];
            assert_eq!(count(&VOCABULARY, &piece, usize::MAX).tokens, whole(&piece), "{length} × {byte}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn r6_1_counting_up_to_a_limit_never_exceeds_the_whole(
        piece in "([a-c]{1,60}|-{1,300}|[ =_]{1,300}|[a-z]{1,90}|[你好世界的是]{1,60}){20,60}",
        limit in 0_usize..400,
    ) {
        let counted = count_in_windows(&VOCABULARY, piece.as_bytes(), 600, limit);
        if counted.bytes < piece.len() {
            prop_assert!(counted.tokens >= limit && counted.tokens <= limit + 700);
            prop_assert!(counted.tokens <= whole(piece.as_bytes()));
        } else {
            prop_assert_eq!(counted.tokens, whole(piece.as_bytes()));
        }
    }
}

#[test]
fn r7_11_a_long_piece_is_merged_only_up_to_the_limit() {
    let letters: Vec<u8> =
        (0..4_000_000_u32).map(|at| b'a' + (at.wrapping_mul(2_654_435_761) >> 27) as u8 % 26).collect();
    let counted = count(&VOCABULARY, &letters, 1_000);
    assert!(counted.tokens >= 1_000 && counted.bytes < 3 * WINDOW_BYTES, "{counted:?}");
}
