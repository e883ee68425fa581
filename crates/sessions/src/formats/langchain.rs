//! LangChain's chat histories, as serialised by the library (`{lc: 1, id, kwargs}`) or its stores (`{type, data}`), and
//! LangGraph's states of a thread, from `getState` or a checkpointer. A summary or an edit replaces messages: only
//! a list of states shows which.

use std::collections::{BTreeMap, HashMap};

use crate::dialects::ReadMessage;
use crate::formats::prelude::*;

const EXPECTED: &str = "a message with `type` human, ai, tool or system, or with `lc`, `id` and `kwargs`";

pub(super) const HISTORY: Format = Format::by_function(
    Agent::LangChain,
    "a list of messages (or an object with `messages`), each with `lc`, `id` and `kwargs`, or with `type` and `data`",
    |record| {
        let listed = if record.is_list() { record } else { record.get("messages") };
        let of_list = listed.list().iter().take(20).any(|message| langchain::kind(message).is_some());
        let alone = langchain::kind(record).is_some() && langchain::is_wrapped(record);
        Evidence::sure_if(of_list || alone)
    },
    read_history,
);

fn read_history(assembly: &mut Assembly, mut record: Json<'_>, notes: &mut Notes) {
    if record.get("messages").is_list() {
        let ids = ["id", "sessionId", "session_id", "thread_id"];
        assembly.session.id = ids.into_iter().find_map(|key| record.string(key));
        record = record.take("messages");
    }
    for message in record.into_values() {
        match langchain::message(message, notes) {
            Some(read) => drop(assembly.add_message(0, read.message, read.answered)),
            None => notes.incomplete(EXPECTED),
        }
    }
}

/// Paths of a state's channels: in a snapshot, a checkpoint tuple, a checkpoint.
const CHANNELS: [&[&str]; 3] = [&["values"], &["checkpoint", "channel_values"], &["channel_values"]];

pub(super) const GRAPH: Format = Format::of::<LangGraphReader>(
    Agent::LangGraph,
    "an object with `values.messages` or `channel_values.messages`, each with a `type` of human, ai, tool or system",
    |record| {
        let has_message = |state: &Json<'_>| {
            let first = messages_at(state).and_then(|path| state.get_path(path).get("messages").list().first());
            first.is_some_and(|first| langchain::kind(first).is_some())
        };
        Evidence::sure_if(record.values().iter().take(20).any(has_message))
    },
);

fn messages_at(state: &Json<'_>) -> Option<&'static [&'static str]> {
    CHANNELS.into_iter().find(|path| state.get_path(path).get("messages").is_list())
}

#[derive(Default)]
struct LangGraphReader {
    states: Vec<State>,
}

struct State {
    thread_id: Option<String>,
    namespace: String,
    at_ms: Option<i64>,
    step: Option<i64>,
    line: u64,
    project: Option<String>,
    version: Option<String>,
    messages: Vec<ReadMessage>,
}

impl Reader for LangGraphReader {
    fn record(&mut self, record: Json<'_>, notes: &mut Notes) {
        let states = record.into_values().into_iter();
        self.states.extend(states.filter_map(|state| read_state(state, notes)));
    }

    /// One session per thread. Checkpointers list the newest state first, so states are sorted by time and step.
    fn finish(self: Box<Self>, notes: &mut Notes) -> Vec<Session> {
        let mut threads: BTreeMap<Option<String>, Vec<State>> = BTreeMap::new();
        for state in self.states {
            threads.entry(state.thread_id.clone()).or_default().push(state);
        }
        let sessions = threads.into_iter().flat_map(|(id, mut states)| {
            states.sort_by_key(|state| (state.at_ms, state.step));
            let streams = HashMap::from([(String::new(), (0, HashMap::new()))]);
            let mut replay = Replay { assembly: Assembly::default(), streams };
            replay.assembly.session.id = id;
            for state in states {
                replay.state(state, notes);
            }
            replay.assembly.finish()
        });
        sessions.collect()
    }
}

#[allow(clippy::cast_possible_truncation)] // a number of steps
fn read_state(mut state: Json<'_>, notes: &mut Notes) -> Option<State> {
    let Some(path) = messages_at(&state) else {
        // The state before the first input has no messages yet.
        if !CHANNELS.into_iter().any(|path| state.get_path(path).is_object()) {
            notes.incomplete("a state with `values` or `channel_values`");
        }
        return None;
    };
    let metadata = state.get("metadata");
    let model = metadata.model("model_name");
    let configured = state.get_path(&["config", "configurable"]);
    let ids = [metadata.get("thread_id"), configured.get("thread_id"), state.get("thread_id")];
    let times =
        [state.get("createdAt"), state.get("created_at"), state.get_path(&["checkpoint", "ts"]), state.get("ts")];
    let mut read = State {
        thread_id: ids.into_iter().find_map(Json::as_str).map(str::to_owned),
        namespace: configured.string("checkpoint_ns").unwrap_or_default(),
        at_ms: times.into_iter().find_map(Json::as_ms),
        step: metadata.get("step").as_f64().map(|step| step as i64),
        line: notes.line(),
        project: metadata.string("graph_id"),
        version: metadata.string("langgraph_version"),
        messages: Vec::new(),
    };
    let mut channels = path.iter().fold(std::mem::take(&mut state), |mut value, key| value.take(key));
    read.messages = read_messages(channels.take_list("messages"), model.as_ref(), notes);
    Some(read)
}

/// Reads a state's messages. Only assistant messages have a time; messages after one came no earlier.
fn read_messages(listed: Vec<Json<'_>>, model: Option<&ModelName>, notes: &mut Notes) -> Vec<ReadMessage> {
    let mut messages = Vec::new();
    let mut newest_ms = None;
    for message in listed {
        let Some(mut read) = langchain::message(message, notes) else {
            notes.incomplete(EXPECTED);
            continue;
        };
        newest_ms = read.message.at_ms.or(newest_ms);
        read.message.at_ms = newest_ms;
        read.answered.model = read.answered.model.or_else(|| model.cloned());
        messages.push(read);
    }
    messages
}

/// Replays one thread's states, oldest first: messages that a state adds are new, missing ones were removed.
struct Replay {
    assembly: Assembly,
    /// By sub-graph, its thread and its messages by id.
    streams: HashMap<String, (usize, HashMap<String, u32>)>,
}

impl Replay {
    fn state(&mut self, state: State, notes: &mut Notes) {
        notes.set_line(state.line);
        let session = &mut self.assembly.session;
        session.project = session.project.take().or(state.project);
        session.version = session.version.take().or(state.version);
        let assembly = &mut self.assembly;
        let (thread, known) = self.streams.entry(state.namespace).or_insert_with_key(|name| {
            (assembly.open_thread(ThreadKind::SubAgent, Some(name.clone())), HashMap::new())
        });
        let thread = *thread;
        let context = assembly.current_context(thread).to_vec();
        let pairs = context.iter().zip(&state.messages);
        let shared = pairs.take_while(|(index, read)| is_unchanged(assembly, **index, read)).count();
        if shared < context.len() {
            let kept = context.get(..shared).unwrap_or_default().to_vec();
            assembly.start_context(thread, ContextStart::Changed, kept);
        }
        for read in state.messages.into_iter().skip(shared) {
            let earlier = read.id.as_ref().and_then(|id| known.get(id)).copied();
            let unchanged = earlier.filter(|index| is_unchanged(assembly, *index, &read));
            let id = read.id.clone();
            if let Some(index) = unchanged {
                assembly.append(thread, index);
            }
            let index = match (unchanged, earlier) {
                (Some(index), _) => index,
                // An edited assistant message is not a new request.
                (None, Some(_)) => assembly.push(thread, read.message),
                (None, None) => assembly.add_message(thread, read.message, read.answered),
            };
            known.extend(id.map(|id| (id, index)));
        }
    }
}

fn is_unchanged(assembly: &Assembly, index: u32, read: &ReadMessage) -> bool {
    let stored = assembly.message(index);
    stored.is_some_and(|stored| stored.role == read.message.role && stored.parts == read.message.parts)
}
