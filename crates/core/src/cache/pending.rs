//! Results that may be replaced, and since when each is outdated.

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pending {
    pub position: usize,
    pub tokens_after: f64,
    pub since_request: f64,
    /// The result isn't outdated: it goes only behind another, or where the prompt is written anew anyway.
    pub rides: bool,
}

/// Sorted by position. Adding the last one costs O(1).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PendingResults {
    entries: Vec<Pending>,
}

impl PendingResults {
    pub fn entries(&self) -> &[Pending] {
        &self.entries
    }

    pub fn contains(&self, position: usize) -> bool {
        self.entries.binary_search_by_key(&position, |entry| entry.position).is_ok()
    }

    /// Whether any result is more than riding.
    pub fn has_outdated(&self) -> bool {
        self.entries.iter().any(|entry| !entry.rides)
    }

    /// A pending result keeps the age that it has.
    pub fn insert(&mut self, entry: Pending) {
        match self.entries.binary_search_by_key(&entry.position, |other| other.position) {
            Ok(found) => {
                if let Some(known) = self.entries.get_mut(found) {
                    let is_same = known.rides == entry.rides;
                    let since_request = if is_same { known.since_request } else { entry.since_request };
                    *known = Pending { since_request, ..entry };
                }
            }
            Err(place) => self.entries.insert(place, entry),
        }
    }

    /// Restores a result that was pending before its replacement.
    pub fn put_back(&mut self, entry: Pending) {
        self.remove(entry.position);
        self.insert(entry);
    }

    pub fn remove(&mut self, position: usize) {
        if let Ok(found) = self.entries.binary_search_by_key(&position, |entry| entry.position) {
            self.entries.remove(found);
        }
    }

    /// Forgets results that became outdated after request number `requests`.
    pub fn forget_since(&mut self, requests: f64) {
        self.entries.retain(|entry| entry.since_request < requests);
    }

    /// Removes what lies at or behind `position`.
    pub fn take_from(&mut self, position: usize) -> Vec<Pending> {
        self.entries.split_off(self.entries.partition_point(|entry| entry.position < position))
    }
}
