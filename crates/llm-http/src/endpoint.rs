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
        let has_path = url.path().trim_end_matches('/').ends_with("/v1/messages");
        if has_path || url.host_str() == Some("api.anthropic.com") { Self::Anthropic } else { Self::OpenAi }
    }
}

/// Completes a base URL, with or without the version, the last part or slashes at the end. The query stays (Azure needs
/// one). Fails without an http(s) URL with a host, and doesn't show it: it may contain a password.
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
mod tests;
