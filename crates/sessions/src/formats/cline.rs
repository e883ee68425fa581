//! Cline and Roo: the SDK's message list with metrics, or a classic task of two files: `ui_messages.json` with the
//! usage of each request, `api_conversation_history.json` with the messages.

use crate::formats::prelude::*;

pub(super) const FORMAT: Format = Format::of::<ClineReader>(
    Agent::Cline,
    "an object with `sessionId`, `agent` and `messages`, or a list of `{ts, type, say}`",
    |record| {
        let is_from_sdk = record.get("messages").is_list() && record.has("sessionId") && record.has("agent");
        let first = record.list().first();
        let is_classic = first.is_some_and(|first| first.has("ts") && (first.has("say") || first.has("ask")));
        Evidence::sure_if(is_from_sdk || is_classic)
    },
);

#[derive(Default)]
struct ClineReader {
    assembly: Assembly,
    /// Each request in `ui_messages.json`, with the indices of the first and last message that was no longer sent.
    started: Vec<(Request, Option<(usize, usize)>)>,
    conversation: Vec<Message>,
}

impl Reader for ClineReader {
    fn record(&mut self, mut record: Json<'_>, notes: &mut Notes) {
        if record.is_list() {
            for item in record.into_values() {
                if item.has("role") {
                    self.conversation.extend(message::read(item, notes).map(|read| read.message));
                } else {
                    self.event(&item, notes);
                }
            }
            return;
        }
        let session = &mut self.assembly.session;
        session.id = record.string("sessionId");
        session.version = record.get("version").as_count().map(|version| version.to_string());
        if let Some(text) = record.take_string("system_prompt") {
            self.assembly.push(0, Message::text(Role::System, None, text));
        }
        for message in record.take_list("messages") {
            self.message(message, notes);
        }
    }

    fn finish(mut self: Box<Self>, notes: &mut Notes) -> Vec<Session> {
        self.pair_requests(notes);
        self.assembly.finish()
    }
}

impl ClineReader {
    fn message(&mut self, message: Json<'_>, notes: &mut Notes) {
        let is_compaction = message.get_path(&["metadata", "kind"]).as_str() == Some("compaction");
        let usage = usage::read(message.get("metrics"));
        let cost_usd = message.get("metrics").get("cost").as_f64();
        let model = message.get("modelInfo").model("id");
        let expected = "a message with `role` and `content`";
        let Some(read) = message::read_expected(message, expected, notes) else { return };
        if is_compaction {
            let kept = self.assembly.system_prompt();
            self.assembly.start_context(0, ContextStart::Compaction { tokens_before: None }, kept);
        }
        // Assistant messages kept over a compaction have no metrics: their requests are not in this file.
        if usage.is_some() {
            self.assembly.add_message(0, read.message, Request { model, usage, cost_usd, ..read.answered });
        } else {
            self.assembly.push(0, read.message);
        }
    }

    /// An entry of `ui_messages.json`: a started request, with its usage filled in later.
    fn event(&mut self, event: &Json<'_>, notes: &mut Notes) {
        if event.str("say") != Some("api_req_started") || event.is_true("partial") {
            return;
        }
        let Ok(metrics) = Json::parse(event.str("text").unwrap_or_default(), &[]) else {
            notes.incomplete("JSON in the `text` of api_req_started");
            return;
        };
        let answered = Request {
            at_ms: event.time_ms("ts"),
            usage: usage::read(&metrics),
            cost_usd: metrics.get("cost").as_f64(),
            line: notes.line(),
            ..Request::default()
        };
        let range = event.get("conversationHistoryDeletedRange").list();
        let bound = |number: usize| range.get(number).and_then(Json::as_index);
        self.started.push((answered, bound(0).zip(bound(1))));
    }

    /// If requests and answers differ in number, the first have no counterpart: a shortened history has the latest.
    fn pair_requests(&mut self, notes: &mut Notes) {
        let answers = self.conversation.iter().filter(|message| message.role == Role::Assistant).count();
        let without_message = self.started.len().saturating_sub(answers);
        let mut without_request = answers.saturating_sub(self.started.len());
        let mut started = std::mem::take(&mut self.started).into_iter();
        for (request, _) in started.by_ref().take(without_message) {
            if answers > 0 {
                notes.incomplete("a message for each started request");
            }
            self.assembly.add_request(0, 0, request);
        }
        let (mut indices, mut left_out) = (Vec::new(), None);
        for message in std::mem::take(&mut self.conversation) {
            if message.role != Role::Assistant {
                indices.push(self.assembly.push(0, message));
                continue;
            }
            let request = if without_request > 0 { None } else { started.next() };
            without_request = without_request.saturating_sub(1);
            let (answered, range) = request.unwrap_or_default();
            if let Some((first, last)) = range.filter(|_| range != left_out) {
                let kept = indices.iter().enumerate().filter(|(number, _)| *number < first || *number > last);
                let kept = kept.map(|(_, &index)| index).collect();
                self.assembly.start_context(0, ContextStart::Compaction { tokens_before: None }, kept);
                left_out = range;
            }
            indices.push(self.assembly.add_answer(0, message, answered));
        }
    }
}
