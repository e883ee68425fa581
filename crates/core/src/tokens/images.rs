//! Decides an image's size and token cost. Image data is never text: a megabyte of base64 would be 680,000 tokens.

use crate::results::base64_tokens::symbol_value;
use crate::text::utf16::{is_line_break, position, starts_with_ascii};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pixels {
    pub width: u32,
    pub height: u32,
}

/// Assumed size of links and of formats without a known header.
pub const ASSUMED_SIZE: Pixels = Pixels { width: 1024, height: 1024 };

/// How a provider computes the tokens of an image; sizes are in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ImageFormula {
    /// `OpenAI`'s tile models: low detail costs `base`; otherwise the image is fitted into 2048 × 2048, its shorter side
    /// reduced to 768, and each tile of 512 costs `tile` more. Source: the vision guide's cost section.
    Tiles { base: f64, tile: f64 },
    /// `OpenAI`'s patch models: patches of 32, at most 1536 of them, times `multiplier`. Source: as above.
    Patches { multiplier: f64 },
    /// Claude up to 4.6: area / 750 after reducing the longer side to at most 1568. Source: Anthropic's vision guide.
    Area,
    /// Claude from 4.7 on: patches of 28, longer side at most 2576. Source: as above.
    LargePatches,
    /// Gemini: 258 tokens up to 384 × 384, else as many for each tile of 768. Source: Gemini API, token guide.
    GeminiTiles,
}

impl ImageFormula {
    /// `low_detail`: requested detail level, which only tile models support.
    pub fn tokens(self, size: Pixels, low_detail: bool) -> f64 {
        let (width, height) = (f64::from(size.width.max(1)), f64::from(size.height.max(1)));
        let cells = |width: f64, height: f64, side: f64| (width / side).ceil() * (height / side).ceil();
        match self {
            Self::Tiles { base, .. } if low_detail => base,
            Self::Tiles { base, tile } => {
                let (width, height) = within(width, height, 2048.0);
                let scale = (768.0 / width.min(height)).min(1.0);
                base + tile * cells((width * scale).round(), (height * scale).round(), 512.0)
            }
            Self::Patches { multiplier } => (cells(width, height, 32.0).min(1536.0) * multiplier).ceil(),
            Self::Area => {
                let (width, height) = within(width, height, 1568.0);
                (width * height / 750.0).ceil().min(1600.0)
            }
            Self::LargePatches => {
                let (width, height) = within(width, height, 2576.0);
                cells(width, height, 28.0).min(4784.0)
            }
            Self::GeminiTiles if width <= 384.0 && height <= 384.0 => 258.0,
            Self::GeminiTiles => 258.0 * cells(width, height, 768.0),
        }
    }
}

fn within(width: f64, height: f64, longest: f64) -> (f64, f64) {
    let scale = (longest / width.max(height)).min(1.0);
    (width * scale, height * scale)
}

/// Size of the image whose file begins with `head`: PNG, JPEG, GIF, WebP. `None` if `head` ends before the size.
pub fn size_of(head: &[u8]) -> Option<Pixels> {
    let size = match head {
        [0x89, b'P', b'N', b'G', 0x0D, 0x0A, 0x1A, 0x0A, ..] => {
            pixels(big_endian(head, 16, 4), big_endian(head, 20, 4))
        }
        [b'G', b'I', b'F', b'8', ..] => pixels(little_endian(head, 6, 2), little_endian(head, 8, 2)),
        [0xFF, 0xD8, ..] => jpeg(head),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => webp(head),
        _ => None,
    };
    size.filter(|size| size.width > 0 && size.height > 0)
}

fn pixels(width: Option<u32>, height: Option<u32>) -> Option<Pixels> {
    Some(Pixels { width: width?, height: height? })
}

fn big_endian(bytes: &[u8], at: usize, length: usize) -> Option<u32> {
    Some(bytes.get(at..at + length)?.iter().fold(0, |number, &byte| number << 8 | u32::from(byte)))
}

fn little_endian(bytes: &[u8], at: usize, length: usize) -> Option<u32> {
    Some(bytes.get(at..at + length)?.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte)))
}

fn jpeg(file: &[u8]) -> Option<Pixels> {
    let mut at = 2;
    loop {
        match *file.get(at..at + 2)? {
            [0xFF, 0xFF] => at += 1,
            // 0xC4, 0xC8 and 0xCC are tables; the other markers of this row start a frame.
            [0xFF, 0xC0..=0xC3 | 0xC5..=0xC7 | 0xC9..=0xCB | 0xCD..=0xCF] => {
                return pixels(big_endian(file, at + 7, 2), big_endian(file, at + 5, 2));
            }
            [0xFF, 0x01 | 0xD0..=0xD9] => at += 2,
            [0xFF, _] => at += 2 + big_endian(file, at + 2, 2)? as usize,
            _ => return None,
        }
    }
}

fn webp(file: &[u8]) -> Option<Pixels> {
    let field = |at, length| little_endian(file, at, length);
    match file.get(12..16)? {
        b"VP8X" => Some(Pixels { width: field(24, 3)? + 1, height: field(27, 3)? + 1 }),
        b"VP8L" => {
            let bits = field(21, 4)?;
            Some(Pixels { width: (bits & 0x3FFF) + 1, height: (bits >> 14 & 0x3FFF) + 1 })
        }
        b"VP8 " => Some(Pixels { width: field(26, 2)? & 0x3FFF, height: field(28, 2)? & 0x3FFF }),
        _ => None,
    }
}

/// Offset of base64 data in `text`: after the comma of a data URL, 0 for bare base64, `None` for a link.
pub fn data_start(text: &[u16]) -> Option<usize> {
    let starts = |prefix| starts_with_ascii(text, prefix);
    if starts("data:") {
        return position(text, u16::from(b',')).map(|comma| comma + 1);
    }
    (!starts("http:") && !starts("https:") && !starts("file:") && !starts("blob:")).then_some(0)
}

/// Decodes base64 (either alphabet, ignoring line breaks) up to the first other character.
pub fn from_base64(text: &[u16]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut bit_count) = (0_u32, 0);
    for &unit in text {
        if is_line_break(unit) {
            continue;
        }
        let Some(value) = symbol_value(unit) else { break };
        bits = bits << 6 | value;
        bit_count += 6;
        if bit_count >= 8 {
            bit_count -= 8;
            #[allow(clippy::cast_possible_truncation)] // the lowest eight of them
            bytes.push((bits >> bit_count) as u8);
        }
    }
    bytes
}

#[cfg(test)]
mod tests;
