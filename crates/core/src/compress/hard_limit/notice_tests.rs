use super::*;

const LONG_AGO: Dropped<'_> =
    Dropped { messages: 40, tokens: 51_234.4, first_request: Some("Fix $& in a.rs") };

fn said(dropped: Dropped<'_>, language: Language) -> String {
    notice(dropped, language, &Model::named("gpt-4o"), 100)
}

#[test]
fn r7_11_the_notice_says_how_much_was_dropped_and_quotes_the_first_request() {
    for (language, prefix) in
        [(Language::Chinese, "[历史截断]\n"), (Language::English, "[History truncated]\n")]
    {
        let text = said(LONG_AGO, language);
        assert!(text.starts_with(prefix) && text.ends_with("\nFix $& in a.rs"), "{text}");
        assert!(text.contains("40") && text.contains("51234"), "{text}");
    }
}

#[test]
fn edge_20_the_task_is_quoted_from_both_ends_when_it_is_too_long() {
    let request = format!("Begin {} end", "word ".repeat(5_000));
    let text = said(Dropped { first_request: Some(&request), ..LONG_AGO }, Language::English);
    assert!(text.contains("\nBegin ") && text.contains(LEFT_OUT) && text.ends_with(" end"));
    assert!(Model::named("gpt-4o").count(&text) < 200.0);
}

#[test]
fn edge_27_a_cut_request_has_no_half_character() {
    let request = "😀你好".repeat(2_000);
    for name in ["gpt-4o", "claude-opus-4-7"] {
        let model = Model::named(name);
        for quote_tokens in [0, 1, 7, 50] {
            let dropped = Dropped { first_request: Some(&request), ..LONG_AGO };
            let text = notice(dropped, Language::Chinese, &model, quote_tokens);
            assert!(!text.contains('\u{FFFD}'));
            assert!(model.count(&text) < 100.0 + f64::from(u32::try_from(quote_tokens).unwrap()), "{name}");
        }
    }
}

#[test]
fn r7_11_without_a_request_nothing_is_quoted() {
    for first_request in [None, Some(" \n")] {
        let text = said(Dropped { first_request, ..LONG_AGO }, Language::English);
        assert!(text.ends_with("look up again."), "{text}");
    }
}
