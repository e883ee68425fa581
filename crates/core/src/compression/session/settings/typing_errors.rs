//! Finds the setting that an unknown key was meant to be: otherwise a default that applies because of a typing error
//! goes unnoticed.

use super::setting_names;

/// Endings that people add or omit.
const ENDINGS: [&str; 8] = ["count", "ms", "seconds", "tokens", "ratio", "percent", "name", "size"];
/// Shorter names resemble too many others.
const SHORTEST_COMPARED_CHARS: usize = 5;
/// The most letters that are wrong, missing or too many.
const MAX_WRONG_LETTERS: usize = 2;

/// The correct name of the setting that `key` resembles; `None` for a valid setting and for a key of the application's
/// own. In a section nested and flat names are compared, elsewhere only flat ones.
pub fn intended_setting(key: &str, in_section: bool) -> Option<&'static str> {
    let is_key_or_in_it =
        |name: &str| name == key || name.strip_prefix(key).is_some_and(|rest| rest.starts_with('.'));
    let is_read =
        |(flat, nested): (&str, &str)| if in_section { is_key_or_in_it(nested) } else { flat == key };
    if setting_names().any(is_read) {
        return None;
    }
    let intended = setting_names().find(|(flat, nested)| {
        resembles(key, flat) || (in_section && (resembles(key, nested) || resembles(key, last_part(nested))))
    });
    intended.map(|(flat, nested)| if in_section { nested } else { flat })
}

fn last_part(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

fn resembles(key: &str, name: &str) -> bool {
    let (key, name) = (letters(key), letters(name));
    let ends = |long: &str, short: &str| long.strip_prefix(short).is_some_and(|rest| ENDINGS.contains(&rest));
    key == name
        || (key.len() >= SHORTEST_COMPARED_CHARS
            && (ends(&key, &name)
                || ends(&name, &key)
                || distance(key.as_bytes(), name.as_bytes()) <= MAX_WRONG_LETTERS))
}

/// Spellings put hyphens, underscores and dots between words.
fn letters(key: &str) -> String {
    key.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect()
}

/// The Levenshtein distance. O(product of the lengths).
fn distance(one: &[u8], other: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (index, letter) in one.iter().enumerate() {
        let mut left = index + 1;
        let mut next = vec![left];
        for (with, above) in other.iter().zip(row.windows(2)) {
            let &[diagonal, up] = above else { continue };
            left = (diagonal + usize::from(letter != with)).min(up + 1).min(left + 1);
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn r7_1_a_typing_error_is_told_by_the_name_that_was_meant() {
        for (key, intended) in [
            ("treshold", "threshold"),
            ("keepRecent", "keepRecentCount"),
            ("keep_recent_count", "keepRecentCount"),
            ("summaryTimeoutMs", "summaryTimeout"),
            ("SummaryModel", "summaryModel"),
            ("summaryModelName", "summaryModel"),
            ("summaryMaxToken", "summaryMaxTokens"),
            ("enable", "enabled"),
            ("maxTokens", "contextLimit.maxTokens"),
            ("hardLimitThreshold", "contextLimit.hardLimitThreshold"),
            ("maxContextTokens", "contextLimit.maxTokens"),
            ("autoCompressionThreshold", "threshold"),
        ] {
            assert_eq!(intended_setting(key, true), Some(intended), "{key}");
        }
        assert_eq!(intended_setting("autoCompressionTreshold", false), Some("autoCompressionThreshold"));
        assert_eq!(intended_setting("max_context_tokens", false), Some("maxContextTokens"));
    }

    #[test]
    fn r7_1_a_key_of_the_hosts_own_is_none_of_ours() {
        for key in ["strategy", "notifyUser", "prompt", "model", "mode", "", "日志", "compression", "limit"]
        {
            assert_eq!(intended_setting(key, true), None, "{key}");
        }
        for key in ["enabled", "enable", "threshold", "model", "contextWindow", "autoSave"] {
            assert_eq!(intended_setting(key, false), None, "{key}");
        }
    }

    #[test]
    fn r7_1_a_setting_is_never_taken_for_another() {
        for (flat, nested) in setting_names() {
            assert_eq!(intended_setting(flat, false), None, "{flat}");
            assert_eq!(intended_setting(nested, true), None, "{nested}");
        }
        assert_eq!(intended_setting("contextLimit", true), None);
    }

    proptest! {
        #[test]
        fn r7_1_one_wrong_letter_is_noticed(which in 0..9_usize, at in any::<prop::sample::Index>(), letter in "[a-z]") {
            let name = setting_names().nth(which).unwrap().0;
            let at = at.index(name.len());
            let mut key = name.to_owned();
            key.replace_range(at..=at, &letter);
            prop_assert_eq!(intended_setting(&key, false), (key != name).then_some(name));
        }
    }
}
