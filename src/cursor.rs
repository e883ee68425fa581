//! Reads the flat forms of `layouts.rs` and numbers between them, one after the other, from an array of numbers.

use napi::{Error, Result, Status};

use crate::layouts::FlatForm;

#[allow(clippy::cast_precision_loss)] // counts of messages stay far below 2^53
pub fn to_f64(count: usize) -> f64 {
    count as f64
}

/// The error for numbers that the JavaScript side of this version would not have written.
pub fn malformed() -> Error {
    Error::new(
        Status::InvalidArg,
        "the JavaScript files and the addon are of different versions: reinstall palimpsest",
    )
}

/// Checks the range and drops a fraction.
pub fn to_u32(number: f64) -> Result<u32> {
    if !(0.0..=f64::from(u32::MAX)).contains(&number) {
        return Err(malformed());
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // checked above
    Ok(number as u32)
}

pub struct Cursor<'a> {
    /// Numbers that are not yet read.
    pub rest: &'a [f64],
}

impl Cursor<'_> {
    pub fn read<L: FlatForm>(&mut self) -> Result<L> {
        let form = L::read(self.rest).ok_or_else(malformed)?;
        self.rest = self.rest.get(L::LENGTH..).unwrap_or_default();
        Ok(form)
    }

    pub fn number(&mut self) -> Result<f64> {
        let (&first, rest) = self.rest.split_first().ok_or_else(malformed)?;
        self.rest = rest;
        Ok(first)
    }

    pub fn count(&mut self) -> Result<usize> {
        Ok(to_u32(self.number()?)? as usize)
    }
}

/// Writes the numbers that fit, and drops the others.
pub fn fill(outbox: &mut [f64], numbers: impl Iterator<Item = f64>) {
    for (slot, number) in outbox.iter_mut().zip(numbers) {
        *slot = number;
    }
}
