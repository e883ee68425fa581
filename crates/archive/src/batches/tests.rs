use super::*;
use crate::rows::BatchKind;
use crate::testing::{TempArchive, batch, messages};
use proptest::prelude::*;

#[test]
fn r7_8_restore_returns_the_batches_of_every_level_in_the_order_they_were_appended() {
    let temp = TempArchive::new();
    let mut archive = temp.open();
    let (first, second) = (messages(&["one", "two"]), messages(&["three"]));
    // The clock is set back between the two.
    let late = NewBatch { at_ms: 9_000.0, ..batch("a", &first) };
    let early = NewBatch { at_ms: 1.0, level: 2, kind: BatchKind::Truncation, summary: None, ..batch("b", &second) };
    archive.append("s", &late).unwrap();
    archive.append("other", &batch("a", &second)).unwrap();
    archive.append("s", &early).unwrap();

    let restored = archive.restore("s").unwrap();
    let ids: Vec<_> = restored.iter().map(|batch| (batch.id.as_str(), batch.level, batch.kind)).collect();
    assert_eq!(ids, [("a", 1, BatchKind::Summary), ("b", 2, BatchKind::Truncation)]);
    assert_eq!(restored[0].messages, first);
    assert_eq!(restored[0].summary.as_deref(), Some("\"done\""));
    assert_eq!((restored[1].at_ms, restored[1].summary.as_deref()), (1.0, None));
}

#[test]
fn r7_8_an_appended_batch_is_read_after_the_file_is_reopened() {
    let temp = TempArchive::new();
    let stored = messages(&["kept"]);
    temp.open().append("s", &batch("a", &stored)).unwrap();
    assert_eq!(temp.open().get("s", "a").unwrap().messages, stored);
}

#[test]
fn edge_35_getting_an_unknown_id_fails_with_not_found() {
    let temp = TempArchive::new();
    let mut archive = temp.open();
    archive.append("s", &batch("a", &messages(&["x"]))).unwrap();
    assert_eq!(archive.get("s", "b").unwrap_err().code, Code::NotFound);
    assert_eq!(archive.get("t", "a").unwrap_err().code, Code::NotFound);
    assert_eq!(archive.restore("t").unwrap(), []);
}

#[test]
fn appending_the_same_batch_again_stores_nothing_and_keeps_the_first_time() {
    let temp = TempArchive::new();
    let mut archive = temp.open();
    let stored = messages(&["x", "y"]);
    assert_eq!(archive.append("s", &batch("a", &stored)).unwrap(), Appended::Stored);
    let again = NewBatch { at_ms: 2_000.0, ..batch("a", &stored) };
    assert_eq!(archive.append("s", &again).unwrap(), Appended::AlreadyThere);
    let restored = archive.restore("s").unwrap();
    assert_eq!((restored.len(), restored[0].at_ms, restored[0].messages.len()), (1, 1_000.5, 2));
}

#[test]
fn appending_other_content_under_a_stored_id_is_a_conflict_and_changes_nothing() {
    let temp = TempArchive::new();
    let mut archive = temp.open();
    let stored = messages(&["x", "y"]);
    archive.append("s", &batch("a", &stored)).unwrap();
    let (other, fewer) = (messages(&["x", "z"]), messages(&["x"]));
    let changed = [
        batch("a", &other),
        batch("a", &fewer),
        NewBatch { level: 2, ..batch("a", &stored) },
        NewBatch { kind: BatchKind::Truncation, ..batch("a", &stored) },
    ];
    for batch in changed {
        assert_eq!(archive.append("s", &batch).unwrap_err().code, Code::Conflict);
    }
    assert_eq!(archive.restore("s").unwrap().len(), 1);
    assert_eq!(archive.get("s", "a").unwrap().messages, stored);
}

#[test]
fn a_full_disk_stores_nothing_of_the_batch_and_keeps_the_earlier_ones() {
    let temp = TempArchive::new();
    let mut archive = temp.open();
    let stored = messages(&["small"]);
    archive.append("s", &batch("a", &stored)).unwrap();
    let pages: i64 = archive.connection.pragma_query_value(None, "page_count", |row| row.get(0)).unwrap();
    archive.connection.pragma_update_and_check(None, "max_page_count", pages + 2, |row| row.get::<_, i64>(0)).unwrap();
    let large = messages(&["fits", &"large ".repeat(20_000)]);
    assert_eq!(archive.append("s", &batch("b", &large)).unwrap_err().code, Code::Full);
    assert_eq!(archive.restore("s").unwrap().len(), 1);
    assert_eq!(archive.integrity_check().problems().unwrap(), Vec::<String>::new());
    assert_eq!(archive.get("s", "a").unwrap().messages, stored);
}

#[test]
fn base64_is_stored_in_the_json_and_left_out_of_the_text() {
    let temp = TempArchive::new();
    let mut archive = temp.open();
    let data = "iVBORw0KGgo4".repeat(100);
    let stored = messages(&[&format!("screenshot {data} end")]);
    archive.append("s", &batch("a", &stored)).unwrap();
    let message = archive.get("s", "a").unwrap().messages.remove(0);
    assert_eq!(message.json, stored[0].json);
    assert_eq!(message.text, "screenshot [base64: 1200 characters] end");
}

#[test]
fn concurrent_writers_of_one_file_lose_no_batch() {
    let temp = TempArchive::new();
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let temp = &temp;
            scope.spawn(move || {
                let mut archive = temp.open();
                for number in 0..20 {
                    let text = format!("writer {writer} message {number}");
                    archive.append(&format!("s{writer}"), &batch(&number.to_string(), &messages(&[&text]))).unwrap();
                }
            });
        }
    });
    let archive = temp.open();
    let figures = archive.sessions().unwrap();
    assert_eq!(figures.iter().map(|figures| (figures.batches, figures.messages)).collect::<Vec<_>>(), [(20, 20); 4]);
    assert_eq!(archive.integrity_check().problems().unwrap(), Vec::<String>::new());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn r7_8_any_strings_are_restored_unchanged(
        session in any::<String>(),
        id in any::<String>(),
        level in any::<u32>(),
        at_ms in prop::num::f64::NORMAL,
        summary in any::<Option<String>>(),
        contents in prop::collection::vec((any::<String>(), any::<String>(), any::<String>()), 0..6),
    ) {
        let temp = TempArchive::new();
        let stored: Vec<_> =
            contents.into_iter().map(|(role, text, json)| StoredMessage { role, text, json }).collect();
        let summary = summary.as_deref();
        let batch = NewBatch { id: &id, kind: BatchKind::Truncation, level, at_ms, summary, messages: &stored };
        let mut archive = temp.open();
        archive.append(&session, &batch).unwrap();
        let restored = archive.restore(&session).unwrap();
        let expected = Batch {
            id: id.clone(), kind: BatchKind::Truncation, level, at_ms, summary: summary.map(str::to_owned), messages: stored,
        };
        prop_assert_eq!(&restored, &[expected]);
        prop_assert_eq!(&archive.get(&session, &id).unwrap(), &restored[0]);
    }
}
