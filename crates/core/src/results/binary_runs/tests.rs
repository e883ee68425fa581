use super::*;
use crate::results::base64_runs::tests::base64;
use crate::text::utf16::units;
use proptest::prelude::*;

fn data(length: usize) -> String {
    base64(length, 1)
}

fn without(text: &str) -> Option<String> {
    without_binary_runs(&units(text)).map(|text| String::from_utf16(&text).unwrap())
}

#[test]
fn several_kinds_of_data_in_one_text_are_each_replaced_r5_3() {
    let (first, second) = (data(10_240), data(20_480));
    let list = (0..5_120).map(|n| (n * 7 % 256).to_string()).collect::<Vec<_>>().join(",");
    let text = format!("{{\"a\":\"{first}\",\"b\":\"see data:image/png;base64,{second} there\",\"c\":[{list}]}}");
    assert_eq!(
        without(&text).unwrap(),
        "{\"a\":\"[LARGE_DATA_FILTERED: 10.0KB]\",\"b\":\"see [LARGE_DATA_FILTERED: 20.0KB] there\",\"c\":\"[LARGE_DATA_FILTERED: 5.0KB]\"}"
    );
}

#[test]
fn a_text_of_data_alone_is_replaced_with_its_last_line_break_r5_3() {
    assert_eq!(without(&format!("{}\r\n", data(10_238))).unwrap(), "[LARGE_DATA_FILTERED: 10.0KB]");
    assert_eq!(without(&format!("{}\nmore", data(10_240))).unwrap(), "[LARGE_DATA_FILTERED: 10.0KB]\nmore");
}

#[test]
fn lone_surrogates_and_nul_around_data_stay_r0_2() {
    let mut text = vec![0xD800, 0, 0xDC00];
    text.extend(units(&format!(" {} ", data(10_240))));
    text.push(0xD800);
    let found = without_binary_runs(&text).unwrap();
    assert_eq!(found[..3], [0xD800, 0, 0xDC00]);
    assert_eq!(found.last(), Some(&0xD800));
    assert_eq!(found.len(), 3 + 2 + 29 + 1);
}

proptest! {
    #[test]
    fn short_data_stays_and_a_second_pass_changes_nothing_r5_3(
        before in "[ -~]{0,300}", after in "[ -~]{0,300}", length in 9_000_usize..12_000,
    ) {
        let text = format!("{before} {} {after}", data(length));
        let replaced = without(&text);
        prop_assert_eq!(replaced.is_some(), length > 10_000);
        if let Some(replaced) = replaced {
            prop_assert!(replaced.len() < 700);
            prop_assert_eq!(without(&replaced), None);
        }
    }
}
