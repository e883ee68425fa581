//! UI messages of the AI SDK (versions 3 to 7) and of Mastra: one message holds all steps of a turn.

use super::blocks;
use crate::{Assembly, Json, MediaKind, Message, Notes, Part, Request, Role};

/// One request's assistant message, and the results of its calls.
#[derive(Default)]
pub(crate) struct TurnStep {
    pub(crate) parts: Vec<Part>,
    pub(crate) results: Vec<Part>,
}

pub(crate) fn steps(message: &mut Json<'_>, notes: &mut Notes) -> Vec<TurnStep> {
    let mut steps = match message.take_list("parts") {
        parts if parts.is_empty() => steps_in_fields(message),
        parts => steps_in_parts(parts, notes),
    };
    for mut attachment in message.take_list("experimental_attachments") {
        let url = attachment.take_text("url");
        if steps.is_empty() {
            steps.push(TurnStep::default());
        }
        if let Some(first) = steps.first_mut() {
            first.parts.push(blocks::media_of_url(MediaKind::File, url));
        }
    }
    steps
}

pub(crate) fn add_turn(assembly: &mut Assembly, role: Role, steps: Vec<TurnStep>, answered: &Request) {
    let at_ms = answered.at_ms;
    if role != Role::Assistant {
        let parts = steps.into_iter().flat_map(|step| step.parts).collect();
        assembly.push(0, Message::new(role, at_ms, parts));
        return;
    }
    for step in steps {
        assembly.add_answer(0, Message::new(Role::Assistant, at_ms, step.parts), answered.clone());
        assembly.push_nonempty(0, Message::new(Role::Tool, at_ms, step.results));
    }
}

/// Older versions: calls of different requests have different `step` numbers, and the text came last.
fn steps_in_fields(message: &mut Json<'_>) -> Vec<TurnStep> {
    let mut steps = Steps::default();
    let mut open_number = 0;
    if let Some(text) = message.take_string("reasoning") {
        steps.open.parts.push(Part::Reasoning { text, opaque: None });
    }
    for call in message.take_list("toolInvocations") {
        let number = call.count("step");
        if number != open_number {
            steps.close();
        }
        open_number = number;
        add_call(call, None, &mut steps.open);
    }
    let text = message.take_text("content");
    if !text.is_empty() {
        if !steps.open.results.is_empty() {
            steps.close();
        }
        steps.open.parts.push(Part::Text(text));
    }
    steps.close();
    steps.done
}

fn steps_in_parts(parts: Vec<Json<'_>>, notes: &mut Notes) -> Vec<TurnStep> {
    let mut steps = Steps::default();
    for mut part in parts {
        let kind = part.string("type").unwrap_or_default();
        match kind.as_str() {
            "step-start" => steps.close(),
            "tool-invocation" => add_call(part.take("toolInvocation"), None, &mut steps.open),
            "dynamic-tool" => add_call(part, None, &mut steps.open),
            "file" if part.has("url") => {
                steps.open.parts.push(blocks::media_of_url(MediaKind::File, part.take_text("url")));
            }
            // Sources, data and errors are for the screen.
            kind if kind == "error" || kind.starts_with("source") || kind.starts_with("data-") => {}
            kind => match kind.strip_prefix("tool-") {
                Some(name) => add_call(part, Some(name.to_owned()), &mut steps.open),
                None => steps.open.parts.extend(blocks::parts(Json::List(vec![part]), notes)),
            },
        }
    }
    steps.close();
    steps.done
}

#[derive(Default)]
struct Steps {
    done: Vec<TurnStep>,
    open: TurnStep,
}

impl Steps {
    fn close(&mut self) {
        if !self.open.parts.is_empty() {
            self.done.push(std::mem::take(&mut self.open));
        }
    }
}

/// Version 4 has `args` and `result`, later ones `input`, `output` and `state: "output-…"`; Mastra mixes both.
fn add_call(mut part: Json<'_>, name: Option<String>, step: &mut TurnStep) {
    let id = part.take_text("toolCallId");
    let name = name.unwrap_or_else(|| part.take_text("toolName"));
    let input = ["args", "input", "rawInput"].into_iter().find(|key| part.has(key)).unwrap_or("input");
    let arguments = blocks::arguments(part.take(input));
    step.parts.push(Part::Call { id: id.clone(), name, arguments, free_text: false });
    let (text, is_error) = match part.str("state") {
        Some("result") => (part.take("result").into_plain(), part.is_true("isError")),
        Some("output-available") => (part.take("output").into_plain(), false),
        Some("output-error") => {
            let text = part.take_string("errorText");
            (text.unwrap_or_else(|| part.take("result").into_plain()), true)
        }
        // The text that the SDK sends to the model for a call that the user denied.
        Some("output-denied") => {
            let reason = part.get_path(&["approval", "reason"]).as_str();
            (reason.unwrap_or("Tool execution denied.").to_owned(), true)
        }
        _ => return,
    };
    step.results.push(Part::Result { id, content: vec![Part::Text(text)], is_error });
}
