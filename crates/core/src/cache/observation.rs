//! What the provider's own report of a request says about its cache.

/// Reports without a single cached token after which a provider has no cache.
const REPORTS_OF_NO_CACHE: u32 = 3;
/// A prefix of which less than this share came from the cache wasn't there: what is left is a system prompt that other
/// sessions keep warm.
const SHARE_OF_A_WARM_PREFIX: f64 = 0.5;

/// What was learnt from reports so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Observations {
    /// Whether a cached token was ever reported.
    pub has_seen_cache: bool,
    /// Reports that should have had cached tokens and had none.
    pub reports_without: u32,
}

/// What one report says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Report {
    /// The prefix was there, or could not have been.
    AsListed,
    /// A prefix that should have been cached wasn't.
    Cold,
}

impl Observations {
    /// `reported` is none where the report has no such figure; `listed` is what comes from a cache that works as its list of
    /// prices says.
    pub fn learn(&mut self, reported: Option<f64>, listed: f64) -> Report {
        if reported.is_some_and(|cached| cached > 0.0) {
            self.has_seen_cache = true;
        }
        if listed <= 0.0 || (reported.is_none() && self.has_seen_cache) {
            return Report::AsListed;
        }
        let cached = reported.unwrap_or_default();
        if cached <= 0.0 {
            self.reports_without = self.reports_without.saturating_add(1);
        }
        if cached < SHARE_OF_A_WARM_PREFIX * listed { Report::Cold } else { Report::AsListed }
    }

    /// Whether the provider has shown that it caches nothing.
    #[must_use]
    pub fn has_no_cache(&self) -> bool {
        !self.has_seen_cache && self.reports_without >= REPORTS_OF_NO_CACHE
    }
}

#[cfg(test)]
#[path = "observation_tests.rs"]
mod tests;
