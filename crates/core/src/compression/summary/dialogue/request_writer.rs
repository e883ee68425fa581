//! Writes the requests for one summary, none of them larger than the model's window (R7.5).

use crate::compression::plain_text::plain_text;
use crate::compression::summary::acceptance::{Accepted, missing_sections, shorten_summary};
use crate::compression::summary::chunks::QuotedHistory;
use crate::compression::summary::exchange::{CallPurpose, SummaryRequest};
use crate::compression::summary::prompt::{SummaryPrompt, fill, length_in_words, slot_uses};
use crate::compression::summary::{Task, quote};
use crate::compression::{in_language, to_f64, to_u32, whole_tokens};
use crate::results::Language;
use crate::tokens::models::Model;

/// The prompt asks for this share of the limit, because models miscount words and write more than requested.
const TARGET_SHARE: f64 = 0.7;
/// After a reply that was cut off, the prompt asks for this share of the usual length, and the output may have this
/// many times the usual tokens: a model that reasons first needs them.
const SHORTER_SHARE: f64 = 0.5;
const OUTPUT_FACTOR: f64 = 2.0;
/// A summary longer than this many times the limit is cut: most of it is worth its tokens, but the saving must remain.
const LONGEST_SUMMARY_FACTOR: f64 = 1.5;
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
/// Where texts are joined, the tokenizer may count this many more tokens than their sum.
const JOINT_TOKENS: f64 = 8.0;

pub(super) struct RequestWriter {
    model: Model,
    pub(super) prompt: SummaryPrompt,
    language: Language,
    instructions: String,
    summary_max_tokens: f64,
    context_tokens: f64,
    history: QuotedHistory,
    /// The quoted history; empty if the window is too small.
    parts: Vec<String>,
    part_index: usize,
    /// The summaries at the beginning of the range.
    earlier: Option<String>,
    /// The summary of everything before the current part.
    previous: Option<String>,
    asks_for_shorter: bool,
    shrinks_left: u32,
}

impl RequestWriter {
    pub(super) fn new(task: &Task, prompt: SummaryPrompt, language: Language) -> Self {
        let model = Model::named(task.settings.summary_model.as_deref().unwrap_or_default());
        let (quoted, earlier) = task.quotable_messages();
        let instructions = plain_text(task.instructions.as_deref().unwrap_or_default().trim());
        let history = QuotedHistory::new(&quoted, &[earlier.as_deref().unwrap_or_default(), &instructions], model);
        let mut writer = Self {
            model,
            prompt,
            language,
            instructions,
            summary_max_tokens: task.settings.summary_max_tokens.max(1.0),
            context_tokens: task.settings.summary_context_tokens,
            history,
            parts: Vec::new(),
            part_index: 0,
            previous: earlier.clone(),
            earlier,
            asks_for_shorter: false,
            shrinks_left: MAX_SHRINKS,
        };
        writer.divide();
        writer
    }

    /// Starts again with a smaller window; `None` after [`MAX_SHRINKS`] times, or if nothing fits.
    pub(super) fn shrink(&mut self, reported_max_tokens: Option<f64>) -> Option<SummaryRequest> {
        self.shrinks_left = self.shrinks_left.checked_sub(1)?;
        let reported = reported_max_tokens.filter(|&max| max > 0.0 && max < self.context_tokens);
        self.context_tokens = reported.unwrap_or(self.context_tokens / 2.0);
        self.previous.clone_from(&self.earlier);
        self.divide();
        self.summary_request()
    }

    /// Asks for a shorter summary with more room for reasoning; `None` if that was done before.
    pub(super) fn ask_for_shorter(&mut self) -> Option<SummaryRequest> {
        if std::mem::replace(&mut self.asks_for_shorter, true) { None } else { self.summary_request() }
    }

    pub(super) fn part_count(&self) -> f64 {
        to_f64(self.parts.len().max(1))
    }

    pub(super) fn summary_request(&self) -> Option<SummaryRequest> {
        let (part, parts) = (to_u32(self.part_index + 1), to_u32(self.parts.len()));
        let user_text = |history: &str| self.user_text(history, self.previous.as_deref());
        self.request(CallPurpose::Summary { part, parts }, user_text)
    }

    /// Continues with the next part, after `summary` of all parts so far; false if there is none.
    pub(super) fn continue_after(&mut self, summary: &str) -> bool {
        let has_next = self.part_index + 1 < self.parts.len();
        if has_next {
            self.part_index += 1;
            self.previous = Some(summary.to_owned());
        }
        has_next
    }

    /// The request for the sections that `accepted` lacks, with as much of the last part as fits.
    pub(super) fn repair_request(&self, accepted: &Accepted) -> Option<SummaryRequest> {
        let missing = accepted.missing_sections.join(in_language(self.language, "、", ", "));
        let summary = self.history.boundary.enclose("summary", &accepted.text);
        self.request(CallPurpose::Repair, |quoted| {
            let slots = [("summary", summary.as_str()), ("missing", &missing), ("history", quoted)];
            let text = self.filled(&self.prompt.repair, &slots);
            let has_summary = slot_uses(&self.prompt.repair, "summary") > 0;
            if has_summary { text } else { [&text, "\n\n", &summary].concat() }
        })
    }

    /// The summary, cut if it is far longer than requested.
    pub(super) fn shortened(&self, accepted: Accepted) -> Accepted {
        let limit_tokens = self.longest_summary_tokens();
        if self.model.fits(&accepted.text, limit_tokens) {
            return accepted;
        }
        let text = shorten_summary(&accepted.text, &self.prompt.sections, limit_tokens, &self.model);
        Accepted { missing_sections: missing_sections(&text, &self.prompt.sections), text }
    }

    /// Divides the history into as few parts as fit, the first of which becomes the current one.
    fn divide(&mut self) {
        let limit_tokens = self.prompt_limit_tokens();
        let uses = |slot: &str| to_f64(slot_uses(&self.prompt.user, slot).max(1));
        let room_for_history = |other_tokens: f64| (limit_tokens - other_tokens - JOINT_TOKENS) / uses("history");
        let other_tokens = self.tokens_of(&self.user_text("", self.earlier.as_deref()));
        // The summary of the previous parts is not written yet, so its maximum length counts.
        let previous_tokens = self.longest_summary_tokens().min(limit_tokens * PREVIOUS_SHARE);
        let other_tokens_of_part =
            self.tokens_of(&self.user_text("", Some(""))) + uses("previous") * (previous_tokens + JOINT_TOKENS);
        let part_tokens = room_for_history(other_tokens_of_part.max(other_tokens));
        self.part_index = 0;
        self.parts = match self.history.in_one_part(room_for_history(other_tokens)) {
            Some(whole) => vec![whole],
            None if part_tokens < MIN_PART_TOKENS => Vec::new(),
            None => {
                Some(self.history.in_parts(part_tokens)).filter(|parts| parts.len() <= MAX_PARTS).unwrap_or_default()
            }
        };
    }

    /// A request with `user_text` of the current part, or of as much of it as fits; `None` if no prompt fits.
    fn request(&self, purpose: CallPurpose, user_text: impl Fn(&str) -> String) -> Option<SummaryRequest> {
        let limit_tokens = self.prompt_limit_tokens();
        let mut quoted = self.parts.get(self.part_index)?.clone();
        loop {
            let user = user_text(&quoted);
            let prompt_tokens = self.tokens_of(&user);
            if prompt_tokens <= limit_tokens {
                return Some(SummaryRequest {
                    purpose,
                    system: self.filled(&self.prompt.system, &[]),
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
        let previous = previous
            .map(|text| self.history.boundary.enclose("previous summary", &self.within_share(text, PREVIOUS_SHARE)));
        let instructions = self.within_share(&self.instructions, INSTRUCTIONS_SHARE);
        let instructions = Some(&*instructions).filter(|text| !text.is_empty());
        let slots = [("history", Some(quoted)), ("previous", previous.as_deref()), ("instructions", instructions)];
        let nothing = in_language(self.language, "（无）", "(none)");
        let mut text = self.filled(&self.prompt.user, &slots.map(|(name, value)| (name, value.unwrap_or(nothing))));
        let unused = slots.iter().filter(|(name, _)| slot_uses(&self.prompt.user, name) == 0);
        for value in unused.filter_map(|slot| slot.1) {
            text.extend(["\n\n", value]);
        }
        text
    }

    fn filled(&self, template: &str, slots: &[(&str, &str)]) -> String {
        let max_tokens = self.summary_max_tokens.min(self.context_tokens / 2.0);
        let share = if self.asks_for_shorter { TARGET_SHARE * SHORTER_SHARE } else { TARGET_SHARE };
        let common = [
            ("length", &*length_in_words(max_tokens * share, self.language)),
            ("max_length", &*length_in_words(max_tokens, self.language)),
            ("max_tokens", &*whole_tokens(max_tokens).max(1).to_string()),
            ("boundary", self.history.boundary.word.as_str()),
        ];
        fill(template, &[slots, &common].concat())
    }

    fn within_share(&self, text: &str, share: f64) -> String {
        quote::shortened(text, self.prompt_limit_tokens() * share, &self.model).unwrap_or_else(|| text.to_owned())
    }

    fn tokens_of(&self, user: &str) -> f64 {
        let chat_format = self.model.message_overhead.request + 2.0 * self.model.message_overhead.message;
        chat_format + self.model.count(&self.filled(&self.prompt.system, &[])) + self.model.count(user)
    }

    fn prompt_limit_tokens(&self) -> f64 {
        let margin = if self.model.is_exact() { 0.0 } else { self.context_tokens * ESTIMATE_MARGIN };
        (self.context_tokens - margin - f64::from(self.max_tokens())).max(0.0)
    }

    fn longest_summary_tokens(&self) -> f64 {
        (self.summary_max_tokens * LONGEST_SUMMARY_FACTOR).max(MIN_SUMMARY_TOKENS)
    }

    fn max_tokens(&self) -> u32 {
        let factor = if self.asks_for_shorter { OUTPUT_FACTOR } else { 1.0 };
        let tokens = (self.summary_max_tokens * factor).min(self.context_tokens / 2.0);
        to_u32(whole_tokens(tokens)).max(1)
    }
}
