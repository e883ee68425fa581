//! Normalises an error's text for matching, and separates the provider's own words from others: removes headers and copies of the request,
//! records the spans of quotations. Handles JSON, JSON in JSON, and objects as Node.js and Python print them.

use std::ops::Range;

use super::foreign_words::{FOREIGN_FIELDS, is_header, last_word, opens_quotation};

/// Letters; no header's name is longer.
const LONGEST_HEADER: usize = 80;

#[derive(Debug, Default)]
pub(super) struct ErrorText {
    pub(super) text: String,
    /// Start and end, in bytes of `text`, of the words that quote somebody else.
    quotations: Vec<Range<usize>>,
}

impl ErrorText {
    pub(super) fn is_quoted(&self, span: &Range<usize>) -> bool {
        self.quotations.iter().any(|quotation| quotation.start <= span.start && span.end <= quotation.end)
    }
}

/// A quotation mark, by which its other half is recognised.
#[derive(Clone, Copy, PartialEq)]
struct QuotationMark {
    closing: char,
    /// The number of backslashes before it: marks of the same nesting level have the same number.
    backslashes: usize,
}

pub(super) fn normalise(message: &[u16]) -> ErrorText {
    let letters: Vec<char> = char::decode_utf16(message.iter().copied())
        .map(|letter| normal_letter(letter.unwrap_or(char::REPLACEMENT_CHARACTER)))
        .collect();
    let is_stored_as_message = letters.windows(17).any(|window| window.iter().copied().eq("isapierrormessage".chars()));
    let cleaned = ErrorText::default();
    let mut reader = Reader { letters: &letters, is_stored_as_message, at: 0, cleaned, open: Vec::new() };
    while reader.at < letters.len() {
        reader.step();
    }
    reader.cleaned
}

/// Lower case; typographic and full-width marks become ASCII.
fn normal_letter(letter: char) -> char {
    match letter {
        '’' | '‘' => '\'',
        '“' | '”' => '"',
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(letter) - 0xfee0).unwrap_or(letter).to_ascii_lowercase(),
        '。' => '.',
        '、' => ',',
        _ => letter.to_ascii_lowercase(),
    }
}

struct Reader<'l> {
    letters: &'l [char],
    /// True if a transcript stores the error as an assistant message: then `content` is the error, not the request.
    is_stored_as_message: bool,
    at: usize,
    cleaned: ErrorText,
    /// The quotation marks that are not closed yet, outermost first; each with the start of the words after it, if they are somebody
    /// else's.
    open: Vec<(QuotationMark, Option<usize>)>,
}

impl Reader<'_> {
    fn step(&mut self) {
        let backslashes = self.skip_while(|letter| letter == '\\');
        let Some(letter) = self.letter(0) else { return };
        let as_closing = QuotationMark { closing: letter, backslashes };
        if backslashes > 0 && matches!(letter, 'n' | 'r' | 't') {
            self.push(' ');
            self.at += 1;
        } else if matches!(letter, '"' | '\'' | '`' | '「') {
            self.read_mark(as_closing);
        } else if self.is_open(as_closing) {
            self.close(as_closing);
        } else if matches!(letter, '{' | '[') && self.begins_request_value() {
            self.skip_container();
        } else if !self.skip_header() {
            self.push(letter);
            self.at += 1;
        }
    }

    /// The letter `offset` letters after the next one.
    fn letter(&self, offset: usize) -> Option<char> {
        self.letters.get(self.at + offset).copied()
    }

    fn letter_before(&self, distance: usize) -> Option<char> {
        self.letters.get(self.at.checked_sub(distance)?).copied()
    }

    /// Copies a letter. White space becomes one space, or none at the beginning and next to a Chinese character.
    fn push(&mut self, letter: char) {
        let text = &mut self.cleaned.text;
        let last = text.chars().next_back();
        if letter.is_whitespace() {
            if last.is_some_and(|last| last != ' ' && !is_unspaced_script(last)) {
                text.push(' ');
            }
            return;
        }
        if is_unspaced_script(letter) && last == Some(' ') {
            text.pop();
        }
        text.push(letter);
    }

    /// Reads a mark, given as if it closed a quotation: closes its other half, opens a quotation, or keeps an apostrophe.
    fn read_mark(&mut self, as_closing: QuotationMark) {
        let QuotationMark { closing: letter, backslashes } = as_closing;
        let mark = QuotationMark { closing: if letter == '「' { '」' } else { letter }, backslashes };
        let is_in_word = self.is_alphanumeric_before(backslashes + 1);
        // The `b` with which Python prints bytes: `b'…'`.
        let follows_bytes_prefix = last_word(&self.cleaned.text) == "b";
        if self.is_open(as_closing) && !(letter == '\'' && is_in_word && self.is_before_word()) {
            self.close(as_closing);
        } else if is_in_word && !follows_bytes_prefix {
            // An apostrophe, or a remnant of a cut text.
            self.keep_mark(letter);
        } else if self.begins_request_value() {
            self.at += 1;
            self.skip_within(mark.closing, backslashes);
            self.cleaned.text.push('…');
        } else {
            let text = self.cleaned.text.as_str();
            let before = if follows_bytes_prefix { text.strip_suffix('b') } else { Some(text) };
            let quotes_somebody_else = opens_quotation(before.unwrap_or_default());
            self.keep_mark(letter);
            let quotation_start = quotes_somebody_else.then_some(self.cleaned.text.len());
            self.open.push((mark, quotation_start));
        }
    }

    /// Copies a mark, except a backtick, which is only emphasis.
    fn keep_mark(&mut self, letter: char) {
        if letter != '`' {
            self.push(letter);
        }
        self.at += 1;
    }

    fn is_alphanumeric_before(&self, distance: usize) -> bool {
        self.letter_before(distance).is_some_and(char::is_alphanumeric)
    }

    fn is_before_word(&self) -> bool {
        self.letter(1).is_some_and(char::is_alphanumeric)
    }

    fn is_open(&self, mark: QuotationMark) -> bool {
        self.open.iter().any(|&(open, _)| open == mark)
    }

    /// Closes the innermost open mark of this kind, and all marks inside it.
    fn close(&mut self, mark: QuotationMark) {
        let end = self.cleaned.text.len();
        while let Some((open, quotation_start)) = self.open.pop() {
            self.cleaned.quotations.extend(quotation_start.map(|start| start..end));
            if open == mark {
                break;
            }
        }
        self.keep_mark(mark.closing);
    }

    /// True if a field's value begins here and the field holds a part of the request.
    fn begins_request_value(&self) -> bool {
        let mut before = self.cleaned.text.trim_end();
        if self.letter(0) == Some('{') {
            // A class name may precede the brace: `headers: Headers { … }`.
            let class = last_word(before);
            let before_class = before.strip_suffix(class).unwrap_or_default().trim_end();
            before = if before_class.ends_with(':') { before_class } else { before };
        }
        let Some(key) = before.strip_suffix(':').or_else(|| before.strip_suffix('=')) else {
            return false;
        };
        let key = last_word(key.trim_end().trim_end_matches(['"', '\'']));
        FOREIGN_FIELDS.contains(&key) && !(self.is_stored_as_message && key == "content")
    }

    fn skip_container(&mut self) {
        let mut depth = 0_usize;
        while let Some(letter) = self.letter(0) {
            let backslashes = self.skip_while(|letter| letter == '\\');
            let letter = if backslashes > 0 { self.letter(0).unwrap_or(letter) } else { letter };
            self.at += 1;
            match letter {
                '{' | '[' => depth += 1,
                '}' | ']' => depth = depth.saturating_sub(1),
                // No apostrophe within a word.
                '"' | '\'' if !self.is_alphanumeric_before(2) => {
                    self.skip_within(letter, backslashes);
                }
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
        self.cleaned.text.push('…');
    }

    /// Skips to the closing mark, or to the end if the text is cut off.
    fn skip_within(&mut self, closing: char, backslashes: usize) {
        while self.at < self.letters.len() {
            let own_backslashes = self.skip_while(|letter| letter == '\\');
            let is_apostrophe = closing == '\'' && self.is_alphanumeric_before(1) && self.is_before_word();
            let is_end = self.letter(0) == Some(closing) && own_backslashes <= backslashes && !is_apostrophe;
            self.at += 1;
            if is_end {
                break;
            }
        }
    }

    /// Skips a header's name and value: `x-ratelimit-remaining-tokens: 0`. False if no header begins here.
    fn skip_header(&mut self) -> bool {
        let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
        let begins_name = self.letter(0).is_some_and(|letter| letter.is_ascii_alphabetic());
        if !begins_name || self.letter_before(1).is_some_and(is_of_name) {
            return false;
        }
        let rest = self.letters.iter().skip(self.at);
        let word: String = rest.take_while(|&&letter| is_of_name(letter)).take(LONGEST_HEADER).collect();
        if !is_header(&word) {
            return false;
        }
        self.at += word.len();
        self.skip_while(|letter| matches!(letter, '"' | '\'' | '\\'));
        self.skip_while(|letter| letter == ' ');
        if matches!(self.letter(0), Some(':' | '=' | ',')) {
            self.skip_while(|letter| ":=,> [\\".contains(letter));
            if let Some(mark @ ('"' | '\'')) = self.letter(0) {
                self.at += 1;
                self.skip_within(mark, usize::MAX);
            } else {
                self.skip_while(|letter| !letter.is_whitespace() && !",;}])\"'\\".contains(letter));
            }
        }
        self.cleaned.text.push('…');
        true
    }

    fn skip_while(&mut self, accepts: impl Fn(char) -> bool) -> usize {
        let rest = self.letters.get(self.at..).unwrap_or_default();
        let count = rest.iter().take_while(|&&letter| accepts(letter)).count();
        self.at += count;
        count
    }
}

/// True for Chinese, Japanese and Korean letters and signs.
fn is_unspaced_script(letter: char) -> bool {
    matches!(u32::from(letter), 0x2e80..=0x9fff | 0xac00..=0xd7af | 0xf900..=0xfaff)
}
