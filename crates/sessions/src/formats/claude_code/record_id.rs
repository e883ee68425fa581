//! Records by number: a session has tens of thousands of them, each named by 36 letters.

/// A `uuid` as a number; any other text is folded into one.
pub(super) fn record_id(text: &str) -> u128 {
    let digits = text.bytes().filter(|byte| *byte != b'-');
    let mut value: u128 = text.len() as u128;
    for byte in digits {
        value = value.wrapping_mul(257).wrapping_add(u128::from(byte));
    }
    value
}
