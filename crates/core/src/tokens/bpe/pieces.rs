//! Splits text into the pieces that no token crosses, as the encodings' published patterns do (`openai_public.py` of `OpenAI`'s tiktoken).
//! Hand-written: the patterns need look-ahead and backtracking, which a linear-time regex engine lacks, and
//! a scanner that reads each byte about once is several times as fast.

// Classes of characters. `build.rs` generates their table from Unicode's categories.
/// `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`: may precede the lower-case part of a word.
const UPPER: u8 = 1;
/// `[\p{Ll}\p{Lm}\p{Lo}\p{M}]`: the lower-case part of a word.
const LOWER: u8 = 2;
/// `\p{L}`
const LETTER: u8 = 4;
/// `\p{N}`
const NUMBER: u8 = 8;
/// `\s`
const SPACE: u8 = 16;
/// [`BLOCKS`] block numbers, one for each 256 characters, then the distinct blocks of 256 classes each.
static TABLE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/characters.table"));
/// Number of blocks of 256 characters in Unicode.
const BLOCKS: usize = 0x1100;

/// The pattern by which an encoding splits text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Split {
    /// `o200k_base`: a word ends where lower case turns to upper case, and includes contractions (`'s`).
    O200k,
    /// `cl100k_base`: a word is a run of letters; a contraction is a piece of its own.
    Cl100k,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PieceKind {
    /// Letters, and at most one other character before them.
    Word,
    Digits,
    Other,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    pub start: usize,
    pub end: usize,
    pub kind: PieceKind,
}

#[derive(Debug, Clone)]
pub struct PieceIter<'t> {
    text: &'t [u8],
    at: usize,
    split: Split,
}

impl<'t> PieceIter<'t> {
    pub const fn new(text: &'t str, split: Split) -> Self {
        Self { text: text.as_bytes(), at: 0, split }
    }
}

impl Iterator for PieceIter<'_> {
    type Item = Piece;

    #[inline]
    fn next(&mut self) -> Option<Piece> {
        let start = self.at;
        let (class, length) = class_at(self.text, start)?;
        let (end, kind) = self.piece(start, class, length);
        self.at = end;
        Some(Piece { start, end, kind })
    }
}

impl PieceIter<'_> {
    #[inline]
    fn piece(&self, start: usize, class: u8, length: usize) -> (usize, PieceKind) {
        let word = match self.split {
            Split::O200k => self.o200k_word(start, class, length),
            Split::Cl100k => self.cl100k_word(start, class, length),
        };
        if let Some(end) = word {
            return (end, PieceKind::Word);
        }
        if class & NUMBER != 0 {
            return (self.digits(start + length), PieceKind::Digits);
        }
        (self.symbols(start, class, length).unwrap_or_else(|| self.space(start)), PieceKind::Other)
    }

    #[inline]
    fn run_while(&self, mut at: usize, continues: impl Fn(u8) -> bool) -> usize {
        while let Some((class, length)) = class_at(self.text, at)
            && continues(class)
        {
            at += length;
        }
        at
    }

    #[inline]
    fn run(&self, at: usize, classes: u8) -> usize {
        self.run_while(at, |class| class & classes != 0)
    }

    /// `[^\r\n\p{L}\p{N}]?` before a word: the start of the word, if there is such a character.
    fn after_prefix(&self, start: usize, class: u8, length: usize) -> Option<usize> {
        let allowed = class & (LETTER | NUMBER) == 0 && !matches!(self.text.get(start), Some(b'\r' | b'\n'));
        allowed.then_some(start + length)
    }

    fn o200k_word(&self, start: usize, class: u8, length: usize) -> Option<usize> {
        let after_prefix = self.after_prefix(start, class, length);
        // A combining mark may be the character before a word, or part of it; other first characters are unambiguous.
        let bare = (class & (UPPER | LOWER) != 0).then_some(start);
        let either = || [after_prefix, bare].into_iter().flatten();
        let end = either()
            .find_map(|from| self.capitalized(from))
            .or_else(|| either().find_map(|from| Some(self.run(from, UPPER)).filter(|&end| end > from)))?;
        Some(end + self.contraction(end))
    }

    /// `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+`
    #[inline]
    fn capitalized(&self, from: usize) -> Option<usize> {
        let mut at = from;
        // The last end of a possible lower-case part that the upper-case run has consumed.
        let mut swallowed = None;
        while let Some((class, length)) = class_at(self.text, at) {
            if class & UPPER == 0 {
                if class & LOWER != 0 {
                    return Some(self.run(at + length, LOWER));
                }
                break;
            }
            at += length;
            if class & LOWER != 0 {
                swallowed = Some(at);
            }
        }
        swallowed
    }

    fn cl100k_word(&self, start: usize, class: u8, length: usize) -> Option<usize> {
        let contraction = self.contraction(start);
        if contraction > 0 {
            return Some(start + contraction);
        }
        if class & LETTER != 0 {
            return Some(self.run(start + length, LETTER));
        }
        let from = self.after_prefix(start, class, length)?;
        Some(self.run(from, LETTER)).filter(|&end| end > from)
    }

    /// `(?i:'s|'t|'re|'ve|'m|'ll|'d)`: its length, or 0. Ignoring case, ſ is an s.
    #[inline]
    fn contraction(&self, at: usize) -> usize {
        if self.text.get(at) != Some(&b'\'') {
            return 0;
        }
        let letter = |offset: usize| self.text.get(at + offset).map_or(0, u8::to_ascii_lowercase);
        match (letter(1), letter(2)) {
            (b's' | b't' | b'm' | b'd', _) => 2,
            (b'r' | b'v', b'e') | (b'l', b'l') | (0xC5, 0xBF) => 3,
            _ => 0,
        }
    }

    /// `\p{N}{1,3}`, whose first character ends at `at`.
    fn digits(&self, mut at: usize) -> usize {
        for _ in 0..2 {
            match class_at(self.text, at) {
                Some((class, length)) if class & NUMBER != 0 => at += length,
                _ => break,
            }
        }
        at
    }

    /// ` ?[^\s\p{L}\p{N}]+[\r\n/]*` (without the `/` in cl100k)
    fn symbols(&self, start: usize, class: u8, length: usize) -> Option<usize> {
        const WORDS: u8 = SPACE | LETTER | NUMBER;
        let from = if self.text.get(start) == Some(&b' ') { start + length } else { start };
        if from == start && class & WORDS != 0 {
            return None;
        }
        let mut at = self.run_while(from, |class| class & WORDS == 0);
        if at == from {
            return None;
        }
        while let Some(byte) = self.text.get(at) {
            match byte {
                b'\r' | b'\n' => at += 1,
                b'/' if self.split == Split::O200k => at += 1,
                _ => break,
            }
        }
        Some(at)
    }

    /// `\s*[\r\n]+|\s+(?!\S)|\s+`
    fn space(&self, start: usize) -> usize {
        let (mut at, mut last, mut after_line_break) = (start, start, None);
        while let Some((class, length)) = class_at(self.text, at) {
            if class & SPACE == 0 {
                break;
            }
            last = at;
            at += length;
            if matches!(self.text.get(last), Some(b'\r' | b'\n')) {
                after_line_break = Some(at);
            }
        }
        match after_line_break {
            Some(end) => end,
            // The last space before a word belongs to the word.
            None if at < self.text.len() && last > start => last,
            None => at,
        }
    }
}

/// The classes of the character at offset `at` of valid UTF-8, and its length in bytes; `None` at the end.
#[inline]
fn class_at(text: &[u8], at: usize) -> Option<(u8, usize)> {
    let &first = text.get(at)?;
    if first < 0x80 {
        // ASCII is in the first block, whose number is 0.
        return Some((TABLE.get(BLOCKS + usize::from(first)).copied().unwrap_or_default(), 1));
    }
    let (code, length) = decode(first, text.get(at + 1..).unwrap_or_default());
    let block = TABLE.get(code >> 8).copied().unwrap_or_default();
    let class = TABLE.get(BLOCKS + usize::from(block) * 256 + (code & 0xFF)).copied().unwrap_or_default();
    Some((class, length))
}

#[inline]
fn decode(first: u8, rest: &[u8]) -> (usize, usize) {
    let next = |index: usize| usize::from(rest.get(index).copied().unwrap_or_default() & 0x3F);
    let first = usize::from(first);
    match first {
        0..0xE0 => ((first & 0x1F) << 6 | next(0), 2),
        0xE0..0xF0 => ((first & 0x0F) << 12 | next(0) << 6 | next(1), 3),
        _ => ((first & 0x07) << 18 | next(0) << 12 | next(1) << 6 | next(2), 4),
    }
}

#[cfg(test)]
mod tests;
