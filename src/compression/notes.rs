//! What the face has done, noted for statistics and events.

use napi_derive::napi;
use palimpsest_core::compression::breaker::gains_enough;
use palimpsest_core::compression::events;

use super::Compressor;
use super::columns::count;

/// What a compression or truncation has come to; see `noteCompressed`.
#[napi(object, object_to_js = false)]
pub struct Effect {
    pub level: u32,
    pub before_count: f64,
    pub after_count: f64,
    pub tokens_before: f64,
    pub tokens_after: f64,
    pub changed_count: f64,
    pub shortened_count: f64,
    pub duration_ms: f64,
    /// The model that summarised, when one did.
    pub model: Option<String>,
}

#[napi]
impl Compressor {
    /// Notes that nothing was tried, since no model is configured.
    #[napi(catch_unwind)]
    pub fn note_no_model(&self) {
        let reason = "no_summary_model";
        self.shared.state().stats.skipped(reason);
        self.shared.journal.keep(|| events::skipped(reason));
    }

    /// Notes that a conversation was looked at, and whether it was found too full.
    #[napi(catch_unwind)]
    pub fn note_use(&self, tokens: f64, source: String, message_count: f64, is_over: bool) {
        let mut state = self.shared.state();
        state.stats.processed();
        if !is_over {
            return;
        }
        state.stats.triggered();
        let (window_tokens, threshold) = (state.settings.max_context_tokens, state.settings.threshold);
        self.shared.journal.keep(|| {
            events::triggered(&events::Triggered {
                used_tokens: tokens,
                window_tokens,
                ratio: tokens / window_tokens,
                threshold,
                source: &source,
                message_count: count(message_count),
            });
        });
    }

    /// Notes that so many of `total` messages have a form that isn't known.
    #[napi(catch_unwind)]
    pub fn note_unrecognised(&self, messages: f64, total: f64, forms: String) {
        self.shared.journal.keep(|| events::unrecognised(count(messages), count(total), &forms));
    }

    /// Notes that records of earlier compressions hold what no record has, in these fields.
    #[napi(catch_unwind)]
    pub fn note_odd_record(&self, fields: String) {
        self.shared.journal.keep(|| events::record_odd(&fields));
    }

    /// Notes a compression that was applied; true when it gained enough to be repeated when wanted.
    #[napi(catch_unwind)]
    pub fn note_compressed(&self, effect: Effect) -> bool {
        let saved = (effect.tokens_before - effect.tokens_after).max(0.0);
        let mut state = self.shared.state();
        state.stats.compressed(count(effect.changed_count), saved);
        let window = state.settings.max_context_tokens;
        let model = effect.model.unwrap_or_default();
        self.shared.journal.keep(|| {
            events::compressed(&events::Compressed {
                level: effect.level,
                before_count: count(effect.before_count),
                after_count: count(effect.after_count),
                tokens_before: effect.tokens_before,
                tokens_after: effect.tokens_after,
                usage_before: effect.tokens_before / window,
                usage_after: effect.tokens_after / window,
                model: &model,
                duration_ms: effect.duration_ms,
            });
        });
        gains_enough(effect.tokens_before, effect.tokens_after)
    }

    /// Notes a truncation that was applied.
    #[napi(catch_unwind)]
    pub fn note_truncated(&self, effect: Effect) {
        let (dropped, shortened) = (count(effect.changed_count), count(effect.shortened_count));
        let saved = (effect.tokens_before - effect.tokens_after).max(0.0);
        self.shared.state().stats.truncated(dropped, shortened, saved);
        self.shared.journal.keep(|| {
            events::truncated(&events::Truncated {
                before_count: count(effect.before_count),
                after_count: count(effect.after_count),
                dropped,
                shortened,
                tokens_before: effect.tokens_before,
                tokens_after: effect.tokens_after,
            });
        });
    }

    /// Notes that a summary came too late, or that an archive could not be written, or that the host's array or
    /// messages failed us in an unforeseen way.
    #[napi(catch_unwind)]
    pub fn note_problem(&self, kind: String, detail: String) {
        match kind.as_str() {
            "discarded" => {
                self.shared.state().stats.discarded();
                self.shared.journal.keep(|| events::discarded(&detail));
            }
            "archive" => self.shared.journal.keep(|| events::archive_failed(&detail)),
            _ => self.shared.journal.keep(|| events::failed(&detail)),
        }
    }
}
