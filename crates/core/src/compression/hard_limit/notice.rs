//! Writes the notice that replaces the messages that were cut.

use crate::compression::record::digest::Digest;
use crate::compression::summary::wrapping::current_request;
use crate::results::Language;
use crate::tokens::models::Model;
use crate::tokens::truncate::{Keep, assemble, truncate};

/// The beginning of every notice.
pub const fn prefix(language: Language) -> &'static str {
    match language {
        Language::Chinese => "[历史截断]",
        Language::English => "[History truncated]",
    }
}

/// Joins the beginning and the end of a request that is too long to quote whole.
const OMISSION: &str = "\n…\n";

/// The most tokens, in any model, of a notice that says only how much was removed.
pub const SHORT_NOTICE_TOKENS: f64 = 130.0;

/// The most tokens of a notice's parts.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct NoticeRoom {
    /// To quote the first request.
    pub quote_tokens: f64,
    pub digest_tokens: f64,
}

/// What this cut and earlier cuts have removed.
#[derive(Debug, Clone, Copy)]
pub struct Dropped<'t> {
    pub messages: usize,
    /// An estimate.
    pub tokens: f64,
    /// How many of them this cut removed after the current request, which stays.
    pub since_request: usize,
    /// The first request, if no other message shows it to the model.
    pub first_request: Option<&'t str>,
    /// The current request, which the digest doesn't repeat.
    pub current_request: Option<&'t str>,
    /// The current request, if only this notice holds it.
    pub lost_request: Option<&'t str>,
    pub digest: &'t Digest,
}

/// The first request is quoted whole, or by its beginning and end if there is too little room (R7.11, EDGE 20). The
/// digest follows if there is room. Without these and a lost request, a notice takes at most [`SHORT_NOTICE_TOKENS`].
pub fn notice(dropped: Dropped<'_>, language: Language, model: &Model, room: NoticeRoom) -> String {
    let mut text = [prefix(language), "\n", &removed_amount(dropped, language)].concat();
    let is_lost_request = |first: &str| dropped.lost_request.is_some_and(|lost| lost.trim() == first.trim());
    if let Some(lost) = dropped.lost_request {
        text.push_str(&current_request(language, lost));
    }
    let request = dropped.first_request.filter(|first| !first.trim().is_empty() && !is_lost_request(first));
    let quote = request.map(|request| quoted(request, model, room.quote_tokens));
    let quote = quote.filter(|quote| !quote.is_empty());
    if let Some(quote) = &quote {
        text.push_str(match language {
            Language::Chinese => "\n用户最初的请求:\n",
            Language::English => "\nThe user's first request was:\n",
        });
        text.push_str(quote);
    }
    let digest = digest_without_shown_requests(dropped, quote.is_some());
    if let Some(digest) = digest.render(language, room.digest_tokens, &|text| model.count(text)) {
        text.push_str("\n\n");
        text.push_str(&digest);
    }
    text
}

fn removed_amount(dropped: Dropped<'_>, language: Language) -> String {
    let Dropped { messages, since_request, .. } = dropped;
    let tokens = dropped.tokens.max(0.0).round();
    let steps = match language {
        _ if since_request == 0 => String::new(),
        Language::Chinese => format!(",其中 {since_request} 条是处理用户当前请求时的步骤"),
        Language::English => {
            format!("; {since_request} of them were steps of your work on the user's current request")
        }
    };
    match language {
        Language::Chinese => format!(
            "此前的 {messages} 条消息(约 {tokens} 个 token)因超出上下文上限已被移除{steps}。需要其中的信息时,请重新查看。"
        ),
        Language::English => format!(
            "{messages} earlier messages (about {tokens} tokens) were removed to stay within the context limit{steps}. \
             What you need of them, look up again."
        ),
    }
}

/// The digest without the requests that the notice or another message already shows.
fn digest_without_shown_requests(dropped: Dropped<'_>, is_first_quoted: bool) -> Digest {
    let mut digest = dropped.digest.clone();
    let is_current = |text: &String| dropped.current_request.is_some_and(|current| current.trim() == text);
    if is_first_quoted || digest.requests.first.as_ref().is_some_and(is_current) {
        digest.requests.first = None;
    }
    digest.requests.newest.retain(|text| !is_current(text));
    digest
}

/// `request`, or as much of its beginning and end as fits.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a count of tokens
fn quoted(request: &str, model: &Model, quote_tokens: f64) -> String {
    let count_tokens = |text: &str| model.count_or_more(text, 2.0 * quote_tokens + 1.0).ceil() as usize;
    let kept = truncate(&count_tokens, request, quote_tokens as usize, Keep::Both, OMISSION);
    kept.map_or_else(|| request.to_owned(), |kept| assemble(request, kept, OMISSION))
}

#[cfg(test)]
#[path = "notice_tests.rs"]
mod tests;
