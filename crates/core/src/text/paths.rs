//! Decides whether two paths name the same file, by their text alone (R2.3), without the file system.
//!
//! A path is resolved against the project root, then written relative to it if it lies inside, else in absolute
//! form. Windows paths are understood on every platform: a session recorded on Windows may be cleaned up on Linux.

use crate::text::utf16::{ascii_lower, trim_start};

const SLASH: u16 = 0x2F;
const BACKSLASH: u16 = 0x5C;
const COLON: u16 = 0x3A;
const DOT: u16 = 0x2E;

/// The beginning of an absolute path.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Anchor {
    /// `/`
    Posix,
    /// `C:\`, with the letter in lower case.
    Drive(u16),
    /// `\\server\share`
    Unc(Vec<u16>, Vec<u16>),
}

/// An absolute path without `.`, `..` or doubled separators.
#[derive(Debug, Clone)]
struct Absolute {
    anchor: Anchor,
    segments: Vec<Vec<u16>>,
}

/// The root that paths are relative to, and whether case matters.
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
        let posix_root = Absolute { anchor: Anchor::Posix, segments: Vec::new() };
        let root = Self { root: posix_root, case_insensitive }.resolve(root);
        Some(Self { root, case_insensitive })
    }

    /// The canonical form of `path`: relative inside the root (`.` for the root itself), absolute outside; `None` if blank. O(path).
    pub fn normalize(&self, path: &[u16]) -> Option<Vec<u16>> {
        if trim_start(path).is_empty() {
            return None;
        }
        let absolute = self.resolve(path);
        let is_inside =
            absolute.anchor == self.root.anchor && absolute.segments.starts_with(&self.root.segments);
        Some(if is_inside {
            let relative = absolute.segments.get(self.root.segments.len()..).unwrap_or_default();
            if relative.is_empty() { vec![DOT] } else { relative.join(&SLASH) }
        } else {
            absolute.to_text()
        })
    }

    /// The absolute path that `path` names.
    fn resolve(&self, path: &[u16]) -> Absolute {
        let is_windows_root = self.root.anchor != Anchor::Posix;
        let (mut absolute, rest, backslash_separates) = match windows_anchor(path, is_windows_root) {
            Some((anchor, rest)) => {
                (Absolute { anchor: self.fold_anchor(anchor), segments: Vec::new() }, rest, true)
            }
            None => (self.base_of(path), path, is_windows_root),
        };
        // `d:name` means name in the current directory of d:, which is the root if the drives are equal.
        let rest = match drive_relative(rest) {
            Some((drive, tail)) if is_windows_root => {
                if self.root.anchor != Anchor::Drive(drive) {
                    absolute = Absolute { anchor: Anchor::Drive(drive), segments: Vec::new() };
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

    /// What a path without an anchor is relative to: the root's anchor if it begins with a separator, else the project
    /// root.
    fn base_of(&self, path: &[u16]) -> Absolute {
        let is_windows = self.root.anchor != Anchor::Posix;
        match path.first() {
            Some(&first) if first == SLASH || (is_windows && first == BACKSLASH) => {
                Absolute { anchor: self.root.anchor.clone(), segments: Vec::new() }
            }
            _ => self.root.clone(),
        }
    }

    fn fold_anchor(&self, anchor: Anchor) -> Anchor {
        match anchor {
            Anchor::Unc(server, share) => Anchor::Unc(self.fold(&server), self.fold(&share)),
            other => other,
        }
    }

    /// The name in lower case if case doesn't matter.
    fn fold(&self, name: &[u16]) -> Vec<u16> {
        if !self.case_insensitive {
            return name.to_vec();
        }
        let mut folded = Vec::with_capacity(name.len());
        for decoded in char::decode_utf16(name.iter().copied()) {
            match decoded {
                Ok(character) => {
                    let mut buffer = [0; 2];
                    for lower in character.to_lowercase() {
                        folded.extend_from_slice(lower.encode_utf16(&mut buffer));
                    }
                }
                Err(lone) => folded.push(lone.unpaired_surrogate()),
            }
        }
        folded
    }
}

impl Absolute {
    fn to_text(&self) -> Vec<u16> {
        let mut spelled = match &self.anchor {
            Anchor::Posix => vec![SLASH],
            Anchor::Drive(letter) => vec![*letter, COLON, SLASH],
            Anchor::Unc(server, share) => [&[SLASH, SLASH], &server[..], &[SLASH], share, &[SLASH]].concat(),
        };
        spelled.extend_from_slice(&self.segments.join(&SLASH));
        spelled
    }
}

/// The Windows anchor at the start of `path`, and the text after it.
///
/// `//server/share` is UNC only below a Windows root: on POSIX a doubled separator counts as one, and such a path
/// is a real one.
fn windows_anchor(path: &[u16], is_windows_root: bool) -> Option<(Anchor, &[u16])> {
    if let [letter, COLON, rest @ ..] = path
        && is_ascii_letter(*letter)
        && matches!(rest.first(), None | Some(&SLASH | &BACKSLASH))
    {
        return Some((Anchor::Drive(ascii_lower(*letter)), rest));
    }
    let separates = |unit: u16| unit == BACKSLASH || (unit == SLASH && is_windows_root);
    if let [first, second, rest @ ..] = path
        && separates(*first)
        && separates(*second)
    {
        let mut parts = rest.splitn(3, |&unit| unit == SLASH || unit == BACKSLASH);
        let server = parts.next().unwrap_or_default();
        let share = parts.next().unwrap_or_default();
        if server.is_empty() || share.is_empty() {
            return None;
        }
        return Some((Anchor::Unc(server.to_vec(), share.to_vec()), parts.next().unwrap_or_default()));
    }
    None
}

/// The drive of a path such as `d:name`, and the text after the colon.
fn drive_relative(path: &[u16]) -> Option<(u16, &[u16])> {
    match path {
        [letter, COLON, tail @ ..] if is_ascii_letter(*letter) && !tail.is_empty() => {
            Some((ascii_lower(*letter), tail))
        }
        _ => None,
    }
}

const fn is_ascii_letter(unit: u16) -> bool {
    matches!(unit, 0x41..=0x5A | 0x61..=0x7A)
}

#[cfg(test)]
#[path = "paths_tests.rs"]
mod tests;
