//! Decides how many tokens a request took, from the provider's usage report. Providers name their figures differently, and some include in
//! another figure what others count in addition. `forms` has the names, this module their meaning in combination.

mod forms;

use serde_json::Value;

pub use forms::{REPORT_FIELDS, field_names};

/// No request takes this many tokens.
const IMPOSSIBLE_TOKENS: f64 = 1e9;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unusable {
    /// No figure has a known name.
    Missing,
    /// All figures are zero, as some gateways report for streamed responses.
    Zero,
    /// A figure is negative, not finite, or larger than any model allows.
    Impossible,
}

/// The tokens of one request. The prompt is the sum of `uncached`, `cache_read` and `cache_write`; a missing figure is zero.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    pub uncached: u64,
    pub cache_read: u64,
    pub cache_write: u64,
    /// The parts of `cache_write` that live for five minutes and for one hour, if the provider reports them.
    pub cache_write_5m: u64,
    pub cache_write_1h: u64,
    /// Includes reasoning.
    pub output: u64,
    /// The reasoning part of `output`, if the provider reports it.
    pub reasoning: u64,
    /// True if `cache_read` was reported, even as zero: some providers without a cache report none.
    pub reports_cache_read: bool,
}

impl Usage {
    /// Reads a report in any provider's form; `figure` returns the number for one of [`field_names`]. The output is
    /// read even if the prompt is not readable.
    pub fn read(figure: impl Fn(&str) -> Option<f64>) -> Self {
        let report = ReportFigures(&figure);
        report.with_output(report.prompt().unwrap_or_default())
    }

    pub fn of_json(report: &Value) -> Self {
        Self::read(|name| figure_at(report, name))
    }

    pub fn total(&self) -> u64 {
        self.uncached.saturating_add(self.cache_read).saturating_add(self.cache_write)
    }

    /// The part of `cache_write` of unknown lifetime.
    pub fn cache_write_unspecified(&self) -> u64 {
        self.cache_write.saturating_sub(self.cache_write_5m).saturating_sub(self.cache_write_1h)
    }

    /// True for a report without counts, which agents write for calls that failed.
    pub fn is_empty(&self) -> bool {
        self.total() == 0 && self.output == 0
    }

    pub fn prompt_tokens(&self) -> Option<f64> {
        nonzero(self.total())
    }

    pub fn cached_tokens(&self) -> Option<f64> {
        self.reports_cache_read.then_some(self.cache_read as f64)
    }

    pub fn output_tokens(&self) -> Option<f64> {
        nonzero(self.output)
    }

    pub fn add(&mut self, other: &Self) {
        let pairs = [
            (&mut self.uncached, other.uncached),
            (&mut self.cache_read, other.cache_read),
            (&mut self.cache_write, other.cache_write),
            (&mut self.cache_write_5m, other.cache_write_5m),
            (&mut self.cache_write_1h, other.cache_write_1h),
            (&mut self.output, other.output),
            (&mut self.reasoning, other.reasoning),
        ];
        for (sum, added) in pairs {
            *sum = sum.saturating_add(added);
        }
        self.reports_cache_read |= other.reports_cache_read;
    }
}

/// The tokens of the whole prompt, including cached ones; `figure` as for [`Usage::read`].
///
/// # Errors
/// Why the report is not usable.
pub fn prompt_tokens(figure: impl Fn(&str) -> Option<f64>) -> Result<f64, Unusable> {
    ReportFigures(&figure).prompt().map(|usage| usage.total() as f64)
}

struct ReportFigures<'f>(&'f dyn Fn(&str) -> Option<f64>);

impl ReportFigures<'_> {
    /// The first form with a count above zero: applications fill other providers' names with zeros.
    fn prompt(&self) -> Result<Usage, Unusable> {
        let mut unusable = Unusable::Missing;
        let identifies = |parts: &&[&str]| parts.first_chunk::<1>().is_some_and(|identifying| self.has(identifying));
        for parts in forms::PROMPTS.into_iter().filter(identifies) {
            let usage = self.with_cache(self.sum(parts)?)?;
            if usage.total() > 0 {
                return Ok(usage);
            }
            unusable = Unusable::Zero;
        }
        Err(unusable)
    }

    /// Takes the cache's figures as part of `prompt`, or in addition to it. A figure larger than its whole is not part of it: the AI SDK 5
    /// omits tokens read from Anthropic's cache, and some versions of LiteLLM omit tokens written to it.
    fn with_cache(&self, prompt: u64) -> Result<Usage, Unusable> {
        let read_within = self.largest(forms::READ_WITHIN);
        let read = read_within.max(self.largest(forms::READ_ADDITIONAL));
        let write = self.largest(forms::WRITE_WITHIN).max(self.largest(forms::WRITE_ADDITIONAL));
        let [five_minutes, one_hour] = forms::LIFETIMES.map(|name| self.largest(&[name]).unwrap_or(0));
        let cache_write = write.unwrap_or(0).max(five_minutes.saturating_add(one_hour));
        let cache_read = read.unwrap_or(0);
        let has_additional = self.has(forms::READ_ADDITIONAL) || self.has(forms::WRITE_ADDITIONAL);
        let is_additional = read_within.is_none() && has_additional;
        if is_additional {
            self.sum(forms::READ_ADDITIONAL)?;
            self.sum(forms::WRITE_ADDITIONAL)?;
        }
        let unread = prompt.saturating_sub(cache_read);
        let uncached = match unread.checked_sub(cache_write) {
            _ if is_additional || cache_read > prompt => prompt,
            uncached => uncached.unwrap_or(unread),
        };
        let usage = Usage {
            uncached,
            cache_read,
            cache_write,
            cache_write_5m: five_minutes,
            cache_write_1h: one_hour,
            reports_cache_read: read.is_some(),
            ..Usage::default()
        };
        if (usage.total() as f64) < IMPOSSIBLE_TOKENS { Ok(usage) } else { Err(Unusable::Impossible) }
    }

    /// The provider's own total decides whether reasoning is part of the output; without a total, reasoning is separate
    /// if its name says so or it exceeds the output.
    fn with_output(&self, usage: Usage) -> Usage {
        let largest = |names| self.largest(names).unwrap_or(0);
        let (output, within) = (largest(forms::OUTPUT), largest(forms::REASONING_WITHIN));
        let additional = largest(forms::REASONING_ADDITIONAL);
        let reasoning = within.max(additional);
        let without = usage.total().saturating_add(output);
        let is_additional = match self.largest(forms::SUM) {
            Some(sum) if sum == without.saturating_add(reasoning) => true,
            Some(sum) if sum == without => false,
            _ => additional > 0 || reasoning > output,
        };
        let output = if is_additional { output.saturating_add(reasoning) } else { output };
        Usage { output, reasoning: reasoning.min(output), ..usage }
    }

    fn has(&self, names: &[&str]) -> bool {
        names.iter().any(|name| (self.0)(name).is_some())
    }

    /// The largest valid figure: where one thing has several names, applications fill the others with zeros.
    fn largest(&self, names: &[&str]) -> Option<u64> {
        names.iter().filter_map(|name| possible((self.0)(name)?)).max()
    }

    fn sum(&self, names: &[&str]) -> Result<u64, Unusable> {
        let figures = names.iter().filter_map(|name| (self.0)(name));
        let sum = figures.map(possible).try_fold(0_u64, |sum, figure| Some(sum.saturating_add(figure?)));
        sum.ok_or(Unusable::Impossible)
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // within the range
fn possible(figure: f64) -> Option<u64> {
    (0.0..IMPOSSIBLE_TOKENS).contains(&figure).then_some(figure as u64)
}

fn nonzero(tokens: u64) -> Option<f64> {
    (tokens > 0).then_some(tokens as f64)
}

/// The figure at a path such as `a.b`, or the sum of those at `a.*.b`.
fn figure_at(report: &Value, path: &str) -> Option<f64> {
    match path.split_once('.') {
        None => report.get(path)?.as_f64(),
        Some(("*", rest)) => {
            let elements = report.as_array()?.iter();
            elements.filter_map(|element| figure_at(element, rest)).reduce(|sum, figure| sum + figure)
        }
        Some((field, rest)) => figure_at(report.get(field)?, rest),
    }
}

#[cfg(test)]
#[path = "usage_tests.rs"]
mod tests;
