//! Token counts, compared with another implementation that returns the tokens; shortening to a number of tokens; and
//! image sizes.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use palimpsest_core::tokens::bpe::{PieceIter, Split};
use palimpsest_core::tokens::encoding::{Encoding, cl100k, o200k};
use palimpsest_core::tokens::images::size_of;
use palimpsest_core::tokens::truncate::{Keep, assemble, truncate};
use tiktoken::CoreBpe;

static O200K: LazyLock<CoreBpe> = LazyLock::new(tiktoken::encoding::o200k_base);
static CL100K: LazyLock<CoreBpe> = LazyLock::new(tiktoken::encoding::cl100k_base);

/// The other implementation needs quadratic time for a long word.
const LONGEST_BYTES: usize = 4_096;

fuzz_target!(|bytes: &[u8]| {
    let _ = size_of(bytes);
    let bytes = bytes.get(..LONGEST_BYTES).unwrap_or(bytes);
    let (limit, text) = bytes.split_first().map_or((0, bytes), |(&first, rest)| (usize::from(first), rest));
    let text = String::from_utf8_lossy(text);
    check(o200k(), &O200K, Split::O200k, &text, limit);
    check(cl100k(), &CL100K, Split::Cl100k, &text, limit);
});

fn check(own: &Encoding, other: &CoreBpe, split: Split, text: &str, limit: usize) {
    let tokens = other.encode(text);
    assert_eq!(other.decode(&tokens), text.as_bytes(), "the tokens are the text");
    let count = own.count(text);
    assert_eq!(count, tokens.len(), "{text:?}");
    assert_eq!(own.count_by_class(text).total(), count);
    let mut end = 0;
    for piece in PieceIter::new(text, split) {
        assert!(piece.start == end && piece.end > end && text.is_char_boundary(piece.end));
        end = piece.end;
    }
    assert_eq!(end, text.len(), "pieces go through the text without gaps");
    let (classes, bytes) = own.count_by_class_up_to(text, limit);
    let tokens = classes.total();
    assert!(bytes <= text.len());
    if count <= limit {
        assert_eq!((tokens, bytes), (count, text.len()));
    } else {
        assert!(tokens > limit, "{tokens} of {count}, {limit} asked for");
    }
    check_truncation(own, text, limit, count);
}

fn check_truncation(own: &Encoding, text: &str, limit: usize, count: usize) {
    for keep in [Keep::Head, Keep::Tail, Keep::Both] {
        let kept = truncate(&|text: &str| own.count(text), text, limit, keep, Keep::MARKER);
        assert_eq!(kept.is_none(), count <= limit, "what fits stays");
        let Some(kept) = kept else { continue };
        let head = text.get(..kept.head).expect("a cut between characters");
        let tail = text.get(text.len() - kept.tail..).expect("a cut between characters");
        assert!(head.len() + tail.len() <= text.len());
        assert!(own.count(&assemble(text, kept, Keep::MARKER)) <= limit);
        let units: Vec<u16> = text.encode_utf16().collect();
        let cut = String::from_utf16(&kept.of_units(&units, text, Keep::MARKER)).expect("no half of a pair");
        assert_eq!(cut, assemble(text, kept, Keep::MARKER));
    }
}
