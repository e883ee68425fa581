//! Decides what a provider's report says that a request took. Providers name their figures differently, and some count within
//! another figure what others count beside it: `forms` has the names, and this module says what they mean together.

mod forms;

use serde_json::Value;

pub use forms::{REPORT_FIELDS, field_names};

const IMPOSSIBLE: f64 = 1e9;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unusable {
    /// No figure has a known name.
    Missing,
    /// All figures are zero, as some gateways have it for streamed answers.
    Zero,
    /// A figure is negative, not finite, or beyond any model.
    Impossible,
}

/// The tokens of one request. The prompt is the sum of `uncached`, `cache_read` and `cache_write`; a figure that is missing is zero.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    pub uncached: u64,
    pub cache_read: u64,
    pub cache_write: u64,
    /// The part of `cache_write` that lives for five minutes, where the provider tells.
    pub cache_write_5m: u64,
    /// The part of `cache_write` that lives for one hour, where the provider tells.
    pub cache_write_1h: u64,
    /// Reasoning is included.
    pub output: u64,
    /// The part of `output` that was reasoning, where the provider tells.
    pub reasoning: u64,
    /// Whether there is a figure for `cache_read`, be it zero: some providers without a cache give none.
    pub tells_cache_read: bool,
}

impl Usage {
    /// Reads a report in any provider's form; `figure` gives the number under one of [`field_names`]. Where the prompt can't be told,
    /// the answer's figures still stand.
    #[must_use]
    pub fn read(figure: impl Fn(&str) -> Option<f64>) -> Self {
        let report = ReportFigures(&figure);
        report.with_answer(report.prompt().unwrap_or_default())
    }

    #[must_use]
    pub fn of_json(report: &Value) -> Self {
        Self::read(|name| figure_at(report, name))
    }

    #[must_use]
    pub fn total(&self) -> u64 {
        self.uncached.saturating_add(self.cache_read).saturating_add(self.cache_write)
    }

    /// The part of `cache_write` of unknown lifetime.
    #[must_use]
    pub fn cache_write_untold(&self) -> u64 {
        self.cache_write.saturating_sub(self.cache_write_5m).saturating_sub(self.cache_write_1h)
    }

    /// Agents write a report without any count for calls that failed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.total() == 0 && self.output == 0
    }

    /// `None` where the report says nothing of the prompt.
    #[must_use]
    pub fn prompt_tokens(&self) -> Option<f64> {
        some(self.total())
    }

    /// `None` where the report has no such figure.
    #[must_use]
    pub fn cached_tokens(&self) -> Option<f64> {
        self.tells_cache_read.then(|| decimal(self.cache_read))
    }

    /// `None` where the report has no such figure.
    #[must_use]
    pub fn output_tokens(&self) -> Option<f64> {
        some(self.output)
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
        for (sum, more) in pairs {
            *sum = sum.saturating_add(more);
        }
        self.tells_cache_read |= other.tells_cache_read;
    }
}

/// The tokens of the whole prompt, cached ones included; `figure` as for [`Usage::read`].
///
/// # Errors
/// Says why the report can't be used.
pub fn prompt_tokens(figure: impl Fn(&str) -> Option<f64>) -> Result<f64, Unusable> {
    ReportFigures(&figure).prompt().map(|usage| decimal(usage.total()))
}

struct ReportFigures<'f>(&'f dyn Fn(&str) -> Option<f64>);

impl ReportFigures<'_> {
    /// The first form that counts more than zero: hosts fill other providers' names with zeros.
    fn prompt(&self) -> Result<Usage, Unusable> {
        let mut unusable = Unusable::Missing;
        for parts in forms::PROMPTS {
            if parts.first().and_then(|name| (self.0)(name)).is_none() {
                continue;
            }
            let usage = self.with_cache(self.sum(parts)?)?;
            if usage.total() > 0 {
                return Ok(usage);
            }
            unusable = Unusable::Zero;
        }
        Err(unusable)
    }

    /// The cache's share of `prompt`, or beside it. A figure that is more than its whole can't be a part of it: the AI SDK 5 leaves out
    /// what Anthropic's cache held, and some versions of LiteLLM what was written to it.
    fn with_cache(&self, prompt: u64) -> Result<Usage, Unusable> {
        let (read_within, write_within) = (self.most(forms::READ_WITHIN), self.most(forms::WRITE_WITHIN));
        let beside = (self.most(forms::READ_BESIDE), self.most(forms::WRITE_BESIDE));
        let [five_minutes, one_hour] = forms::LIFETIMES.map(|name| self.most(&[name]).unwrap_or(0));
        let read = read_within.max(beside.0).unwrap_or(0);
        let write = write_within.max(beside.1).unwrap_or(0).max(five_minutes.saturating_add(one_hour));
        let is_beside =
            read_within.is_none() && (self.has(forms::READ_BESIDE) || self.has(forms::WRITE_BESIDE));
        if is_beside {
            self.sum(forms::READ_BESIDE)?;
            self.sum(forms::WRITE_BESIDE)?;
        }
        let uncached = if is_beside || read > prompt {
            prompt
        } else {
            let unread = prompt.saturating_sub(read);
            unread.checked_sub(write).unwrap_or(unread)
        };
        let usage = Usage {
            uncached,
            cache_read: read,
            cache_write: write,
            cache_write_5m: five_minutes,
            cache_write_1h: one_hour,
            tells_cache_read: read_within.or(beside.0).is_some(),
            ..Usage::default()
        };
        if decimal(usage.total()) < IMPOSSIBLE { Ok(usage) } else { Err(Unusable::Impossible) }
    }

    /// The provider's own sum tells whether reasoning is a part of the output; without one, the name does, or that it is more than its
    /// whole.
    fn with_answer(&self, usage: Usage) -> Usage {
        let most = |names| self.most(names).unwrap_or(0);
        let (output, within) = (most(forms::OUTPUT), most(forms::REASONING_WITHIN));
        let beside = most(forms::REASONING_BESIDE);
        let reasoning = within.max(beside);
        let without = usage.total().saturating_add(output);
        let is_beside = match self.most(forms::SUM) {
            Some(sum) if sum == without.saturating_add(reasoning) => true,
            Some(sum) if sum == without => false,
            _ => beside > 0 || reasoning > output,
        };
        let output = if is_beside { output.saturating_add(reasoning) } else { output };
        Usage { output, reasoning: reasoning.min(output), ..usage }
    }

    fn has(&self, names: &[&str]) -> bool {
        names.iter().any(|name| (self.0)(name).is_some())
    }

    /// The largest possible figure: where several names are given for one thing, hosts fill the others with zeros.
    fn most(&self, names: &[&str]) -> Option<u64> {
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
    (0.0..IMPOSSIBLE).contains(&figure).then_some(figure as u64)
}

fn some(tokens: u64) -> Option<f64> {
    (tokens > 0).then(|| decimal(tokens))
}

#[allow(clippy::cast_precision_loss)] // no request takes 2⁵³ tokens
const fn decimal(tokens: u64) -> f64 {
    tokens as f64
}

/// A list's elements are added up.
fn figure_at(report: &Value, name: &str) -> Option<f64> {
    match name.split_once('.') {
        None => report.get(name)?.as_f64(),
        Some(("*", inner)) => {
            let elements = report.as_array()?.iter();
            elements.filter_map(|element| figure_at(element, inner)).reduce(|sum, figure| sum + figure)
        }
        Some((outer, inner)) => figure_at(report.get(outer)?, inner),
    }
}

#[cfg(test)]
#[path = "usage_tests.rs"]
mod tests;
