//! How bytes become what targets need.

use std::path::PathBuf;

/// UTF-16 of `bytes`. UTF-8 has no place for half of a pair, and JavaScript's strings do: `FF` and a byte stand for one.
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

/// Numbers of all sizes: mostly small and whole, as counts and places are.
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

/// A folder of this process alone. The runner makes the one that it lies in, in memory, and takes it away.
pub fn folder() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("palimpsest-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}
