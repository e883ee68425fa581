//! Events of OpenHands' issue resolver of 2024: without numbers and sources, an action's arguments beside its name, and the price of
//! each answer without its tokens.

use crate::json::Json;

/// How events were confirmed and sent; the model saw none of it.
const UNSENT: [&str; 5] = ["action", "is_confirmed", "action_risk", "kernel_init_code", "keep_prompt"];

pub(super) fn is_event(value: &Json<'_>) -> bool {
    !value.has("id") && !value.has("source") && (value.has("action") || value.has("observation"))
}

/// The same events as OpenHands has written them since: an observation is of the action ahead of it.
pub(super) fn numbered(events: Vec<Json<'_>>) -> Vec<Json<'_>> {
    let mut action = 0;
    let numbers = 0_u64..;
    numbers
        .zip(events)
        .map(|(number, event)| {
            if event.has("action") {
                action = number;
                return action_of(event, number);
            }
            let Json::Object(mut fields) = event else { return Json::Null };
            fields.push(("id".into(), Json::Number(number.into())));
            fields.push(("cause".into(), Json::Number(action.into())));
            Json::Object(fields)
        })
        .collect()
}

fn action_of(mut event: Json<'_>, number: u64) -> Json<'_> {
    let action = event.take("action");
    let is_users = action.as_str() == Some("message") && !event.is_true("wait_for_response");
    let Json::Object(mut args) = event else { return Json::Null };
    args.retain(|(name, value)| !UNSENT.contains(&name.as_ref()) && *value != Json::Null);
    Json::Object(vec![
        ("id".into(), Json::Number(number.into())),
        ("source".into(), Json::Text(if is_users { "user" } else { "agent" }.into())),
        ("action".into(), action),
        ("args".into(), Json::Object(args)),
    ])
}
