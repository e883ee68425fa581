//! Records what a change of the history saved: for its record, statistics, events and the next try.

use super::breaker::gains_enough;
use super::events;
use super::manager::Try;
use super::state::{ChangeKind, CompressionSession};
use super::stats::Effect;
use super::step::{ChangePlace, ContextFigures, HistoryChange};
use crate::compression::decimal;
use crate::compression::record::fields::share_of;

impl CompressionSession {
    /// Records what a change saved, from the token counts given to [`CompressionSession::proceed`].
    pub(super) fn note_effect(&mut self, edit: &HistoryChange, kind: &ChangeKind) {
        let after_count = self.counted.rows.len();
        let before_count = (after_count + edit.removed()).saturating_sub(edit.inserted());
        let tokens_after = self.usage.tokens.round();
        let usage_after = share_of(tokens_after, self.settings.max_context_tokens);
        let after = ContextFigures { before_count, after_count, tokens_after, usage_after };
        self.figures = Some(after);
        match kind {
            ChangeKind::Summary { level, model, duration_ms } => {
                let tokens_before = self.before.1.round();
                self.note_compressed(edit.range.len(), tokens_before);
                let (window, model) =
                    (self.settings.max_context_tokens, model.as_deref().unwrap_or_default());
                events::compressed(&after, tokens_before, window, *level, model, *duration_ms);
            }
            ChangeKind::Cut { shortened, tokens_before } => {
                let dropped = edit.removed();
                self.note_cut(&after, *tokens_before, dropped, *shortened);
                events::truncated(&after, *tokens_before, dropped, *shortened);
            }
        }
    }

    fn note_cut(&self, after: &ContextFigures, tokens_before: f64, dropped: usize, shortened: usize) {
        let dropped_tokens = tokens_before - after.tokens_after;
        let effect = Effect::Truncated { dropped, shortened, tokens_saved: dropped_tokens.max(0.0) };
        let dropped = decimal(after.before_count) - decimal(after.after_count);
        let mut state = self.manager.state();
        state.stats.applied(effect);
        state.cut(self.conversation, dropped, dropped_tokens, effect);
    }

    fn note_compressed(&self, messages: usize, tokens_before: f64) {
        let tokens_after = self.usage.tokens.round();
        let effect = Effect::Compressed { messages, tokens_saved: (tokens_before - tokens_after).max(0.0) };
        let tried = Try {
            gained: Some(gains_enough(tokens_before, tokens_after)),
            messages: decimal(self.counted.rows.len()),
            tokens: tokens_after,
            effect: Some(effect),
        };
        let mut state = self.manager.state();
        state.stats.applied(effect);
        state.tried(self.conversation, tried);
    }
}

impl HistoryChange {
    fn removed(&self) -> usize {
        match &self.place {
            ChangePlace::Summary { .. } => self.range.len(),
            ChangePlace::Cut { dropped, .. } => dropped.iter().map(ExactSizeIterator::len).sum(),
        }
    }

    fn inserted(&self) -> usize {
        match &self.place {
            ChangePlace::Summary { pinned, carried } => pinned.len() + carried.len() + 1,
            ChangePlace::Cut { notice_at, .. } => usize::from(notice_at.is_some()),
        }
    }
}
