use std::collections::HashMap;

use proptest::prelude::*;

use super::step::{Ask, Place};
use super::*;
use crate::compression::conversations_for_tests::{any_conversation, assistant, system, tool, user};
use crate::compression::message::{Made, Role};
use crate::compression::session::settings::{Given, names};
use crate::compression::session::usage::Row;
use crate::compression::summary::exchange::{Answer, CallFailure, Reply};
use crate::compression::summary::prompt::PromptChanges;
use crate::tokens::models::Model;

const SUMMARY: &str = "## Goal\nMend the parser.\n## Decisions\nNone so far.\n## Done\nRead a.ts.\n## Open\nTests fail.\n## Files\na.ts\n## Failed attempts\nNone yet.\n## Discoveries\nmake test";

/// A host with one conversation: applies what a session wants, and lets a closure be the model on a clock of its own.
struct Host {
    manager: Arc<Manager>,
    messages: Vec<Message>,
    name: Option<u32>,
    now_ms: f64,
    /// What the sessions wanted, in order.
    wanted: Vec<&'static str>,
    asked: Vec<Ask>,
    record: String,
    /// By how much a shortened message is larger than it was to be.
    clumsiness: f64,
    changes_its_mind: bool,
}

impl Host {
    fn new(messages: Vec<Message>, settings: &[(&str, Given)]) -> Self {
        let manager = Arc::new(Manager::new(Model::named("gpt-4o"), None, PromptChanges::default()));
        let given = |(flat, _): (&str, &str)| {
            let found = settings.iter().find(|(key, _)| *key == flat);
            found.map_or(Given::Missing, |(_, value)| value.clone())
        };
        manager.configure(&names().map(given).collect::<Vec<_>>(), &told::Findings::default());
        Self {
            manager,
            messages,
            name: None,
            now_ms: 1e12,
            wanted: Vec::new(),
            asked: Vec::new(),
            record: String::new(),
            clumsiness: 0.0,
            changes_its_mind: false,
        }
    }

    fn weighed(messages: &[Message]) -> Weighed {
        let row = |message: &Message| Row { tokens: message.tokens, ..Row::default() };
        Weighed { rows: messages.iter().map(row).collect(), fixed_tokens: 3.0 }
    }

    fn tokens(&self) -> f64 {
        3.0 + self.messages.iter().map(|message| message.tokens).sum::<f64>()
    }

    fn figure(&self, name: &str) -> f64 {
        let figures: HashMap<String, f64> = self.manager.figures().into_iter().collect();
        figures.get(name).copied().unwrap_or(0.0)
    }

    /// One call of `process`. The model says how it answers and how long it takes.
    fn process(&mut self, model: impl FnMut(&Ask) -> (Answer, f64)) -> Outcome {
        self.run(Wish { now_ms: self.now_ms, ..Wish::default() }, model)
    }

    fn run(&mut self, wish: Wish, mut model: impl FnMut(&Ask) -> (Answer, f64)) -> Outcome {
        let weighed = Self::weighed(&self.messages);
        let (mut session, mut step) =
            Session::begin(&self.manager, self.name, weighed, wish, &Strange::default());
        self.name = Some(session.conversation());
        let mut elapsed_ms = 0.0;
        self.wanted.clear();
        let mut cuts = HashMap::new();
        loop {
            assert!(self.wanted.len() < 200, "{:?}", self.wanted);
            let (name, next) = match step {
                Step::Done(outcome) => return outcome,
                Step::Read => ("read", session.read(self.messages.clone(), &[])),
                Step::Summarise(_) => ("summarise", session.ask()),
                Step::Ask(ask) => {
                    let (answer, took_ms) = model(&ask);
                    elapsed_ms += took_ms;
                    self.asked.push(*ask);
                    ("ask", session.answer(answer, took_ms, elapsed_ms))
                }
                Step::Shorten(texts) => {
                    let larger = |max_tokens: f64| max_tokens * (1.0 + self.clumsiness);
                    cuts = texts.iter().map(|text| (text.index, larger(text.max_tokens))).collect();
                    let tokens: Vec<f64> = texts.iter().map(|text| larger(text.max_tokens)).collect();
                    ("shorten", session.shortened(&tokens))
                }
                Step::Apply(_) if self.changes_its_mind => {
                    let weighed = Self::weighed(&self.messages);
                    ("apply", session.proceed(Progress::Discarded(Discard::RangeChanged), weighed))
                }
                Step::Apply(edit) => {
                    self.record.clone_from(&edit.record);
                    let next = applied(&self.messages, &edit, &cuts);
                    let step = session.proceed(Progress::Applied, Self::weighed(&next));
                    let figures = session.figures().unwrap();
                    assert_eq!(
                        (figures.before_count, figures.after_count),
                        (self.messages.len(), next.len())
                    );
                    self.messages = next;
                    ("apply", step)
                }
                Step::Weigh => ("weigh", session.proceed(Progress::Unchanged, Self::weighed(&self.messages))),
            };
            self.wanted.push(name);
            step = next;
        }
    }
}

fn applied(messages: &[Message], edit: &Edit, cuts: &HashMap<usize, f64>) -> Vec<Message> {
    let made =
        |made| Message { text: edit.content.clone(), tokens: edit.tokens, made: Some(made), ..user(0) };
    let at = |&index: &usize| messages[index].clone();
    match &edit.place {
        Place::Summary { pinned, carried } => messages[..edit.range.start]
            .iter()
            .cloned()
            .chain(pinned.iter().map(at))
            .chain([made(Made::Summary)])
            .chain(carried.iter().map(at))
            .chain(messages[edit.range.end..].iter().cloned())
            .collect(),
        Place::Cut { dropped, notice_at } => {
            let mut next = Vec::new();
            for index in 0..=messages.len() {
                next.extend((*notice_at == Some(index)).then(|| made(Made::Notice)));
                let Some(message) = messages.get(index) else { break };
                if !dropped.iter().any(|range| range.contains(&index)) {
                    let tokens = cuts.get(&index).copied().unwrap_or(message.tokens);
                    next.push(Message { tokens, ..message.clone() });
                }
            }
            next
        }
    }
}

fn session(turns: u32, tokens: u32) -> Vec<Message> {
    let turn = |_| [user(tokens), Message { role: Role::Assistant, ..user(tokens) }];
    [system(20)].into_iter().chain((0..turns).flat_map(turn)).collect()
}

fn with_model(window: f64) -> [(&'static str, Given); 2] {
    [
        ("maxContextTokens", Given::Number(window)),
        ("autoCompressionSummaryModel", Given::Text("gpt-4o-mini".into())),
    ]
}

fn said(text: &str) -> Answer {
    Answer::Reply(Reply { text: Some(text.to_owned()), ..Reply::default() })
}

fn nobody(_: &Ask) -> (Answer, f64) {
    panic!("no model is to be asked")
}

#[test]
fn r7_3_below_the_threshold_not_even_the_texts_are_wanted() {
    let mut host = Host::new(session(10, 100), &with_model(10_000.0));
    let outcome = host.process(nobody);
    assert_eq!((host.wanted.len(), outcome.ended), (0, None));
    assert_eq!((host.figure("processed"), host.figure("triggered")), (1.0, 0.0));
}

#[test]
fn r7_a_full_conversation_is_read_once_asked_about_once_and_changed_once() {
    let mut host = Host::new(session(20, 100), &with_model(4_500.0));
    let outcome = host.process(|ask| {
        assert_eq!((ask.model.as_str(), ask.timeout_ms), ("gpt-4o-mini", 30_000.0));
        (said(SUMMARY), 2_140.4)
    });
    assert_eq!(host.wanted, ["read", "summarise", "ask", "apply"]);
    assert_eq!((outcome.ended, outcome.tokens_before), (None, 4_023.0));
    assert!((outcome.tokens_after - host.tokens()).abs() < 1.0);
    assert_eq!((host.figure("compressed"), host.figure("llm_ms")), (1.0, 2_140.4));
    let record: serde_json::Value = serde_json::from_str(&host.record).unwrap();
    let text = |field: &str| record[field].to_string();
    assert_eq!(
        (text("kind"), text("level"), text("durationMs")),
        ("\"summary\"".into(), "1".into(), "2140.0".into())
    );
    assert!(record["digest"].is_object() && record["firstRequest"].is_string());
}

#[test]
fn r7_2_all_calls_together_have_their_own_limit() {
    let mut host = Host::new(session(20, 100), &with_model(4_500.0));
    let cut_off =
        Reply { finish_reason: Some("length".into()), text: Some(SUMMARY.into()), ..Reply::default() };
    host.process(|_| (Answer::Reply(cut_off.clone()), 110_000.0));
    let waits: Vec<f64> = host.asked.iter().map(|ask| ask.timeout_ms).collect();
    assert_eq!(waits, [30_000.0, 10_000.0], "of 120 s in all 110 are over");
}

#[test]
fn r7_10_what_gained_nothing_is_not_tried_again_until_something_came() {
    let mut host = Host::new(session(20, 100), &with_model(4_500.0));
    let more: Vec<String> = (0..900).map(|part| format!("Part {part} of it was done there.")).collect();
    let echo = [
        SUMMARY,
        &more.join(
            "
",
        ),
    ]
    .concat();
    let outcome = host.process(|_| (said(&echo), 1.0));
    assert_eq!(outcome.ended.unwrap().code(), "not_smaller");
    assert_eq!(host.process(nobody).ended, Some(Ended::Skipped(Skip::NoGainLastTime)));
    host.messages.extend(session(5, 10).split_off(1));
    let outcome = host.process(|_| (said(SUMMARY), 1.0));
    assert_eq!((outcome.ended, host.figure("compressed")), (None, 1.0));
}

#[test]
fn r7_10_after_three_failures_the_model_is_left_alone_for_a_minute() {
    let mut host = Host::new(session(20, 100), &with_model(4_500.0));
    for _ in 0..3 {
        let outcome = host.process(|_| (Answer::Failure(CallFailure::TimedOut), 30_000.0));
        assert_eq!(outcome.ended.unwrap().code(), "timeout");
    }
    host.now_ms += 60_000.0;
    assert_eq!(host.process(nobody).ended, Some(Ended::Skipped(Skip::BreakerOpen)));
    host.now_ms += 31_000.0;
    assert_eq!(
        host.process(|_| (said(SUMMARY), 1.0)).ended,
        None,
        "the third failure came 30 s after its beginning"
    );
}

#[test]
fn r7_9_a_summary_of_messages_that_have_changed_is_thrown_away() {
    let mut host = Host::new(session(20, 100), &with_model(4_500.0));
    host.changes_its_mind = true;
    let outcome = host.process(|_| (said(SUMMARY), 1.0));
    assert_eq!((outcome.ended, host.messages.len()), (Some(Ended::Discarded), 41));
    assert_eq!((host.figure("discarded"), host.figure("compressed")), (1.0, 0.0));
}

#[test]
fn r7_11_without_a_model_history_is_cut_and_texts_until_all_is_under_the_limit() {
    let calls = [
        system(20),
        user(30),
        assistant(&["a"], 20),
        tool("a", 6_000),
        assistant(&["b"], 20),
        tool("b", 3_000),
    ];
    for clumsiness in [0.0, 0.3] {
        let mut host = Host::new(calls.to_vec(), &[("maxContextTokens", Given::Number(4_000.0))]);
        host.clumsiness = clumsiness;
        host.process(nobody);
        assert!(host.tokens() <= 3_800.0, "{} at {clumsiness}", host.tokens());
        assert_eq!((host.wanted.last(), host.figure("truncated")), (Some(&"apply"), 1.0));
        assert!(host.record.contains("\"truncation\""));
    }
}

#[test]
fn r7_10_a_failing_model_is_no_reason_to_exceed_the_limit() {
    let mut host = Host::new(session(50, 100), &with_model(4_500.0));
    let outcome = host.process(|_| (Answer::Failure(CallFailure::Failed { code: "ECONNRESET".into() }), 1.0));
    assert_eq!(host.wanted, ["read", "summarise", "ask", "weigh", "read", "apply"]);
    assert_eq!(outcome.ended.unwrap().code(), "ECONNRESET");
    assert!(host.tokens() <= 4_275.0);
}

#[test]
fn r7_12_by_hand_nothing_is_cut_and_the_agents_own_words_need_no_model() {
    let mut host = Host::new(session(50, 100), &[("maxContextTokens", Given::Number(4_500.0))]);
    let by_hand = Wish { forced: true, now_ms: 1.0, ..Wish::default() };
    assert_eq!(host.run(by_hand.clone(), nobody).ended, Some(Ended::Skipped(Skip::NoSummaryModel)));
    let given_up = Wish { aborted: true, ..by_hand.clone() };
    assert_eq!(host.run(given_up, nobody).ended, Some(Ended::Aborted));
    let own = Wish { summary: Some("The parser was mended.".into()), ..by_hand };
    assert_eq!(host.run(own, nobody).ended, None);
    assert_eq!(host.wanted, ["read", "summarise", "apply"]);
}

#[test]
fn r0_1_a_change_that_the_hosts_array_refuses_is_not_counted() {
    let mut host = Host::new(session(20, 100), &with_model(4_500.0));
    host.process(|_| (said(SUMMARY), 1.0));
    assert_eq!((host.figure("compressed"), host.figure("messages_compressed")), (1.0, 30.0));
    host.manager.abandon(host.name.unwrap());
    assert_eq!((host.figure("compressed"), host.figure("messages_compressed")), (0.0, 0.0));
    host.process(nobody);
    host.manager.abandon(host.name.unwrap());
    assert_eq!(
        (host.figure("tokens_saved"), host.figure("compressed")),
        (0.0, 0.0),
        "nothing is undone twice"
    );
}

proptest! {
    #[test]
    fn r7_11_whatever_the_model_does_a_session_ends_under_the_limit_or_changes_nothing(
        messages in any_conversation(),
        answers in proptest::collection::vec(0..5_u8, 1..12),
        window in (300..6_000_u32).prop_map(f64::from),
    ) {
        let mut host = Host::new(messages, &with_model(window));
        for _ in 0..3 {
            let mut answers = answers.iter().cycle();
            let before = host.messages.clone();
            host.process(|_| {
                let answer = match answers.next() {
                    Some(0) => said(SUMMARY),
                    Some(1) => said(""),
                    Some(2) => Answer::Failure(CallFailure::TooLong { max_tokens: None }),
                    Some(3) => Answer::Failure(CallFailure::Aborted),
                    _ => Answer::Reply(Reply { finish_reason: Some("length".into()), text: Some(SUMMARY.into()), ..Reply::default() }),
                };
                (answer, 7_000.0)
            });
            let is_under = host.tokens() <= window * 0.95 + 1e-6;
            prop_assert!(is_under || host.messages == before || host.wanted.contains(&"apply"));
            let was_cut = ["read", "shorten"].iter().any(|from| host.wanted.ends_with(&[*from, "apply"]));
            if was_cut {
                prop_assert!(is_under, "{} of {window}", host.tokens());
            }
            host.now_ms += 1e6;
        }
    }
}
