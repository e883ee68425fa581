//! Compact record ids: a session has tens of thousands of records, each with an id of 36 characters.

/// A `uuid` as a number; any other text is hashed.
pub(super) fn record_id(text: &str) -> u128 {
    let digits = text.bytes().filter(|byte| *byte != b'-');
    let mut value: u128 = text.len() as u128;
    for byte in digits {
        value = value.wrapping_mul(257).wrapping_add(u128::from(byte));
    }
    value
}
