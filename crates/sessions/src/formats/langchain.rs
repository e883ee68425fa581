//! LangChain: messages of a chat history as serialised by the library (`{lc: 1, id, kwargs}`) or by its message stores
//! (`{type, data}`).

use crate::formats::prelude::*;

pub(super) const EXPECTED: &str =
    "a message with `type` human, ai, tool or system, or with `lc`, `id` and `kwargs`";

pub(super) const FORMAT: Format = Format::of::<HistoryReader>(
    Agent::LangChain,
    "a list of messages (or an object with `messages`), each with `lc`, `id` and `kwargs`, or with `type` and `data`",
    evidence,
);

fn evidence(record: &Json<'_>) -> Evidence {
    let listed = if record.is_list() { record } else { record.get("messages") };
    let of_list = listed.list().iter().take(20).any(|message| langchain::kind(message).is_some());
    let alone = langchain::kind(record).is_some() && langchain::is_wrapped(record);
    Evidence::sure_if(of_list || alone)
}

#[derive(Default)]
struct HistoryReader {
    assembly: Assembly,
}

impl Reader for HistoryReader {
    fn record(&mut self, mut record: Json<'_>, notes: &mut Notes) {
        if record.get("messages").is_list() {
            let ids = ["id", "sessionId", "session_id", "thread_id"];
            self.assembly.session.id = ids.into_iter().find_map(|key| record.string(key));
            record = record.take("messages");
        }
        for message in record.into_values() {
            match langchain::message(message, notes) {
                Some(read) => drop(self.assembly.add_message(0, read.message, read.answered)),
                None => notes.incomplete(EXPECTED),
            }
        }
    }

    fn finish(self: Box<Self>, _notes: &mut Notes) -> Vec<Session> {
        self.assembly.finish()
    }
}
