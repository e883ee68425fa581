//! Decides which names several projects use. A message that repeats such a name need not have read it in a result.

use std::collections::{HashMap, HashSet};

use crate::text::hash::{BuildKeyHasher, fnv1a};

/// This many projects make a name common.
const PROJECTS: usize = 3;
/// Bits of a short key: a vocabulary has at most 2²⁵ entries (some 400 MB). If two names share a short key, one may count as common by
/// mistake: with ten million names 4 in 100, with one million 1 in 2,000.
const KEY_BITS: u32 = 25;
/// Replaces the numbers of the projects that use a common name.
const COMMON: [u16; PROJECTS - 1] = [u16::MAX; PROJECTS - 1];

/// The short keys of a session's names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NameSet(HashSet<u32, BuildKeyHasher>);

impl NameSet {
    pub(super) fn add(&mut self, key: u64) {
        self.0.insert(short_key(key));
    }
}

/// The projects that use each name, up to `PROJECTS`.
#[derive(Debug, Clone, Default)]
pub struct Vocabulary {
    /// By short key: the numbers of the first two projects, 0 for none; `COMMON` for more.
    projects: HashMap<u32, [u16; PROJECTS - 1], BuildKeyHasher>,
}

impl Vocabulary {
    /// The result does not depend on the order of sessions.
    pub fn add(&mut self, project: &str, names: &NameSet) {
        let number = number_of(project);
        for &name in &names.0 {
            let known = self.projects.entry(name).or_default();
            *known = match *known {
                [0, _] => [number, 0],
                [first, 0] => [first, if first == number { 0 } else { number }],
                [first, second] if first == number || second == number => *known,
                _ => COMMON,
            };
        }
    }

    pub fn is_common(&self, key: u64) -> bool {
        self.projects.get(&short_key(key)) == Some(&COMMON)
    }
}

#[allow(clippy::cast_possible_truncation)] // masked
const fn short_key(key: u64) -> u32 {
    (key & ((1 << KEY_BITS) - 1)) as u32
}

/// A project's number, from 1 to `u16::MAX` − 1; among 65,000 projects two share a number and count as one.
#[allow(clippy::cast_possible_truncation)] // the remainder is small
fn number_of(project: &str) -> u16 {
    (fnv1a(project.bytes()) % u64::from(u16::MAX - 1)) as u16 + 1
}
