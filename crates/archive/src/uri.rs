//! Builds the URI of a file for `SQLite`, to open it with parameters.

use std::path::Path;

/// The URI with which `SQLite` opens `path` with `parameters`; `None` for a path that isn't Unicode, which no URI can represent.
pub fn uri_of(path: &Path, parameters: &str) -> Option<String> {
    path.to_str().map(|path| file_uri(path, parameters, cfg!(windows)))
}

/// A share's name already begins with two slashes: with a third, `SQLite` would not find its host.
fn file_uri(path: &str, parameters: &str, windows: bool) -> String {
    let is_share = path.starts_with(['\\', '/']);
    let mut uri = String::from(if windows && !is_share { "file:///" } else { "file://" });
    for character in path.chars() {
        match character {
            '\\' if windows => uri.push('/'),
            '%' | '?' | '#' => uri.extend(['%', nibble(character, 4), nibble(character, 0)]),
            other => uri.push(other),
        }
    }
    uri.push('?');
    uri.push_str(parameters);
    uri
}

/// One hexadecimal digit of an ASCII character's code.
fn nibble(character: char, shift: u32) -> char {
    char::from_digit(u32::from(character) >> shift & 0xF, 16).unwrap_or('0')
}

#[cfg(test)]
mod tests {
    use super::file_uri;

    #[test]
    fn a_path_is_named_to_sqlite_as_each_system_writes_it() {
        let named = |path, windows| file_uri(path, "immutable=1", windows);
        assert_eq!(named("/home/me/a?#%.db", false), "file:///home/me/a%3f%23%25.db?immutable=1");
        assert_eq!(named("/home/a\\b.db", false), "file:///home/a\\b.db?immutable=1");
        assert_eq!(named("C:\\Users\\me\\a b.db", true), "file:///C:/Users/me/a b.db?immutable=1");
        assert_eq!(named("c:/x/归档.db", true), "file:///c:/x/归档.db?immutable=1");
        assert_eq!(named("\\\\srv\\share\\a.db", true), "file:////srv/share/a.db?immutable=1");
        assert_eq!(named("\\\\?\\C:\\a.db", true), "file:////%3f/C:/a.db?immutable=1");
    }
}
