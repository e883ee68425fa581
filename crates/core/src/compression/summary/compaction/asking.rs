//! Writes the requests of one compaction, none of them larger than the model's window (R7.5).

use super::task::Task;
use crate::compression::decimal;
use crate::compression::message::{ChatMessage, Compaction, CreatedKind};
use crate::compression::plain_text::plain_text;
use crate::compression::record::summary_text::summary_text_of;
use crate::compression::summary::acceptance::{Accepted, fitted, missing_sections};
use crate::compression::summary::chunks::QuotedHistory;
use crate::compression::summary::exchange::{CallPurpose, SummaryRequest};
use crate::compression::summary::prompt::{SummaryPrompt, fill, length_in_words, uses_of};
use crate::compression::summary::quote::shortened;
use crate::results::Language;
use crate::tokens::models::Model;

/// The prompt asks for this share of the limit, because models miscount words and write more than requested.
const TARGET_SHARE: f64 = 0.7;

/// After a reply that was cut off, the prompt asks for this share and the room is multiplied: a model that reasons
/// first needs the room whatever length is requested.
const LESS: f64 = 0.5;
const MORE_ROOM: f64 = 2.0;

/// A summary longer than this is cut. A longer text is mostly worth its tokens, but the saving must remain.
const MOST_OF_LIMIT: f64 = 1.5;

/// A summary is never cut to less than this, even if the limit is lower: the rest would be useless.
const MIN_SUMMARY_TOKENS: f64 = 50.0;

/// The shares of a prompt for the previous summary and the application's instructions.
const PREVIOUS_SHARE: f64 = 1.0 / 3.0;
const INSTRUCTIONS_SHARE: f64 = 1.0 / 8.0;

/// Estimated token counts are within a few per cent.
const ESTIMATE_MARGIN: f64 = 0.05;

/// A part needs at least this much room for quoted history.
const MIN_PART_TOKENS: f64 = 200.0;

/// How often a prompt that the model rejected as too long is written again.
const MAX_SHRINKS: u32 = 2;

/// More calls than this don't finish in time; the hard limit is the better choice.
const MAX_PARTS: usize = 32;

const JOINT_TOKENS: f64 = 8.0;

pub(super) struct RequestWriter {
    model: Model,
    pub(super) prompt: SummaryPrompt,
    language: Language,
    instructions: String,
    summary_max_tokens: f64,
    context_tokens: f64,
    history: QuotedHistory,
    /// Empty if the window is too small.
    parts: Vec<String>,
    at: usize,
    /// The summaries at the beginning of the range.
    earlier: Option<String>,
    /// The summary of everything before the current part.
    previous: Option<String>,
    is_for_less: bool,
    shrinks: u32,
}

impl RequestWriter {
    pub(super) fn new(task: &Task, prompt: SummaryPrompt, language: Language) -> Self {
        let model = Model::named(&task.model_name);
        let quoted: Vec<ChatMessage> = task.messages.iter().filter_map(quotable).collect();
        let earlier = earlier_text(&task.messages);
        let instructions = plain_text(task.instructions.as_deref().unwrap_or_default().trim());
        let history =
            QuotedHistory::new(&quoted, &[earlier.as_deref().unwrap_or_default(), &instructions], model);
        let mut asking = Self {
            model,
            prompt,
            language,
            instructions,
            summary_max_tokens: task.summary_max_tokens.max(1.0),
            context_tokens: task.summary_context_tokens,
            history,
            parts: Vec::new(),
            at: 0,
            previous: earlier.clone(),
            earlier,
            is_for_less: false,
            shrinks: 0,
        };
        asking.divide();
        asking
    }

    /// Starts again with a smaller window; `None` after [`MAX_SHRINKS`] times, or if nothing fits.
    pub(super) fn shrink(&mut self, reported_max_tokens: Option<f64>) -> Option<SummaryRequest> {
        if self.shrinks == MAX_SHRINKS {
            return None;
        }
        self.shrinks += 1;
        let reported = reported_max_tokens.filter(|&max| max > 0.0 && max < self.context_tokens);
        self.context_tokens = reported.unwrap_or(self.context_tokens / 2.0);
        self.previous.clone_from(&self.earlier);
        self.divide();
        self.summary()
    }

    /// Asks for a shorter summary with more room for reasoning; `None` if that was done before.
    pub(super) fn ask_for_less(&mut self) -> Option<SummaryRequest> {
        if std::mem::replace(&mut self.is_for_less, true) { None } else { self.summary() }
    }

    pub(super) fn part_count(&self) -> f64 {
        decimal(self.parts.len().max(1))
    }

    /// The request for the current part; `None` if none fits.
    pub(super) fn summary(&self) -> Option<SummaryRequest> {
        let quoted = self.parts.get(self.at)?;
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let purpose = CallPurpose::Summary { part: number(self.at + 1), parts: number(self.parts.len()) };
        self.request(purpose, quoted, |history| self.user_text(history, self.previous.as_deref()))
    }

    /// Advances to the next part, with `summary` before it; false if there is none.
    pub(super) fn advance(&mut self, summary: &str) -> bool {
        if self.at + 1 >= self.parts.len() {
            return false;
        }
        self.at += 1;
        self.previous = Some(summary.to_owned());
        true
    }

    /// Requests the sections that `accepted` lacks, with as much of the last part as fits.
    pub(super) fn repair(&self, accepted: &Accepted) -> Option<SummaryRequest> {
        let separator = if self.language == Language::Chinese { "、" } else { ", " };
        let missing = accepted.missing_sections.join(separator);
        let summary = self.history.boundary().enclose("summary", &accepted.text);
        let text = |quoted: &str| {
            let slots = [("summary", summary.as_str()), ("missing", &missing), ("history", quoted)];
            let mut text = self.filled(&self.prompt.repair, &slots);
            if uses_of(&self.prompt.repair, "summary") == 0 {
                text.extend(["\n\n", &summary]);
            }
            text
        };
        self.request(CallPurpose::Repair, self.parts.get(self.at)?, text)
    }

    pub(super) fn bounded(&self, accepted: Accepted) -> Accepted {
        let limit_tokens = self.longest_summary_tokens();
        if self.model.fits(&accepted.text, limit_tokens) {
            return accepted;
        }
        let text = fitted(&accepted.text, &self.prompt.sections, limit_tokens, &self.model);
        Accepted { missing_sections: missing_sections(&text, &self.prompt.sections), text }
    }

    fn divide(&mut self) {
        let limit_tokens = self.prompt_limit_tokens();
        let uses = |name: &str| decimal(uses_of(&self.prompt.user, name).max(1));
        let room_for_history =
            |fixed_tokens: f64| (limit_tokens - fixed_tokens - JOINT_TOKENS) / uses("history");
        let fixed_tokens = self.tokens_of(&self.user_text("", self.earlier.as_deref()));
        // The previous summary of a part is not written yet, so its maximum length counts.
        let summary_tokens = self.longest_summary_tokens().min(limit_tokens * PREVIOUS_SHARE);
        let without_summary = self.tokens_of(&self.user_text("", Some("")));
        let part_tokens = without_summary + uses("previous") * (summary_tokens + JOINT_TOKENS);
        self.at = 0;
        self.parts = self.history.whole(room_for_history(fixed_tokens)).into_iter().collect();
        let part_tokens = room_for_history(part_tokens.max(fixed_tokens));
        if self.parts.is_empty() && part_tokens >= MIN_PART_TOKENS {
            let parts = self.history.parts(part_tokens);
            self.parts = if parts.len() <= MAX_PARTS { parts } else { Vec::new() };
        }
    }

    fn request(
        &self,
        purpose: CallPurpose,
        quoted: &str,
        user_text: impl Fn(&str) -> String,
    ) -> Option<SummaryRequest> {
        let limit_tokens = self.prompt_limit_tokens();
        let mut quoted = quoted.to_owned();
        loop {
            let user = user_text(&quoted);
            let prompt_tokens = self.tokens_of(&user);
            if prompt_tokens <= limit_tokens {
                return Some(SummaryRequest {
                    purpose,
                    system: self.system_text(),
                    user,
                    max_tokens: self.max_tokens(),
                    prompt_tokens: prompt_tokens.ceil(),
                });
            }
            let room_tokens = self.model.count(&quoted) - (prompt_tokens - limit_tokens) - JOINT_TOKENS;
            let shorter = self.history.cut(&quoted, room_tokens);
            if shorter.len() >= quoted.len() {
                return None;
            }
            quoted = shorter;
        }
    }

    /// The user message. Values without a slot in the application's text are appended, so that nothing is omitted.
    fn user_text(&self, quoted: &str, previous: Option<&str>) -> String {
        let nothing = SummaryPrompt::nothing(self.language);
        let enclosed = |text| {
            self.history.boundary().enclose("previous summary", &self.within_share(text, PREVIOUS_SHARE))
        };
        let previous = previous.map(enclosed);
        let instructions = self.within_share(&self.instructions, INSTRUCTIONS_SHARE);
        let slots = [
            ("history", Some(quoted)),
            ("previous", previous.as_deref()),
            ("instructions", Some(&*instructions).filter(|text| !text.is_empty())),
        ];
        let filled = slots.map(|(name, value)| (name, value.unwrap_or(nothing)));
        let mut text = self.filled(&self.prompt.user, &filled);
        let unused = slots.iter().filter(|(name, _)| uses_of(&self.prompt.user, name) == 0);
        for value in unused.filter_map(|slot| slot.1) {
            text.extend(["\n\n", value]);
        }
        text
    }

    fn system_text(&self) -> String {
        self.filled(&self.prompt.system, &[])
    }

    fn filled(&self, template: &str, slots: &[(&str, &str)]) -> String {
        let [length, max_length, max_tokens] = &self.lengths();
        let boundary = self.history.boundary().word();
        let common = [
            ("length", length.as_str()),
            ("max_length", max_length),
            ("max_tokens", max_tokens),
            ("boundary", boundary),
        ];
        fill(template, &[slots, &common].concat())
    }

    /// `text`, shortened to this share of the prompt.
    fn within_share(&self, text: &str, share: f64) -> String {
        shortened(text, self.prompt_limit_tokens() * share, &self.model).unwrap_or_else(|| text.to_owned())
    }

    /// The target and the maximum length in words of the language, and the maximum in tokens.
    fn lengths(&self) -> [String; 3] {
        let most_tokens = self.summary_max_tokens.min(self.context_tokens / 2.0);
        let target_tokens = most_tokens * TARGET_SHARE * if self.is_for_less { LESS } else { 1.0 };
        let words = |tokens| length_in_words(tokens, self.language);
        [words(target_tokens), words(most_tokens), whole(most_tokens).max(1).to_string()]
    }

    fn tokens_of(&self, user: &str) -> f64 {
        let chat_format = self.model.message.request + 2.0 * self.model.message.message;
        chat_format + self.model.count(&self.system_text()) + self.model.count(user)
    }

    fn prompt_limit_tokens(&self) -> f64 {
        let margin = if self.model.is_exact() { 0.0 } else { self.context_tokens * ESTIMATE_MARGIN };
        (self.context_tokens - margin - f64::from(self.max_tokens())).max(0.0)
    }

    fn longest_summary_tokens(&self) -> f64 {
        (self.summary_max_tokens * MOST_OF_LIMIT).max(MIN_SUMMARY_TOKENS)
    }

    fn max_tokens(&self) -> u32 {
        let room = if self.is_for_less { MORE_ROOM } else { 1.0 };
        let tokens = (self.summary_max_tokens * room).min(self.context_tokens / 2.0);
        u32::try_from(whole(tokens)).unwrap_or(u32::MAX).max(1)
    }
}

/// The quotable part of a message; `None` for earlier summaries, which precede the quotation.
fn quotable(message: &ChatMessage) -> Option<ChatMessage> {
    match (message.created_as, message.compaction == Some(Compaction::Text)) {
        (Some(CreatedKind::Summary), _) => None,
        (_, true) if message.calls.is_empty() && message.answers.is_empty() => None,
        (_, true) => Some(ChatMessage { text: String::new(), ..message.clone() }),
        _ => Some(message.clone()),
    }
}

/// The earlier summaries among `messages`, including the provider's own.
fn earlier_text(messages: &[ChatMessage]) -> Option<String> {
    let earlier = messages.iter().filter_map(|message| match (message.created_as, message.compaction) {
        (Some(CreatedKind::Summary), _) => Some(summary_text_of(&message.text)),
        (_, Some(Compaction::Text)) => Some(message.text.trim()),
        _ => None,
    });
    let texts: Vec<&str> = earlier.filter(|text| !text.is_empty()).collect();
    (!texts.is_empty()).then(|| texts.join("\n\n"))
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "token counts; a cast saturates")]
const fn whole(tokens: f64) -> usize {
    tokens as usize
}
