//! Decides from the provider's reports whether it has no cache. Nothing else is decided by them.

/// After so many reports without a single cached token a provider has no cache.
const REPORTS_OF_NO_CACHE: u32 = 3;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Observations {
    pub has_seen_cache: bool,
    /// Reports that should have had cached tokens and had none.
    pub reports_without: u32,
}

impl Observations {
    /// `reported` is `None` where the report has no such figure; `listed` is what comes from a cache that works as its list of
    /// prices says.
    pub fn learn(&mut self, reported: Option<f64>, listed: f64) {
        if reported.is_some_and(|cached| cached > 0.0) {
            self.has_seen_cache = true;
        } else if listed > 0.0 {
            self.reports_without = self.reports_without.saturating_add(1);
        }
    }

    #[must_use]
    pub fn has_no_cache(&self) -> bool {
        !self.has_seen_cache && self.reports_without >= REPORTS_OF_NO_CACHE
    }
}

#[cfg(test)]
#[path = "observation_tests.rs"]
mod tests;
