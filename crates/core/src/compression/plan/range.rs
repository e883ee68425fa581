//! Decides which messages are summarised.

use std::ops::Range;

use super::requests::{begins_turn, newest_request};
use super::turns::Turns;
use crate::compression::decimal;
use crate::compression::message::{ChatMessage, ChatRole, CreatedKind, newest_at};
use crate::compression::plain_text::plain_text;
use crate::compression::record::digest::requests::is_client_noise;

/// A turn stays whole if that keeps at most this many messages more than `keep_recent`, or `keep_recent` more.
const MIN_EXTENSION: usize = 4;

/// The range to summarise, and the messages of it that stay word for word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    pub range: Range<usize>,
    /// Messages of the range that are repeated before the summary, ascending: the pinned ones, each with its calls and results.
    pub pinned: Vec<usize>,
    /// Messages of the range that are repeated after the summary, ascending. A provider rejects the rest of a turn
    /// without the call that has its thinking (EDGE 24), and a result without its call. The current request is included
    /// if a line of the summary can't quote it word for word.
    pub carried: Vec<usize>,
    /// True if no remaining message holds the current request: the summary must quote it.
    pub holds_request: bool,
    /// Nesting depth of the new summary.
    pub level: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoPlan {
    /// The newest messages follow the head directly.
    NothingBetween,
    /// Everything in between is already in an earlier summary or notice.
    OnlyEarlierSummary,
    AllPinned,
}

impl NoPlan {
    pub const fn name(self) -> &'static str {
        match self {
            Self::NothingBetween => "nothing_between",
            Self::OnlyEarlierSummary => "only_earlier_summary",
            Self::AllPinned => "all_pinned",
        }
    }
}

pub fn system_len(messages: &[ChatMessage]) -> usize {
    messages.iter().take_while(|message| message.role == ChatRole::System).count()
}

/// How many leading messages no compression changes: [`system_len`], and the pinned copies that earlier compressions
/// placed after those.
pub fn head_len(messages: &[ChatMessage]) -> usize {
    let system = system_len(messages);
    let copies =
        messages.iter().skip(system).take_while(|message| message.created_as == Some(CreatedKind::Pinned));
    system + copies.count()
}

/// For each message, true if it or a message of its group is pinned. A provider's encrypted summary counts as pinned.
///
/// Summaries and notices never count as pinned: an application that pins all user messages would keep them for ever.
pub fn pinned(messages: &[ChatMessage], turns: &Turns) -> Vec<bool> {
    let is_pinned = |message: &ChatMessage| match message.created_as {
        None => message.pinned || message.is_sealed(),
        Some(created_as) => created_as == CreatedKind::Pinned,
    };
    turns.whole_groups(|index| messages.get(index).is_some_and(is_pinned))
}

/// Selects what to summarise so that the head and the newest `keep_recent` messages stay (R7.4).
///
/// More messages stay if a call would be separated from its results or a turn from its thinking. Calls that still lack
/// results stay whatever `keep_recent` is. O(messages + calls + results).
///
/// # Errors
/// Says why nothing can be summarised.
pub fn plan(messages: &[ChatMessage], keep_recent: usize) -> Result<Plan, NoPlan> {
    let turns = Turns::new(messages);
    let start = head_len(messages);
    let (end, thinking) = end_and_carried(messages, &turns, keep_recent);
    let wanted = must_stay(messages, &turns);
    let is_carried = |index: &usize| wanted.get(*index) == Some(&true) || thinking.contains(index);
    let carried: Vec<usize> = (start..end).filter(is_carried).collect();
    let between = messages.get(start..end).filter(|between| !between.is_empty());
    let between = between.ok_or(NoPlan::NothingBetween)?;
    let is_pinned = pinned(messages, &turns);
    let is_pinned = |index: usize| is_pinned.get(index).copied().unwrap_or(false);
    let pinned: Vec<usize> =
        (start..end).filter(|index| is_pinned(*index) && !carried.contains(index)).collect();
    if pinned.len() + carried.len() == between.len() {
        return Err(if carried.is_empty() { NoPlan::AllPinned } else { NoPlan::NothingBetween });
    }
    let is_news = |(index, message): (usize, &ChatMessage)| {
        let index = start + index;
        message.created_as.is_none() && !is_pinned(index) && !carried.contains(&index)
    };
    if !between.iter().enumerate().any(is_news) {
        return Err(NoPlan::OnlyEarlierSummary);
    }
    let level = between.iter().map(|message| message.level).max().unwrap_or(0).saturating_add(1);
    let request = newest_request(messages);
    let is_left = |index: usize| index >= end || carried.contains(&index) || pinned.contains(&index);
    let holds_request = !request.is_some_and(is_left);
    Ok(Plan { range: start..end, pinned, carried, holds_request, level })
}

/// The summary quotes a one-line request up to this length.
const QUOTED_BYTES: usize = 300;
/// The most tokens of one line: a constant plus this many per byte. A message with more tokens also has images.
const MAX_TOKENS_OF_LINE: (f64, f64) = (32.0, 1.6);

/// True if a line of the summary can repeat the message letter for letter; it can't repeat images.
pub fn is_quotable(message: &ChatMessage) -> bool {
    let text = message.text.trim();
    let most_tokens = MAX_TOKENS_OF_LINE.0 + MAX_TOKENS_OF_LINE.1 * decimal(text.len());
    message.answers.is_empty()
        && is_quotable_text(text)
        && !is_client_noise(text)
        && message.tokens <= most_tokens
}

pub fn is_quotable_text(text: &str) -> bool {
    text.len() <= QUOTED_BYTES && !text.contains(['\n', '\r']) && plain_text(text) == text
}

/// For each message, true if a summary can't replace it.
fn must_stay(messages: &[ChatMessage], turns: &Turns) -> Vec<bool> {
    // Without the later message that begins a turn, a call would join the next turn and lack its thinking.
    let newest_turn = messages.iter().rposition(begins_turn).unwrap_or(0);
    let newest_assistant = messages.iter().rposition(|message| message.role == ChatRole::Assistant);
    let stands_alone = |index: usize| {
        let has_call = messages
            .get(index)
            .is_some_and(|message| message.role != ChatRole::User || !message.answers.is_empty());
        !has_call || index >= newest_turn || newest_assistant == Some(index)
    };
    let is_unquoted = |index: &usize| messages.get(*index).is_some_and(|message| !is_quotable(message));
    let request = newest_request(messages).filter(is_unquoted);
    let is_wanted = |index: usize| request == Some(index) || turns.pending().contains(&index);
    turns.whole_groups_with_thinking(|index| is_wanted(index) && stands_alone(index))
}

/// Where the range ends, and which messages of a divided turn are repeated after it. An agent's turn may have two
/// hundred calls with thinking before the first without. So a turn stays whole only if that keeps few more messages;
/// waiting for its end would run into the hard limit.
fn end_and_carried(messages: &[ChatMessage], turns: &Turns, keep_recent: usize) -> (usize, Vec<usize>) {
    let place = newest_at(messages, keep_recent);
    let (whole, parted) = (turns.boundary_with_thinking_before(place), turns.boundary_before(place));
    let between: usize = messages.iter().take(parted).skip(whole).map(ChatMessage::chat_messages).sum();
    if between <= keep_recent.max(MIN_EXTENSION) {
        return (whole, Vec::new());
    }
    let group = turns.thinking_cut_off_at(parted).map(|thinking| turns.group_of(thinking));
    let carried = (0..parted).filter(|&index| Some(turns.group_of(index)) == group).collect();
    (parted, carried)
}

#[cfg(test)]
#[path = "range_tests.rs"]
mod tests;
