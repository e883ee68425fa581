//! The forms in which messages are written: one file a dialect, used by every format that writes them so.

pub(crate) mod anthropic;

use crate::json::Json;
use crate::model::{Media, MediaKind, MediaSource, Part};

/// A part that no dialect knows: kept, so that it is counted and shown.
pub(crate) fn other(kind: Option<&str>, value: &Json<'_>) -> Part {
    Part::Other { kind: kind.unwrap_or_default().to_owned(), json: value.to_text() }
}

/// `data:image/png;base64,…` taken apart; any other address stays one.
pub(crate) fn media_of_url(kind: MediaKind, url: String) -> Part {
    let data = url.strip_prefix("data:").and_then(|rest| rest.split_once(";base64,"));
    let (media_type, source) = match data {
        Some((media_type, data)) => (Some(media_type.to_owned()), MediaSource::Base64(data.to_owned())),
        None => (None, MediaSource::Reference(url)),
    };
    Part::Media(Media { kind, media_type, source })
}
