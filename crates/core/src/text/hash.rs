//! Computes 64-bit hashes that are the same on every machine.

use std::hash::{BuildHasherDefault, Hasher};

pub(crate) const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

/// The FNV-1a hash of bytes or other units: fast for short texts, not safe against attacks.
pub(crate) fn fnv1a(units: impl Iterator<Item = impl Into<u64>>) -> u64 {
    units.fold(FNV_START, |hash, unit| fnv1a_step(hash, unit.into()))
}

/// Continues the hash of [`fnv1a`] with one more unit; [`FNV_START`] is the hash of no units.
pub(crate) const fn fnv1a_step(hash: u64, unit: u64) -> u64 {
    (hash ^ unit).wrapping_mul(0x0100_0000_01b3)
}

/// A message's fingerprint. With it a process recognises messages that another process has seen, since an exported view
/// contains no messages. Not cryptographic: an attacker who writes messages can make two that collide. O(units).
pub fn fingerprint(text: &[u16]) -> f64 {
    (fnv1a(text.iter().copied()) >> 11) as f64
}

/// A hash in which each bit depends on all bits of `hash`, differently for each `seed`.
pub(crate) const fn spread(hash: u64, seed: u64) -> u64 {
    let mut mixed = hash ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Hasher for keys that are already hashes (`u64`) or numbers (`u32`).
#[derive(Default)]
pub(crate) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = fnv1a(bytes.iter().copied());
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }

    fn write_u32(&mut self, key: u32) {
        self.0 = spread(u64::from(key), 0);
    }
}

pub(crate) type BuildKeyHasher = BuildHasherDefault<KeyHasher>;
