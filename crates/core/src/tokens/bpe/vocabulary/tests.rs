use super::super::super::encoding::O200K_VOCABULARY;
use super::*;

#[test]
fn r6_1_every_token_is_found_by_its_bytes_and_other_bytes_are_not() {
    let vocabulary = TokenVocabulary::read(O200K_VOCABULARY);
    assert_eq!(vocabulary.ends.len(), 199_998);
    for rank in 0..199_998 {
        assert_eq!(vocabulary.rank(vocabulary.token(rank)), Some(rank));
    }
    assert_eq!(vocabulary.rank(b""), None);
    assert_eq!(vocabulary.rank(&[b'x'; 300]), None);
    assert_eq!(vocabulary.rank(b"\0\0\0qzx"), None);
    assert_eq!(vocabulary.pair_rank(b'h', b'e'), vocabulary.rank(b"he"));
}
