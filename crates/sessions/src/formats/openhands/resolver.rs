//! Events of OpenHands' issue resolver of 2024: without numbers and sources, with an action's arguments next to its name, and with the price
//! of each response but not its tokens.

use crate::formats::prelude::*;

/// Fields about confirming and running actions; the model never saw them.
const UNSENT: [&str; 5] = ["action", "is_confirmed", "action_risk", "kernel_init_code", "keep_prompt"];

pub(super) fn is_event(value: &Json<'_>) -> bool {
    !value.has("id") && !value.has("source") && (value.has("action") || value.has("observation"))
}

/// Converts to the newer form of events: an observation belongs to the action before it.
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
