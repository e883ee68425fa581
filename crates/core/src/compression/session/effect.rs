//! Records what a change of the history saved: for its record, statistics, events and the next try.

use super::breaker::{Try, gains_enough};
use super::events;
use super::state::{ChangeKind, CompressionSession, PendingChange};
use super::stats::Effect;
use super::step::{ContextFigures, HistoryEffect};
use crate::compression::decimal;
use crate::compression::record::fields::window_share;

impl CompressionSession {
    /// Records what a change saved, from the token counts given to [`CompressionSession::proceed`].
    pub(super) fn note_effect(&mut self, change: &PendingChange) {
        let after_count = self.counted.rows.len();
        let before_count = (after_count + change.removed).saturating_sub(change.inserted);
        let tokens_after = self.usage.tokens.round();
        let window_tokens = self.settings.max_context_tokens;
        let usage_after = window_share(tokens_after, window_tokens);
        let after = ContextFigures { before_count, after_count, tokens_after, usage_after };
        self.figures = Some(after);
        let (tokens_before, removed) = (change.tokens_before, change.removed);
        let tokens_saved = (tokens_before - tokens_after).max(0.0);
        let mut state = self.manager.state();
        match &change.kind {
            ChangeKind::Summary { level, model, duration_ms } => {
                let effect = Effect::Compressed { messages: removed, tokens_saved };
                state.stats.count(effect, 1.0);
                let tried = Try {
                    gained: Some(gains_enough(tokens_before, tokens_after)),
                    messages: decimal(after_count),
                    tokens: tokens_after,
                    effect: Some(effect),
                };
                state.record_try(self.conversation, tried);
                self.effect = HistoryEffect::Summarised;
                let model = model.as_deref().unwrap_or_default();
                events::compressed(&after, tokens_before, window_tokens, *level, model, *duration_ms);
            }
            ChangeKind::Cut { shortened } => {
                let effect = Effect::Truncated { dropped: removed, shortened: *shortened, tokens_saved };
                state.stats.count(effect, 1.0);
                let dropped = decimal(before_count) - decimal(after_count);
                state.record_cut(self.conversation, dropped, tokens_before - tokens_after, effect);
                self.effect = HistoryEffect::Cut;
                events::truncated(&after, tokens_before, removed, *shortened);
            }
        }
    }
}
