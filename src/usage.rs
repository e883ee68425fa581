//! A provider's usage reports: their figures as the JavaScript side looks them up, and calibration, which learns from them
//! how many tokens the provider counts for an estimate.

use napi_derive::napi;
use palimpsest_core::provider::usage::{REPORT_FIELDS, Usage, field_names, prompt_tokens};
use palimpsest_core::tokens::calibration::{Calibration, Learning, LearntState, Sample, SampleConditions};
use palimpsest_core::tokens::fitted_line::FittedLine;
use palimpsest_core::tokens::models::EstimatedIn;

use crate::logging;
use crate::wire::to_u32;

/// The fields of a message that hold a report, and the names to look up in it: a dot before a nested one, `*` for the
/// sum of a list.
#[napi(object, object_from_js = false)]
pub struct UsageNames {
    pub reports: Vec<&'static str>,
    pub figures: Vec<&'static str>,
}

#[napi(catch_unwind)]
pub fn usage_names() -> UsageNames {
    UsageNames { reports: REPORT_FIELDS.to_vec(), figures: field_names().collect() }
}

/// True if a report contains the length of the prompt; otherwise nothing is learned from it.
#[napi(catch_unwind, ts_args_type = "figures: (number | null)[]")]
pub fn says_prompt_tokens(figures: Vec<Option<f64>>) -> bool {
    Usage::read(figure_in(&figures)).prompt_tokens().is_some()
}

/// Looks up the figures, which are in the order of `usageNames`.
pub fn figure_in(figures: &[Option<f64>]) -> impl Fn(&str) -> Option<f64> {
    |name| figures.get(field_names().position(|known| known == name)?).copied().flatten()
}

/// What was learned from one report.
#[napi(object)]
pub struct JsObservation {
    /// `learned`, `anchored` or `ignored`.
    pub outcome: String,
    pub reason: Option<String>,
    /// The tokens of the whole prompt, if the report includes them.
    pub prompt_tokens: Option<f64>,
}

/// The tokens that the provider is expected to count.
#[napi(object)]
pub struct JsPrediction {
    pub tokens: f64,
    pub margin: f64,
    pub settled: bool,
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
        let outcome =
            logging::collected("calibration", || self.calibration.observe(estimate, real, conditions));
        let (name, reason) = match outcome {
            Learning::Learned => ("learned", None),
            Learning::Anchored(reason) => ("anchored", Some(reason)),
            Learning::Ignored(reason) => ("ignored", Some(reason)),
        };
        let reason = reason.map(|reason| reason.name().to_owned());
        JsObservation { outcome: name.to_owned(), reason, prompt_tokens: real.ok() }
    }

    #[napi(catch_unwind)]
    pub fn predict(&self, estimate: f64, prefix_unchanged: bool) -> JsPrediction {
        let prediction = self.calibration.predict(estimate, prefix_unchanged);
        JsPrediction { tokens: prediction.tokens, margin: prediction.margin, settled: prediction.settled }
    }

    #[napi(catch_unwind)]
    pub fn state(&self) -> CalibrationState {
        let LearntState { line, samples, anchor } = self.calibration.state();
        let FittedLine { overhead, slope, covariance } = *line;
        let anchor =
            anchor.as_ref().map(|&Sample { estimate, real }| CalibrationAnchor { estimate, tokens: real });
        CalibrationState {
            overhead,
            slope,
            covariance: covariance.to_vec(),
            samples: f64::from(*samples),
            anchor,
        }
    }

    /// False if `state` is invalid.
    #[napi(catch_unwind)]
    pub fn restore(&mut self, state: CalibrationState) -> bool {
        let restored = read_state(state).and_then(|state| self.calibration.clone().restore(state));
        let Some(calibration) = restored else { return false };
        self.calibration = calibration;
        true
    }
}

fn read_state(given: CalibrationState) -> Option<LearntState> {
    let CalibrationState { overhead, slope, covariance, samples, anchor } = given;
    let samples = to_u32(samples).ok()?;
    let anchor = anchor.map(|CalibrationAnchor { estimate, tokens }| Sample { estimate, real: tokens });
    Some(LearntState {
        line: FittedLine { overhead, slope, covariance: covariance.try_into().ok()? },
        samples,
        anchor,
    })
}
