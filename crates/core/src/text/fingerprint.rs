//! Tells a message that another process has seen from one that it hasn't: an exported view holds no message.

const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0100_0000_01b3;

/// A number for `text` that fits into a double without loss: texts with different numbers are different. Not a secret:
/// who can write messages can make two that agree. O(units).
#[must_use]
#[allow(clippy::cast_precision_loss)] // 53 bits
pub fn fingerprint(text: &[u16]) -> f64 {
    (fnv1a(text.iter().copied()) >> 11) as f64
}

/// FNV-1a over bytes or other units: names need not resist attacks, only differ.
pub(crate) fn fnv1a(units: impl Iterator<Item = impl Into<u64>>) -> u64 {
    units.fold(OFFSET, |hash, unit| (hash ^ unit.into()).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::utf16::units;

    #[test]
    #[allow(clippy::float_cmp)] // whole numbers
    fn differs_with_every_unit_and_its_place() {
        let texts = ["", "a", "b", "ab", "ba", "aa"].map(units);
        for (index, text) in texts.iter().enumerate() {
            assert_eq!(fingerprint(text), fingerprint(text));
            for other in texts.iter().skip(index + 1) {
                assert_ne!(fingerprint(text), fingerprint(other));
            }
        }
    }
}
