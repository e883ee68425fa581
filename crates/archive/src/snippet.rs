//! Cuts a found message to the match and its surroundings.

/// Marks a cut.
const CUT: char = '…';

/// The whole match, and at most `context` characters on either side.
///
/// `at` and `len` count characters of `text`. Cuts are between characters, so never inside a surrogate pair.
pub fn around(text: &str, at: usize, len: usize, context: usize) -> String {
    let start = at.saturating_sub(context);
    let kept = at - start + len + context;
    let mut characters = text.chars().skip(start);
    let mut snippet = String::new();
    if start > 0 {
        snippet.push(CUT);
    }
    snippet.extend(characters.by_ref().take(kept));
    if characters.next().is_some() {
        snippet.push(CUT);
    }
    snippet
}
