//! Compares with the tiktoken crate, another implementation of the same encodings.

use proptest::prelude::*;
use std::sync::LazyLock;

use super::*;

static O200K: LazyLock<tiktoken::CoreBpe> = LazyLock::new(tiktoken::encoding::o200k_base);
static CL100K: LazyLock<tiktoken::CoreBpe> = LazyLock::new(tiktoken::encoding::cl100k_base);

fn agree(text: &str) {
    assert_eq!(o200k().count(text), O200K.count(text), "o200k_base {text:?}");
    assert_eq!(cl100k().count(text), CL100K.count(text), "cl100k_base {text:?}");
    assert_eq!(o200k().count_by_class(text).total(), o200k().count(text));
}

#[test]
fn r6_1_the_text_of_special_tokens_counts_as_ordinary_text() {
    assert_eq!(o200k().count("<|endoftext|>"), 7);
    agree("<|endoftext|> <|im_start|>user<|im_sep|>");
}

#[test]
fn r6_1_edge_cases_of_the_patterns_agree_with_tiktoken() {
    for text in [
        "",
        " ",
        "\n",
        " \n",
        "\n ",
        "  \n\n  x",
        "\r\n\r\n",
        "a\u{85}b",
        "\u{feff}x",
        "x\u{a0}\u{3000}y",
        "I'll you'RE it'\u{17f} 'S",
        "HTTPServer XMLHttpRequest ABC",
        "\u{301}ABC",
        "!\u{301}x",
        "1234567 ½ ⅷ",
        "//\n//\r\n",
        ".\n/",
        " \u{301}",
        "ǅ ʰA ʰa",
        "使用React组件，你好。",
        "😀👨‍👩‍👧 🇩🇪",
        "\0\0 \u{7f}\u{ad}",
        "don't DON'T 'tis ''s",
        "tab\tTab \t x",
        "e\u{301}\u{301}E\u{301}",
    ] {
        agree(text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn r6_1_any_printable_text_agrees_with_tiktoken(text in "\\PC{0,60}") {
        agree(&text);
    }

    #[test]
    fn r6_1_text_of_awkward_characters_agrees_with_tiktoken(text in "[ \t\r\n\u{85}\u{a0}\u{3000}\u{feff}aAzZſ'sStTlLrReEvVdDmMǅʰ你の한\u{301}\u{903}1½/!.=\u{200d}😀]{0,80}") {
        agree(&text);
    }

    #[test]
    fn r6_1_any_characters_with_control_characters_agree_with_tiktoken(text in "(?s).{0,60}") {
        agree(&text);
    }
}
