//! Reads numbers from a flat buffer one after the other.

use napi::{Error, Result, Status};

use crate::layouts::FlatForm;

#[allow(clippy::cast_precision_loss)] // counts of messages stay far below 2^53
pub fn float(count: usize) -> f64 {
    count as f64
}

pub fn malformed() -> Error {
    Error::new(Status::InvalidArg, "the face and the addon are of different versions: reinstall palimpsest")
}

pub fn whole(number: f64) -> Result<u32> {
    if !(0.0..=f64::from(u32::MAX)).contains(&number) {
        return Err(malformed());
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // checked above
    Ok(number as u32)
}

pub struct Cursor<'a> {
    pub rest: &'a [f64],
}

impl Cursor<'_> {
    pub fn read<L: FlatForm>(&mut self) -> Result<L> {
        let read = L::read(self.rest).ok_or_else(malformed)?;
        self.rest = self.rest.get(L::LENGTH..).unwrap_or_default();
        Ok(read)
    }

    pub fn number(&mut self) -> Result<f64> {
        let (&first, rest) = self.rest.split_first().ok_or_else(malformed)?;
        self.rest = rest;
        Ok(first)
    }

    pub fn count(&mut self) -> Result<usize> {
        Ok(whole(self.number()?)? as usize)
    }
}

/// Drops numbers that don't fit.
pub fn fill(outbox: &mut [f64], numbers: impl Iterator<Item = f64>) {
    for (slot, number) in outbox.iter_mut().zip(numbers) {
        *slot = number;
    }
}
