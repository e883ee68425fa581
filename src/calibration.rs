//! Token calibration: one provider and model.

use napi::bindgen_prelude::Float64Array;
use napi_derive::napi;
use palimpsest_core::provider::usage::prompt_tokens;
use palimpsest_core::tokens::calibration::{Calibration, Circumstances, Learning, Sample, State};
use palimpsest_core::tokens::line::Line;
use palimpsest_core::tokens::priors::EstimatedIn;

use crate::logging;
use crate::usage::figure_in;

/// What a report of usage was good for.
#[napi(object)]
pub struct JsObservation {
    /// `learned`, `anchored` or `ignored`.
    pub outcome: String,
    /// Why it wasn't learned from.
    pub reason: Option<String>,
    /// What it says of the whole prompt, if anything.
    pub prompt_tokens: Option<f64>,
}

/// How many tokens a prompt is expected to take.
#[napi(object)]
pub struct JsPrediction {
    pub tokens: f64,
    pub margin: f64,
    pub settled: bool,
}

/// What was learnt of one provider and model.
#[napi(js_name = "Calibration")]
pub struct JsCalibration {
    calibration: Calibration,
}

#[napi]
impl JsCalibration {
    /// `window`: the most tokens that a prompt can have, or infinity.
    #[napi(constructor, catch_unwind)]
    pub fn new(model: String, in_o200k: bool, window: f64) -> Self {
        let estimated_in = if in_o200k { EstimatedIn::O200k } else { EstimatedIn::Model };
        Self { calibration: Calibration::new(&model, estimated_in, window) }
    }

    /// `figures`: what stands in the report under each of `usageNames`, null for nothing.
    #[napi(
        catch_unwind,
        ts_args_type = "figures: (number | null)[], estimate: number, prefixUnchanged: boolean, mediaShare: number"
    )]
    pub fn observe(
        &mut self,
        figures: Vec<Option<f64>>,
        estimate: f64,
        prefix_unchanged: bool,
        media_share: f64,
    ) -> JsObservation {
        let real = prompt_tokens(figure_in(&figures));
        let circumstances = Circumstances { prefix_unchanged, media_share };
        let outcome =
            logging::collected("calibration", || self.calibration.observe(estimate, real, circumstances));
        let (name, reason) = match outcome {
            Learning::Learned => ("learned", None),
            Learning::Anchored(reason) => ("anchored", Some(reason)),
            Learning::Ignored(reason) => ("ignored", Some(reason)),
        };
        let reason = reason.map(|reason| reason.name().to_owned());
        JsObservation { outcome: name.to_owned(), reason, prompt_tokens: real.ok() }
    }

    /// The size of a prompt that was estimated at `estimate` tokens.
    #[napi(catch_unwind)]
    pub fn predict(&self, estimate: f64, prefix_unchanged: bool) -> JsPrediction {
        let prediction = self.calibration.predict(estimate, prefix_unchanged);
        JsPrediction { tokens: prediction.tokens, margin: prediction.margin, settled: prediction.settled }
    }

    /// `overhead, slope, their variances and covariance, samples`, then, if there is an anchor, its `estimate, tokens`.
    #[napi(catch_unwind)]
    pub fn numbers(&self) -> Vec<f64> {
        let State { line, samples, anchor } = self.calibration.state();
        let [aa, ab, bb] = line.covariance;
        let mut numbers = vec![line.overhead, line.slope, aa, ab, bb, f64::from(*samples)];
        numbers.extend(anchor.iter().flat_map(|anchor| [anchor.estimate, anchor.real]));
        numbers
    }

    /// Goes on from what `numbers` gave; false when these can't be such numbers.
    #[napi(catch_unwind)]
    pub fn restore(&mut self, numbers: Float64Array) -> bool {
        let Some(state) = read_state(&numbers) else { return false };
        let restored = self.calibration.clone().restore(state);
        let valid = restored.is_some();
        if let Some(calibration) = restored {
            self.calibration = calibration;
        }
        valid
    }
}

fn read_state(numbers: &[f64]) -> Option<State> {
    let (&[overhead, slope, aa, ab, bb, samples], anchor) = numbers.split_first_chunk()?;
    if !(0.0..=f64::from(u32::MAX)).contains(&samples) {
        return None;
    }
    let anchor = match anchor {
        [] => None,
        &[estimate, real] => Some(Sample { estimate, real }),
        _ => return None,
    };
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // checked above
    let samples = samples as u32;
    Some(State { line: Line { overhead, slope, covariance: [aa, ab, bb] }, samples, anchor })
}
