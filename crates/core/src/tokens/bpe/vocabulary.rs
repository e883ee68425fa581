//! Stores a vocabulary and finds tokens by their bytes.

/// Maximum length of a token whose bytes and length fit into a `u64`.
const SHORT: usize = 7;
/// Maximum length of a token whose bytes and length fit into a `u128`.
const MEDIUM: usize = 15;
const NONE: u32 = u32::MAX;

#[derive(Debug, Clone, Copy)]
struct Slot<K> {
    key: K,
    rank: u32,
}

/// The tokens of an encoding with their ranks. Takes about 45 bytes of memory per token.
#[derive(Debug)]
pub struct TokenVocabulary {
    /// Ranks of the tokens of two bytes, by [`pair_index`].
    pairs: Vec<u32>,
    known: KnownHashes,
    short: Vec<Slot<u64>>,
    medium: Vec<Slot<u128>>,
    /// Longer tokens by hash; their bytes are in `bytes`, delimited by `ends`.
    long: Vec<Slot<u64>>,
    /// For each rank, the end of its token in `bytes`.
    ends: Vec<u32>,
    bytes: &'static [u8],
}

impl TokenVocabulary {
    /// Reads the format that `build.rs` writes, in some 10 ms for 200,000 tokens.
    pub fn read(laid_out: &'static [u8]) -> Self {
        let (count, rest) = laid_out.split_first_chunk::<4>().unwrap_or((&[0; 4], &[]));
        let (lengths, bytes) = rest.split_at_checked(u32::from_le_bytes(*count) as usize).unwrap_or_default();
        let of_length = |from: usize, to: usize| {
            lengths.iter().filter(|&&length| (from..=to).contains(&usize::from(length))).count()
        };
        let mut vocabulary = Self {
            pairs: vec![NONE; 1 << 16],
            known: KnownHashes(vec![0; 1 << (KnownHashes::BITS - 6)]),
            short: empty(of_length(1, SHORT), 0),
            medium: empty(of_length(SHORT + 1, MEDIUM), 0),
            long: empty(of_length(MEDIUM + 1, usize::from(u8::MAX)), 0),
            ends: Vec::with_capacity(lengths.len()),
            bytes,
        };
        let mut end = 0;
        for (rank, &length) in (0..).zip(lengths) {
            let start = end;
            end += u32::from(length);
            vocabulary.ends.push(end);
            if let Some(token) = bytes.get(start as usize..end as usize) {
                vocabulary.insert(token, rank);
            }
        }
        vocabulary
    }

    fn insert(&mut self, token: &[u8], rank: u32) {
        if let &[first, second] = token
            && let Some(slot) = self.pairs.get_mut(pair_index(first, second))
        {
            *slot = rank;
        }
        match token.len() {
            0..=SHORT => {
                self.known.add(short_hash(short_key(token)));
                insert(&mut self.short, short_key(token), rank, short_hash);
            }
            8..=MEDIUM => {
                self.known.add(medium_hash(medium_key(token)));
                insert(&mut self.medium, medium_key(token), rank, medium_hash);
            }
            _ => insert(&mut self.long, long_key(token), rank, short_hash),
        }
    }

    #[inline]
    pub fn rank(&self, bytes: &[u8]) -> Option<u32> {
        match bytes.len() {
            0..=SHORT => {
                let key = short_key(bytes);
                let hash = short_hash(key);
                if self.known.has(hash) { find(&self.short, key, hash, |_| true) } else { None }
            }
            8..=MEDIUM => {
                let key = medium_key(bytes);
                let hash = medium_hash(key);
                if self.known.has(hash) { find(&self.medium, key, hash, |_| true) } else { None }
            }
            _ => self.long_rank(bytes),
        }
    }

    fn long_rank(&self, bytes: &[u8]) -> Option<u32> {
        if bytes.len() > usize::from(u8::MAX) {
            return None;
        }
        let key = long_key(bytes);
        find(&self.long, key, short_hash(key), |rank| self.token(rank) == bytes)
    }

    /// The same for two bytes, faster.
    #[inline]
    pub fn pair_rank(&self, first: u8, second: u8) -> Option<u32> {
        self.pairs.get(pair_index(first, second)).copied().filter(|&rank| rank != NONE)
    }

    fn token(&self, rank: u32) -> &[u8] {
        let end = |rank: usize| self.ends.get(rank).map_or(0, |&end| end as usize);
        let rank = rank as usize;
        let start = rank.checked_sub(1).map_or(0, end);
        self.bytes.get(start..end(rank)).unwrap_or_default()
    }
}

/// A bit set of the tokens' hashes, 256 kB: most lookups find nothing, and the tables take megabytes.
#[derive(Debug)]
struct KnownHashes(Vec<u64>);

impl KnownHashes {
    const BITS: u32 = 21;

    fn add(&mut self, hash: u64) {
        let (word, bit) = Self::place(hash);
        if let Some(word) = self.0.get_mut(word) {
            *word |= bit;
        }
    }

    #[inline]
    fn has(&self, hash: u64) -> bool {
        let (word, bit) = Self::place(hash);
        self.0.get(word).is_some_and(|word| word & bit != 0)
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation)] // 21 bits
    fn place(hash: u64) -> (usize, u64) {
        let bit = hash >> (64 - Self::BITS);
        ((bit >> 6) as usize, 1 << (bit & 63))
    }
}

fn pair_index(first: u8, second: u8) -> usize {
    usize::from(first) << 8 | usize::from(second)
}

fn empty<K: Copy>(entries: usize, key: K) -> Vec<Slot<K>> {
    // Most lookups find nothing; in a table at most half full they end after one or two slots.
    vec![Slot { key, rank: NONE }; (entries * 2).max(2).next_power_of_two()]
}

/// Adds to a hash table with linear probing. `hash` spreads a key over 64 bits; the upper ones are best.
fn insert<K: Copy>(table: &mut [Slot<K>], key: K, rank: u32, hash: fn(K) -> u64) {
    let mask = table.len() - 1;
    let mut at = first_slot(hash(key), table.len());
    while let Some(slot) = table.get_mut(at) {
        if slot.rank == NONE {
            *slot = Slot { key, rank };
            return;
        }
        at = (at + 1) & mask;
    }
}

#[inline]
fn find<K: Copy + PartialEq>(table: &[Slot<K>], key: K, hash: u64, confirm: impl Fn(u32) -> bool) -> Option<u32> {
    let mask = table.len() - 1;
    let mut at = first_slot(hash, table.len());
    while let Some(slot) = table.get(at) {
        if slot.rank == NONE {
            return None;
        }
        if slot.key == key && confirm(slot.rank) {
            return Some(slot.rank);
        }
        at = (at + 1) & mask;
    }
    None
}

#[inline]
#[allow(clippy::cast_possible_truncation)] // a slot's number
fn first_slot(hash: u64, slots: usize) -> usize {
    // `slots` is a power of two of at least 2, so the shift is below 64.
    (hash >> (64 - slots.trailing_zeros())) as usize
}

/// An odd constant with well-mixed bits (the golden ratio's).
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

#[inline]
const fn short_hash(key: u64) -> u64 {
    (key ^ key >> 29).wrapping_mul(SPREAD)
}

#[inline]
#[allow(clippy::cast_possible_truncation)] // both halves are used
pub(super) fn medium_hash(key: u128) -> u64 {
    short_hash(key as u64 ^ ((key >> 64) as u64).wrapping_mul(SPREAD).rotate_left(23))
}

/// At most seven bytes and their number: tokens may contain NUL.
#[inline]
fn short_key(bytes: &[u8]) -> u64 {
    let length = bytes.len();
    let packed = match (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        (Some(head), Some(tail)) => {
            // The two reads overlap, with the same bits where they do.
            u64::from(u32::from_le_bytes(*head)) | u64::from(u32::from_le_bytes(*tail)) << (8 * (length - 4))
        }
        _ => bytes.iter().rev().fold(0, |packed, &byte| packed << 8 | u64::from(byte)),
    };
    packed | (length as u64) << 56
}

/// Eight to fifteen bytes and their number.
#[inline]
fn medium_key(bytes: &[u8]) -> u128 {
    let length = bytes.len();
    let (Some(head), Some(tail)) = (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) else { return 0 };
    let tail = u128::from(u64::from_le_bytes(*tail)) << (8 * (length - 8));
    u128::from(u64::from_le_bytes(*head)) | tail | (length as u128) << 120
}

/// At most fifteen bytes, and their number in the bits from 120 on.
#[inline]
pub(super) fn packed(bytes: &[u8]) -> u128 {
    if bytes.len() > SHORT {
        return medium_key(bytes);
    }
    let key = short_key(bytes);
    u128::from(key & ((1 << 56) - 1)) | u128::from(key >> 56) << 120
}

fn long_key(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let tail = bytes.last_chunk::<8>().filter(|_| !rest.is_empty());
    words
        .iter()
        .chain(tail)
        .fold(bytes.len() as u64, |hash, word| (hash.rotate_left(5) ^ u64::from_le_bytes(*word)).wrapping_mul(SPREAD))
}

#[cfg(test)]
mod tests;
