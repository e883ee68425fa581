//! Decides which part of a found message is shown: the match, with some of what stands around it.

/// What stands where a text was cut.
const CUT: char = '…';

/// At most `context` characters on either side of the match, and all of the match.
///
/// `at` and `len` are characters of `text`. Cuts fall between characters, so never within a surrogate pair.
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
