//! Plans a cut again with a lower limit until the remaining messages, as counted, are under the hard limit (R7.11).

use std::ops::Range;

use super::events;
use super::state::{ChangeKind, CompressionSession, Fitting, PendingChange, Phase};
use super::step::{ChangePlace, HistoryChange, Step};
use super::usage::scaled_tokens;
use crate::compression::hard_limit::truncation::{Budget, Truncation, plan_truncation};
use crate::compression::hard_limit::{CannotFit, ShortenedMessage};
use crate::compression::message::ChatMessage;
use crate::compression::plan::system_len;
use crate::compression::record::{RecordFields, RecordedHistory, StoredRecord, compression_id};

const MAX_ATTEMPTS: u32 = 8;
/// Shortened texts differ slightly from the planned length: the next plan lowers its limit by the excess and this.
const SLACK_TOKENS: f64 = 16.0;

impl CompressionSession {
    pub(super) fn fit(&mut self, mut messages: Vec<ChatMessage>, recorded: &[StoredRecord]) -> Step {
        for (message, tokens) in messages.iter_mut().zip(scaled_tokens(&self.usage, &self.counted)) {
            message.tokens = tokens;
        }
        let recorded_history = RecordedHistory::new(recorded.iter());
        let limit_tokens = self.settings.hard_limit_tokens();
        self.try_to_fit(Box::new(Fitting { messages, recorded_history, limit_tokens, attempts: 0 }))
    }

    /// Takes the tokenizer's token counts of the messages of [`Step::Shorten`], in that order.
    pub fn shortened(&mut self, tokens: &[f64]) -> Step {
        let Phase::Fitting(fitting, planned) = std::mem::take(&mut self.phase) else { return self.finish() };
        self.accept_or_retry(fitting, *planned, tokens)
    }

    fn try_to_fit(&mut self, mut fitting: Box<Fitting>) -> Step {
        fitting.attempts += 1;
        if fitting.attempts > MAX_ATTEMPTS {
            let system_tokens = tokens_in(&fitting.messages, 0..system_len(&fitting.messages));
            return self.cannot_fit(self.counted.fixed_tokens + system_tokens, 0.0);
        }
        let budget = Budget {
            fixed_tokens: self.counted.fixed_tokens,
            limit_tokens: fitting.limit_tokens,
            settings: &self.settings,
            model: &self.manager.model,
            language: self.manager.language,
        };
        match plan_truncation(&fitting.messages, &fitting.recorded_history, budget) {
            Err(CannotFit { system_tokens, pending_tokens }) => self.cannot_fit(system_tokens, pending_tokens),
            Ok(Truncation { cut, .. }) if cut.shortened.is_empty() && cut.dropped.is_empty() => self.finish(),
            Ok(planned) if planned.cut.shortened.is_empty() => self.accept_or_retry(fitting, planned, &[]),
            Ok(planned) => {
                // The caller counts with the tokenizer.
                let in_tokenizer_tokens = |message: &ShortenedMessage| ShortenedMessage {
                    max_tokens: message.max_tokens / self.scale(&fitting, message.index),
                    ..*message
                };
                let shortened = planned.cut.shortened.iter().map(in_tokenizer_tokens).collect();
                self.phase = Phase::Fitting(fitting, Box::new(planned));
                Step::Shorten(shortened)
            }
        }
    }

    fn accept_or_retry(&mut self, mut fitting: Box<Fitting>, planned: Truncation, tokens: &[f64]) -> Step {
        let over_tokens = self.tokens_after_cut(&fitting, &planned, tokens) - self.settings.hard_limit_tokens();
        if over_tokens <= 0.0 {
            return self.apply_cut(&fitting, planned);
        }
        fitting.limit_tokens -= over_tokens + SLACK_TOKENS;
        self.try_to_fit(fitting)
    }

    fn cannot_fit(&mut self, system_tokens: f64, pending_tokens: f64) -> Step {
        events::cannot_fit(system_tokens, pending_tokens, self.settings.hard_limit_tokens());
        self.finish()
    }

    /// This message's tokens on the scale of the window's usage, per token of the tokenizer.
    fn scale(&self, fitting: &Fitting, index: usize) -> f64 {
        let counted = self.counted.rows.get(index).map_or(0.0, |row| row.tokens);
        fitting.messages.get(index).map_or(0.0, |message| message.tokens) / counted.max(1.0)
    }

    /// The tokens of the conversation after the cut; `shortened` are the tokenizer's for the shortened messages.
    fn tokens_after_cut(&self, fitting: &Fitting, planned: &Truncation, shortened: &[f64]) -> f64 {
        let cut = &planned.cut;
        let tokens_in = |range: Range<usize>| tokens_in(&fitting.messages, range);
        let dropped = cut.dropped.iter().cloned().map(tokens_in).sum::<f64>();
        let all = tokens_in(0..fitting.messages.len());
        let saved = cut.shortened.iter().zip(shortened).map(|(&ShortenedMessage { index, .. }, tokens)| {
            tokens_in(index..index + 1) - tokens * self.scale(fitting, index)
        });
        let notice = cut.notice_at.map_or(0.0, |_| self.tokens_of_notice(&planned.notice));
        self.counted.fixed_tokens + all - dropped - saved.sum::<f64>() + notice
    }

    fn tokens_of_notice(&self, notice: &str) -> f64 {
        let model = self.manager.model;
        model.count(notice) + model.message_overhead.message
    }

    fn apply_cut(&mut self, fitting: &Fitting, planned: Truncation) -> Step {
        let Truncation { cut, notice, first_request, digest, dropped_messages, dropped_tokens } = planned;
        // From the first to the last dropped message, and the notice's place. Messages in between may stay.
        let places = || cut.dropped.iter().flat_map(|range| [range.start, range.end]).chain(cut.notice_at);
        let range = places().min().unwrap_or(0)..places().max().unwrap_or(0);
        let in_range = fitting.messages.get(range.clone()).unwrap_or_default();
        let level = in_range.iter().map(|message| message.level.saturating_add(1)).max().unwrap_or(1);
        let id = compression_id(in_range, true);
        let record = RecordFields {
            id: &id,
            level,
            dropped: Some((dropped_messages, dropped_tokens)),
            window_tokens: self.settings.max_context_tokens,
            tokens_before: self.usage.tokens,
            model: None,
            duration_ms: 0.0,
            first_request: first_request.as_deref(),
            digest: &digest,
        };
        self.phase = Phase::Applying(PendingChange {
            removed_count: cut.dropped.iter().map(ExactSizeIterator::len).sum(),
            inserted_count: usize::from(cut.notice_at.is_some()),
            tokens_before: self.usage.tokens,
            kind: ChangeKind::Cut { shortened_count: cut.shortened.len() },
        });
        Step::Apply(Box::new(HistoryChange {
            record: record.to_json(),
            id: id.clone(),
            range,
            tokens: self.tokens_of_notice(&notice),
            content: notice,
            place: ChangePlace::Cut { dropped: cut.dropped, notice_at: cut.notice_at },
        }))
    }
}

fn tokens_in(messages: &[ChatMessage], range: Range<usize>) -> f64 {
    messages.get(range).unwrap_or_default().iter().map(|message| message.tokens).sum()
}
