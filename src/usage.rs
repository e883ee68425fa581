//! A provider's usage reports: their figures as the JavaScript side looks them up, and calibration, which learns from them
//! how many tokens the provider counts for an estimate.

use napi_derive::napi;
use palimpsest_core::provider::usage::{Usage, field_names, prompt_tokens};
use palimpsest_core::tokens::calibration::{Calibration, Learning, LearntState, Prediction, Sample, SampleConditions};
use palimpsest_core::tokens::fitted_line::FittedLine;
use palimpsest_core::tokens::models::EstimatedIn;

use crate::logging;
use crate::wire::to_u32;

/// True if a report contains the length of the prompt; otherwise nothing is learned from it.
#[napi(catch_unwind, ts_args_type = "figures: (number | null)[]")]
pub fn says_prompt_tokens(figures: Vec<Option<f64>>) -> bool {
    Usage::read(figure_in(&figures)).prompt_tokens().is_some()
}

/// Looks up the figures, which are in the order of `usageNames`.
pub fn figure_in(figures: &[Option<f64>]) -> impl Fn(&str) -> Option<f64> {
    |name| figures.get(field_names().position(|known| known == name)?).copied().flatten()
}

to_js! {
    #[doc = "What was learned from one report."]
    JsObservation from (learning, prompt_tokens): (Learning, Option<f64>) {
        #[doc = "`learned`, `anchored` or `ignored`."]
        outcome: &'static str = match learning {
            Learning::Learned => "learned",
            Learning::Anchored(_) => "anchored",
            Learning::Ignored(_) => "ignored",
        },
        reason: Option<&'static str> = match learning {
            Learning::Learned => None,
            Learning::Anchored(reason) | Learning::Ignored(reason) => Some(reason.name()),
        },
        #[doc = "The tokens of the whole prompt, if the report includes them."]
        prompt_tokens: Option<f64> = prompt_tokens,
    }

    #[doc = "The tokens that the provider is expected to count."]
    JsPrediction from prediction: Prediction {
        tokens: f64 = prediction.tokens,
        margin: f64 = prediction.margin,
        settled: bool = prediction.settled,
    }
}

/// What a calibration has learned, to save and restore it.
#[napi(object)]
pub struct CalibrationState {
    pub overhead: f64,
    pub slope: f64,
    /// Two variances and the covariance between them.
    pub covariance: Vec<f64>,
    pub samples: f64,
    pub anchor: Option<CalibrationAnchor>,
}

#[napi(object)]
pub struct CalibrationAnchor {
    pub estimate: f64,
    pub tokens: f64,
}

/// What usage reports have taught about a model's token counts.
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

    /// `figures`: for each of `usageNames`, the report's figure or null.
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
        let conditions = SampleConditions { prefix_unchanged, media_share };
        let outcome = logging::collected("calibration", || self.calibration.observe(estimate, real, conditions));
        (outcome, real.ok()).into()
    }

    #[napi(catch_unwind)]
    pub fn predict(&self, estimate: f64, prefix_unchanged: bool) -> JsPrediction {
        self.calibration.predict(estimate, prefix_unchanged).into()
    }

    #[napi(catch_unwind)]
    pub fn state(&self) -> CalibrationState {
        let LearntState { line, samples, anchor } = self.calibration.state();
        let FittedLine { overhead, slope, covariance } = *line;
        let anchor = anchor.as_ref().map(|&Sample { estimate, real }| CalibrationAnchor { estimate, tokens: real });
        let (covariance, samples) = (covariance.to_vec(), f64::from(*samples));
        CalibrationState { overhead, slope, covariance, samples, anchor }
    }

    /// False if `state` is invalid.
    #[napi(catch_unwind)]
    pub fn restore(&mut self, state: CalibrationState) -> bool {
        let restored = read_state(state).and_then(|state| self.calibration.clone().restore(state));
        restored.map(|calibration| self.calibration = calibration).is_some()
    }
}

fn read_state(given: CalibrationState) -> Option<LearntState> {
    let CalibrationState { overhead, slope, covariance, samples, anchor } = given;
    let anchor = anchor.map(|CalibrationAnchor { estimate, tokens }| Sample { estimate, real: tokens });
    let line = FittedLine { overhead, slope, covariance: covariance.try_into().ok()? };
    Some(LearntState { line, samples: to_u32(samples).ok()?, anchor })
}
