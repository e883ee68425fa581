use proptest::prelude::*;

use super::*;
use crate::text::utf16::units;

fn cut(parts: &[(&str, bool)], max_tokens: f64) -> Vec<String> {
    let all: Vec<Vec<u16>> = parts.iter().map(|(text, _)| units(text)).collect();
    let given: Vec<TextPart<'_>> =
        all.iter().zip(parts).map(|(text, &(_, is_output))| TextPart { text, is_output }).collect();
    let cut = shorten_parts(&given, max_tokens, &Model::named("gpt-4o"));
    all.iter().zip(cut).map(|(whole, cut)| String::from_utf16(&cut.unwrap_or_else(|| whole.clone())).unwrap()).collect()
}

#[test]
fn r7_11_a_question_after_a_pasted_log_stays_whole() {
    let log = "2026-01-01 worker finished item in time\n".repeat(900);
    let kept = cut(&[(&log, false), ("Why does the third worker stop?", false)], 500.0);
    assert_eq!(kept[1], "Why does the third worker stop?");
    assert!(kept[0].len() > 1_000 && kept[0].len() < 4_000 && kept[0].contains('…'), "{}", kept[0].len());
}

#[test]
fn r7_11_the_text_of_a_user_is_kept_before_the_output_of_a_tool() {
    let (output, words) = ("line of output\n".repeat(900), "please look at the port as well ".repeat(20));
    let kept = cut(&[(&output, true), (&words, false)], 300.0);
    assert_eq!(kept[1], words);
    assert!(!kept[0].is_empty() && kept[0].len() < output.len());
}

#[test]
fn r4_4_a_shortened_result_keeps_its_error_lines_beginning_and_end() {
    let noise = "compiling a crate of the workspace\n".repeat(800);
    let output = format!("$ cargo test\n{noise}error[E0308]: mismatched types\n{noise}finished in 3 s");
    let kept = &cut(&[(&output, true)], 400.0)[0];
    assert!(kept.contains("error[E0308]: mismatched types"), "{kept}");
    assert!(kept.starts_with("$ cargo test") && kept.ends_with("finished in 3 s") && kept.contains("lines truncated"));
    assert!(Model::named("gpt-4o").count(kept) <= 400.0);
}

#[test]
fn edge_27_shortened_texts_have_whole_characters_and_are_never_empty() {
    let emoji = "😀👩‍💻".repeat(900);
    for max_tokens in [0.0, 1.0, 3.0, 20.0, 200.0] {
        for kept in cut(&[(&emoji, false), (&emoji, true), ("x", false)], max_tokens) {
            assert!(!kept.is_empty() && !kept.contains('\u{FFFD}'), "{max_tokens}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn r7_11_parts_share_the_tokens_and_small_parts_get_all_they_need(
        sizes in prop::collection::vec((0.0..5_000.0_f64, any::<bool>()), 1..9),
        max_tokens in 0.0..6_000.0_f64,
    ) {
        let counted = |&(tokens, is_output): &(f64, bool)| CountedPart {
            units: &[],
            text: String::new(),
            is_output,
            tokens,
            allotted: 0.0,
        };
        let mut parts: Vec<CountedPart<'_>> = sizes.iter().map(counted).collect();
        allot(&mut parts, max_tokens);
        let allotted: Vec<f64> = parts.iter().map(|part| part.allotted).collect();
        let total: f64 = allotted.iter().sum();
        let requested: f64 = sizes.iter().map(|size| size.0).sum();
        prop_assert!(total <= max_tokens + 1e-6 && (total - requested.min(max_tokens)).abs() < 1e-6);
        for (&(size, is_output), &tokens) in sizes.iter().zip(&allotted) {
            prop_assert!(tokens <= size + 1e-9);
            // A part that gets less than another of its kind gets all it needs.
            let most = sizes.iter().zip(&allotted).filter(|(other, _)| other.1 == is_output).map(|(_, &other)| other);
            prop_assert!(tokens >= size - 1e-6 || most.fold(0.0, f64::max) <= tokens + FIRST_SHARE_TOKENS + 1e-6);
        }
    }

    #[test]
    fn r7_11_a_shortened_text_is_never_longer_empty_or_above_the_limit(
        texts in prop::collection::vec(("([a-z]{1,9} |[你好世界]{1,6}|😀|error: x\n|line\n){1,120}", any::<bool>()), 1..5),
        max_tokens in 12.0..400.0_f64,
    ) {
        let parts: Vec<(&str, bool)> = texts.iter().map(|(text, is_output)| (text.as_str(), *is_output)).collect();
        let kept = cut(&parts, max_tokens);
        let model = Model::named("gpt-4o");
        let total: f64 = kept.iter().map(|text| model.count(text)).sum();
        // An ellipsis remains even where there was no room.
        let ellipses = f64::from(u32::try_from(texts.len()).unwrap());
        prop_assert!(total <= max_tokens + ellipses + 1.0, "{} of {}", total, max_tokens);
        for (text, kept) in texts.iter().zip(&kept) {
            prop_assert!(!kept.is_empty());
            prop_assert!(model.count(kept) <= model.count(&text.0).max(1.0));
        }
    }
}
