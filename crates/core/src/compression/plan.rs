//! Decides which messages a summary replaces, and which of them are repeated next to it.

pub mod turns;

use std::ops::Range;

use crate::compression::message::{
    ChatMessage, ChatRole, CreatedKind, MAX_FORMAT_TOKENS, MAX_TOKENS_PER_BYTE, newest_user_request, start_of_newest,
};
use crate::compression::plain_text::plain_text;
use crate::compression::record::digest::user_requests::is_client_noise;
use crate::compression::to_f64;
use turns::Turns;

/// To keep a turn whole, this many more messages of the chat format may stay, or `keep_recent` if that is more.
const MIN_EXTENSION: usize = 4;

/// The range to summarise, and which of its messages are repeated word for word next to the summary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    pub range: Range<usize>,
    /// Repeated before the summary, ascending: the pinned messages, each with its calls and results.
    pub pinned: Vec<usize>,
    /// Repeated after the summary, ascending: the current request, if a line of the summary can't quote it, and what a
    /// provider requires: the call that has a turn's thinking (EDGE 24), the call of a result.
    pub carried: Vec<usize>,
    /// True if no remaining message holds the current request: the summary must quote it.
    pub must_quote_request: bool,
    pub level: u32,
}

named_enum! {
    /// Why no summary is requested.
    Skip {
        NoSummaryModel = "no_summary_model",
        /// The last try gained too little, and too few messages were added since.
        NoGainLastTime = "no_gain_last_time",
        /// The newest messages follow the head directly.
        NothingBetween = "nothing_between",
        /// Everything in between is already in an earlier summary or notice.
        OnlyEarlierSummary = "only_earlier_summary",
        /// Every message in between is pinned, or its group is.
        AllPinned = "all_pinned",
        TooLittleToGain = "too_little_to_gain",
        BreakerOpen = "breaker_open",
    }
}

pub fn system_len(messages: &[ChatMessage]) -> usize {
    messages.iter().take_while(|message| message.role == ChatRole::System).count()
}

/// How many leading messages no compression changes: [`system_len`], and the pinned copies after those.
pub fn head_len(messages: &[ChatMessage]) -> usize {
    let is_copy = |message: &&ChatMessage| message.created_as == Some(CreatedKind::Pinned);
    system_len(messages) + messages.iter().skip(system_len(messages)).take_while(is_copy).count()
}

/// For each message, whether its group is pinned. A provider's encrypted summary counts as pinned, our summaries and
/// notices don't: an application that pins all user messages would keep them for ever.
pub fn pinned_flags(messages: &[ChatMessage], turns: &Turns) -> Vec<bool> {
    let is_pinned = |message: &ChatMessage| match message.created_as {
        None => message.pinned || message.is_sealed(),
        Some(created_as) => created_as == CreatedKind::Pinned,
    };
    turns.whole_groups(|index| messages.get(index).is_some_and(is_pinned))
}

/// Selects what to summarise so that the head and the newest `keep_recent` messages stay (R7.4), and more if a call
/// would lose its results or a turn its thinking. Calls that lack results always stay.
pub(crate) fn plan(messages: &[ChatMessage], keep_recent: usize) -> Result<Plan, Skip> {
    let turns = Turns::new(messages);
    let start = head_len(messages);
    let (end, thinking_group) = end_and_thinking(messages, &turns, keep_recent);
    let in_range = messages.get(start..end).filter(|in_range| !in_range.is_empty());
    let in_range = in_range.ok_or(Skip::NothingBetween)?;
    let must_stay = must_stay(messages, &turns);
    let pinned_flags = pinned_flags(messages, &turns);
    let (mut pinned, mut carried, mut level, mut has_new) = (Vec::new(), Vec::new(), 0, false);
    for (index, message) in (start..).zip(in_range) {
        if must_stay.get(index) == Some(&true) || thinking_group.contains(&index) {
            carried.push(index);
        } else if pinned_flags.get(index) == Some(&true) {
            pinned.push(index);
        } else {
            has_new |= message.created_as.is_none();
        }
        level = level.max(message.level.saturating_add(1));
    }
    if pinned.len() + carried.len() == in_range.len() {
        return Err(if carried.is_empty() { Skip::AllPinned } else { Skip::NothingBetween });
    }
    if !has_new {
        return Err(Skip::OnlyEarlierSummary);
    }
    let stays = |request| request >= end || carried.contains(&request) || pinned.contains(&request);
    let must_quote_request = !newest_user_request(messages).is_some_and(stays);
    Ok(Plan { range: start..end, pinned, carried, must_quote_request, level })
}

/// The summary quotes a one-line request up to this length.
const LONGEST_QUOTED_BYTES: usize = 300;

/// True if a line of the summary can repeat the message letter for letter; it can't repeat images.
pub fn is_quotable(message: &ChatMessage) -> bool {
    let text = message.text.trim();
    let has_images = message.tokens > MAX_FORMAT_TOKENS + MAX_TOKENS_PER_BYTE * to_f64(text.len());
    message.answers.is_empty() && is_quotable_text(text) && !is_client_noise(text) && !has_images
}

/// True for a short line without control characters and binary data.
pub fn is_quotable_text(text: &str) -> bool {
    text.len() <= LONGEST_QUOTED_BYTES && !text.contains(['\n', '\r']) && plain_text(text) == text
}

/// For each message, true if a summary can't replace it: the current request if it can't be quoted, calls that still
/// lack results, and the group and thinking of both.
fn must_stay(messages: &[ChatMessage], turns: &Turns) -> Vec<bool> {
    let newest_turn = messages.iter().rposition(ChatMessage::begins_turn).unwrap_or(0);
    let newest_assistant = messages.iter().rposition(|message| message.role == ChatRole::Assistant);
    let is_unquotable = |index: &usize| messages.get(*index).is_some_and(|message| !is_quotable(message));
    let request = newest_user_request(messages).filter(is_unquotable);
    turns.whole_groups_with_thinking(|index| {
        let is_needed = request == Some(index) || turns.pending.contains(&index);
        // A call of an earlier turn can't be repeated without the message that begins the next turn: it would join
        // that turn and lack its thinking.
        let begins_turn = messages.get(index).is_some_and(ChatMessage::begins_turn);
        is_needed && (begins_turn || index >= newest_turn || newest_assistant == Some(index))
    })
}

/// The end of the range, and the group of the thinking that this end separates from its turn. A turn is divided unless
/// keeping it whole keeps few more messages: an agent's turn may have two hundred calls with thinking before the first
/// without, and waiting for its end would run into the hard limit.
fn end_and_thinking(messages: &[ChatMessage], turns: &Turns, keep_recent: usize) -> (usize, Vec<usize>) {
    let wished_end = start_of_newest(messages, keep_recent);
    let undivided_end = turns.boundary_with_thinking_before(wished_end);
    let end = turns.boundary_before(wished_end);
    let added = messages.iter().take(end).skip(undivided_end).map(ChatMessage::chat_message_count);
    if added.sum::<usize>() <= keep_recent.max(MIN_EXTENSION) {
        return (undivided_end, Vec::new());
    }
    let group = turns.thinking_group_at(end);
    let thinking_group = (0..end).filter(|&index| Some(turns.group_of(index)) == group).collect();
    (end, thinking_group)
}

#[cfg(test)]
mod tests;
