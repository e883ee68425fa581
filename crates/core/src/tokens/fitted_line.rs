//! Fits `real = a + b·estimate` to a stream of samples: recursive least squares with forgetting.

/// An old sample has half its weight after some 350 newer ones.
const FORGETTING: f64 = 0.998;
/// Possible slopes: no known tokenizer differs from the estimate by more.
const SLOPES: std::ops::RangeInclusive<f64> = 0.6..=2.2;
/// A sample's standard deviation, as a share: estimates are off by content class, so in proportion to the total.
const NOISE_SHARE: f64 = 0.005;
/// Added to the standard deviation for a few wrapper tokens, which even a short prompt has.
const NOISE_TOKENS: f64 = 10.0;

/// The line and how certain it is. In names of variances and covariances, `a` is the overhead and `b` the slope.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FittedLine {
    /// a: tokens outside the estimated messages, such as a system prompt and tools.
    pub overhead: f64,
    /// b: real tokens per estimated token.
    pub slope: f64,
    /// Variance of `overhead`, covariance of both, variance of `slope`.
    pub covariance: [f64; 3],
}

/// Standard deviation of the sum of two independent errors. Not `hypot`: the C library's requires glibc 2.35.
pub fn sd_of_sum(a: f64, b: f64) -> f64 {
    a.mul_add(a, b * b).sqrt()
}

impl FittedLine {
    /// A line without overhead, from the standard deviations of both values.
    pub const fn prior(overhead_sd: f64, slope: f64, slope_sd: f64) -> Self {
        Self { overhead: 0.0, slope, covariance: [overhead_sd * overhead_sd, 0.0, slope_sd * slope_sd] }
    }

    pub fn at(&self, estimate: f64) -> f64 {
        self.slope.mul_add(estimate, self.overhead)
    }

    /// Standard deviation of the line's value for an estimate.
    pub fn sd_at(&self, estimate: f64) -> f64 {
        let [aa, ab, bb] = self.covariance;
        (bb * estimate).mul_add(estimate, (2.0 * ab).mul_add(estimate, aa)).max(0.0).sqrt()
    }

    pub fn slope_sd(&self) -> f64 {
        let [_, _, bb] = self.covariance;
        bb.max(0.0).sqrt()
    }

    /// Fits the line to one more sample. Neither variance exceeds that of `prior`: many equal samples must not make the line forget the rest.
    pub fn learn(&mut self, estimate: f64, real: f64, prior: &Self) {
        let [aa, ab, bb] = self.covariance.map(|variance| variance / FORGETTING);
        let noise = NOISE_SHARE.mul_add(real, NOISE_TOKENS);
        // Covariances of the error with both values, and its variance.
        let (error_a, error_b) = (ab.mul_add(estimate, aa), bb.mul_add(estimate, ab));
        let error_variance = error_b.mul_add(estimate, error_a) + noise * noise;
        let error = real - self.at(estimate);
        self.overhead += error_a / error_variance * error;
        self.slope += error_b / error_variance * error;
        let [prior_aa, _, prior_bb] = prior.covariance;
        let aa = (aa - error_a * error_a / error_variance).clamp(0.0, prior_aa);
        let bb = (bb - error_b * error_b / error_variance).clamp(0.0, prior_bb);
        let max_ab = (aa * bb).sqrt();
        self.covariance = [aa, (ab - error_a * error_b / error_variance).clamp(-max_ab, max_ab), bb];
        self.keep_possible();
    }

    /// Shifts the line after the overhead has changed by some `tokens`, known with this `variance`.
    pub fn shift(&mut self, tokens: f64, variance: f64) {
        self.overhead = (self.overhead + tokens).max(0.0);
        let [aa, ab, bb] = self.covariance;
        self.covariance = [aa + variance, ab, bb];
    }

    /// Clamps `a` and `b`, moving them together along the covariance, so that the line still fits its samples.
    fn keep_possible(&mut self) {
        let [aa, ab, bb] = self.covariance;
        let slope = self.slope.clamp(*SLOPES.start(), *SLOPES.end());
        if bb > 0.0 {
            self.overhead += (slope - self.slope) * ab / bb;
        }
        self.slope = slope;
        if self.overhead < 0.0 {
            if aa > 0.0 {
                let moved = self.slope - self.overhead * ab / aa;
                self.slope = moved.clamp(*SLOPES.start(), *SLOPES.end());
            }
            self.overhead = 0.0;
        }
    }

    /// True if `self` may come from [`FittedLine::learn`]; a stored line may hold anything.
    pub fn is_possible(&self) -> bool {
        let [aa, ab, bb] = self.covariance;
        let finite = [self.overhead, self.slope, aa, ab, bb].iter().all(|value| value.is_finite());
        // Allows slightly more than the rounding in `learn`.
        let valid_covariance = aa >= 0.0 && bb >= 0.0 && ab * ab <= (aa * bb).mul_add(1.000_001, 1e-9);
        finite && self.overhead >= 0.0 && SLOPES.contains(&self.slope) && valid_covariance
    }
}
