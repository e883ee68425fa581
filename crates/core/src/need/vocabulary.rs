//! Decides which names several projects use; such names are no evidence.

use std::collections::{HashMap, HashSet};

use crate::text::hash::{BuildKeyHasher, fnv1a};

/// This many projects make a name common.
const PROJECTS: usize = 3;
/// Bits of a name's key: a vocabulary has at most 2²⁵ entries (some 400 MB). If two names share a key, one may count as common by mistake:
/// with ten million names 4 in 100, with one million 1 in 2,000.
const KEY_BITS: u32 = 25;

/// A session's names, without repetition.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NameSet(HashSet<u32, BuildKeyHasher>);

impl NameSet {
    pub(super) fn add(&mut self, key: u64) {
        self.0.insert(short(key));
    }
}

/// For each name, the projects that use it, up to `PROJECTS`.
#[derive(Debug, Clone, Default)]
pub struct Vocabulary {
    /// Two projects as numbers above 0; `u16::MAX` twice for more.
    projects: HashMap<u32, [u16; PROJECTS - 1], BuildKeyHasher>,
}

impl Vocabulary {
    /// The result does not depend on the order of sessions.
    pub fn add(&mut self, project: &str, names: &NameSet) {
        let number = number_of(project);
        for &name in &names.0 {
            let known = self.projects.entry(name).or_default();
            match known {
                [0, _] => *known = [number, 0],
                [first, 0] if *first != number => {
                    let (low, high) = ((*first).min(number), (*first).max(number));
                    *known = [low, high];
                }
                [first, second] if *second != 0 && number != *first && number != *second => {
                    *known = [u16::MAX, u16::MAX];
                }
                _ => {}
            }
        }
    }

    /// True if several projects use the name.
    pub fn is_common(&self, key: u64) -> bool {
        self.projects.get(&short(key)) == Some(&[u16::MAX, u16::MAX])
    }
}

#[allow(clippy::cast_possible_truncation)] // masked
const fn short(key: u64) -> u32 {
    (key & ((1 << KEY_BITS) - 1)) as u32
}

/// From 1 to `u16::MAX` − 1; among 65,000 projects two share a number and count as one.
#[allow(clippy::cast_possible_truncation)] // the remainder is small
fn number_of(project: &str) -> u16 {
    (fnv1a(project.bytes()) % u64::from(u16::MAX - 1)) as u16 + 1
}
