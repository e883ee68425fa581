//! A test application with one conversation.

use std::collections::HashMap;

use crate::compression::conversations_for_tests::{system, user};
use crate::compression::message::{ChatRole, CreatedKind};
use crate::compression::session::attempt::Breakers;
use crate::compression::session::settings::{Given, setting_names};
use crate::compression::session::step::{Ask, ChangePlace, HistoryChange, SessionResult};
use crate::compression::session::usage::TokenRow;
use crate::compression::session::*;
use crate::compression::summary::exchange::{Reply, SummaryAnswer};
use crate::compression::summary::prompt::PromptChanges;
use crate::tokens::models::Model;

pub(super) const SUMMARY: &str = "## Goal\nMend the parser.\n## Decisions\nNone so far.\n## Done\nRead a.ts.\n## Open\nTests fail.\n## Files\na.ts\n## Failed attempts\nNone yet.\n## Discoveries\nmake test";

/// Applies a session's steps to one conversation; a closure acts as the model and has its own clock.
pub(super) struct TestApplication {
    pub(super) manager: Arc<Manager>,
    pub(super) messages: Vec<ChatMessage>,
    pub(super) name: Option<u32>,
    pub(super) now_ms: f64,
    pub(super) steps: Vec<&'static str>,
    pub(super) requests: Vec<Ask>,
    pub(super) record: String,
    /// By which share a shortened message is larger than requested.
    pub(super) excess: f64,
    pub(super) changes_range: bool,
}

impl TestApplication {
    pub(super) fn new(messages: Vec<ChatMessage>, settings: &[(&str, Given)]) -> Self {
        let manager =
            Arc::new(Manager::new(Model::named("gpt-4o"), None, PromptChanges::default(), Breakers::default()));
        let given = |(flat, _): (&str, &str)| {
            let found = settings.iter().find(|(key, _)| *key == flat);
            found.map_or(Given::Missing, |(_, value)| value.clone())
        };
        let info = super::manager::ConversationInfo::default();
        manager.configure(
            &setting_names().map(given).collect::<Vec<_>>(),
            &logged_once::ConfigurationFindings::default(),
            &info,
        );
        Self {
            manager,
            messages,
            name: None,
            now_ms: 1e12,
            steps: Vec::new(),
            requests: Vec::new(),
            record: String::new(),
            excess: 0.0,
            changes_range: false,
        }
    }

    /// A conversation of `turns` turns with 200 tokens each, and a summary model.
    pub(super) fn with_turns(turns: u32, window: f64) -> Self {
        Self::new(conversation(turns, 100), &model_settings(window))
    }

    pub(super) fn counted(messages: &[ChatMessage]) -> CountedHistory {
        let row = |message: &ChatMessage| TokenRow { tokens: message.tokens, ..TokenRow::default() };
        CountedHistory { rows: messages.iter().map(row).collect(), fixed_tokens: 3.0 }
    }

    pub(super) fn tokens(&self) -> f64 {
        3.0 + self.messages.iter().map(|message| message.tokens).sum::<f64>()
    }

    pub(super) fn figure(&self, name: &str) -> f64 {
        let figures: HashMap<String, f64> = self.manager.figures().into_iter().collect();
        figures.get(name).copied().unwrap_or(0.0)
    }

    /// One call of `process`. `model` returns its reply and how long it takes.
    pub(super) fn process(&mut self, model: impl FnMut(&Ask) -> (SummaryAnswer, f64)) -> SessionResult {
        self.run(SessionOptions { now_ms: self.now_ms, ..SessionOptions::default() }, model)
    }

    pub(super) fn run(
        &mut self,
        options: SessionOptions,
        mut model: impl FnMut(&Ask) -> (SummaryAnswer, f64),
    ) -> SessionResult {
        let counted = Self::counted(&self.messages);
        let (mut session, mut step) = CompressionSession::begin(&self.manager, self.name, counted, options);
        self.name = Some(session.conversation);
        let mut elapsed_ms = 0.0;
        self.steps.clear();
        let mut cuts = HashMap::new();
        loop {
            assert!(self.steps.len() < 200, "{:?}", self.steps);
            let (name, next) = match step {
                Step::Done(outcome) => return outcome,
                Step::Read => ("read", session.read(self.messages.clone(), &[])),
                Step::Summarise(_) => ("summarise", session.ask()),
                Step::Ask(ask) => {
                    let (answer, took_ms) = model(&ask);
                    elapsed_ms += took_ms;
                    self.requests.push(*ask);
                    ("ask", session.answer(answer, took_ms, elapsed_ms))
                }
                Step::Shorten(texts) => {
                    let larger = |max_tokens: f64| max_tokens * (1.0 + self.excess);
                    cuts = texts.iter().map(|text| (text.index, larger(text.max_tokens))).collect();
                    let tokens: Vec<f64> = texts.iter().map(|text| larger(text.max_tokens)).collect();
                    ("shorten", session.shortened(&tokens))
                }
                Step::Apply(_) if self.changes_range => {
                    let counted = Self::counted(&self.messages);
                    ("apply", session.proceed(StepProgress::RangeChanged, counted))
                }
                Step::Apply(edit) => {
                    self.record.clone_from(&edit.record);
                    let next = applied(&self.messages, &edit, &cuts);
                    let step = session.proceed(StepProgress::Applied, Self::counted(&next));
                    let figures = session.figures.unwrap();
                    assert_eq!((figures.before_count, figures.after_count), (self.messages.len(), next.len()));
                    self.messages = next;
                    ("apply", step)
                }
                Step::Recount => ("weigh", session.proceed(StepProgress::Unchanged, Self::counted(&self.messages))),
            };
            self.steps.push(name);
            step = next;
        }
    }
}

pub(super) fn applied(messages: &[ChatMessage], edit: &HistoryChange, cuts: &HashMap<usize, f64>) -> Vec<ChatMessage> {
    let created_as = |created_as| ChatMessage {
        text: edit.content.clone(),
        tokens: edit.tokens,
        created_as: Some(created_as),
        ..user(0)
    };
    let at = |&index: &usize| messages[index].clone();
    match &edit.place {
        ChangePlace::Summary { pinned, carried } => messages[..edit.range.start]
            .iter()
            .cloned()
            .chain(pinned.iter().map(at))
            .chain([created_as(CreatedKind::Summary)])
            .chain(carried.iter().map(at))
            .chain(messages[edit.range.end..].iter().cloned())
            .collect(),
        ChangePlace::Cut { dropped, notice_at } => {
            let mut next = Vec::new();
            for index in 0..=messages.len() {
                next.extend((*notice_at == Some(index)).then(|| created_as(CreatedKind::Notice)));
                let Some(message) = messages.get(index) else { break };
                if !dropped.iter().any(|range| range.contains(&index)) {
                    let tokens = cuts.get(&index).copied().unwrap_or(message.tokens);
                    next.push(ChatMessage { tokens, ..message.clone() });
                }
            }
            next
        }
    }
}

pub(super) fn conversation(turns: u32, tokens: u32) -> Vec<ChatMessage> {
    let turn = |_| [user(tokens), ChatMessage { role: ChatRole::Assistant, ..user(tokens) }];
    [system(20)].into_iter().chain((0..turns).flat_map(turn)).collect()
}

pub(super) fn model_settings(window: f64) -> [(&'static str, Given); 2] {
    [("maxContextTokens", Given::Number(window)), ("autoCompressionSummaryModel", Given::Text("gpt-4o-mini".into()))]
}

pub(super) fn reply(text: &str) -> SummaryAnswer {
    SummaryAnswer::Reply(Reply { text: Some(text.to_owned()), ..Reply::default() })
}

pub(super) fn no_model(_: &Ask) -> (SummaryAnswer, f64) {
    panic!("the model must not be called")
}
