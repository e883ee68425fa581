//! Parses base64 within other text: JSON, HTML and URLs each escape some symbols and line breaks.

use crate::text::json_probe::grammar::{BACKSLASH, run_until, skip_white_space};
use crate::text::utf16::{letter, starts_with_folded};

/// The two alphabets of RFC 4648. One text uses one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alphabet {
    Standard,
    UrlSafe,
}

impl Alphabet {
    pub const ALL: [Self; 2] = [Self::Standard, Self::UrlSafe];

    /// The two of the 64 symbols that are neither letters nor digits.
    pub const fn signs(self) -> [u16; 2] {
        match self {
            Self::Standard => [0x2B, 0x2F],
            Self::UrlSafe => [0x2D, 0x5F],
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Meaning {
    Symbol,
    Padding,
    Break,
    Tab,
}

type EscapeTable = [(Meaning, &'static [&'static str])];

/// Escapes with any number of backslashes before them: JSON in JSON doubles them.
const AFTER_BACKSLASHES: &EscapeTable = &[
    (Meaning::Break, &["n", "r", "u000a", "u000d"]),
    (Meaning::Tab, &["t"]),
    (Meaning::Symbol, &["/", "u002b", "u002f"]),
    (Meaning::Padding, &["u003d"]),
];
/// Escapes of URLs and HTML.
const ESCAPES: &EscapeTable = &[
    (Meaning::Symbol, &["%2b", "%2f", "&#43;", "&#x2b;", "&#47;", "&#x2f;"]),
    (Meaning::Padding, &["%3d", "&#61;", "&#x3d;"]),
    (Meaning::Break, &["%0a", "%0d", "&#10;", "&#xa;", "&#13;", "&#xd;"]),
];
/// Units. A longer gap between two lines is no indentation.
const LONGEST_SEPARATOR: usize = 256;
const BLOCK: usize = 64;

/// True for a letter, a digit or a sign of the alphabet. Without branches, so that it compiles to vector code.
#[inline]
#[expect(clippy::needless_bitwise_bool, reason = "branches between the tests would keep it from vector code")]
pub const fn is_symbol(unit: u16, alphabet: Alphabet) -> bool {
    let [plus, slash] = alphabet.signs();
    // Folding case maps letters to letters and nothing else to a letter.
    ((unit | 0x20).wrapping_sub(0x61) < 26) | (unit.wrapping_sub(0x30) < 10) | (unit == plus) | (unit == slash)
}

/// The six bits that a symbol of either alphabet encodes.
pub fn symbol_value(unit: u16) -> Option<u32> {
    let unit = u32::from(unit);
    Some(match unit {
        0x41..=0x5A => unit - 0x41,
        0x61..=0x7A => unit - 0x61 + 26,
        0x30..=0x39 => unit - 0x30 + 52,
        0x2B | 0x2D => 62,
        0x2F | 0x5F => 63,
        _ => return None,
    })
}

/// True if all units are symbols. Without early exit, so that it compiles to vector code.
pub fn is_all_symbols(block: &[u16], alphabet: Alphabet) -> bool {
    block.iter().fold(true, |all, &unit| all & is_symbol(unit, alphabet))
}

/// True if all units may occur in wrapped base64, including separators, escapes and line numbers.
#[expect(clippy::needless_bitwise_bool, reason = "branches between the tests would keep it from vector code")]
pub fn may_all_be_base64(window: &[u16]) -> bool {
    window.chunks(BLOCK).all(|block| {
        block.iter().fold(true, |all, &unit| {
            // `"`, `#`, `%`, `&`, `'`; `+` to `/` except the point; `:`, `;`, `=`, the backslash, `|`, and white space.
            let quote_or_escape = (unit.wrapping_sub(0x22) < 6) & (unit != 0x24);
            let sign = (unit.wrapping_sub(0x2B) < 5) & (unit != 0x2E);
            let separator =
                (unit.wrapping_sub(0x3A) < 2) | (unit == 0x3D) | (unit == 0x5C) | (unit == 0x7C) | (unit == 0x5F);
            let space = (unit.wrapping_sub(0x09) < 5) | (unit == 0x20) | (unit == 0x2192);
            all & (is_symbol(unit, Alphabet::Standard) | quote_or_escape | sign | separator | space)
        })
    })
}

fn escape_at(text: &[u16], at: usize) -> Option<(Meaning, usize)> {
    let rest = text.get(at..)?;
    let backslashes = || rest.iter().take(LONGEST_SEPARATOR).take_while(|&&unit| unit == BACKSLASH).count();
    let (table, skipped) = match *rest.first()? {
        BACKSLASH => (AFTER_BACKSLASHES, backslashes()),
        0x25 | 0x26 => (ESCAPES, 0),
        _ => return None,
    };
    let written = rest.get(skipped..)?;
    table.iter().find_map(|&(meaning, escapes)| {
        let escape = escapes.iter().find(|escape| starts_with_folded(written, escape))?;
        Some((meaning, at + skipped + escape.len()))
    })
}

/// The next symbol, plain or escaped; the end of `text` if there is none.
pub fn skip_to_symbol(text: &[u16], mut at: usize, alphabet: Alphabet) -> usize {
    while let Some(&unit) = text.get(at) {
        if is_symbol(unit, alphabet) {
            return at;
        }
        at = match escape_at(text, at) {
            Some((Meaning::Symbol, _)) if alphabet == Alphabet::Standard => return at,
            Some((_, end)) => end,
            // An escaped character is no symbol.
            None if unit == BACKSLASH => at + 2,
            None => at + 1,
        };
    }
    text.len()
}

/// The end and the number of the symbols, plain or escaped, that begin at `at`.
pub fn read_segment(text: &[u16], mut at: usize, alphabet: Alphabet) -> (usize, usize) {
    let mut symbols = 0;
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let blocks = rest.chunks_exact(BLOCK).take_while(|block| is_all_symbols(block, alphabet)).count() * BLOCK;
        let rest = rest.get(blocks..).unwrap_or_default();
        let run = blocks + run_until(rest, |unit| !is_symbol(unit, alphabet));
        at += run;
        symbols += run;
        match escape_at(text, at) {
            Some((Meaning::Symbol, end)) if alphabet == Alphabet::Standard => {
                at = end;
                symbols += 1;
            }
            _ => return (at, symbols),
        }
    }
}

/// The end of up to two `=`.
pub fn read_padding(text: &[u16], mut at: usize) -> usize {
    for _ in 0..2 {
        at = match (text.get(at), escape_at(text, at)) {
            (Some(0x3D), _) => at + 1,
            (_, Some((Meaning::Padding, end))) => end,
            _ => return at,
        };
    }
    at
}

/// The end of a line break, including indentation and quotation marks around it; `None` if there is no line break. Source code joins
/// lines with `"`, `+` and commas; a notebook has a list of strings that each end with `\n`; agents' file reads have line numbers.
pub fn read_separator(text: &[u16], start: usize) -> Option<usize> {
    let (mut at, mut breaks, mut commas, mut quotes) = (start, 0, 0, 0);
    while at - start <= LONGEST_SEPARATOR {
        match escape_at(text, at) {
            Some((meaning @ (Meaning::Break | Meaning::Tab), end)) => {
                breaks += usize::from(meaning == Meaning::Break);
                at = end;
                continue;
            }
            Some(_) => break,
            None => {}
        }
        match letter(*text.get(at)?) {
            '\n' | '\r' => breaks += 1,
            ' ' | '\t' => {}
            '"' | '\'' => {
                // The elements of a list are separate values, unless each ends with a line break.
                if breaks == 0 && commas > 0 {
                    return None;
                }
                quotes += 1;
            }
            '\\' if text.get(at + 1).is_some_and(|&next| "\n\r\"'\\".contains(letter(next))) => {}
            ',' if quotes == 1 && breaks > 0 => commas += 1,
            '+' if quotes == 1 => {}
            _ => break,
        }
        at += 1;
    }
    // Lines are joined only if they are quoted on both sides.
    (breaks > 0 && quotes % 2 == 0).then(|| skip_line_number(text, at))
}

/// The end of a line number as agents print it: `12→`, `12: `, `12|`, `12` and a tab; `at` if there is none.
fn skip_line_number(text: &[u16], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    let digits = rest.iter().take(8).take_while(|unit| unit.wrapping_sub(0x30) < 10).count();
    match rest.get(digits).map(|&unit| letter(unit)) {
        Some('\t' | '→' | '|' | ':') if digits > 0 => {
            let spaces = rest.iter().skip(digits + 1).take(4).take_while(|&&unit| unit == 0x20).count();
            at + digits + 1 + spaces
        }
        _ => at,
    }
}

/// The end of the escaped line break or tab at `at`; `at` if there is none.
pub fn skip_break(text: &[u16], at: usize) -> usize {
    match escape_at(text, at) {
        Some((Meaning::Break | Meaning::Tab, end)) => end,
        _ => at,
    }
}

/// The end of the base64 at `at`, however it is wrapped, and of the white space after it.
pub fn read_any_wrapping(text: &[u16], mut at: usize) -> usize {
    loop {
        let start = at;
        for alphabet in Alphabet::ALL {
            at = read_segment(text, at, alphabet).0;
        }
        at = skip_white_space(text, skip_break(text, read_padding(text, at)));
        if at == start {
            return at;
        }
    }
}
