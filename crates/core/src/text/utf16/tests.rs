use super::*;

#[test]
fn r0_2_white_space_is_what_javascript_trims() {
    let trimmed: Vec<u16> = (0..=u16::MAX).filter(|&unit| is_white_space(unit)).collect();
    // The units that `String.prototype.trim` removes, as listed by ECMAScript.
    let expected: Vec<u16> = [
        0x9, 0xA, 0xB, 0xC, 0xD, 0x20, 0xA0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007,
        0x2008, 0x2009, 0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF,
    ]
    .to_vec();
    assert_eq!(trimmed, expected);
}

#[test]
fn conversion_to_utf8_agrees_with_the_standard_library() {
    let pieces = ["abcdefghijklmnopqrstuvwxyz", "你好", "😀", "\0", "é"];
    let mut text = Vec::new();
    for index in 0..400_usize {
        text.extend(units(pieces[index * index % 5]));
        if index % 7 == 0 {
            text.push([0xD800, 0xDC00, 0xDBFF][index % 3]);
        }
        assert_eq!(to_utf8(&text), String::from_utf16_lossy(&text));
    }
}

#[test]
fn find_detects_a_match_that_begins_within_a_failed_one() {
    assert_eq!(find(&units("aab"), &units("ab")), Some(1));
    assert_eq!(find(&units("\"\"stdout\":"), &units("\"stdout\":")), Some(1));
    assert_eq!(find(&units("ab"), &units("abc")), None);
    assert_eq!(find(&units(""), &units("a")), None);
}
