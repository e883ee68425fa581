//! Plans one truncation: the messages to remove, the record, and the notice.

use super::layout::{is_notice, newest_summary};
use super::{CannotFit, HistoryCut, NoticeTokens, cut};
use crate::compression::message::{ChatMessage, first_request_to_record, first_user_request, newest_user_request};
use crate::compression::plan::is_quotable_text;
use crate::compression::record::RecordedHistory;
use crate::compression::record::digest::Digest;
use crate::compression::session::settings::Settings;
use crate::compression::summary::prompt::language_of;
use crate::compression::summary::wrapping::current_request;
use crate::compression::{in_language, whole_tokens};
use crate::results::Language;
use crate::tokens::models::Model;
use crate::tokens::truncate::{Keep, assemble, truncate};

/// Joins the beginning and the end of a request that is too long to quote whole.
const OMISSION: &str = "\n…\n";
/// The most tokens, in any model, of a notice that says only how much was removed.
const SHORT_NOTICE_TOKENS: f64 = 130.0;
/// The notice quotes the first request up to this length even if that stays: it says what the conversation is about.
const SHORT_REQUEST_BYTES: usize = 300;

#[derive(Debug, Clone, Copy)]
pub struct Budget<'s> {
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
    pub first_request: Option<String>,
    /// Stored with the notice: files, commands and requests of all messages removed so far.
    pub digest: Digest,
    /// How many messages were removed so far, including those of earlier notices.
    pub dropped_messages: usize,
    pub dropped_tokens: f64,
}

/// Plans the cut that `budget` requires, and the notice for what this and earlier cuts removed.
pub(crate) fn plan_truncation(
    messages: &[ChatMessage],
    recorded_history: &RecordedHistory,
    budget: Budget<'_>,
) -> Result<Truncation, CannotFit> {
    let Budget { settings, model, .. } = budget;
    let language = budget.language.unwrap_or_else(|| language_of(messages));
    let (quote_tokens, digest_tokens) = (settings.notice_quote_tokens(), settings.digest_max_tokens());
    let short = SHORT_NOTICE_TOKENS + model.message_overhead.message;
    let full = short + quote_tokens + digest_tokens;
    let current = newest_user_request(messages).and_then(|index| messages.get(index));
    // The current request, if only a summary or an earlier notice holds it.
    let stored_request = recorded_history.digest.as_ref().and_then(|digest| digest.requests.current());
    let stored_request = stored_request.filter(|text| current.is_none() && is_quotable_text(text));
    let request = stored_request.map_or(0.0, |text| model.count(&current_request(language, text)));
    let cut_with = |request: f64| {
        let notice = NoticeTokens { full, short, request };
        cut(messages, budget.fixed_tokens, budget.limit_tokens, settings.keep_recent, notice)
    };
    // If there is no room, losing the request is better than a prompt that no provider accepts.
    let (cut, stored_request) = match cut_with(request) {
        Err(_) if stored_request.is_some() => (cut_with(0.0)?, None),
        cut => (cut?, stored_request),
    };

    let dropped: Vec<ChatMessage> = cut.dropped_indices().filter_map(|index| messages.get(index).cloned()).collect();
    let digest = Digest::extract(&dropped, recorded_history.digest.as_ref());
    let (dropped_messages, dropped_tokens) = dropped_count_and_tokens(messages, recorded_history, &cut);
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
    let room = if cut.is_notice_short { (0.0, 0.0) } else { (quote_tokens, digest_tokens) };
    let notice = notice(facts, language, model, room);
    let first_request = recorded_history.first_request.clone().or_else(|| first_request_to_record(messages));
    Ok(Truncation { cut, notice, first_request, digest, dropped_messages, dropped_tokens })
}

/// The first request, unless it is long and another message shows it to the model.
fn first_request_to_quote<'m>(
    messages: &'m [ChatMessage],
    recorded_history: &'m RecordedHistory,
    cut: &HistoryCut,
) -> Option<&'m str> {
    recorded_history.first_request.as_deref().or_else(|| {
        let first = first_user_request(messages)?;
        let text = &*messages.get(first)?.text;
        (cut.drops(first) || text.len() <= SHORT_REQUEST_BYTES).then_some(text)
    })
}

/// How many messages after the current request are removed; 0 if the request is removed as well.
fn dropped_since_request(messages: &[ChatMessage], cut: &HistoryCut) -> usize {
    let Some(request) = newest_user_request(messages).filter(|&index| !cut.drops(index)) else { return 0 };
    let dropped = cut.dropped_indices().filter(|&index| index > request);
    dropped.filter_map(|index| messages.get(index)).filter(|message| message.created_as.is_none()).count()
}

/// How many messages are removed, and their tokens. An earlier notice counts for the messages that it replaced.
fn dropped_count_and_tokens(
    messages: &[ChatMessage],
    recorded_history: &RecordedHistory,
    cut: &HistoryCut,
) -> (usize, f64) {
    let (mut count, mut tokens) = (0, 0.0);
    for index in cut.dropped_indices() {
        let Some(message) = messages.get(index) else { continue };
        let record = recorded_history.records.iter().find(|record| record.index == index && is_notice(message));
        count += record.map_or(1, |record| record.dropped_count);
        tokens += record.map_or(message.tokens, |record| record.dropped_tokens);
    }
    (count, tokens)
}

/// What this cut and earlier cuts have removed.
#[derive(Debug, Clone, Copy)]
struct Dropped<'t> {
    messages: usize,
    tokens: f64,
    /// How many of them this cut removed after the current request, which stays.
    since_request: usize,
    /// The first request, if no other message shows it to the model.
    first_request: Option<&'t str>,
    /// The current request, which the digest doesn't repeat.
    current_request: Option<&'t str>,
    /// The current request, if only this notice holds it.
    lost_request: Option<&'t str>,
    digest: &'t Digest,
}

/// The first request is quoted whole, or by both ends if there is too little room (R7.11, EDGE 20); then the digest, if
/// there is room. Without these and a lost request, a notice takes at most [`SHORT_NOTICE_TOKENS`].
fn notice(dropped: Dropped<'_>, language: Language, model: &Model, room: (f64, f64)) -> String {
    let (quote_tokens, digest_tokens) = room;
    let mut text = removed_amount(dropped, language);
    let is_lost_request = |first: &str| dropped.lost_request.is_some_and(|lost| lost.trim() == first.trim());
    text.extend(dropped.lost_request.map(|lost| current_request(language, lost)));
    let mut digest = dropped.digest.clone();
    let request = dropped.first_request.filter(|first| !first.trim().is_empty() && !is_lost_request(first));
    let quote = request.map(|request| quoted(request, model, quote_tokens));
    if let Some(quote) = quote.filter(|quote| !quote.is_empty()) {
        text.extend([in_language(language, "\n用户最初的请求:\n", "\nThe user's first request was:\n"), &quote]);
        digest.requests.first = None;
    }
    let is_new = |text: &String| dropped.current_request.is_none_or(|current| current.trim() != text);
    digest.requests.first = digest.requests.first.filter(is_new);
    digest.requests.newest.retain(is_new);
    if let Some(digest) = digest.render(language, digest_tokens, &|text| model.count(text)) {
        text.extend(["\n\n", &digest]);
    }
    text
}

fn removed_amount(dropped: Dropped<'_>, language: Language) -> String {
    let Dropped { messages, since_request, .. } = dropped;
    let tokens = dropped.tokens.max(0.0).round();
    let (chinese_steps, english_steps) = match since_request {
        0 => (String::new(), String::new()),
        steps => (
            format!(",其中 {steps} 条是处理用户当前请求时的步骤"),
            format!("; {steps} of them were steps of your work on the user's current request"),
        ),
    };
    match language {
        Language::Chinese => format!(
            "[历史截断]\n此前的 {messages} 条消息(约 {tokens} 个 token)因超出上下文上限已被移除{chinese_steps}。\
             需要其中的信息时,请重新查看。"
        ),
        Language::English => format!(
            "[History truncated]\n{messages} earlier messages (about {tokens} tokens) were removed to stay within the \
             context limit{english_steps}. What you need of them, look up again."
        ),
    }
}

fn quoted(request: &str, model: &Model, quote_tokens: f64) -> String {
    let count_tokens = |text: &str| whole_tokens(model.count_or_more(text, 2.0 * quote_tokens + 1.0).ceil());
    let kept = truncate(&count_tokens, request, whole_tokens(quote_tokens), Keep::Both, OMISSION);
    kept.map_or_else(|| request.to_owned(), |kept| assemble(request, kept, OMISSION))
}

#[cfg(test)]
mod notice_tests;
