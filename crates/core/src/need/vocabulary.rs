//! Names that several projects use are no evidence.

use std::collections::{HashMap, HashSet};

use crate::text::hash::{Fnv, Spread};

/// Projects that make a name common.
const PROJECTS: usize = 3;
/// Bits of a name's key: a vocabulary has at most 2²⁵ entries (some 400 MB). Of two names with one key, one may be taken for common: of
/// ten million names 4 in 100, of a million 1 in 2,000.
const KEY_BITS: u32 = 25;

/// A session's names, each once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NameSet(HashSet<u32, Spread>);

impl NameSet {
    pub(super) fn add(&mut self, key: u64) {
        self.0.insert(short(key));
    }
}

/// Projects by name, up to as many as matter.
#[derive(Debug, Clone, Default)]
pub struct Vocabulary {
    /// Two projects as numbers above 0; the same number twice for more.
    projects: HashMap<u32, [u16; PROJECTS - 1], Spread>,
}

impl Vocabulary {
    /// The order of sessions doesn't matter.
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

    /// Whether several projects use the name.
    #[must_use]
    pub fn is_common(&self, key: u64) -> bool {
        self.projects.get(&short(key)) == Some(&[u16::MAX, u16::MAX])
    }
}

#[allow(clippy::cast_possible_truncation)] // masked
const fn short(key: u64) -> u32 {
    (key & ((1 << KEY_BITS) - 1)) as u32
}

/// From 1 to `u16::MAX` − 1; of 65,000 projects two share a number, and count as one.
#[allow(clippy::cast_possible_truncation)] // the remainder is small
fn number_of(project: &str) -> u16 {
    (Fnv::of(project.as_bytes()) % u64::from(u16::MAX - 1)) as u16 + 1
}
