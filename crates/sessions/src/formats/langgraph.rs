//! LangGraph: the state of a thread. Summaries replace messages in it, so only what is left can be read.

use crate::Agent;
use crate::assembly::{Answered, Assembly};
use crate::dialects::langchain;
use crate::format::{Evidence, Format, Reader};
use crate::json::Json;
use crate::model::{Role, Session};
use crate::notes::Notes;

pub(crate) struct LangGraph;

impl Format for LangGraph {
    fn agent(&self) -> Agent {
        Agent::LangGraph
    }

    fn expects(&self) -> &'static str {
        "an object with `values.messages`, each with a `type` of human, ai, tool or system"
    }

    fn evidence(&self, record: &Json<'_>) -> Evidence {
        let first = record.at(&["values", "messages"]).list().first();
        Evidence::sure_if(first.is_some_and(|first| langchain::kind(first).is_some()))
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(LangGraphReader { assembly: Assembly::new(Agent::LangGraph) })
    }
}

struct LangGraphReader {
    assembly: Assembly,
}

impl Reader for LangGraphReader {
    fn record(&mut self, mut record: Json<'_>, notes: &mut Notes) {
        let metadata = record.get("metadata");
        let default_model = metadata.string("model_name");
        let session = &mut self.assembly.session;
        session.id = metadata.string("thread_id").or(record.string("thread_id"));
        session.project = metadata.string("graph_id");
        session.version = metadata.string("langgraph_version");
        let mut after = None;
        for message in record.take("values").take("messages").into_list() {
            let Some(mut read) = langchain::message(message, notes) else {
                notes.incomplete("a message with `type` human, ai, tool or system");
                continue;
            };
            // Only answers have a time; what stands behind one came no earlier.
            after = read.message.at_ms.or(after);
            read.message.at_ms = after;
            if read.message.role != Role::Assistant {
                self.assembly.push(0, read.message);
                continue;
            }
            let model = self.assembly.model(read.model.as_deref().or(default_model.as_deref()));
            let answered = Answered { model, usage: read.usage, line: notes.line(), ..Answered::default() };
            self.assembly.answer(0, read.message, answered);
        }
    }

    fn finish(self: Box<Self>, _notes: &mut Notes) -> Vec<Session> {
        self.assembly.finish()
    }
}
