//! What a change of the history has come to: for the record, statistics, events and the next try.

use super::Session;
use super::breaker::gains_enough;
use super::events;
use super::manager::Try;
use super::stats::Effect;
use super::step::{Edit, Figures, Place};

#[derive(Debug, Clone, PartialEq)]
pub(super) enum ChangeKind {
    /// A summary; which model wrote it, where that is known, and how long it took.
    Summary { level: u32, model: Option<String>, duration_ms: f64 },
    /// A cut, of so many texts besides, from so many tokens.
    Cut { shortened: usize, tokens_before: f64 },
}

impl Session {
    /// Notes a change of which [`Session::proceed`] has just been told the weights.
    pub(super) fn note_effect(&mut self, edit: &Edit, kind: &ChangeKind) {
        let after_count = self.weighed.rows.len();
        let before_count = (after_count + edit.removed()).saturating_sub(edit.inserted());
        let tokens_after = self.usage.tokens.round();
        self.figures = Some(Figures { before_count, after_count, tokens_after });
        match kind {
            ChangeKind::Summary { level, model, duration_ms } => {
                let tokens_before = self.before.1.round();
                self.note_compressed(edit.range.len(), tokens_before);
                let window = self.settings.max_context_tokens;
                events::compressed(&events::Compressed {
                    level: *level,
                    before_count,
                    after_count,
                    tokens_before,
                    tokens_after,
                    usage_before: tokens_before / window,
                    usage_after: tokens_after / window,
                    model: model.as_deref().unwrap_or_default(),
                    duration_ms: *duration_ms,
                });
            }
            ChangeKind::Cut { shortened, tokens_before } => self.note_cut(&events::Truncated {
                before_count,
                after_count,
                dropped: edit.removed(),
                shortened: *shortened,
                tokens_before: *tokens_before,
                tokens_after,
            }),
        }
    }

    #[allow(clippy::cast_precision_loss)] // numbers of messages
    fn note_cut(&self, cut: &events::Truncated) {
        let gone_tokens = cut.tokens_before - cut.tokens_after;
        let tokens_saved = gone_tokens.max(0.0);
        let effect = Effect::Truncated { dropped: cut.dropped, shortened: cut.shortened, tokens_saved };
        let mut state = self.manager.state();
        state.stats.applied(effect);
        let gone = cut.before_count as f64 - cut.after_count as f64;
        state.cut(self.conversation, gone, gone_tokens, effect);
        drop(state);
        events::truncated(cut);
    }

    #[allow(clippy::cast_precision_loss)] // numbers of messages
    fn note_compressed(&self, messages: usize, tokens_before: f64) {
        let tokens_after = self.usage.tokens.round();
        let effect = Effect::Compressed { messages, tokens_saved: (tokens_before - tokens_after).max(0.0) };
        let tried = Try {
            gained: Some(gains_enough(tokens_before, tokens_after)),
            messages: self.weighed.rows.len() as f64,
            tokens: tokens_after,
            effect: Some(effect),
        };
        let mut state = self.manager.state();
        state.stats.applied(effect);
        state.tried(self.conversation, tried);
    }
}

impl Edit {
    /// How many messages go.
    fn removed(&self) -> usize {
        match &self.place {
            Place::Summary { .. } => self.range.len(),
            Place::Cut { dropped, .. } => dropped.iter().map(ExactSizeIterator::len).sum(),
        }
    }

    /// How many come.
    fn inserted(&self) -> usize {
        match &self.place {
            Place::Summary { pinned, carried } => pinned.len() + carried.len() + 1,
            Place::Cut { notice_at, .. } => usize::from(notice_at.is_some()),
        }
    }
}
