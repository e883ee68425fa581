//! Recorded model requests with their bodies as sent: a proxy's log, HTTP cassettes, one file per request.

use std::collections::HashMap;

use crate::formats::prelude::*;

mod response;

use response::body_in;

pub(super) const FORMAT: Format = Format::of::<LogReader>(
    Agent::RequestLog,
    "`request` and `response` with their bodies, a list `interactions` of them, or `messages` beside `response`",
    |record| {
        let first = record.get("interactions").list().first();
        let exchange = first.or_else(|| record.list().first()).unwrap_or(record);
        let is_wrapped = exchange.get("request").is_object() && (exchange.has("response") || exchange.has("logged_at"));
        let is_flat = record.get("messages").is_list() && record.get("response").is_object();
        let is_body = record.has("model") && record.has("tools") && body_list(record).is_some();
        Evidence::sure_if(is_wrapped || is_flat || is_body)
    },
);

fn body_list(body: &Json<'_>) -> Option<&'static str> {
    let keys = ["messages", "input", "contents"];
    let is_held = |key: &str| body.get(key).is_list() || (key == "input" && body.str(key).is_some());
    keys.into_iter().find(|key| is_held(key))
}

#[derive(Default)]
struct LogReader {
    exchanges: Vec<Exchange>,
}

struct Exchange {
    /// The request's time, line, model and, as `LiteLLM` records it, cost.
    answered: Request,
    /// Id of the previous response, if the server stores the history.
    previous: Option<String>,
    messages: Vec<Message>,
    response: response::Response,
}

impl Reader for LogReader {
    fn record(&mut self, mut record: Json<'_>, notes: &mut Notes) {
        if record.get("interactions").is_list() {
            record = record.take("interactions");
        }
        for exchange in record.into_values() {
            self.exchange(exchange, notes);
        }
    }

    fn finish(mut self: Box<Self>, _notes: &mut Notes) -> Vec<Session> {
        // Responses are logged as they arrive, so overlapping requests are not in sending order.
        self.exchanges.sort_by_key(|exchange| exchange.answered.at_ms.unwrap_or(i64::MIN));
        let mut log = Log::default();
        for exchange in self.exchanges {
            log.add(exchange);
        }
        log.assembly.finish()
    }
}

impl LogReader {
    fn exchange(&mut self, mut exchange: Json<'_>, notes: &mut Notes) {
        let logged_ms = ["timestamp", "logged_at"].into_iter().find_map(|key| exchange.time_ms(key));
        let cost_usd = ["cost", "response_cost"].into_iter().find_map(|key| exchange.get(key).as_f64());
        let response = response::read(exchange.take("response"), notes);
        let mut request = exchange.take("request");
        let sent_ms = request.time_ms("timestamp");
        let text;
        let mut body = match body_in(&mut request, &["parsed_body", "body"]) {
            _ if !request.is_object() => exchange,
            Json::Text(body) => {
                text = body;
                Json::parse(&text, &[]).unwrap_or_else(|_| {
                    notes.incomplete("a body that is JSON");
                    Json::Null
                })
            }
            body => body,
        };
        let model = body.model("model").or(response.model.clone());
        let previous = body.string("previous_response_id");
        let at_ms = sent_ms.or(logged_ms).or(response.at_ms);
        let Some(messages) = messages(&mut body, notes) else {
            // Counting tokens, listing models: not a model request.
            return;
        };
        let answered = Request { at_ms, line: notes.line(), model, cost_usd, ..Request::default() };
        self.exchanges.push(Exchange { answered, previous, messages, response });
    }
}

/// System prompt, tools and messages of a body, in the order in which the provider caches them.
fn messages(request: &mut Json<'_>, notes: &mut Notes) -> Option<Vec<Message>> {
    let key = body_list(request)?;
    let mut out = message::preamble(request, notes);
    match request.take(key) {
        Json::List(values) if key == "input" => input_items(values, &mut out, notes),
        Json::List(values) => {
            for value in values {
                let read = message::read_expected(value, "a message with `role` and `content`", notes);
                out.extend(read.map(|read| read.message));
            }
        }
        text => out.push(Message::text(Role::User, None, text.into_plain())),
    }
    Some(out)
}

fn input_items(values: Vec<Json<'_>>, out: &mut Vec<Message>, notes: &mut Notes) {
    for value in values {
        let is_compaction = value.str("type").is_some_and(|kind| kind.starts_with("compaction"));
        let Some((role, parts)) = items::item(value, notes) else { continue };
        if is_compaction {
            // A compaction item replaces everything before it.
            out.retain(|message| message.role == Role::System);
        }
        match out.last_mut().filter(|last| role == Role::Assistant && last.role == role) {
            Some(answer) => answer.parts.extend(parts),
            None => out.push(Message::new(role, None, parts)),
        }
    }
}

#[derive(Default)]
struct Log {
    assembly: Assembly,
    /// By thread, the number of messages in its newest prompt, and the model.
    threads: Vec<(usize, Option<ModelName>)>,
    stored_history: HashMap<String, Vec<u32>>,
}

impl Log {
    fn add(&mut self, exchange: Exchange) {
        let Exchange { answered, previous, messages, response } = exchange;
        let stored = previous.and_then(|id| self.stored_history.get(&id)).cloned().unwrap_or_default();
        let thread = self.thread_for(&stored, &messages, answered.model.as_deref());
        let context = self.newest_prompt(thread).to_vec();
        let shared = self.shared_count(&context, &stored, &messages);
        if shared < context.len() {
            let kept = context.get(..shared).unwrap_or_default().to_vec();
            self.assembly.start_context(thread, ContextStart::Changed, kept);
        }
        let shared_messages = shared.saturating_sub(stored.len());
        for index in stored.into_iter().skip(shared) {
            self.assembly.append(thread, index);
        }
        for message in messages.into_iter().skip(shared_messages) {
            self.assembly.push(thread, message);
        }
        let sent = self.assembly.current_context(thread).len();
        if let Some(newest) = self.threads.get_mut(thread) {
            *newest = (sent, answered.model.clone());
        }
        let message = Message::new(Role::Assistant, answered.at_ms, response.parts);
        let answer = (!message.parts.is_empty()).then(|| self.assembly.store(message));
        if let Some(id) = response.id.filter(|_| self.assembly.reserve_entries(sent)) {
            let mut stored = self.assembly.current_context(thread).to_vec();
            stored.extend(answer);
            self.stored_history.insert(id, stored);
        }
        let summarising = Request { kind: RequestKind::Compaction, cost_usd: None, ..answered.clone() };
        for usage in response.compactions {
            self.assembly.add_request(thread, sent, Request { usage: Some(usage), ..summarising.clone() });
        }
        self.assembly.add_request(thread, sent, Request { answer, usage: response.usage, ..answered });
    }

    fn newest_prompt(&self, thread: usize) -> &[u32] {
        let sent = self.threads.get(thread).map_or(0, |(sent, _)| *sent);
        self.assembly.current_context(thread).get(..sent).unwrap_or_default()
    }

    /// Number of messages of `context` with which a request of `stored` and `messages` starts.
    fn shared_count(&self, context: &[u32], stored: &[u32], messages: &[Message]) -> usize {
        let stored = stored.iter().filter_map(|index| self.assembly.message(*index));
        let sent = stored.chain(messages);
        let known = context.iter().filter_map(|index| self.assembly.message(*index));
        known.zip(sent).take_while(|(known, sent)| known.role == sent.role && known.parts == sent.parts).count()
    }

    /// The thread whose newest prompt a request starts with, else that of its model which shares most, else a new one.
    fn thread_for(&mut self, stored: &[u32], messages: &[Message], model: Option<&str>) -> usize {
        let rated = self.threads.iter().enumerate().filter_map(|(thread, (_, newest_model))| {
            let context = self.newest_prompt(thread);
            let shared = self.shared_count(context, stored, messages);
            let is_extended = shared == context.len();
            let is_similar = newest_model.as_deref() == model && shared > 0;
            (is_extended || is_similar).then_some((is_extended, shared, thread))
        });
        if let Some((_, _, thread)) = rated.max() {
            return thread;
        }
        let is_first = self.threads.is_empty();
        let thread = if is_first { 0 } else { self.assembly.open_thread(ThreadKind::SubAgent, None) };
        self.threads.push((0, model.map(ModelName::from)));
        thread
    }
}
