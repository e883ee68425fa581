//! Rounds numbers for JSON.

use serde::{Serialize, Serializer};

#[allow(clippy::trivially_copy_pass_by_ref)] // serde calls it so
pub(super) fn is_nothing(tokens: &f64) -> bool {
    *tokens <= 0.0
}

/// Rounds to a hundredth of a token; more digits would make up a third of the JSON.
pub(super) fn hundredth(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde calls it so
pub(super) fn rounded<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(hundredth(*value))
}

#[allow(clippy::ref_option)] // serde calls it so
pub(super) fn rounded_option<S: Serializer>(value: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    value.map(hundredth).serialize(serializer)
}

pub(super) fn all_rounded<S: Serializer>(values: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(values.iter().map(|value| hundredth(*value)))
}
