use super::*;
use proptest::prelude::*;

fn is_among(words: &[&str], text: &str) -> bool {
    let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
    let grams = grams_of_text(text, "t");
    grams_of_words(&words, "t").iter().all(|gram| grams.binary_search(gram).is_ok())
}

#[test]
fn grams_find_chinese_words_of_one_or_two_characters_and_ascii_words_of_three() {
    assert!(is_among(&["压"], "请压缩上下文") && is_among(&["压缩"], "请压缩上下文"));
    assert!(!is_among(&["缩压"], "请压缩上下文"));
    assert!(is_among(&["port"], "a port 8080") && !is_among(&["prot"], "a port 8080"));
    assert_eq!(grams_of_words(&["if".to_owned()], "t"), Vec::<i32>::new());
    assert_eq!(grams_of_words(&["压缩".to_owned()], "t").len(), 1);
}

#[test]
fn two_tenants_share_no_grams() {
    let other = grams_of_text("请压缩 error", "u");
    assert!(grams_of_text("请压缩 error", "t").iter().all(|gram| !other.contains(gram)));
}

proptest! {
    #[test]
    fn a_text_has_all_grams_of_every_part_of_it(before in ".{0,9}", word in "[ab压缩😀 ]{1,9}", after in ".{0,9}") {
        let text = format!("{before}{word}{after}");
        prop_assert!(is_among(&[&word], &text));
    }
}
