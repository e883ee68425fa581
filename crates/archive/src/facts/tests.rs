use std::thread;

use super::*;
use crate::failure::Code;
use crate::testing::{TempArchive, batch, messages};

fn facts_of(facts: &[&str]) -> Vec<String> {
    facts.iter().map(|&fact| fact.to_owned()).collect()
}

fn texts(facts: Vec<StoredFact>) -> Vec<String> {
    facts.into_iter().map(|stored| stored.fact).collect()
}

#[test]
fn r15_1_facts_are_read_in_their_order_with_the_time_of_the_write() {
    let temp = TempArchive::new();
    let mut archive = temp.open();
    assert_eq!(archive.facts("a", 0).unwrap(), []);
    let before = now_ms();
    let written = archive.append_facts("a", 0, &facts_of(&["one", "{\"b\":1 }"])).unwrap();
    assert!(written.iter().all(|fact| (before..=now_ms()).contains(&fact.at_ms)), "{written:?}");
    assert_eq!(texts(archive.append_facts("a", 2, &facts_of(&["压缩 😀", ""])).unwrap()), ["压缩 😀", ""]);
    assert_eq!(texts(archive.facts("a", 0).unwrap()), ["one", "{\"b\":1 }", "压缩 😀", ""]);
    assert_eq!(archive.facts("a", 0).unwrap()[..2], written);
    assert_eq!(texts(archive.append_facts("a", 3, &[]).unwrap()), [""]);
    assert_eq!(archive.facts("b", 0).unwrap(), []);
}

#[test]
fn r15_2_the_first_writer_of_a_position_wins_and_a_repeated_write_adds_nothing() {
    let temp = TempArchive::new();
    let (mut one, mut other) = (temp.open(), temp.open());
    one.append_facts("a", 0, &facts_of(&["first"])).unwrap();
    assert_eq!(texts(other.append_facts("a", 0, &facts_of(&["second", "third"])).unwrap()), ["first"]);
    assert_eq!(texts(one.append_facts("a", 0, &facts_of(&["first"])).unwrap()), ["first"]);
    assert_eq!(texts(other.append_facts("a", 1, &facts_of(&["second", "third"])).unwrap()), ["second", "third"]);
    assert_eq!(texts(one.facts("a", 0).unwrap()), ["first", "second", "third"]);
}

#[test]
fn r15_1_facts_after_a_gap_are_not_written() {
    let temp = TempArchive::new();
    let mut archive = temp.open();
    archive.append_facts("a", 0, &facts_of(&["one"])).unwrap();
    assert_eq!(archive.append_facts("a", 2, &facts_of(&["three"])).unwrap(), []);
    assert_eq!(archive.append_facts("b", 1, &facts_of(&["two"])).unwrap(), []);
    assert_eq!(archive.facts("a", 0).unwrap().len(), 1);
    archive.append("a", &batch("b", &messages(&["kept"]))).unwrap();
    archive.delete("a").unwrap();
    assert_eq!(archive.append_facts("a", 1, &facts_of(&["two"])).unwrap(), []);
    assert_eq!(texts(archive.append_facts("a", 0, &facts_of(&["again"])).unwrap()), ["again"]);
}

#[test]
fn r15_2_concurrent_writers_leave_one_list_with_every_fact() {
    const WRITERS: usize = 4;
    const FACTS: usize = 20;
    let temp = TempArchive::new();
    temp.open();
    thread::scope(|scope| {
        for writer in 0..WRITERS {
            let mut archive = temp.open();
            scope.spawn(move || {
                for nth in 0..FACTS {
                    let fact = format!("{writer}/{nth}");
                    let mut count = 0;
                    loop {
                        let stored = archive.append_facts("a", count, std::slice::from_ref(&fact)).unwrap();
                        count += integer(stored.len());
                        if stored.iter().any(|stored| stored.fact == fact) {
                            break;
                        }
                    }
                }
            });
        }
    });
    let mut all = texts(temp.open().facts("a", 0).unwrap());
    assert_eq!(all.len(), WRITERS * FACTS);
    for writer in 0..WRITERS {
        let facts_of_writer: Vec<_> = all.iter().filter(|fact| fact.starts_with(&format!("{writer}/"))).collect();
        let expected: Vec<_> = (0..FACTS).map(|nth| format!("{writer}/{nth}")).collect();
        assert_eq!(facts_of_writer, expected.iter().collect::<Vec<_>>());
    }
    all.sort();
    all.dedup();
    assert_eq!(all.len(), WRITERS * FACTS);
}

#[test]
fn a_changed_or_missing_fact_is_reported_as_corrupt() {
    let changes = [
        "UPDATE facts SET fact = 'other' WHERE position = 1",
        "UPDATE facts SET at_ms = at_ms + 1 WHERE position = 1",
        "UPDATE facts SET position = 7 WHERE position = 2",
        "UPDATE facts SET conversation = 'b' WHERE position = 1",
        "DELETE FROM facts WHERE position = 0",
    ];
    for change in changes {
        let temp = TempArchive::new();
        temp.open().append_facts("a", 0, &facts_of(&["one", "two", "three"])).unwrap();
        assert_eq!(temp.open().integrity_check().problems().unwrap(), Vec::<String>::new());
        temp.tamper(change);
        let mut archive = temp.open();
        let read = [archive.facts("a", 0), archive.facts("b", 0)];
        let damaged = read.into_iter().filter_map(Result::err).map(|failure| failure.code);
        assert_eq!(damaged.collect::<Vec<_>>().first(), Some(&Code::Corrupt), "{change}");
        let problems = archive.integrity_check().problems().unwrap();
        assert!(problems.iter().any(|problem| problem.starts_with("facts of conversation ")), "{change}");
        assert!(!problems.concat().contains("two"), "{change}");
    }
}
