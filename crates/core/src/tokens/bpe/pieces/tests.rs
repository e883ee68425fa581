use super::*;

#[test]
fn r6_1_every_character_has_its_unicode_class() {
    let classes = [
        (UPPER, r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]"),
        (LOWER, r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"),
        (LETTER, r"\p{L}"),
        (NUMBER, r"\p{N}"),
        (SPACE, r"\s"),
    ]
    .map(|(flag, pattern)| (flag, ranges_of(pattern)));
    for character in '\0'..=char::MAX {
        let mut buffer = [0; 4];
        let text = character.encode_utf8(&mut buffer).as_bytes();
        let (class, length) = class_at(text, 0).unwrap();
        assert_eq!(length, text.len());
        let mut expected = 0;
        for (flag, ranges) in &classes {
            let next = ranges.partition_point(|range| range.end() < character);
            if ranges.get(next).is_some_and(|range| range.start() <= character) {
                expected |= flag;
            }
        }
        assert_eq!(class, expected, "{character:?}");
        assert_eq!(class & SPACE != 0, character.is_whitespace(), "{character:?}");
    }
}

/// Sorted ranges of characters that `pattern` matches.
fn ranges_of(pattern: &str) -> Vec<regex_syntax::hir::ClassUnicodeRange> {
    let pattern = regex_syntax::parse(pattern).unwrap();
    let regex_syntax::hir::HirKind::Class(regex_syntax::hir::Class::Unicode(class)) = pattern.kind() else {
        panic!("a class");
    };
    class.ranges().to_vec()
}
