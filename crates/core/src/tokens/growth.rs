//! Records the real tokens of each stretch of a growing conversation.
//! A compression keeps the newest messages, and their tokens are known: the last real figure minus the figure from
//! before they were added. A fitted line knows only the average of all text so far.

/// Tokens of one prompt: our estimate, and the provider's figure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    pub estimate: f64,
    pub real: f64,
}

/// At this number, every other point is dropped; values between points are interpolated.
const MAX_POINTS: usize = 128;

/// Trusted figures since the conversation last became smaller, sorted by estimate.
#[derive(Debug, Clone, Default)]
pub struct Growth {
    points: Vec<Sample>,
}

impl Growth {
    /// Adds a figure. A prompt smaller than the last starts over: messages were dropped.
    pub fn push(&mut self, sample: Sample) {
        if self.points.last().is_some_and(|last| sample.estimate < last.estimate) {
            self.points.clear();
        }
        if self.points.len() == MAX_POINTS {
            self.points = self.points.iter().copied().step_by(2).collect();
        }
        self.points.push(sample);
    }

    /// Adds newly appeared overhead to all figures.
    pub fn shift(&mut self, tokens: f64) {
        self.points.iter_mut().for_each(|point| point.real += tokens);
    }

    /// The real tokens of a prompt that has only the newest messages, of this `estimate`; `None` if unknown.
    pub fn newest(&self, estimate: f64, overhead: f64) -> Option<f64> {
        let last = self.points.last()?;
        let dropped_estimate = last.estimate - estimate;
        if dropped_estimate < 0.0 {
            return None;
        }
        let next_index = self.points.partition_point(|point| point.estimate <= dropped_estimate);
        let origin = Sample { estimate: 0.0, real: overhead };
        let before = next_index.checked_sub(1).and_then(|index| self.points.get(index)).unwrap_or(&origin);
        let next = self.points.get(next_index).unwrap_or(last);
        let stretch = next.estimate - before.estimate;
        let share = if stretch > 0.0 { (dropped_estimate - before.estimate) / stretch } else { 0.0 };
        let dropped_real = share.mul_add(next.real - before.real, before.real);
        // A provider's figures may become smaller although the conversation grows.
        Some((last.real - dropped_real).max(0.0) + overhead)
    }
}

#[cfg(test)]
mod tests;
