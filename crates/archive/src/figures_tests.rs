use super::*;
use crate::{Kind, Message, NewBatch, Options};

fn batch(id: usize) -> (String, Vec<Message>) {
    let text = format!("batch {id} {}", "some words that go into the index ".repeat(20));
    let message =
        Message { role: "user".into(), text: text.clone(), json: format!("{{\"text\":\"{text}\"}}") };
    (format!("b{id}"), vec![message])
}

#[test]
fn integrity_is_that_of_the_file_and_not_of_what_a_connection_remembers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("archive");
    let mut ours = Archive::open(&path, Options::default()).unwrap();
    let mut theirs = Archive::open(&path, Options::default()).unwrap();
    for round in 0..60 {
        let (id, messages) = batch(round);
        let archive = if round % 20 == 0 { &mut ours } else { &mut theirs };
        archive
            .append(
                "s",
                &NewBatch {
                    id: &id,
                    kind: Kind::Summary,
                    level: 1,
                    at_ms: 0.0,
                    summary: None,
                    messages: &messages,
                },
            )
            .unwrap();
        assert_eq!(ours.integrity().unwrap(), Vec::<String>::new(), "round {round}");
    }
}
