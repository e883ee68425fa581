//! What an ungrouped rule has decided for good: with time, and with newer results, an outdated result only gets
//! more so. Lets a request of a long session cost what is new in it.

/// The decided part of a rule's candidates.
#[derive(Debug, Default)]
pub struct Settled {
    /// As of this generation of the conversation; `None` before the first decision.
    pub generation: Option<u64>,
    /// As of this time.
    pub now_ms: f64,
    /// So many of the oldest candidates are decided.
    pub candidates: usize,
    /// Those of them that are replaced.
    pub rows: Vec<u32>,
}

impl Settled {
    /// Nothing, unless it was decided in the same generation (a known one) and no later than `now_ms`.
    #[must_use]
    pub fn if_still_true(self, generation: Option<u64>, now_ms: f64) -> Self {
        let is_true = generation.is_some() && self.generation == generation && now_ms >= self.now_ms;
        if is_true { self } else { Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decided() -> Settled {
        Settled { generation: Some(3), now_ms: 10.0, candidates: 2, rows: vec![7] }
    }

    #[test]
    fn holds_while_only_time_passes() {
        assert_eq!(decided().if_still_true(Some(3), 10.0).rows, [7]);
        assert_eq!(decided().if_still_true(Some(3), 1e9).candidates, 2);
    }

    #[test]
    fn is_forgotten_when_anything_else_changes_or_time_runs_back() {
        for (generation, now_ms) in [(Some(4), 10.0), (None, 10.0), (Some(3), 9.0), (Some(3), f64::NAN)] {
            assert_eq!(decided().if_still_true(generation, now_ms).candidates, 0, "{generation:?} {now_ms}");
        }
    }
}
