//! The exact OpenAI encodings: how many tokens a text is, and of which kind.

use std::sync::OnceLock;

use super::classes::{self, ClassCounts};

/// A byte-pair encoding that counts. Text that spells a special token (`<|endoftext|>`) counts as ordinary text:
/// in a transcript that is what it is.
pub trait Encoding: Send + Sync {
    /// How many tokens `text` is. Linear in `text` for every input.
    fn count(&self, text: &str) -> usize;

    /// The same tokens by what their pieces are; the three add up to [`Encoding::count`].
    fn pieces_by_class(&self, text: &str) -> ClassCounts;
}

/// `o200k_base`: GPT-4o, 4.1, 5 and the o series. The vocabulary is read on first use, once for the process.
#[must_use]
pub fn o200k() -> &'static dyn Encoding {
    static O200K: OnceLock<tiktoken::CoreBpe> = OnceLock::new();
    O200K.get_or_init(tiktoken::encoding::o200k_base)
}

/// `cl100k_base`: GPT-4 and 3.5. The vocabulary is read on first use, once for the process.
#[must_use]
pub fn cl100k() -> &'static dyn Encoding {
    static CL100K: OnceLock<tiktoken::CoreBpe> = OnceLock::new();
    CL100K.get_or_init(tiktoken::encoding::cl100k_base)
}

impl Encoding for tiktoken::CoreBpe {
    fn count(&self, text: &str) -> usize {
        Self::count(self, text)
    }

    fn pieces_by_class(&self, text: &str) -> ClassCounts {
        classes::by_runs(text, |run| Self::count(self, run))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_token_text_is_ordinary() {
        assert_eq!(o200k().count("<|endoftext|>"), 7);
        assert_eq!(o200k().count("hello world"), 2);
        assert_eq!(cl100k().count("hello world"), 2);
    }
}
