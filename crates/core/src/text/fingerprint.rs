//! Computes message fingerprints, with which a process recognises messages that another process has seen: an exported view contains none.

const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0100_0000_01b3;

/// A number for `text` that fits into a double without loss: texts with different numbers are different. Not cryptographic:
/// an attacker who writes messages can make two that collide. O(units).
#[must_use]
#[allow(clippy::cast_precision_loss)] // 53 bits
pub fn fingerprint(text: &[u16]) -> f64 {
    (fnv1a(text.iter().copied()) >> 11) as f64
}

/// FNV-1a over bytes or other units: names only have to differ, not resist attacks.
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
