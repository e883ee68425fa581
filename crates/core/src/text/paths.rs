//! Decides whether two paths name the same file, by their text alone (R2.3): a path is resolved against the project root, then written
//! relative to it if it lies inside, else in absolute form. Windows paths are understood on every platform: a session recorded on
//! Windows may be cleaned up on Linux.

use crate::text::utf16::{ascii_lower, trim_start};

const SLASH: u16 = 0x2F;
const BACKSLASH: u16 = 0x5C;
const COLON: u16 = 0x3A;
const DOT: u16 = 0x2E;

/// An absolute path without `.`, `..` or doubled separators.
#[derive(Debug, Clone)]
struct Absolute {
    /// `/`, `c:/` with the letter in lower case, or `//server/share/`.
    anchor: Vec<u16>,
    segments: Vec<Vec<u16>>,
}

#[derive(Debug, Clone)]
pub struct ProjectRoot {
    root: Absolute,
    case_insensitive: bool,
}

impl ProjectRoot {
    /// `None` if `root` is neither a POSIX nor a Windows absolute path: no absolute path would then lie inside it.
    pub fn new(root: &[u16], case_insensitive: bool) -> Option<Self> {
        if root.first() != Some(&SLASH) && windows_anchor(root, false).is_none() {
            return None;
        }
        let posix_root = Absolute { anchor: vec![SLASH], segments: Vec::new() };
        let root = Self { root: posix_root, case_insensitive }.resolve(root);
        Some(Self { root, case_insensitive })
    }

    /// The canonical form of `path`: relative inside the root (`.` for the root itself), absolute outside; `None` if blank. O(path).
    pub fn normalize(&self, path: &[u16]) -> Option<Vec<u16>> {
        if trim_start(path).is_empty() {
            return None;
        }
        let Absolute { anchor, segments } = self.resolve(path);
        let inside = segments.strip_prefix(self.root.segments.as_slice());
        Some(match inside.filter(|_| anchor == self.root.anchor) {
            Some([]) => vec![DOT],
            Some(relative) => relative.join(&SLASH),
            None => [anchor, segments.join(&SLASH)].concat(),
        })
    }

    fn resolve(&self, path: &[u16]) -> Absolute {
        let is_windows_root = self.root.anchor != [SLASH];
        let at_anchor = |anchor: Vec<u16>| Absolute { anchor, segments: Vec::new() };
        let (mut absolute, rest, backslash_separates) = match windows_anchor(path, is_windows_root) {
            Some((anchor, rest)) => (at_anchor(self.fold(&anchor)), rest, true),
            None => (self.base_of(path), path, is_windows_root),
        };
        // `d:name` means name in the current directory of d:, which is the root if the drives are equal.
        let rest = match drive_relative(rest) {
            Some((drive, tail)) if is_windows_root => {
                if self.root.anchor != drive {
                    absolute = at_anchor(drive.to_vec());
                }
                tail
            }
            _ => rest,
        };
        for segment in rest.split(|&unit| unit == SLASH || (backslash_separates && unit == BACKSLASH)) {
            match segment {
                [] | [DOT] => {}
                [DOT, DOT] => {
                    absolute.segments.pop();
                }
                name => absolute.segments.push(self.fold(name)),
            }
        }
        absolute
    }

    /// What a path without an anchor is relative to: the root's anchor if it begins with a separator, else the project root.
    fn base_of(&self, path: &[u16]) -> Absolute {
        let is_windows_root = self.root.anchor != [SLASH];
        let is_rooted = path.first().is_some_and(|&first| first == SLASH || (is_windows_root && first == BACKSLASH));
        let anchor = self.root.anchor.clone();
        Absolute { anchor, segments: if is_rooted { Vec::new() } else { self.root.segments.clone() } }
    }

    fn fold(&self, name: &[u16]) -> Vec<u16> {
        if !self.case_insensitive {
            return name.to_vec();
        }
        let mut folded = Vec::with_capacity(name.len());
        for decoded in char::decode_utf16(name.iter().copied()) {
            match decoded {
                Ok(character) => {
                    for lower in character.to_lowercase() {
                        folded.extend_from_slice(lower.encode_utf16(&mut [0; 2]));
                    }
                }
                Err(lone) => folded.push(lone.unpaired_surrogate()),
            }
        }
        folded
    }
}

/// The Windows anchor at the start of `path`, and the text after it. `//server/share` is UNC only below a Windows root: on POSIX a
/// doubled separator counts as one, and such a path is a real one.
fn windows_anchor(path: &[u16], is_windows_root: bool) -> Option<(Vec<u16>, &[u16])> {
    if let [letter, COLON, rest @ ..] = path
        && is_ascii_letter(*letter)
        && matches!(rest.first(), None | Some(&SLASH | &BACKSLASH))
    {
        return Some((vec![ascii_lower(*letter), COLON, SLASH], rest));
    }
    let separates = |unit: u16| unit == BACKSLASH || (unit == SLASH && is_windows_root);
    let [first, second, rest @ ..] = path else { return None };
    if !separates(*first) || !separates(*second) {
        return None;
    }
    let mut parts = rest.splitn(3, |&unit| unit == SLASH || unit == BACKSLASH);
    let (server, share) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let is_unc = !server.is_empty() && !share.is_empty();
    let anchor = || [&[SLASH, SLASH], server, &[SLASH], share, &[SLASH]].concat();
    is_unc.then(|| (anchor(), parts.next().unwrap_or_default()))
}

/// The anchor of the drive of a path such as `d:name`, and the text after the colon.
fn drive_relative(path: &[u16]) -> Option<([u16; 3], &[u16])> {
    match path {
        [letter, COLON, tail @ ..] if is_ascii_letter(*letter) && !tail.is_empty() => {
            Some(([ascii_lower(*letter), COLON, SLASH], tail))
        }
        _ => None,
    }
}

const fn is_ascii_letter(unit: u16) -> bool {
    matches!(unit, 0x41..=0x5A | 0x61..=0x7A)
}

#[cfg(test)]
mod tests;
