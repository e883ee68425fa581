//! LangChain: messages of a chat history as serialised by the library (`{lc: 1, id, kwargs}`) or by its message stores
//! (`{type, data}`).

use crate::Agent;
use crate::assembly::{AnsweredRequest, Assembly};
use crate::dialects::langchain::{self, LangChainMessage};
use crate::format::{Evidence, Format, Reader};
use crate::json::Json;
use crate::model::{Role, Session};
use crate::notes::Notes;

pub(crate) struct LangChain;

/// Description of an expected message.
pub(super) const EXPECTED: &str =
    "a message with `type` human, ai, tool or system, or with `lc`, `id` and `kwargs`";

impl Format for LangChain {
    fn agent(&self) -> Agent {
        Agent::LangChain
    }

    fn expects(&self) -> &'static str {
        "a list of messages (or an object with `messages`), each with `lc`, `id` and `kwargs`, or with `type` and `data`"
    }

    fn evidence(&self, record: &Json<'_>) -> Evidence {
        let listed = if record.is_list() { record.list() } else { record.get("messages").list() };
        let of_list = listed.iter().take(20).any(|message| langchain::kind(message).is_some());
        let alone = langchain::kind(record).is_some() && langchain::is_wrapped(record);
        Evidence::sure_if(of_list || alone)
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(HistoryReader { assembly: Assembly::new(Agent::LangChain) })
    }
}

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
        let messages = if record.is_list() { record.into_list() } else { vec![record] };
        for message in messages {
            match langchain::message(message, notes) {
                Some(read) => {
                    add(&mut self.assembly, 0, read, None, notes);
                }
                None => notes.incomplete(EXPECTED),
            }
        }
    }

    fn finish(self: Box<Self>, _notes: &mut Notes) -> Vec<Session> {
        self.assembly.finish()
    }
}

/// Appends a message to a thread; an assistant message also adds its request.
pub(super) fn add(
    assembly: &mut Assembly,
    thread: usize,
    read: LangChainMessage,
    default_model: Option<&str>,
    notes: &Notes,
) -> u32 {
    if read.message.role != Role::Assistant {
        return assembly.push(thread, read.message);
    }
    let model = assembly.model(read.model.as_deref().or(default_model));
    let answered =
        AnsweredRequest { model, usage: read.usage, line: notes.line(), ..AnsweredRequest::default() };
    assembly.answer(thread, read.message, answered)
}
