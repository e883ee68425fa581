//! Numbers in a flat buffer, read one after the other.

use napi::{Error, Result, Status};

#[allow(clippy::cast_precision_loss)] // counts of messages stay far below 2^53
pub fn float(count: usize) -> f64 {
    count as f64
}

pub fn malformed() -> Error {
    Error::new(Status::InvalidArg, "the face and the addon are of different versions: reinstall palimpsest")
}

pub struct Cursor<'a> {
    pub rest: &'a [f64],
}

impl Cursor<'_> {
    pub fn number(&mut self) -> Result<f64> {
        let (&first, rest) = self.rest.split_first().ok_or_else(malformed)?;
        self.rest = rest;
        Ok(first)
    }

    pub fn count(&mut self) -> Result<usize> {
        let number = self.number()?;
        if !(0.0..=f64::from(u32::MAX)).contains(&number) {
            return Err(malformed());
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // checked above
        Ok(number as usize)
    }
}
