//! Masks what must not appear in errors, logs or inspection: the key, header values, passwords, query values.

use std::fmt;

/// Shorter texts would mask ordinary words, and are no secrets.
const SHORTEST_BYTES: usize = 6;
const MASK: &str = "[masked]";

/// `Debug` shows how many secrets there are, never their values.
#[derive(Clone, Default)]
pub struct Secrets(Vec<String>);

impl Secrets {
    pub fn add(&mut self, text: &str) {
        let text = text.trim();
        if text.len() >= SHORTEST_BYTES {
            self.0.push(text.to_owned());
            // If one secret begins with another, the longer must be masked first, or its rest would remain.
            self.0.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        }
    }

    /// Providers quote the key that they reject.
    pub fn masked(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, secret| text.replace(secret.as_str(), MASK))
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Secrets({})", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r9_2_a_secret_that_begins_with_another_is_masked_whole() {
        let mut secrets = Secrets::default();
        secrets.add("sk-abcdef");
        secrets.add("sk-abcdef-longer");
        assert_eq!(secrets.masked("Bearer sk-abcdef-longer, sk-abcdef."), "Bearer [masked], [masked].");
        assert!(!format!("{secrets:?}").contains("sk-"));
    }

    #[test]
    fn r9_2_an_empty_or_short_secret_masks_no_ordinary_text() {
        let mut secrets = Secrets::default();
        secrets.add("");
        secrets.add("1");
        assert_eq!(secrets.masked("HTTP/1.1"), "HTTP/1.1");
    }
}
