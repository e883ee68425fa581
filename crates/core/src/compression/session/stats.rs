//! Counts what compression has done since a manager was created (R7.12). Figures only, never content.

use std::collections::BTreeMap;

use crate::compression::to_f64;

/// Codes come from applications' and providers' errors: at most this many are listed, the others counted as `other`.
const MAX_CODES: usize = 32;

/// A summary's change of the history, or a cut's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CountedChange {
    pub is_cut: bool,
    pub removed_count: usize,
    pub shortened_count: usize,
    pub tokens_saved: f64,
}

/// Declares the figures that have no reasons, in the order in which they are listed.
macro_rules! stats {
    ($($name:ident)*) => {
        /// Counts; times are in milliseconds.
        #[derive(Debug, Clone, PartialEq, Default)]
        pub struct CompressionStats {
            $(pub(super) $name: f64,)*
            refused: BTreeMap<String, f64>,
            skipped: BTreeMap<String, f64>,
            failed: BTreeMap<String, f64>,
        }

        impl CompressionStats {
            fn without_reasons(&self) -> Vec<(String, f64)> {
                vec![$((stringify!($name).to_owned(), self.$name)),*]
            }
        }
    };
}

stats! {
    processed triggered compressed truncated shortened aborted discarded repaired breaker_opened
    llm_calls llm_ms llm_prompt_tokens llm_completion_tokens
    tokens_saved messages_compressed messages_dropped
}

impl CompressionStats {
    pub fn skipped(&mut self, reason: &str) {
        *self.skipped.entry(reason.to_owned()).or_default() += 1.0;
    }

    pub fn llm_called(&mut self, duration_ms: f64, prompt_tokens: f64, completion_tokens: f64) {
        self.llm_calls += 1.0;
        self.llm_ms += duration_ms;
        self.llm_prompt_tokens += prompt_tokens;
        self.llm_completion_tokens += completion_tokens;
    }

    pub fn refused(&mut self, reason: &str) {
        *self.refused.entry(reason.to_owned()).or_default() += 1.0;
    }

    /// `code` is an error's class or code, never its message.
    pub fn failed(&mut self, code: &str) {
        let is_listed = self.failed.contains_key(code) || self.failed.len() < MAX_CODES;
        *self.failed.entry(if is_listed { code } else { "other" }.to_owned()).or_default() += 1.0;
    }

    pub fn count_change(&mut self, change: CountedChange) {
        self.add(change, 1.0);
    }

    /// For a change that could not be applied.
    pub fn uncount_change(&mut self, change: CountedChange) {
        self.add(change, -1.0);
    }

    fn add(&mut self, change: CountedChange, times: f64) {
        let CountedChange { is_cut, removed_count, shortened_count, tokens_saved } = change;
        let (changes, removed) = if is_cut {
            (&mut self.truncated, &mut self.messages_dropped)
        } else {
            (&mut self.compressed, &mut self.messages_compressed)
        };
        *changes += times;
        *removed += times * to_f64(removed_count);
        self.shortened += times * to_f64(shortened_count);
        self.tokens_saved += times * tokens_saved;
    }

    /// Every figure by its name, always in the same order; names of reasons and codes contain a dot.
    pub fn figures(&self) -> Vec<(String, f64)> {
        let by_reason = [("refused", &self.refused), ("skipped", &self.skipped), ("failed", &self.failed)];
        // `Iterator::sum` returns minus zero for no items, which would print as `-0`.
        let total = |counts: &BTreeMap<String, f64>| counts.values().fold(0.0, |total, count| total + count);
        let mut figures = self.without_reasons();
        figures.extend(by_reason.map(|(name, counts)| (name.to_owned(), total(counts))));
        for (name, counts) in by_reason {
            figures.extend(counts.iter().map(|(reason, &count)| (format!("{name}.{reason}"), count)));
        }
        figures
    }
}

#[cfg(test)]
mod tests;
