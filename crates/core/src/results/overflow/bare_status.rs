//! Providers whose HTTP status alone says that a prompt is too long.

use super::error_text::normalise;
use super::wordings::is_near_miss;

/// What a caller knows about an error in addition to its texts.
#[derive(Clone, Debug, Default)]
pub struct ErrorOrigin {
    /// As the caller names it.
    provider: Option<String>,
    is_too_large: bool,
}

impl ErrorOrigin {
    /// `status`: HTTP status.
    pub fn new(provider: Option<String>, status: Option<f64>) -> Self {
        Self { provider, is_too_large: status == Some(TOO_LARGE) }
    }
}

/// These answer 413 without a body. For others 413 means too many bytes.
const BY_STATUS: [&str; 2] = ["cerebras", "mistral"];
const TOO_LARGE: f64 = 413.0;

/// The provider of a 413 without text, if that provider uses it for overflows.
pub(super) fn bare_overflow<'m>(
    known: &ErrorOrigin,
    messages: impl IntoIterator<Item = &'m [u16]>,
) -> Option<&'static str> {
    let named = known.provider.as_deref().unwrap_or_default().to_ascii_lowercase();
    let provider = BY_STATUS.into_iter().find(|name| named.contains(name))?;
    if !known.is_too_large {
        return None;
    }
    let is_something_else = messages.into_iter().any(|message| is_near_miss(&normalise(message)));
    (!is_something_else).then_some(provider)
}
