//! Computes 64-bit hashes that are the same on every machine.

use std::hash::{BuildHasherDefault, Hasher};

const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// FNV-1a: texts are short and arrive byte by byte.
#[derive(Clone, Copy)]
pub(crate) struct Fnv(u64);

impl Fnv {
    pub const fn new() -> Self {
        Self(OFFSET)
    }

    pub const fn add(&mut self, byte: u8) {
        self.0 = (self.0 ^ byte as u64).wrapping_mul(PRIME);
    }

    pub fn of_units(text: &[u16]) -> u64 {
        text.iter().fold(OFFSET, |hash, &unit| (hash ^ u64::from(unit)).wrapping_mul(PRIME))
    }

    pub fn of(bytes: &[u8]) -> u64 {
        let mut hash = Self::new();
        for &byte in bytes {
            hash.add(byte);
        }
        hash.0
    }

    pub const fn value(self) -> u64 {
        self.0
    }
}

/// Mixes all bits of a hash, differently for each `seed`.
pub(crate) const fn spread(hash: u64, seed: u64) -> u64 {
    let mut mixed = hash ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Hasher for keys that are already hashes.
#[derive(Default)]
pub(crate) struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = Fnv::of(bytes);
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }

    fn write_u32(&mut self, key: u32) {
        self.0 = spread(u64::from(key), 0);
    }
}

pub(crate) type Spread = BuildHasherDefault<AsIs>;
