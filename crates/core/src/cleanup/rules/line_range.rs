//! Decides which lines of a file a call reads.

use crate::text::json_probe::{ValueKind, array_elements, object_members};
use crate::tools::registry::PATH_KEYS;

/// Lines of a file, numbered as in the call, including the last.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LineRange {
    first: f64,
    last: f64,
}

/// Assumed length of a read without a range: every known agent returns at least this many lines at once.
const WHOLE_READ_LINES: f64 = 1_000.0;

const FIRST: [&str; 6] =
    ["offset", "start_line", "startLine", "start", "start_line_one_indexed", "line_start"];
const LAST: [&str; 5] = ["end_line", "endLine", "end", "end_line_one_indexed_inclusive", "line_end"];
const COUNT: [&str; 1] = ["limit"];
const BOTH: [&str; 1] = ["view_range"];
/// Arguments that only explain the call.
const BESIDE: [&str; 2] = ["explanation", "description"];

/// `null`, which counts as missing.
const NULL: [u16; 4] = [0x6E, 0x75, 0x6C, 0x6C];

impl LineRange {
    pub const ALL: Self = Self { first: 0.0, last: f64::INFINITY };

    /// True if these lines include `other`.
    pub fn covers(self, other: Self) -> bool {
        let last = if self == Self::ALL && other != Self::ALL { WHOLE_READ_LINES } else { self.last };
        self.first <= other.first && last >= other.last
    }
}

/// The lines that a call with these arguments reads; `None` if the arguments contain more than a file and its lines.
pub fn lines_of(arguments: &[u16]) -> Option<LineRange> {
    let (mut first, mut last, mut count) = (None, None, None);
    let mut is_clear = true;
    let is_object = object_members(arguments, |key, value| {
        let key = String::from_utf16_lossy(key);
        let names = |names: &[&str]| names.contains(&key.as_str());
        if value.text == NULL || ((names(&PATH_KEYS) || names(&BESIDE)) && value.kind == ValueKind::String) {
            return;
        }
        let number = value.number().filter(|number| *number >= 0.0);
        match number {
            Some(number) if names(&FIRST) => first = Some(number),
            Some(number) if names(&LAST) => last = Some(number),
            Some(number) if names(&COUNT) => count = Some(number),
            _ if names(&BOTH) => {
                let mut ends = Vec::new();
                array_elements(value.text, |element| ends.extend(element.number()));
                match ends.as_slice() {
                    &[from, to] if from >= 0.0 && to >= from => (first, last) = (Some(from), Some(to)),
                    _ => is_clear = false,
                }
            }
            _ => is_clear = false,
        }
    });
    if !(is_object && is_clear) || (last.is_some() && count.is_some()) {
        return None;
    }
    let from = first.unwrap_or(0.0);
    // A call without an end reads up to the agent's own limit, which is unknown here.
    let to = match (last, count) {
        (Some(last), _) => last,
        (None, Some(count)) => from + count,
        (None, None) => f64::INFINITY,
    };
    Some(LineRange { first: from, last: to })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::utf16::units;

    fn covers(later: &str, earlier: &str) -> bool {
        let lines = |text: &str| lines_of(&units(text));
        lines(later).zip(lines(earlier)).is_some_and(|(later, earlier)| later.covers(earlier))
    }

    #[test]
    fn r10_9_a_read_covers_the_lines_that_it_gives() {
        let part = r#"{"file_path":"a","offset":100,"limit":50}"#;
        assert!(covers(part, part));
        assert!(covers(r#"{"file_path":"a","offset":90,"limit":60}"#, part));
        assert!(!covers(r#"{"file_path":"a","offset":101,"limit":60}"#, part));
        assert!(covers(r#"{"file_path":"a"}"#, part), "the whole file");
        assert!(!covers(part, r#"{"file_path":"a"}"#));
        assert!(covers(r#"{"path":"a","view_range":[1,80]}"#, r#"{"path":"a","view_range":[20,80]}"#));
        assert!(covers(
            r#"{"filePath":"a","startLine":1,"endLine":9}"#,
            r#"{"filePath":"a","startLine":2,"endLine":9}"#
        ));
    }

    #[test]
    fn r10_9_in_doubt_nothing_is_covered() {
        let far = r#"{"file_path":"a","offset":4000,"limit":50}"#;
        assert!(!covers(r#"{"file_path":"a"}"#, far), "agents cut long files");
        for invalid in [
            "",
            "[]",
            r#"{"path":"a","pages":"1-2"}"#,
            r#"{"path":"a","offset":-5}"#,
            r#"{"path":["a","b"]}"#,
        ] {
            assert_eq!(lines_of(&units(invalid)), None, "{invalid}");
        }
    }
}
