use super::*;

use std::sync::LazyLock;

use crate::compression::conversations_for_tests::user;
use crate::compression::message::ChatMessage;
use crate::compression::record::digest::files::Files;

static EMPTY_DIGEST: LazyLock<Digest> = LazyLock::new(Digest::default);
static DROPPED: LazyLock<Dropped<'_>> = LazyLock::new(|| Dropped {
    messages: 40,
    tokens: 51_234.4,
    since_request: 0,
    first_request: Some("Fix $& in a.rs"),
    current_request: None,
    lost_request: None,
    digest: &EMPTY_DIGEST,
});

fn notice_text(dropped: Dropped<'_>, language: Language) -> String {
    notice(dropped, language, &Model::named("gpt-4o"), (100.0, 200.0))
}

#[test]
fn r7_11_the_notice_has_the_dropped_messages_and_tokens_and_quotes_the_first_request() {
    for (language, prefix) in [(Language::Chinese, "[历史截断]\n"), (Language::English, "[History truncated]\n")] {
        let text = notice_text(*DROPPED, language);
        assert!(text.starts_with(prefix) && text.ends_with("\nFix $& in a.rs"), "{text}");
        assert!(text.contains("40") && text.contains("51234"), "{text}");
    }
}

#[test]
fn edge_20_a_long_first_request_is_quoted_from_both_ends() {
    let request = format!("Begin {} end", "word ".repeat(5_000));
    let text = notice_text(Dropped { first_request: Some(&request), ..*DROPPED }, Language::English);
    assert!(text.contains("\nBegin ") && text.contains(OMISSION) && text.ends_with(" end"));
    assert!(Model::named("gpt-4o").count(&text) < 200.0);
}

#[test]
fn edge_27_a_quoted_request_is_cut_at_whole_characters() {
    let request = "😀你好".repeat(2_000);
    for name in ["gpt-4o", "claude-opus-4-7"] {
        let model = Model::named(name);
        for quote_tokens in [0.0, 1.0, 7.0, 50.0] {
            let dropped = Dropped { first_request: Some(&request), ..*DROPPED };
            let text = notice(dropped, Language::Chinese, &model, (quote_tokens, 0.0));
            assert!(!text.contains('\u{FFFD}'));
            assert!(model.count(&text) < SHORT_NOTICE_TOKENS + quote_tokens, "{name}");
        }
    }
}

#[test]
fn r7_11_a_missing_or_blank_first_request_is_not_quoted() {
    for first_request in [None, Some(" \n")] {
        let text = notice_text(Dropped { first_request, ..*DROPPED }, Language::English);
        assert!(text.ends_with("look up again."), "{text}");
    }
}

#[test]
fn r7_11_the_notice_names_changed_files_and_other_requests_without_repetition() {
    let request = |text: &str| ChatMessage { text: text.to_owned(), ..user(1) };
    let mut digest = Digest::extract(&[request("Fix $& in a.rs"), request("And b.rs?"), request("Now c.rs.")], None);
    digest.files =
        Files { written: vec!["src/a.rs".to_owned()], read: vec!["src/b.rs".to_owned()], ..Files::default() };
    let text =
        notice_text(Dropped { digest: &digest, current_request: Some("Now c.rs."), ..*DROPPED }, Language::English);
    assert!(text.contains("src/a.rs") && text.contains("src/b.rs") && text.contains("And b.rs?"), "{text}");
    assert_eq!((text.matches("Fix $& in a.rs").count(), text.matches("Now c.rs.").count()), (1, 0), "{text}");
}

#[test]
fn r7_11_a_lost_current_request_is_quoted_once_even_in_the_shortest_notice() {
    let digest = Digest::extract(&[ChatMessage { text: "Fix $& in a.rs".to_owned(), ..user(1) }], None);
    let lost = Some("Fix $& in a.rs");
    for language in [Language::Chinese, Language::English] {
        let dropped = Dropped { digest: &digest, current_request: lost, lost_request: lost, ..*DROPPED };
        for text in [notice_text(dropped, language), notice(dropped, language, &Model::named("gpt-4o"), (0.0, 0.0))] {
            assert_eq!(text.matches("Fix $& in a.rs").count(), 1, "{text}");
            assert!(text.contains(&current_request(language, "Fix $& in a.rs")), "{text}");
        }
    }
}

#[test]
fn r7_11_the_notice_counts_the_removed_steps_of_the_current_request() {
    for language in [Language::Chinese, Language::English] {
        for model in ["gpt-4o", "claude-opus-4-7"] {
            let dropped =
                Dropped { messages: 123_456, tokens: 9e9, since_request: 99_999, first_request: None, ..*DROPPED };
            let text = notice_text(dropped, language);
            assert!(text.contains("99999"), "{text}");
            assert!(
                Model::named(model).count(&text) <= SHORT_NOTICE_TOKENS,
                "{model}: {}",
                Model::named(model).count(&text)
            );
        }
    }
}
