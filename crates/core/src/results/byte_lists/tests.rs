use super::*;
use crate::text::utf16::units;
use proptest::prelude::*;

fn listed(count: usize, apart: &str) -> String {
    (0..count).map(|n| (n * 7 % 256).to_string()).collect::<Vec<_>>().join(apart)
}

#[test]
fn byte_lists_are_found_in_text_with_any_spacing_r5_3() {
    for apart in [",", ", ", ",\n    ", ",\\n  "] {
        let list = format!("[{}]", listed(6_000, apart));
        let text = format!("{{\\\"x\\\": {list}, \\\"y\\\": [1,2]}}");
        let range = 8..8 + list.len();
        assert_eq!(byte_lists(&units(&text)), [ByteList { range, byte_count: 6_000, backslashes: 1 }], "{apart:?}");
    }
}

#[test]
fn numbers_that_are_not_bytes_stay_r5_3() {
    let zeros = "0,".repeat(7_000) + "0";
    for text in [
        format!("[{}]", listed(5_000, ",")),
        format!("[{},256]", listed(6_000, ",")),
        format!("[{},1.5]", listed(6_000, ",")),
        format!("[{},-129]", listed(6_000, ",")),
        format!("[{},]", listed(6_000, ",")),
        format!("[{}", listed(6_000, ",")),
        format!("[{zeros}]"),
        listed(6_000, ","),
    ] {
        assert!(byte_lists(&units(&text)).is_empty(), "{}", text.get(text.len() - 8..).unwrap());
    }
    for before in ["{\"type\":\"Buffer\",\"data\":", "{\\n  \\\"type\\\": \\\"Buffer\\\",\\n  \\\"data\\\": "] {
        assert_eq!(byte_lists(&units(&format!("{before}[{zeros}]}}"))).len(), 1, "{before}");
    }
}

#[test]
fn a_monotonous_byte_list_is_recognised_by_the_signature_of_its_file_r5_3() {
    let png = format!("[137,80,78,71,{}0]", "0,".repeat(6_000));
    assert_eq!(byte_lists(&units(&png)).len(), 1);
    let signed = format!("[-119,80,78,71,{}0]", "0,".repeat(6_000));
    assert_eq!(byte_lists(&units(&signed)).len(), 1);
}

proptest! {
    #[test]
    fn ranges_are_ascending_and_within_any_text(pieces in prop::collection::vec(prop_oneof![
        Just(format!("[{}]", listed(5_500, ","))), Just(listed(5_500, ", ")), Just("[".to_owned()), Just("{\"0\":".to_owned()),
        Just("]".to_owned()), Just(",".to_owned()), "[ -~]{0,20}",
    ], 0..6)) {
        let text = units(&pieces.concat());
        let mut end = 0;
        for list in byte_lists(&text) {
            prop_assert!(list.range.start >= end && list.range.end <= text.len() && list.byte_count > MAX_INDEXED);
            end = list.range.end;
        }
    }
}
