//! Converts bytes to the input of fuzz targets.

use std::path::PathBuf;

/// Converts `bytes` to UTF-16. JavaScript strings can contain lone surrogates, which UTF-8 can't: `FF` and a byte
/// encode one.
pub fn units_of(bytes: &[u8]) -> Vec<u16> {
    let mut units = Vec::with_capacity(bytes.len());
    for (index, part) in bytes.split(|&byte| byte == 0xFF).enumerate() {
        let text = match (index, part.split_first()) {
            (0, _) | (_, None) => part,
            (_, Some((&half, text))) => {
                units.push(0xD800 | u16::from(half) << 3);
                text
            }
        };
        units.extend(String::from_utf8_lossy(text).encode_utf16());
    }
    units
}

/// Numbers of all sizes: mostly small integers, as counts and indexes are.
pub struct Numbers<'b> {
    bytes: &'b [u8],
}

impl<'b> Numbers<'b> {
    pub fn new(bytes: &'b [u8]) -> Self {
        Self { bytes }
    }

    pub fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(first)
    }

    fn next_chunk<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (&chunk, rest) = self.bytes.split_first_chunk()?;
        self.bytes = rest;
        Some(chunk)
    }
}

impl Iterator for Numbers<'_> {
    type Item = f64;

    fn next(&mut self) -> Option<f64> {
        Some(match self.byte()? {
            0xFF => f64::NAN,
            0xFE => -1.0,
            0xFD => f64::INFINITY,
            0xFC => f64::from(u32::MAX),
            0xFB => f64::from_le_bytes(self.next_chunk()?),
            0xFA => 1_700_000_000_000.0 + f64::from(u32::from_le_bytes(self.next_chunk()?)),
            0xF9 => f64::from(u16::from_le_bytes(self.next_chunk()?)),
            0xF8 => 0.5,
            small => f64::from(small),
        })
    }
}

/// A folder of this process. The runner creates its parent in memory and removes it.
pub fn folder() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("palimpsest-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}
