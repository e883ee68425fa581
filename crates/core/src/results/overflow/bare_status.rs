//! Recognises an overflow by its HTTP status alone: some providers answer a prompt that is too long without any text.

use super::error_text::normalise;
use super::wordings::is_near_miss;

/// What a caller knows about an error in addition to its texts.
#[derive(Clone, Debug, Default)]
pub struct ErrorOrigin {
    /// In the caller's spelling.
    provider: Option<String>,
    has_status_413: bool,
}

impl ErrorOrigin {
    /// `status` is the HTTP status of the response.
    pub fn new(provider: Option<String>, status: Option<f64>) -> Self {
        Self { provider, has_status_413: status == Some(CONTENT_TOO_LARGE) }
    }
}

/// These answer an overflow with 413 and no body. For others 413 means too many bytes.
const USE_413_FOR_OVERFLOWS: [&str; 2] = ["cerebras", "mistral"];
const CONTENT_TOO_LARGE: f64 = 413.0;

/// The provider of a 413 without text, if that provider uses it for overflows.
pub(super) fn provider_of_bare_status<'m>(
    origin: &ErrorOrigin,
    messages: impl IntoIterator<Item = &'m [u16]>,
) -> Option<&'static str> {
    let given = origin.provider.as_deref().unwrap_or_default().to_ascii_lowercase();
    let provider = USE_413_FOR_OVERFLOWS.into_iter().find(|name| given.contains(name))?;
    let is_overflow =
        origin.has_status_413 && !messages.into_iter().any(|message| is_near_miss(&normalise(message)));
    is_overflow.then_some(provider)
}
