//! Keeps the results that may be replaced and aren't yet, and since when each is outdated.

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pending {
    pub position: usize,
    pub tokens_after: f64,
    pub since_request: f64,
    /// The result isn't outdated yet: it goes only with what stands ahead of it, or where the prompt is written anew anyway.
    pub rides: bool,
}

/// Sorted by position. Adding the last one costs O(1).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PendingResults {
    entries: Vec<Pending>,
}

impl PendingResults {
    #[must_use]
    pub fn entries(&self) -> &[Pending] {
        &self.entries
    }

    #[must_use]
    pub fn contains(&self, position: usize) -> bool {
        self.entries.binary_search_by_key(&position, |entry| entry.position).is_ok()
    }

    /// Riding results don't count.
    #[must_use]
    pub fn has_outdated(&self) -> bool {
        self.entries.iter().any(|entry| !entry.rides)
    }

    /// A result that is already pending keeps its age, counted from when it became outdated.
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

    /// Restores a result that was pending before it was replaced, in place of one that has become pending since.
    pub fn put_back(&mut self, entry: Pending) {
        self.remove(entry.position);
        self.insert(entry);
    }

    pub fn remove(&mut self, position: usize) {
        if let Ok(found) = self.entries.binary_search_by_key(&position, |entry| entry.position) {
            self.entries.remove(found);
        }
    }

    /// Forgets results that became outdated after so many requests.
    pub fn forget_since(&mut self, requests: f64) {
        self.entries.retain(|entry| entry.since_request < requests);
    }

    /// Takes out what lies at `position` and behind it.
    pub fn take_from(&mut self, position: usize) -> Vec<Pending> {
        self.entries.split_off(self.entries.partition_point(|entry| entry.position < position))
    }
}
