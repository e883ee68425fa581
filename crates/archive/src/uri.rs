//! Names a file as `SQLite` wants it where more than its path is to be said.

use std::path::Path;

/// The URI by which `SQLite` opens `path` with `parameters`; `None` for a path that isn't Unicode, which no URI can name.
#[must_use]
pub fn uri_of(path: &Path, parameters: &str) -> Option<String> {
    let path = path.to_str()?;
    let mut uri = String::from("file://");
    if cfg!(windows) {
        uri.push('/');
    }
    for character in path.chars() {
        match character {
            '\\' if cfg!(windows) => uri.push('/'),
            '%' | '?' | '#' => uri.extend(['%', nibble(character, 4), nibble(character, 0)]),
            other => uri.push(other),
        }
    }
    uri.push('?');
    uri.push_str(parameters);
    Some(uri)
}

/// A hexadecimal digit of an ASCII character's code.
fn nibble(character: char, shift: u32) -> char {
    char::from_digit(u32::from(character) >> shift & 0xF, 16).unwrap_or('0')
}
