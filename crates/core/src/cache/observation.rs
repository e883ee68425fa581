//! Decides from reports whether a provider has no cache; reports decide nothing else.

/// Reports without cached tokens after which a provider has no cache.
const REPORTS_OF_NO_CACHE: u32 = 3;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Observations {
    pub has_seen_cache: bool,
    /// Reports without the cached tokens that they should have had.
    pub reports_without: u32,
}

impl Observations {
    /// `reported`: `None` without such a figure; `listed`: tokens that a cache gives which works as its price list says.
    pub fn learn(&mut self, reported: Option<f64>, listed: f64) {
        if reported.is_some_and(|cached| cached > 0.0) {
            self.has_seen_cache = true;
        } else if listed > 0.0 {
            self.reports_without = self.reports_without.saturating_add(1);
        }
    }

    pub fn has_no_cache(&self) -> bool {
        !self.has_seen_cache && self.reports_without >= REPORTS_OF_NO_CACHE
    }
}

#[cfg(test)]
#[path = "observation_tests.rs"]
mod tests;
