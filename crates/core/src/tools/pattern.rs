//! Matches tools that the application names, by full name or by a pattern in which `*` matches any characters, or none.

use crate::text::utf16::{find, units};

/// Characters of regular expressions and other globs. No tool name contains one, so such a pattern would match nothing.
const UNSUPPORTED: [char; 13] = ['?', '[', ']', '{', '}', '(', ')', '|', '^', '$', '\\', '+', ','];
const STAR: u16 = 0x2A;

/// A tool's name, or a pattern of names, split at its stars. Case-sensitive, as for providers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolPattern(Vec<Vec<u16>>);

impl ToolPattern {
    /// `None` for a source that matches no name: empty, white space at an end, or characters of another pattern syntax.
    pub fn parse(source: &[u16]) -> Option<Self> {
        let is_unsupported =
            |unit: &u16| char::from_u32(u32::from(*unit)).is_some_and(|letter| UNSUPPORTED.contains(&letter));
        let is_blank = |unit: Option<&u16>| unit.is_none_or(|unit| units(" \t\r\n").contains(unit));
        if is_blank(source.first()) || is_blank(source.last()) || source.iter().any(is_unsupported) {
            return None;
        }
        Some(Self(source.split(|&unit| unit == STAR).map(<[u16]>::to_vec).collect()))
    }

    /// True if the tool `name` matches. O(name × stars).
    pub fn matches(&self, name: &[u16]) -> bool {
        let Some((first, rest)) = self.0.split_first() else { return false };
        let Some((last, between)) = rest.split_last() else { return name == first };
        let middle = name.strip_prefix(first.as_slice()).and_then(|after| after.strip_suffix(last.as_slice()));
        let Some(mut rest) = middle else { return false };
        for piece in between.iter().filter(|piece| !piece.is_empty()) {
            let Some(start) = find(rest, piece) else { return false };
            rest = rest.get(start + piece.len()..).unwrap_or_default();
        }
        true
    }
}

#[cfg(test)]
mod tests;
