//! Determines the URL and style of a request.

use reqwest::Url;

use crate::failure::Invalid;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// `POST …/chat/completions`.
    OpenAi,
    /// `POST …/v1/messages`.
    Anthropic,
}

impl Style {
    pub fn from_tag(tag: &str) -> Option<Self> {
        match tag {
            "openai" => Some(Self::OpenAi),
            "anthropic" => Some(Self::Anthropic),
            _ => None,
        }
    }

    fn detect(url: &Url) -> Self {
        let anthropic = url.host_str() == Some("api.anthropic.com")
            || url.path().trim_end_matches('/').ends_with("/v1/messages");
        if anthropic { Self::Anthropic } else { Self::OpenAi }
    }
}

/// Completes a base URL, with or without the version or the last part, and with any number of trailing slashes. The query stays (Azure
/// needs one). Fails without an http(s) URL with a host, and doesn't show it: it may contain a password.
pub fn resolve(base_url: &str, style: Option<Style>) -> Result<(Url, Style), Invalid> {
    let invalid = |actual| Invalid::new("baseUrl", "an http or https URL", actual);
    // The URL parser would drop line breaks silently.
    if base_url.chars().any(|c| c.is_control() || c.is_whitespace()) {
        return Err(invalid("one with white space or control characters"));
    }
    let mut url = Url::parse(base_url).map_err(|_| invalid("something else"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(invalid("another scheme"));
    }
    let style = style.unwrap_or_else(|| Style::detect(&url));
    let path = joined(url.path().trim_end_matches('/'), style);
    url.set_path(&path);
    url.set_fragment(None);
    Ok((url, style))
}

fn joined(path: &str, style: Style) -> String {
    match style {
        Style::OpenAi if path.ends_with("/chat/completions") => path.to_owned(),
        // Every OpenAI-compatible server supports this path; not all do without the version.
        Style::OpenAi if path.is_empty() => "/v1/chat/completions".to_owned(),
        Style::OpenAi => format!("{path}/chat/completions"),
        Style::Anthropic if path.ends_with("/messages") => path.to_owned(),
        Style::Anthropic if path.ends_with("/v1") => format!("{path}/messages"),
        Style::Anthropic => format!("{path}/v1/messages"),
    }
}

#[cfg(test)]
mod tests {
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
        for invalid in [
            "", "x", "/v1", "file:///etc/passwd", "ftp://x", "https://", "https://x.test/\r\nHost: y",
            " https://x",
        ] {
            let refused = resolve(invalid, None).unwrap_err();
            assert_eq!(refused.option, "baseUrl", "{invalid}");
        }
    }
}
