//! opencode: an export, or its stream of events, in which the last version of each part counts.

use std::collections::HashMap;

use crate::Agent;
use crate::assembly::{Answered, Assembly};
use crate::dialects::{blocks, usage};
use crate::format::{Evidence, Format, Reader};
use crate::json::Json;
use crate::model::{ContextStart, MediaKind, Message, Part, Role, Session, ThreadKind};
use crate::notes::Notes;
use crate::times::time_ms;
use palimpsest_core::provider::usage::Usage;

pub(crate) struct OpenCode;

impl Format for OpenCode {
    fn agent(&self) -> Agent {
        Agent::OpenCode
    }

    fn expects(&self) -> &'static str {
        "an export `{info, messages: [{info, parts}]}`, or events with `type` \"message.updated\" and `properties`"
    }

    fn evidence(&self, record: &Json<'_>) -> Evidence {
        let event = if record.get("event").is_object() { record.get("event") } else { record };
        let dotted = event.str("type").is_some_and(|kind| {
            kind.starts_with("session.") || kind.starts_with("message.") || kind.starts_with("server.")
        });
        let export = record
            .get("messages")
            .list()
            .first()
            .is_some_and(|first| first.has("info") && first.has("parts"));
        Evidence::sure_if(export || (dotted && event.get("properties").is_object()))
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(OpenCodeReader { assembly: Assembly::new(Agent::OpenCode), sessions: Ordered::default() })
    }
}

/// Values by identifier in the order in which each was first seen.
struct Ordered<T> {
    items: Vec<(String, T)>,
    by_id: HashMap<String, usize>,
}

impl<T> Default for Ordered<T> {
    fn default() -> Self {
        Self { items: Vec::new(), by_id: HashMap::new() }
    }
}

impl<T: Default> Ordered<T> {
    fn entry(&mut self, id: &str) -> Option<&mut T> {
        let at = self.by_id.get(id).copied().unwrap_or_else(|| {
            self.by_id.insert(id.to_owned(), self.items.len());
            self.items.push((id.to_owned(), T::default()));
            self.items.len() - 1
        });
        self.items.get_mut(at).map(|(_, item)| item)
    }
}

struct OpenCodeReader {
    assembly: Assembly,
    /// The main session and those that its `task` tool began.
    sessions: Ordered<Ordered<Draft>>,
}

#[derive(Default)]
struct Draft {
    user: bool,
    at_ms: Option<i64>,
    model: Option<String>,
    tokens: Option<Usage>,
    cost_usd: Option<f64>,
    summary: bool,
    line: u64,
    parts: Ordered<Piece>,
}

#[derive(Default)]
enum Piece {
    #[default]
    Nothing,
    StepStart,
    StepFinish(Option<Usage>, Option<f64>),
    Part(Part),
    Call {
        call: Part,
        result: Option<Part>,
        at_ms: Option<i64>,
    },
    Compaction,
}

impl Reader for OpenCodeReader {
    fn record(&mut self, mut record: Json<'_>, notes: &mut Notes) {
        if record.get("messages").is_list() {
            self.describe(record.get("info"));
            for mut message in record.take("messages").into_list() {
                self.info(message.get("info"), notes.line());
                for part in message.take("parts").into_list() {
                    self.part(part, notes);
                }
            }
            return;
        }
        let mut event = if record.get("event").is_object() { record.take("event") } else { record };
        let mut properties = event.take("properties");
        match event.str("type").unwrap_or_default() {
            "message.updated" => self.info(properties.get("info"), notes.line()),
            "message.part.updated" => self.part(properties.take("part"), notes),
            "session.created" | "session.updated" => self.describe(properties.get("info")),
            // Deltas are repeated in the whole part; the rest is for the screen.
            _ => {}
        }
    }

    fn finish(mut self: Box<Self>, _notes: &mut Notes) -> Vec<Session> {
        let sessions = std::mem::take(&mut self.sessions.items);
        for (number, (id, messages)) in sessions.into_iter().enumerate() {
            let thread = if number == 0 { 0 } else { self.assembly.thread(ThreadKind::SubAgent, Some(id)) };
            for (_, draft) in messages.items {
                self.message(thread, draft);
            }
        }
        self.assembly.finish()
    }
}

impl OpenCodeReader {
    fn describe(&mut self, info: &Json<'_>) {
        let session = &mut self.assembly.session;
        if session.id.is_none() {
            session.id = info.string("id");
            session.project = info.string("directory");
            session.version = info.string("version");
        }
    }

    fn draft(&mut self, session: Option<&str>, message: Option<&str>) -> Option<&mut Draft> {
        self.sessions.entry(session.unwrap_or_default())?.entry(message?)
    }

    fn info(&mut self, info: &Json<'_>, line: u64) {
        let model = info.str("modelID").or(info.at(&["model", "modelID"]).as_str());
        let Some(draft) = self.draft(info.str("sessionID"), info.str("id")) else { return };
        draft.user = info.str("role") == Some("user");
        draft.at_ms = time_ms(info.at(&["time", "created"]));
        draft.model = model.map(str::to_owned);
        draft.tokens = usage::read(info.get("tokens"));
        draft.cost_usd = info.get("cost").as_f64();
        draft.summary = info.is_true("summary");
        if draft.line == 0 {
            draft.line = line;
        }
    }

    fn part(&mut self, mut part: Json<'_>, notes: &mut Notes) {
        let (session, message, id) = (part.string("sessionID"), part.string("messageID"), part.string("id"));
        let piece = piece(&mut part, notes);
        let Some(draft) = self.draft(session.as_deref(), message.as_deref()) else { return };
        if let Some(place) = draft.parts.entry(&id.unwrap_or_default()) {
            *place = piece;
        }
    }

    /// A message of the assistant holds a step for each request, and every result beside its call.
    fn message(&mut self, thread: usize, draft: Draft) {
        let Draft { user, at_ms, model, tokens, cost_usd, summary, line, parts } = draft;
        let pieces = parts.items.into_iter().map(|(_, piece)| piece);
        if user {
            let parts =
                pieces.filter_map(|piece| if let Piece::Part(part) = piece { Some(part) } else { None });
            self.assembly.push(thread, Message::new(Role::User, at_ms, parts.collect()));
            return;
        }
        if summary {
            self.assembly.restart(thread, ContextStart::Compaction { tokens_before: None }, Vec::new());
        }
        let model = self.assembly.model(model.as_deref());
        let mut step = StepRecord::default();
        let mut steps = 0;
        for piece in pieces {
            match piece {
                Piece::StepStart | Piece::Nothing => {}
                Piece::Compaction => {
                    self.assembly.restart(
                        thread,
                        ContextStart::Compaction { tokens_before: None },
                        Vec::new(),
                    );
                }
                Piece::Part(part) => step.parts.push(part),
                Piece::Call { call, result, at_ms } => {
                    step.parts.push(call);
                    step.results.extend(result);
                    step.results_ms = at_ms.max(step.results_ms);
                }
                Piece::StepFinish(usage, cost_usd) => {
                    let done = std::mem::take(&mut step);
                    let answered =
                        Answered { at_ms, model: model.clone(), usage, cost_usd, line, answer: None };
                    self.step(thread, done, answered);
                    steps += 1;
                }
            }
        }
        if !step.parts.is_empty() {
            // Cut off; the message's own count is this step's only where no other step is in it.
            let usage = tokens.filter(|_| steps == 0);
            self.step(thread, step, Answered { at_ms, model, usage, cost_usd, line, answer: None });
        }
    }

    fn step(&mut self, thread: usize, step: StepRecord, answered: Answered) {
        let at_ms = answered.at_ms;
        self.assembly.answer(thread, Message::new(Role::Assistant, at_ms, step.parts), answered);
        if !step.results.is_empty() {
            self.assembly.push(thread, Message::new(Role::Tool, step.results_ms.or(at_ms), step.results));
        }
    }
}

#[derive(Default)]
struct StepRecord {
    parts: Vec<Part>,
    results: Vec<Part>,
    results_ms: Option<i64>,
}

fn piece(part: &mut Json<'_>, notes: &mut Notes) -> Piece {
    let owned = |value: Json<'_>| value.into_string().unwrap_or_default();
    match part.str("type").unwrap_or_default() {
        "text" if part.is_true("ignored") => Piece::Nothing,
        "text" => Piece::Part(Part::Text(owned(part.take("text")))),
        "reasoning" => Piece::Part(Part::Reasoning { text: owned(part.take("text")), opaque: None }),
        "step-start" => Piece::StepStart,
        "step-finish" => Piece::StepFinish(usage::read(part.get("tokens")), part.get("cost").as_f64()),
        "tool" => tool(part),
        "file" => Piece::Part(blocks::media_of_url(MediaKind::File, owned(part.take("url")))),
        "compaction" => Piece::Compaction,
        "snapshot" | "patch" | "agent" | "retry" | "subtask" => Piece::Nothing,
        kind => {
            notes.unknown_part(Some(kind));
            Piece::Nothing
        }
    }
}

/// `state` holds the call and, once it is there, the result; a cleared one says when.
fn tool(part: &mut Json<'_>) -> Piece {
    let owned = |value: Json<'_>| value.into_string().unwrap_or_default();
    let id = owned(part.take("callID"));
    let name = owned(part.take("tool"));
    let mut state = part.take("state");
    let arguments = blocks::arguments(state.take("input"));
    let at_ms = time_ms(state.at(&["time", "end"]));
    let cleared = state.get("time").has("compacted");
    let content = match state.str("status") {
        Some("completed") if cleared => Some(("[Old tool result content cleared]".to_owned(), false)),
        Some("completed") => Some((state.take("output").into_plain(), false)),
        Some("error") => Some((state.take("error").into_plain(), true)),
        _ => None,
    };
    let result = content.map(|(text, is_error)| Part::Result {
        id: id.clone(),
        content: vec![Part::Text(text)],
        is_error,
    });
    Piece::Call { call: Part::Call { id, name, arguments, free_text: false }, result, at_ms }
}
