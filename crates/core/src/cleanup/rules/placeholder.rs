//! Decides the text that replaces a result: a fixed text, or a template with the tool, the path, the age or the
//! length of the original. A view's own placeholders also name the call and its handle, so that the result can be fetched again.

use std::borrow::Cow;

use crate::conversation::handle::Handle;
use crate::text::utf16::units;

/// A tool's name or a path is truncated to this many units.
pub const MAX_VALUE_UNITS: usize = 1_024;
/// All values of one placeholder together are truncated to this many units.
pub const MAX_FILLED_UNITS: usize = 8_192;
/// Marks a truncated or omitted value.
const ELLIPSIS: &str = "…";
/// Replaces `{age}` if the age is unknown.
const UNKNOWN_AGE: &str = "? min";

const SPACE: u16 = 0x20;
const DOT: u16 = 0x2E;

/// The fields of templates, as written in them.
const FIELDS: [(&str, TemplatePart); 7] = [
    ("{tool}", TemplatePart::Tool),
    ("{path}", TemplatePart::Path),
    ("{chars}", TemplatePart::Chars),
    ("{age}", TemplatePart::Age),
    ("{about}", TemplatePart::About),
    ("{lines}", TemplatePart::Lines),
    ("{handle}", TemplatePart::Handle),
];
/// The number of leading [`FIELDS`] that applications' templates may use.
const APPLICATION_FIELDS: usize = 4;

/// A part of a template: literal text, or a field.
#[derive(Debug, Clone, PartialEq, Eq)]
enum TemplatePart {
    Text(Vec<u16>),
    Tool,
    Path,
    Chars,
    Age,
    /// The file or start of the command that the call names, after a space.
    About,
    Lines,
    Handle,
}

/// Values known from a result's call alone; the fields are those of [`PlaceholderFields`].
#[derive(Debug, Clone, Copy)]
pub struct KnownFields<'a> {
    pub tool: Option<&'a [u16]>,
    pub path: &'a [u16],
    pub about: &'a [u16],
}

/// Values of a template's fields for one result.
#[derive(Debug, Clone, Copy)]
pub struct PlaceholderFields<'a> {
    /// The tool's name; `None` is written as `tool`.
    pub tool: Option<&'a [u16]>,
    /// The normalized paths that the result covers, joined; empty if the rule knows none.
    pub path: &'a [u16],
    /// The file or start of the command that the call names, from [`crate::tools::label::subject_of`]; empty if the
    /// template does not use it.
    pub about: &'a [u16],
    pub lines: usize,
    pub handle: Handle,
    /// UTF-16 units of the original content.
    pub chars: usize,
    /// Milliseconds since the result came; NaN if unknown.
    pub age_ms: f64,
}

/// A placeholder, fixed or template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placeholder {
    source: Vec<u16>,
    parts: Vec<TemplatePart>,
}

impl Placeholder {
    /// Parses `{tool}`, `{path}`, `{chars}` and `{age}`; other braces are literal.
    pub fn parse(source: &[u16]) -> Self {
        Self::with_names(source, FIELDS.get(..APPLICATION_FIELDS).unwrap_or_default())
    }

    /// Parses one of our own texts, which may also contain `{about}`, `{lines}` and `{handle}`.
    pub fn own(source: &str) -> Self {
        Self::with_names(&units(source), &FIELDS)
    }

    fn with_names(source: &[u16], names: &[(&str, TemplatePart)]) -> Self {
        let names: Vec<_> = names.iter().map(|(name, part)| (units(name), part)).collect();
        let mut parts = Vec::new();
        let mut text = Vec::new();
        let mut rest = source;
        while let Some((&unit, after)) = rest.split_first() {
            if let Some((name, part)) = names.iter().find(|(name, _)| rest.starts_with(name)) {
                if !text.is_empty() {
                    parts.push(TemplatePart::Text(std::mem::take(&mut text)));
                }
                parts.push((*part).clone());
                rest = rest.get(name.len()..).unwrap_or_default();
            } else {
                text.push(unit);
                rest = after;
            }
        }
        if !text.is_empty() || parts.is_empty() {
            parts.push(TemplatePart::Text(text));
        }
        Self { source: source.to_vec(), parts }
    }

    /// The source text, if it is the same for every result.
    pub fn fixed(&self) -> Option<&[u16]> {
        matches!(self.parts.as_slice(), [TemplatePart::Text(_)]).then_some(self.source.as_slice())
    }

    /// True if the text names the paths.
    #[must_use]
    pub fn shows_path(&self) -> bool {
        self.parts.contains(&TemplatePart::Path)
    }

    /// True if the text changes with the clock.
    pub fn shows_age(&self) -> bool {
        self.parts.contains(&TemplatePart::Age)
    }

    /// True if the text names the call's subject.
    pub fn shows_call(&self) -> bool {
        self.parts.contains(&TemplatePart::About)
    }

    /// True if the text has the number of lines.
    pub fn shows_lines(&self) -> bool {
        self.parts.contains(&TemplatePart::Lines)
    }

    /// The text for one result. A tool's name or path fills at most [`MAX_VALUE_UNITS`], all values together
    /// at most [`MAX_FILLED_UNITS`]: a model may call a tool with a path of a megabyte, and a template may repeat it.
    pub fn render(&self, fields: &PlaceholderFields<'_>) -> Vec<u16> {
        let mut rendered = Vec::with_capacity(self.source.len() + 16);
        let known = KnownFields { tool: fields.tool, path: fields.path, about: fields.about };
        for part in self.filled_parts(known) {
            match part {
                FilledPart::Text(text) => rendered.extend_from_slice(&text),
                FilledPart::Lines => rendered.extend(fields.lines.to_string().encode_utf16()),
                FilledPart::Handle => rendered.extend(fields.handle.to_string().encode_utf16()),
                FilledPart::Chars => rendered.extend(fields.chars.to_string().encode_utf16()),
                FilledPart::Age if fields.age_ms.is_nan() => rendered.extend(UNKNOWN_AGE.encode_utf16()),
                FilledPart::Age => {
                    let minutes = (fields.age_ms / 60_000.0).floor().max(0.0);
                    rendered.extend(format!("{minutes} min").encode_utf16());
                }
            }
        }
        rendered
    }

    /// True if `content` is already this placeholder for a result of this call, whatever the result's length, age and
    /// request were (R1.6).
    pub fn matches(&self, content: &[u16], known: KnownFields<'_>) -> bool {
        let mut rest = content;
        for part in self.filled_parts(known) {
            let after = match part {
                FilledPart::Text(text) => rest.strip_prefix(&*text),
                FilledPart::Chars | FilledPart::Lines => strip_digits(rest),
                FilledPart::Handle => strip_handle(rest),
                FilledPart::Age => rest.strip_prefix(units(UNKNOWN_AGE).as_slice()).or_else(|| {
                    strip_digits(rest).and_then(|after| after.strip_prefix(units(" min").as_slice()))
                }),
            };
            match after {
                Some(after) => rest = after,
                None => return false,
            }
        }
        rest.is_empty()
    }

    /// The maximum length for this call: a longer content is not this placeholder.
    pub fn longest(&self, known: KnownFields<'_>) -> usize {
        let length = |part: FilledPart<'_>| match part {
            FilledPart::Text(text) => text.len(),
            FilledPart::Chars | FilledPart::Age | FilledPart::Lines | FilledPart::Handle => 24,
        };
        self.filled_parts(known).map(length).sum()
    }

    /// True if a content that begins with `head` may be this placeholder, judged without its call.
    #[must_use]
    pub fn may_begin(&self, head: &[u16]) -> bool {
        match self.parts.first() {
            Some(TemplatePart::Text(text)) => head.iter().zip(text).all(|(unit, own)| unit == own),
            _ => true,
        }
    }

    /// The parts, with one result's values.
    fn filled_parts<'p>(
        &'p self,
        KnownFields { tool, path, about }: KnownFields<'p>,
    ) -> impl Iterator<Item = FilledPart<'p>> {
        let tool = tool.map_or_else(|| Cow::Owned(units("tool")), shortened_value);
        let path = shortened_value(path);
        let mut units_left = MAX_FILLED_UNITS;
        let mut fill = move |value: &Cow<'p, [u16]>| {
            let fits = value.len() <= units_left;
            units_left = units_left.saturating_sub(value.len());
            FilledPart::Text(if fits { value.clone() } else { Cow::Owned(units(ELLIPSIS)) })
        };
        self.parts.iter().map(move |part| match part {
            TemplatePart::Text(text) => FilledPart::Text(Cow::Borrowed(text.as_slice())),
            TemplatePart::Tool => fill(&tool),
            TemplatePart::Path => fill(&path),
            TemplatePart::Chars => FilledPart::Chars,
            TemplatePart::Age => FilledPart::Age,
            TemplatePart::About if about.is_empty() => FilledPart::Text(Cow::Borrowed(&[])),
            TemplatePart::About => fill(&Cow::Owned([&[SPACE], about].concat())),
            TemplatePart::Lines => FilledPart::Lines,
            TemplatePart::Handle => FilledPart::Handle,
        })
    }
}

/// A part of a placeholder with the values of one call.
enum FilledPart<'a> {
    Text(Cow<'a, [u16]>),
    Chars,
    Age,
    Lines,
    Handle,
}

/// The start and end of a long value; for a path these are its root and its file.
fn shortened_value(value: &[u16]) -> Cow<'_, [u16]> {
    if value.len() <= MAX_VALUE_UNITS {
        return Cow::Borrowed(value);
    }
    let ellipsis = units(ELLIPSIS);
    let half = (MAX_VALUE_UNITS - ellipsis.len()) / 2;
    let mut head = value.get(..half).unwrap_or_default();
    let mut tail = value.get(value.len() - half..).unwrap_or_default();
    // Do not cut a surrogate pair in half.
    if let Some((0xD800..=0xDBFF, before)) = head.split_last() {
        head = before;
    }
    if let Some((0xDC00..=0xDFFF, after)) = tail.split_first() {
        tail = after;
    }
    Cow::Owned([head, &ellipsis, tail].concat())
}

/// The text after a handle such as `#41.2`.
fn strip_handle(text: &[u16]) -> Option<&[u16]> {
    let digits = strip_digits(text.strip_prefix(&[Handle::MARK as u16])?)?;
    digits.strip_prefix(&[DOT]).map_or(Some(digits), strip_digits)
}

/// The text after a number.
fn strip_digits(text: &[u16]) -> Option<&[u16]> {
    let digits = text.iter().take_while(|unit| matches!(unit, 0x30..=0x39)).count();
    if digits == 0 { None } else { text.get(digits..) }
}

/// The maximum length of any of `texts` for this call.
#[must_use]
pub fn longest_of(texts: &[Placeholder], known: KnownFields<'_>) -> usize {
    texts.iter().map(|text| text.longest(known)).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HANDLE: Handle = Handle { request: 41, nth: 2 };

    fn filling_of<'a>(tool: &'a [u16], path: &'a [u16]) -> PlaceholderFields<'a> {
        PlaceholderFields {
            tool: Some(tool),
            path,
            about: path,
            lines: 12,
            handle: HANDLE,
            chars: 1,
            age_ms: 1_020_500.0,
        }
    }

    fn known_by(path: &[u16]) -> KnownFields<'_> {
        KnownFields { tool: None, path, about: path }
    }

    fn render(template: &str, chars: usize) -> String {
        let tool = units("bash");
        let path = units("src/a.ts");
        let fields = PlaceholderFields { chars, ..filling_of(&tool, &path) };
        String::from_utf16(&Placeholder::parse(&units(template)).render(&fields)).unwrap()
    }

    #[test]
    fn known_names_are_filled_and_other_braces_stay() {
        assert_eq!(
            render("[{tool} {path}: {chars} units, {age} old, {other} {]", 42),
            "[bash src/a.ts: 42 units, 17 min old, {other} {]"
        );
        assert_eq!(render("", 1), "");
    }

    #[test]
    fn only_a_text_without_names_is_fixed() {
        assert!(Placeholder::parse(&units("此命令返回内容已过时")).fixed().is_some());
        assert!(Placeholder::parse(&units("{chars}")).fixed().is_none());
        assert!(Placeholder::parse(&units("")).fixed().is_some());
    }

    #[test]
    fn r1_6_a_filled_template_is_recognised_and_nothing_else() {
        let is = |template: &str, content: &str| {
            let (tool, path) = (units("bash"), units("a.ts"));
            let known = KnownFields { tool: Some(&tool), path: &path, about: &path };
            Placeholder::parse(&units(template)).matches(&units(content), known)
        };
        assert!(is("[{tool}: {chars} units, {age}]", "[bash: 12 units, 3 min]"));
        assert!(!is("[{tool}: {chars} units]", "[sh: 12 units]"));
        assert!(!is("[{tool}: {chars} units]", "[bash: 12 units] and more"));
        assert!(!is("[{tool}]", "[1, 2, 3]"), "a JSON array is not a placeholder");
        assert!(is("{path} read before", "a.ts read before"));
        assert!(!is("gone", "gone "));
        assert!(
            is("{age} old", "? min old") && is("{age} old", "17 min old") && !is("{age} old", "?? min old")
        );
        assert!(is("", ""));
    }

    #[test]
    fn a_long_path_is_filled_in_shortened_however_often_and_recognised() {
        let path = units(&format!("src/{}/a.ts", "😀".repeat(500_000)));
        for times in [1, 7, 9, 100_000] {
            let placeholder = Placeholder::parse(&units(&"{path}".repeat(times)));
            let fields = PlaceholderFields { tool: None, ..filling_of(&[], &path) };
            let rendered = placeholder.render(&fields);
            assert!(rendered.len() <= MAX_FILLED_UNITS + times, "{} units", rendered.len());
            assert!(placeholder.matches(&rendered, known_by(&path)));
            assert!(rendered.len() <= placeholder.longest(known_by(&path)));
            let text = String::from_utf16(&rendered).expect("no half of a pair");
            assert!(text.starts_with("src/😀") && text.contains("😀/a.ts"));
        }
    }

    #[test]
    fn issue_22_7_a_text_of_our_own_says_which_call_it_was_and_is_known_again() {
        let (tool, path) = (units("Read"), units("src/a.ts"));
        let known = KnownFields { tool: Some(&tool), path: &path, about: &path };
        let text = Placeholder::own("[{handle}: {tool}{about}, {lines} lines]");
        let rendered = text.render(&filling_of(&tool, &path));
        assert_eq!(String::from_utf16(&rendered).unwrap(), "[#41.2: Read src/a.ts, 12 lines]");
        assert!(
            text.matches(&rendered, known) && text.matches(&units("[#7: Read src/a.ts, 3 lines]"), known)
        );
        assert!(!text.matches(&units("[#7: Read src/b.ts, 3 lines]"), known));
        assert!(!text.matches(&units("[#7.: Read src/a.ts, 3 lines]"), known));
        let unnamed = PlaceholderFields { about: &[], ..filling_of(&tool, &path) };
        assert_eq!(String::from_utf16(&text.render(&unnamed)).unwrap(), "[#41.2: Read, 12 lines]");
        assert_eq!(Placeholder::parse(&units("{lines}")).fixed(), Some(units("{lines}").as_slice()));
    }

    #[test]
    fn a_path_that_fits_is_filled_in_whole() {
        let path = units(&"p".repeat(MAX_VALUE_UNITS));
        let fields = PlaceholderFields { tool: None, ..filling_of(&[], &path) };
        assert_eq!(Placeholder::parse(&units("{path}")).render(&fields), path);
    }
}
