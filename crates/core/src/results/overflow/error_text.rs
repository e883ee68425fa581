//! Normalises an error's text for matching, without the parts that are not the provider's own words: headers and the request as
//! it was sent are removed, quotations are marked. Handles JSON, JSON in JSON, and objects as Node.js and Python print them.

use super::headers::is_header;
use super::quotation::{is_sent, last_word, opens_quotation};

#[derive(Debug, Default)]
pub(super) struct ErrorText {
    pub(super) text: String,
    /// Spans of `text` that quote somebody else.
    quotations: Vec<(usize, usize)>,
}

impl ErrorText {
    /// True if one quotation covers the whole span.
    pub(super) fn is_quoted(&self, start: usize, end: usize) -> bool {
        self.quotations.iter().any(|&(from, to)| from <= start && end <= to)
    }
}

/// An open quotation mark.
#[derive(Clone, Copy, PartialEq)]
struct QuotationMark {
    closing: char,
    /// Marks of the same nesting level have the same number.
    backslashes: usize,
}

struct OpenQuotation {
    mark: QuotationMark,
    /// Start of its text if it quotes somebody else.
    quotation: Option<usize>,
}

/// O(message).
pub(super) fn normalise(message: &[u16]) -> ErrorText {
    let letters: Vec<char> = char::decode_utf16(message.iter().copied())
        .map(|letter| plain(letter.unwrap_or(char::REPLACEMENT_CHARACTER)))
        .collect();
    let mut reader = Reader { letters: &letters, at: 0, output: ErrorText::default(), open: Vec::new() };
    // A transcript stores an error as an assistant message.
    let is_stored_as_message =
        letters.windows(17).any(|window| window.iter().copied().eq("isapierrormessage".chars()));
    while reader.at < letters.len() {
        reader.step(is_stored_as_message);
    }
    reader.output
}

/// Lower case; typographic and full-width marks become ASCII.
fn plain(letter: char) -> char {
    match letter {
        '’' | '‘' => '\'',
        '“' | '”' => '"',
        '\u{ff01}'..='\u{ff5e}' => {
            char::from_u32(u32::from(letter) - 0xfee0).unwrap_or(letter).to_ascii_lowercase()
        }
        '。' => '.',
        '、' => ',',
        _ => letter.to_ascii_lowercase(),
    }
}

struct Reader<'l> {
    letters: &'l [char],
    at: usize,
    output: ErrorText,
    open: Vec<OpenQuotation>,
}

impl Reader<'_> {
    fn step(&mut self, is_stored_as_message: bool) {
        let backslashes = self.backslashes();
        let Some(letter) = self.letter(0) else { return };
        if backslashes > 0 && matches!(letter, 'n' | 'r' | 't') {
            self.push(' ');
            self.at += 1;
        } else if matches!(letter, '"' | '\'' | '`' | '「') {
            self.mark(letter, backslashes, is_stored_as_message);
        } else if self.closes(letter, backslashes) {
            self.close(letter, backslashes);
        } else if matches!(letter, '{' | '[') && self.is_sent_value(is_stored_as_message) {
            self.skip_container();
        } else if !self.skip_header() {
            self.push(letter);
            self.at += 1;
        }
    }

    fn letter(&self, offset: usize) -> Option<char> {
        self.letters.get(self.at + offset).copied()
    }

    fn letter_before(&self, distance: usize) -> Option<char> {
        self.letters.get(self.at.checked_sub(distance)?).copied()
    }

    /// Skips backslashes and returns their number.
    fn backslashes(&mut self) -> usize {
        let count =
            self.letters.get(self.at..).unwrap_or_default().iter().take_while(|&&c| c == '\\').count();
        self.at += count;
        count
    }

    /// White space becomes one space, none at the beginning and none next to a Chinese character.
    fn push(&mut self, letter: char) {
        let text = &mut self.output.text;
        let last = text.chars().next_back();
        if letter.is_whitespace() {
            if last.is_some_and(|last| last != ' ' && !is_wide(last)) {
                text.push(' ');
            }
            return;
        }
        if is_wide(letter) && last == Some(' ') {
            text.pop();
        }
        text.push(letter);
    }

    fn mark(&mut self, letter: char, backslashes: usize, is_stored_as_message: bool) {
        let closing = if letter == '「' { '」' } else { letter };
        let is_in_word = self.letter_before(backslashes + 1).is_some_and(char::is_alphanumeric);
        if self.closes(letter, backslashes) && !(letter == '\'' && is_in_word && self.is_before_word()) {
            self.close(letter, backslashes);
        } else if is_in_word && !self.is_bytes_prefix() {
            // An apostrophe, or a remnant of a cut text.
            self.keep_mark(letter);
        } else if self.is_sent_value(is_stored_as_message) {
            self.at += 1;
            self.skip_within(closing, backslashes);
            self.output.text.push('…');
        } else {
            let before = self.output.text.as_str();
            let before = if self.is_bytes_prefix() { before.strip_suffix('b') } else { Some(before) };
            let quotation = opens_quotation(before.unwrap_or_default());
            self.keep_mark(letter);
            let start = self.output.text.len();
            self.open.push(OpenQuotation {
                mark: QuotationMark { closing, backslashes },
                quotation: quotation.then_some(start),
            });
        }
    }

    /// Backticks are only emphasis.
    fn keep_mark(&mut self, letter: char) {
        if letter != '`' {
            self.push(letter);
        }
        self.at += 1;
    }

    fn is_between_letters(&self) -> bool {
        self.letter_before(1).is_some_and(char::is_alphanumeric) && self.is_before_word()
    }

    fn is_before_word(&self) -> bool {
        self.letter(1).is_some_and(char::is_alphanumeric)
    }

    /// Python prints bytes as `b'…'`.
    fn is_bytes_prefix(&self) -> bool {
        last_word(&self.output.text) == "b"
    }

    fn closes(&self, letter: char, backslashes: usize) -> bool {
        self.open.iter().any(|open| open.mark == QuotationMark { closing: letter, backslashes })
    }

    /// Closes the innermost mark of this kind, and marks left open inside it.
    fn close(&mut self, letter: char, backslashes: usize) {
        let end = self.output.text.len();
        while let Some(open) = self.open.pop() {
            if let Some(start) = open.quotation {
                self.output.quotations.push((start, end));
            }
            if open.mark == (QuotationMark { closing: letter, backslashes }) {
                break;
            }
        }
        self.keep_mark(letter);
    }

    /// True if a field's value begins here and the field holds a part of the request.
    fn is_sent_value(&self, is_stored_as_message: bool) -> bool {
        let mut before = self.output.text.trim_end();
        if self.letter(0) == Some('{') {
            // `headers: Headers { … }`
            let class = last_word(before);
            let without = before.strip_suffix(class).unwrap_or_default().trim_end();
            before = if without.ends_with(':') { without } else { before };
        }
        let Some(key) = before.strip_suffix(':').or_else(|| before.strip_suffix('=')) else {
            return false;
        };
        let key = last_word(key.trim_end().trim_end_matches(['"', '\'']));
        is_sent(key) && !(is_stored_as_message && key == "content")
    }

    fn skip_container(&mut self) {
        let mut depth = 0_usize;
        while let Some(letter) = self.letter(0) {
            let backslashes = self.backslashes();
            let letter = if backslashes > 0 { self.letter(0).unwrap_or(letter) } else { letter };
            self.at += 1;
            match letter {
                '{' | '[' => depth += 1,
                '}' | ']' => depth = depth.saturating_sub(1),
                '"' | '\'' if self.may_open_string() => self.skip_within(letter, backslashes),
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
        self.output.text.push('…');
    }

    /// An apostrophe within a word opens nothing.
    fn may_open_string(&self) -> bool {
        !self.letter_before(2).is_some_and(char::is_alphanumeric)
    }

    /// Skips to the end if the text is cut off.
    fn skip_within(&mut self, closing: char, backslashes: usize) {
        while self.at < self.letters.len() {
            let found = self.backslashes();
            let is_apostrophe = closing == '\'' && self.is_between_letters();
            let is_end = self.letter(0) == Some(closing) && found <= backslashes && !is_apostrophe;
            self.at += 1;
            if is_end {
                break;
            }
        }
    }

    /// Skips a header's name and value wherever they are printed: `x-ratelimit-remaining-tokens: 0`.
    fn skip_header(&mut self) -> bool {
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
        if self.letter_before(1).is_some_and(is_part)
            || !self.letter(0).is_some_and(|letter| letter.is_ascii_alphabetic())
        {
            return false;
        }
        let rest = self.letters.get(self.at..).unwrap_or_default();
        let word: String = rest.iter().take_while(|&&letter| is_part(letter)).take(80).collect();
        if !is_header(&word) {
            return false;
        }
        self.at += word.len();
        self.skip_all(&['"', '\'', '\\']);
        self.skip_all(&[' ']);
        if self.letter(0).is_some_and(|letter| matches!(letter, ':' | '=' | ',')) {
            self.skip_all(&[':', '=', ',', '>', ' ', '[', '\\']);
            self.skip_value();
        }
        self.output.text.push('…');
        true
    }

    fn skip_value(&mut self) {
        match self.letter(0) {
            Some(mark @ ('"' | '\'')) => {
                self.at += 1;
                self.skip_within(mark, usize::MAX);
            }
            _ => {
                while self
                    .letter(0)
                    .is_some_and(|letter| !letter.is_whitespace() && !",;}])\"'\\".contains(letter))
                {
                    self.at += 1;
                }
            }
        }
    }

    fn skip_all(&mut self, letters: &[char]) {
        while self.letter(0).is_some_and(|letter| letters.contains(&letter)) {
            self.at += 1;
        }
    }
}

fn is_wide(letter: char) -> bool {
    matches!(u32::from(letter), 0x2e80..=0x9fff | 0xac00..=0xd7af | 0xf900..=0xfaff)
}
