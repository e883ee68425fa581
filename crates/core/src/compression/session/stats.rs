//! Counts what compression has done since a manager was created (R7.12). Figures only, never content.

use std::collections::BTreeMap;

use crate::compression::decimal;

/// Codes come from applications' and providers' errors; whatever those contain, the list stays short.
const MAX_CODES: usize = 32;
const OTHER_CODES: &str = "other";

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Effect {
    Compressed { messages: usize, tokens_saved: f64 },
    Truncated { dropped: usize, shortened: usize, tokens_saved: f64 },
}

/// Counts; times are in milliseconds.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CompressionStats {
    pub(super) processed: f64,
    pub(super) triggered: f64,
    compressed: f64,
    truncated: f64,
    shortened: f64,
    pub(super) aborted: f64,
    pub(super) discarded: f64,
    pub(super) repaired: f64,
    pub(super) breaker_opened: f64,
    llm_calls: f64,
    llm_ms: f64,
    llm_prompt_tokens: f64,
    llm_completion_tokens: f64,
    tokens_saved: f64,
    messages_compressed: f64,
    messages_dropped: f64,
    refused: BTreeMap<&'static str, f64>,
    skipped: BTreeMap<&'static str, f64>,
    failed: BTreeMap<String, f64>,
}

impl CompressionStats {
    /// The conversation was below the threshold, or no summary was made for `reason`.
    pub fn skipped(&mut self, reason: &'static str) {
        *self.skipped.entry(reason).or_default() += 1.0;
    }

    /// Tokens are 0 if not reported.
    pub fn llm_called(&mut self, duration_ms: f64, prompt_tokens: f64, completion_tokens: f64) {
        self.llm_calls += 1.0;
        self.llm_ms += duration_ms;
        self.llm_prompt_tokens += prompt_tokens;
        self.llm_completion_tokens += completion_tokens;
    }

    pub fn refused(&mut self, reason: &'static str) {
        *self.refused.entry(reason).or_default() += 1.0;
    }

    /// `code` is an error's class or code, never its message.
    pub fn failed(&mut self, code: &str) {
        let is_listed = self.failed.contains_key(code) || self.failed.len() < MAX_CODES;
        let code = if is_listed { code } else { OTHER_CODES };
        *self.failed.entry(code.to_owned()).or_default() += 1.0;
    }

    pub fn applied(&mut self, effect: Effect) {
        self.count(effect, 1.0);
    }

    /// The counted change could not be applied.
    pub fn unapplied(&mut self, effect: Effect) {
        self.count(effect, -1.0);
    }

    fn count(&mut self, effect: Effect, times: f64) {
        match effect {
            Effect::Compressed { messages, tokens_saved } => {
                self.compressed += times;
                self.messages_compressed += times * decimal(messages);
                self.tokens_saved += times * tokens_saved;
            }
            Effect::Truncated { dropped, shortened, tokens_saved } => {
                self.truncated += times;
                self.messages_dropped += times * decimal(dropped);
                self.shortened += times * decimal(shortened);
                self.tokens_saved += times * tokens_saved;
            }
        }
    }

    /// Every figure by its name, always in the same order; names of reasons and codes contain a dot.
    pub fn figures(&self) -> Vec<(String, f64)> {
        let plain = [
            ("processed", self.processed),
            ("triggered", self.triggered),
            ("compressed", self.compressed),
            ("truncated", self.truncated),
            ("shortened", self.shortened),
            ("aborted", self.aborted),
            ("discarded", self.discarded),
            ("repaired", self.repaired),
            ("breaker_opened", self.breaker_opened),
            ("llm_calls", self.llm_calls),
            ("llm_ms", self.llm_ms),
            ("llm_prompt_tokens", self.llm_prompt_tokens),
            ("llm_completion_tokens", self.llm_completion_tokens),
            ("tokens_saved", self.tokens_saved),
            ("messages_compressed", self.messages_compressed),
            ("messages_dropped", self.messages_dropped),
            ("refused", total(self.refused.values())),
            ("skipped", total(self.skipped.values())),
            ("failed", total(self.failed.values())),
        ];
        let refused = self.refused.iter().map(|(reason, count)| (format!("refused.{reason}"), *count));
        let skipped = self.skipped.iter().map(|(reason, count)| (format!("skipped.{reason}"), *count));
        let failed = self.failed.iter().map(|(code, count)| (format!("failed.{code}"), *count));
        let plain = plain.into_iter().map(|(name, figure)| (name.to_owned(), figure));
        plain.chain(refused).chain(skipped).chain(failed).collect()
    }
}

/// `Iterator::sum` returns minus zero for no items, which would print as `-0`.
fn total<'f>(counts: impl Iterator<Item = &'f f64>) -> f64 {
    counts.fold(0.0, |total, count| total + count)
}

#[cfg(test)]
#[path = "stats_tests.rs"]
mod tests;
