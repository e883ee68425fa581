//! Problems found in a file: counted, the first few located. Notes quote no content.

use std::collections::BTreeMap;
use std::fmt;

/// Places kept per kind; further ones are only counted.
const KEPT_PLACES: usize = 5;
/// Longer names may be content, so they aren't quoted.
const LONGEST_NAME: usize = 48;

/// An enum of kinds with a clause about each, for people.
macro_rules! kinds_with_meanings {
    ($name:ident { $($(#[$attribute:meta])? $kind:ident: $meaning:literal,)* }) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum $name {
            $($(#[$attribute])? $kind,)*
        }

        impl $name {
            pub fn meaning(self) -> &'static str {
                match self { $(Self::$kind => $meaning),* }
            }
        }
    };
}
pub(crate) use kinds_with_meanings;

kinds_with_meanings! {
    NoteKind {
        TornLine: "last line torn",
        BadLine: "no JSON",
        LongLine: "line too long, left out",
        UnreadableFile: "file that can’t be read, left out",
        JoinedLine: "several records on one line, all read",
        InvalidText: "bytes that are no UTF-8",
        LoneSurrogate: "half a surrogate pair",
        UnknownRecord: "record of unknown kind, left out",
        UnknownPart: "part of unknown kind, kept as JSON",
        IncompleteRecord: "record incomplete, left out",
        RepeatedRecord: "record repeated, read once",
        PartialOutput: "output counted in part: Claude Code up to 2.1.37 recorded what answers began with",
        #[serde(rename = "odd-usage")]
        InvalidUsage: "usage that contradicts itself",
        UnexplainedShrink: "prompt became smaller, no record says why",
        TooManyPrefixes: "change of the prefix too many, left out",
    }
}

/// One problem; `line` counts from 1, 0 is the whole file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    pub line: u64,
    pub text: String,
}

impl fmt::Display for Note {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(out, "line {}: ", self.line)?;
        }
        out.write_str(&self.text)
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NoteCount {
    pub count: u64,
    pub first: Vec<Note>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Notes {
    kinds: BTreeMap<NoteKind, NoteCount>,
    line: u64,
}

impl Notes {
    pub(crate) fn set_line(&mut self, line: u64) {
        self.line = line;
    }

    pub(crate) fn line(&self) -> u64 {
        self.line
    }

    /// Counts a note; `text` is only called while places of this kind are kept.
    pub(crate) fn add(&mut self, kind: NoteKind, text: impl FnOnce() -> String) {
        let line = self.line;
        let entry = self.kinds.entry(kind).or_default();
        entry.count += 1;
        if entry.first.len() < KEPT_PLACES {
            entry.first.push(Note { line, text: text() });
        }
    }

    pub(crate) fn unknown_record(&mut self, found: Option<&str>, expected: &str) {
        self.add(NoteKind::UnknownRecord, || format!("{}, expected {expected}", named("record type", found)));
    }

    pub(crate) fn unknown_part(&mut self, found: Option<&str>) {
        self.add(NoteKind::UnknownPart, || named("part type", found));
    }

    pub(crate) fn incomplete(&mut self, expected: &str) {
        self.add(NoteKind::IncompleteRecord, || format!("expected {expected}"));
    }

    pub fn iter(&self) -> impl Iterator<Item = (NoteKind, &NoteCount)> {
        self.kinds.iter().map(|(kind, count)| (*kind, count))
    }

    pub fn count(&self, kind: NoteKind) -> u64 {
        self.kinds.get(&kind).map_or(0, |entry| entry.count)
    }

    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    pub(crate) fn absorb(&mut self, other: Self) {
        for (kind, theirs) in other.kinds {
            let ours = self.kinds.entry(kind).or_default();
            ours.count += theirs.count;
            let free = KEPT_PLACES.saturating_sub(ours.first.len());
            ours.first.extend(theirs.first.into_iter().take(free));
        }
    }
}

/// Quotes a name only if it looks like an identifier: anything else could be content.
pub(crate) fn named(what: &str, name: Option<&str>) -> String {
    let plain = |text: &&str| {
        let fits = !text.is_empty() && text.len() <= LONGEST_NAME;
        fits && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-./:$".contains(&byte))
    };
    match name.filter(plain) {
        Some(name) => format!("{what} {name}"),
        None => format!("no {what}"),
    }
}
