use super::*;

#[test]
fn r7_2_a_base_url_is_completed_in_every_spelling() {
    let cases = [
        ("https://api.openai.com", "https://api.openai.com/v1/chat/completions"),
        ("https://x.test/v1", "https://x.test/v1/chat/completions"),
        ("https://x.test/v1/", "https://x.test/v1/chat/completions"),
        ("https://x.test/v1/chat/completions", "https://x.test/v1/chat/completions"),
        ("https://x.test/api/paas/v4//", "https://x.test/api/paas/v4/chat/completions"),
        ("https://x.test/d?api-version=1#top", "https://x.test/d/chat/completions?api-version=1"),
        ("https://api.anthropic.com", "https://api.anthropic.com/v1/messages"),
        ("https://api.anthropic.com/v1/", "https://api.anthropic.com/v1/messages"),
        ("https://x.test/anthropic/v1/messages", "https://x.test/anthropic/v1/messages"),
    ];
    for (given, expected) in cases {
        assert_eq!(resolve(given, None).unwrap().0.as_str(), expected, "{given}");
    }
    let (url, _) = resolve("https://x.test/anthropic", Some(Style::Anthropic)).unwrap();
    assert_eq!(url.path(), "/anthropic/v1/messages");
}

#[test]
fn r7_2_the_style_follows_from_the_url_unless_it_is_given() {
    assert_eq!(resolve("https://x.test/v1/messages", None).unwrap().1, Style::Anthropic);
    assert_eq!(resolve("https://x.test/v1", None).unwrap().1, Style::OpenAi);
    assert_eq!(resolve("https://api.anthropic.com", Some(Style::OpenAi)).unwrap().1, Style::OpenAi);
}

#[test]
fn r0_3_a_base_url_that_is_not_http_is_refused() {
    for invalid in
        ["", "x", "/v1", "file:///etc/passwd", "ftp://x", "https://", "https://x.test/\r\nHost: y", " https://x"]
    {
        let refused = resolve(invalid, None).unwrap_err();
        assert_eq!(refused.option, "baseUrl", "{invalid}");
    }
}
