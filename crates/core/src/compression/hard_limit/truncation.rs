//! Plans one truncation: the messages to remove, the record, and the notice.

use super::cut_input::is_notice;
use super::layout::newest_summary;
use super::notice::{Dropped, NoticeRoom, SHORT_NOTICE_TOKENS, notice};
use super::{CannotFit, HistoryCut, NoticeTokens, cut};
use crate::compression::message::{
    ChatMessage, first_request_to_record, first_user_request, newest_user_request,
};
use crate::compression::plan::is_quotable_text;
use crate::compression::record::RecordedHistory;
use crate::compression::record::digest::Digest;
use crate::compression::session::settings::Settings;
use crate::compression::summary::prompt::language_of;
use crate::compression::summary::wrapping::current_request;
use crate::results::Language;
use crate::tokens::models::Model;

/// The limits of a cut, and how its tokens are counted.
#[derive(Debug, Clone, Copy)]
pub struct Budget<'s> {
    /// Tokens that a prompt takes in addition to its messages.
    pub fixed_tokens: f64,
    pub limit_tokens: f64,
    pub settings: &'s Settings,
    pub model: &'s Model,
    /// The notice's language; detected from the history if `None`.
    pub language: Option<Language>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Truncation {
    pub cut: HistoryCut,
    pub notice: String,
    /// Stored with the notice, for later notices.
    pub first_request: Option<String>,
    /// Stored with the notice: files, commands and requests of all messages removed so far.
    pub digest: Digest,
    /// How many messages were removed so far, including those of earlier notices.
    pub dropped_messages: usize,
    /// Tokens of the messages removed so far.
    pub dropped_tokens: f64,
}

/// Plans the cut that `budget` requires, and the notice for what this and earlier cuts removed.
///
/// # Errors
/// As [`cut`].
pub fn plan_truncation(
    messages: &[ChatMessage],
    recorded_history: &RecordedHistory,
    budget: Budget<'_>,
) -> Result<Truncation, CannotFit> {
    let Budget { settings, model, .. } = budget;
    let language = budget.language.unwrap_or_else(|| language_of(messages));
    let room = NoticeRoom {
        quote_tokens: settings.notice_quote_tokens(),
        digest_tokens: settings.digest_max_tokens(),
    };
    let short = SHORT_NOTICE_TOKENS + model.message_overhead.message;
    let full = short + room.quote_tokens + room.digest_tokens;
    let stored_request = stored_request_of(messages, recorded_history);
    let request = stored_request.map_or(0.0, |text| model.count(&current_request(language, text)));
    let cut_with = |request: f64| {
        let notice_tokens = NoticeTokens { full, short, request };
        cut(messages, budget.fixed_tokens, budget.limit_tokens, settings.keep_recent, notice_tokens)
    };
    // If there is no room, losing the request is better than a prompt that no provider accepts.
    let (cut, stored_request) = match cut_with(request) {
        Err(_) if stored_request.is_some() => (cut_with(0.0)?, None),
        cut => (cut?, stored_request),
    };

    let dropped: Vec<ChatMessage> =
        cut.dropped_indices().filter_map(|index| messages.get(index).cloned()).collect();
    let digest = Digest::extract(&dropped, recorded_history.digest.as_ref());
    let (dropped_messages, dropped_tokens) = dropped_count_and_tokens(messages, recorded_history, &cut);
    let current = newest_user_request(messages).and_then(|index| messages.get(index));
    let is_summary_removed = newest_summary(messages).is_none_or(|index| cut.drops(index));
    let facts = Dropped {
        messages: dropped_messages,
        tokens: dropped_tokens,
        since_request: dropped_since_request(messages, &cut),
        first_request: first_request_to_quote(messages, recorded_history, &cut),
        current_request: current.map(|message| &*message.text).or(stored_request),
        lost_request: stored_request.filter(|_| is_summary_removed),
        digest: &digest,
    };
    let room = if cut.is_notice_short { NoticeRoom::default() } else { room };
    let notice = notice(facts, language, model, room);
    let first_request = recorded_history.first_request.clone().or_else(|| first_request_to_record(messages));
    Ok(Truncation { cut, notice, first_request, digest, dropped_messages, dropped_tokens })
}

/// The current request, if only a summary or an earlier notice holds it.
fn stored_request_of<'r>(messages: &[ChatMessage], recorded_history: &'r RecordedHistory) -> Option<&'r str> {
    let stored_request = recorded_history.digest.as_ref()?.requests.current()?;
    (newest_user_request(messages).is_none() && is_quotable_text(stored_request)).then_some(stored_request)
}

/// The notice quotes the first request up to this length even if that stays: it says what the conversation is about.
const SHORT_REQUEST_BYTES: usize = 300;

/// The first request, unless it is long and another message shows it to the model.
fn first_request_to_quote<'m>(
    messages: &'m [ChatMessage],
    recorded_history: &'m RecordedHistory,
    cut: &HistoryCut,
) -> Option<&'m str> {
    if recorded_history.first_request.is_some() {
        return recorded_history.first_request.as_deref();
    }
    let first = first_user_request(messages)?;
    let text = &*messages.get(first)?.text;
    (cut.drops(first) || text.len() <= SHORT_REQUEST_BYTES).then_some(text)
}

/// How many messages after the current request are removed; 0 if the request is removed as well.
fn dropped_since_request(messages: &[ChatMessage], cut: &HistoryCut) -> usize {
    let Some(request) = newest_user_request(messages).filter(|&index| !cut.drops(index)) else { return 0 };
    let since = cut.dropped_indices().filter(|&index| index > request);
    since.filter(|&index| messages.get(index).is_some_and(|message| message.created_as.is_none())).count()
}

/// How many messages are removed, and their tokens. An earlier notice counts for the messages that it replaced.
fn dropped_count_and_tokens(
    messages: &[ChatMessage],
    recorded_history: &RecordedHistory,
    cut: &HistoryCut,
) -> (usize, f64) {
    let is_notice = |index: usize| messages.get(index).is_some_and(is_notice);
    cut.dropped_indices().fold((0, 0.0), |(count, tokens), index| {
        let record = recorded_history.records.iter().find(|record| record.index == index);
        match record.filter(|_| is_notice(index)) {
            Some(record) => (count + record.dropped_count, tokens + record.dropped_tokens),
            None => (count + 1, tokens + messages.get(index).map_or(0.0, |message| message.tokens)),
        }
    })
}
