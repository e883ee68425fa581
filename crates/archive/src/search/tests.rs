use std::ops::RangeInclusive;
use std::time::Duration;

use super::*;
use crate::failure::Code;
use crate::testing::{TempArchive, batch, found, messages, search};
use crate::{ArchiveSettings, MAX_QUERY_CHARS};
use proptest::prelude::*;

fn archive_of(temp: &TempArchive, texts: &[&str]) -> Archive {
    let mut archive = temp.open();
    archive.append("s", &batch("a", &messages(texts))).unwrap();
    archive
}

#[test]
fn search_finds_chinese_text_and_code() {
    let temp = TempArchive::new();
    let mut archive =
        archive_of(&temp, &["上下文压缩阈值为百分之八十", "if (a?.b !== c) { return x[0]; }", "port 8080"]);
    assert_eq!(found(&mut archive, "压缩阈值"), ["上下文压缩阈值为百分之八十"]);
    assert_eq!(found(&mut archive, "?.b !== c)").len(), 1);
    assert_eq!(found(&mut archive, "RETURN"), ["if (a?.b !== c) { return x[0]; }"]);
    assert_eq!(found(&mut archive, "8080"), ["port 8080"]);
}

#[test]
fn search_finds_words_of_one_and_two_characters_anywhere_in_a_text() {
    let temp = TempArchive::new();
    let texts = ["压缩在前", "中间压缩中间", "最后压缩", "压", "无关"];
    let mut archive = archive_of(&temp, &texts);
    assert_eq!(found(&mut archive, "压缩"), ["最后压缩", "中间压缩中间", "压缩在前"]);
    assert_eq!(found(&mut archive, "压"), ["压", "最后压缩", "中间压缩中间", "压缩在前"]);
    assert_eq!(found(&mut archive, "压缩 最后"), ["最后压缩"]);
}

#[test]
fn search_requires_every_word_and_the_exact_phrase() {
    let temp = TempArchive::new();
    let mut archive = archive_of(&temp, &["alpha beta", "beta then alpha", "alpha only"]);
    assert_eq!(found(&mut archive, "alpha beta").len(), 2);
    assert_eq!(found(&mut archive, "\"alpha beta\""), ["alpha beta"]);
    assert_eq!(found(&mut archive, "alpha y"), ["alpha only"]);
}

#[test]
fn no_query_character_is_an_operator() {
    let temp = TempArchive::new();
    let texts = ["a* NEAR(b) -c \"d\" 100% x_y; DROP TABLE", "AND OR NOT text:col ^x {y}", "plain abc"];
    let mut archive = archive_of(&temp, &texts);
    for query in ["a*", "NEAR(b)", "-c", "\"d\" 100%", "100%", "x_y;", "*", "%", "_", "; DROP"] {
        let found = found(&mut archive, query);
        assert_eq!(found, [texts[0]], "{query}");
    }
    assert_eq!(found(&mut archive, "ab*"), Vec::<String>::new());
    assert_eq!(found(&mut archive, "p_ain"), Vec::<String>::new());
    assert_eq!(found(&mut archive, "NOT text:col"), [texts[1]]);
    assert_eq!(found(&mut archive, "AND"), [texts[1]]);
}

#[test]
fn search_ranks_by_number_of_matches_and_then_newest_first() {
    let temp = TempArchive::new();
    let mut archive = archive_of(&temp, &["timeout", "timeout timeout timeout", "timeout"]);
    archive.append("t", &batch("b", &messages(&["timeout"]))).unwrap();
    let hits = archive.search(&search("timeout")).unwrap();
    let places: Vec<_> = hits.iter().map(|hit| (hit.batch.as_str(), hit.position)).collect();
    assert_eq!(places, [("a", 1), ("b", 0), ("a", 2), ("a", 0)]);
}

#[test]
fn search_within_a_session_returns_only_its_messages() {
    let temp = TempArchive::new();
    let mut archive = archive_of(&temp, &["shared word", "压缩"]);
    archive.append("t", &batch("b", &messages(&["shared word", "压缩"]))).unwrap();
    for query in ["shared", "压缩"] {
        let hits = archive.search(&Search { session: Some("t"), ..search(query) }).unwrap();
        assert_eq!(hits.iter().map(|hit| hit.session.as_str()).collect::<Vec<_>>(), ["t"]);
    }
}

#[test]
fn pages_of_hits_have_no_gap_or_overlap() {
    let temp = TempArchive::new();
    let texts: Vec<_> = (0..25).map(|number| format!("entry {number}, 压缩")).collect();
    let mut archive = archive_of(&temp, &texts.iter().map(String::as_str).collect::<Vec<_>>());
    for query in ["entry", "压缩", "entry 压缩"] {
        let whole = archive.search(&search(query)).unwrap();
        let mut pages = Vec::new();
        for offset in (0..30).step_by(10) {
            pages.extend(archive.search(&Search { limit: 10, offset, ..search(query) }).unwrap());
        }
        assert_eq!(pages.len(), 25);
        assert_eq!(pages, whole);
    }
}

#[test]
fn edge_27_a_snippet_is_bounded_contains_the_match_and_splits_no_character() {
    let temp = TempArchive::new();
    let text = format!("{}Needle{}", "😀".repeat(500), "😀".repeat(500));
    let mut archive = archive_of(&temp, &[&text, "a needle"]);
    let hits = archive.search(&search("needle")).unwrap();
    let snippets: Vec<_> = hits.into_iter().map(|hit| hit.snippet).collect();
    let long = format!("…{0}Needle{0}…", "😀".repeat(20));
    assert!(snippets.contains(&long), "{snippets:?}");
    assert!(snippets.contains(&"a needle".to_owned()));
}

#[test]
fn a_blank_query_finds_nothing() {
    let temp = TempArchive::new();
    assert_eq!(found(&mut archive_of(&temp, &["x"]), " "), Vec::<String>::new());
}

#[test]
fn the_longest_allowed_queries_find_their_text() {
    let temp = TempArchive::new();
    let text = "ab cd".repeat(MAX_QUERY_CHARS / 5);
    let mut archive = archive_of(&temp, &[&text]);
    assert_eq!(found(&mut archive, &format!("\"{}\"", text.get(..998).unwrap())).len(), 1);
    let many = vec!["\"b cd\""; crate::MAX_QUERY_WORDS].join(" ");
    assert_eq!(found(&mut archive, &many).len(), 1);
}

#[test]
fn the_slowest_queries_over_megabytes_of_one_letter_end_near_the_search_timeout() {
    let temp = TempArchive::new();
    let letters = "a".repeat(4 << 20);
    let mut archive = archive_of(&temp, &[&letters, &format!("{letters}b"), "aa"]);
    let words = vec!["aaa"; crate::MAX_QUERY_WORDS].join(" ");
    for query in [&"a".repeat(1_000), &words, "a", "aa", &format!("{}b", "a".repeat(999))] {
        let started = Instant::now();
        let found = archive.search(&search(query));
        // Both limits are far above the usual time; the phrase alone once took a minute.
        assert!(started.elapsed() < 3 * archive.settings.search_timeout, "{:?}", started.elapsed());
        if let Ok(hits) = found {
            assert!(!hits.is_empty());
        } else {
            assert_eq!(found.unwrap_err().code, Code::Timeout);
        }
    }
}

#[test]
fn a_search_timeout_leaves_the_archive_usable() {
    let temp = TempArchive::new();
    let texts: Vec<_> = (0..3_000).map(|number| format!("entry {number}, 压缩")).collect();
    archive_of(&temp, &texts.iter().map(String::as_str).collect::<Vec<_>>());
    let options = ArchiveSettings { search_timeout: Duration::ZERO, ..ArchiveSettings::default() };
    let mut archive = Archive::open(&temp.path(), options).unwrap();
    for query in ["entry", "压缩", "e"] {
        assert_eq!(archive.search(&search(query)).unwrap_err().code, Code::Timeout, "{query}");
    }
    assert_eq!(archive.restore("s").unwrap()[0].messages.len(), 3_000);
    archive.append("s", &batch("b", &messages(&["later"]))).unwrap();
}

#[test]
fn an_open_read_transaction_does_not_block_a_writer() {
    let temp = TempArchive::new();
    let mut reader = archive_of(&temp, &["one"]);
    let reading = reader.connection.transaction().unwrap();
    reading.query_row("SELECT COUNT(*) FROM messages", [], |row| row.get::<_, i64>(0)).unwrap();
    let options = ArchiveSettings { busy_timeout: Duration::ZERO, ..ArchiveSettings::default() };
    let mut writer = Archive::open(&temp.path(), options).unwrap();
    writer.append("s", &batch("b", &messages(&["two"]))).unwrap();
}

#[test]
fn search_ignores_case_in_turkish_and_greek() {
    let temp = TempArchive::new();
    let mut archive = archive_of(&temp, &["İSTANBUL", "ΟΔΟΣ", "οδος", "ὁδός Σ"]);
    assert_eq!(found(&mut archive, "istanbul"), ["İSTANBUL"]);
    assert_eq!(found(&mut archive, "İstanbul"), ["İSTANBUL"]);
    assert_eq!(found(&mut archive, "οδος"), ["οδος", "ΟΔΟΣ"]);
    assert_eq!(found(&mut archive, "ΟΔΟΣ"), ["οδος", "ΟΔΟΣ"]);
    assert_eq!(found(&mut archive, "ς").len(), 3);
}

#[test]
fn hits_after_the_first_5000_are_ordered_newest_first() {
    let temp = TempArchive::new();
    let texts: Vec<_> = (0..5_010).map(|number| format!("entry {number}")).collect();
    let mut archive = archive_of(&temp, &texts.iter().map(String::as_str).collect::<Vec<_>>());
    let mut places = Vec::new();
    for offset in (0..6_000).step_by(1_000) {
        let hits = archive.search(&Search { offset, ..search("entry") }).unwrap();
        places.extend(hits.into_iter().map(|hit| hit.position));
    }
    assert_eq!(places.get(5_000..), Some(&[9, 8, 7, 6, 5, 4, 3, 2, 1, 0][..]));
    places.sort_unstable();
    assert!(places.into_iter().eq(0..5_010));
}

/// Texts in which a few characters occur often, so that searches find words in them; including characters that are
/// special in query languages.
fn text(characters: RangeInclusive<usize>) -> impl Strategy<Value = String> {
    let alphabet: Vec<char> = "abAB压缩  \"*%_\\-\0😀ς'():^\n".chars().collect();
    prop::collection::vec(prop::sample::select(alphabet), characters).prop_map(|text| text.into_iter().collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]
    #[test]
    fn search_finds_exactly_the_texts_that_contain_every_word(
        texts in prop::collection::vec(text(0..=12), 1..12),
        query in text(1..=6),
    ) {
        let temp = TempArchive::new();
        let mut archive = archive_of(&temp, &texts.iter().map(String::as_str).collect::<Vec<_>>());
        let parsed = Query::parse(&query);
        let mut expected: Vec<_> =
            texts.iter().filter(|text| parsed.find(&folded(text)).is_some()).cloned().collect();
        let mut found = found(&mut archive, &query);
        expected.sort();
        found.sort();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn any_part_of_a_message_finds_the_message(before in ".{0,20}", piece in "[^\"]{1,12}", after in ".{0,20}") {
        let temp = TempArchive::new();
        let text = format!("{before}{piece}{after}");
        let mut archive = archive_of(&temp, &["something else", &text]);
        let hits = archive.search(&search(&format!("\"{piece}\""))).unwrap();
        let hit = hits.iter().find(|hit| hit.position == 1).expect("the message");
        prop_assert!(folded(&hit.snippet).contains(&folded(&piece)));
    }
}
