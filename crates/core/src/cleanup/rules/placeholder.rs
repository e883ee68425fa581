//! Decides the text that replaces a result: a fixed text, or a template with the tool, the path, the age or the length of the original. The
//! presets' placeholders also name the call and the result's handle, so that the result can be fetched again.

use std::borrow::Cow;

use crate::conversation::requests::Handle;
use crate::text::utf16::units;

/// A tool's name or a path is truncated to this many units.
const MAX_VALUE_UNITS: usize = 1_024;
/// All values of one placeholder together are truncated to this many units.
const MAX_FILLED_UNITS: usize = 8_192;
const ELLIPSIS: &str = "…";
/// A number, age or handle has at most this many units.
const LONGEST_FIGURE_UNITS: usize = 24;
/// Replaces `{age}` if the age is unknown.
const UNKNOWN_AGE: &str = "? min";
/// The fields of templates, as written in them. Applications' templates may use the first [`APPLICATION_FIELDS`], our own all.
const FIELDS: [(&str, TemplatePart); 7] = [
    ("{tool}", TemplatePart::Tool),
    ("{path}", TemplatePart::Path),
    ("{chars}", TemplatePart::Chars),
    ("{age}", TemplatePart::Age),
    ("{about}", TemplatePart::About),
    ("{lines}", TemplatePart::Lines),
    ("{handle}", TemplatePart::Handle),
];
const APPLICATION_FIELDS: usize = 4;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TemplatePart {
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

/// A template's values that depend on the call alone.
#[derive(Debug, Clone, Copy, Default)]
pub struct CallFields<'a> {
    /// The tool's name; `None` is written as `tool`.
    pub tool: Option<&'a [u16]>,
    /// The normalized paths that the call names, joined; empty if the rule knows none.
    pub path: &'a [u16],
    /// The file or start of the command that the call names, from [`crate::tools::label::subject_of`]; empty if the template does not use it.
    pub about: &'a [u16],
}

#[derive(Debug, Clone, Copy)]
pub struct ResultFields<'a> {
    pub call: CallFields<'a>,
    pub lines: usize,
    pub handle: Handle,
    /// UTF-16 units of the original content.
    pub chars: usize,
    /// Milliseconds since the result came; NaN if unknown.
    pub age_ms: f64,
}

/// A placeholder, fixed or template, by its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placeholder(Vec<TemplatePart>);

impl Placeholder {
    /// Parses an application's template: `{tool}`, `{path}`, `{chars}` and `{age}`; other braces are literal.
    pub fn parse(source: &[u16]) -> Self {
        Self::with_fields(source, FIELDS.get(..APPLICATION_FIELDS).unwrap_or_default())
    }

    /// Parses a text of this package, which may also contain `{about}`, `{lines}` and `{handle}`.
    pub fn with_all_fields(source: &str) -> Self {
        Self::with_fields(&units(source), &FIELDS)
    }

    fn with_fields(source: &[u16], fields: &[(&str, TemplatePart)]) -> Self {
        let fields: Vec<_> = fields.iter().map(|(name, field)| (units(name), field)).collect();
        let mut parts = Vec::new();
        let mut text = Vec::new();
        let mut rest = source;
        while let Some((&unit, after)) = rest.split_first() {
            if let Some((name, field)) = fields.iter().find(|(name, _)| rest.starts_with(name)) {
                if !text.is_empty() {
                    parts.push(TemplatePart::Text(std::mem::take(&mut text)));
                }
                parts.push((*field).clone());
                rest = rest.get(name.len()..).unwrap_or_default();
            } else {
                text.push(unit);
                rest = after;
            }
        }
        if !text.is_empty() || parts.is_empty() {
            parts.push(TemplatePart::Text(text));
        }
        Self(parts)
    }

    pub fn fixed(&self) -> Option<&[u16]> {
        if let [TemplatePart::Text(text)] = self.0.as_slice() { Some(text) } else { None }
    }

    pub(super) fn shows(&self, field: &TemplatePart) -> bool {
        self.0.contains(field)
    }

    pub fn shows_age(&self) -> bool {
        self.shows(&TemplatePart::Age)
    }

    /// The text for one result. Values are truncated: a model may call a tool with a path of a megabyte, and a template may repeat it.
    pub fn render(&self, fields: &ResultFields<'_>) -> Vec<u16> {
        let mut rendered = Vec::new();
        for (part, text) in self.filled_parts(fields.call) {
            let figure = match part {
                TemplatePart::Lines => fields.lines.to_string(),
                TemplatePart::Handle => fields.handle.to_string(),
                TemplatePart::Chars => fields.chars.to_string(),
                TemplatePart::Age if fields.age_ms.is_nan() => UNKNOWN_AGE.to_owned(),
                TemplatePart::Age => format!("{} min", (fields.age_ms / 60_000.0).floor().max(0.0)),
                _ => String::new(),
            };
            rendered.extend_from_slice(&text);
            rendered.extend(figure.encode_utf16());
        }
        rendered
    }

    /// True if `content` is already this placeholder for a result of this call, whatever its length, age and request were (R1.6).
    pub fn matches(&self, content: &[u16], call: CallFields<'_>) -> bool {
        let rest = self.filled_parts(call).try_fold(content, |rest, (part, text)| match part {
            TemplatePart::Chars | TemplatePart::Lines => strip_digits(rest),
            TemplatePart::Handle => strip_handle(rest),
            TemplatePart::Age => rest
                .strip_prefix(units(UNKNOWN_AGE).as_slice())
                .or_else(|| strip_digits(rest)?.strip_prefix(units(" min").as_slice())),
            _ => rest.strip_prefix(&*text),
        });
        rest.is_some_and(<[u16]>::is_empty)
    }

    /// True if a content that begins with `head` may be this placeholder, judged without its call.
    pub fn may_begin(&self, head: &[u16]) -> bool {
        match self.0.first() {
            Some(TemplatePart::Text(text)) => head.starts_with(text) || text.starts_with(head),
            _ => true,
        }
    }

    /// The parts, each with its text if that depends on the call alone; else the text is empty.
    fn filled_parts<'p>(&'p self, call: CallFields<'p>) -> impl Iterator<Item = (&'p TemplatePart, Cow<'p, [u16]>)> {
        let CallFields { tool, path, about } = call;
        let tool = tool.map_or_else(|| Cow::Owned(units("tool")), shortened_value);
        let path = shortened_value(path);
        let mut units_left = MAX_FILLED_UNITS;
        let mut filled = move |value: &Cow<'p, [u16]>| {
            let fits = value.len() <= units_left;
            units_left = units_left.saturating_sub(value.len());
            if fits { value.clone() } else { Cow::Owned(units(ELLIPSIS)) }
        };
        self.0.iter().map(move |part| {
            let text = match part {
                TemplatePart::Text(text) => Cow::Borrowed(text.as_slice()),
                TemplatePart::Tool => filled(&tool),
                TemplatePart::Path => filled(&path),
                TemplatePart::About if !about.is_empty() => filled(&Cow::Owned([&[u16::from(b' ')], about].concat())),
                _ => Cow::Borrowed(&[][..]),
            };
            (part, text)
        })
    }
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
    digits.strip_prefix(&[u16::from(b'.')]).map_or(Some(digits), strip_digits)
}

fn strip_digits(text: &[u16]) -> Option<&[u16]> {
    let digits = text.iter().take_while(|unit| matches!(unit, 0x30..=0x39)).count();
    if digits == 0 { None } else { text.get(digits..) }
}

/// The maximum length of any of `placeholders` for this call: a longer content is none of them.
pub fn longest_of<'p>(placeholders: impl IntoIterator<Item = &'p Placeholder>, call: CallFields<'_>) -> usize {
    let length = |(part, text): (&TemplatePart, Cow<'_, [u16]>)| match part {
        TemplatePart::Chars | TemplatePart::Age | TemplatePart::Lines | TemplatePart::Handle => LONGEST_FIGURE_UNITS,
        _ => text.len(),
    };
    let lengths = placeholders.into_iter().map(|text| text.filled_parts(call).map(length).sum());
    lengths.max().unwrap_or(0)
}

#[cfg(test)]
mod tests;
