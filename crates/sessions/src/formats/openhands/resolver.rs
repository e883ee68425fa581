//! Converts events of OpenHands' issue resolver of 2024 to the newer form. They have no ids and sources, an action's
//! arguments next to its name, and the price of each response but not its tokens.

use crate::formats::prelude::*;

/// Fields about confirming and running actions; the model never saw them.
const UNSENT: [&str; 5] = ["action", "is_confirmed", "action_risk", "kernel_init_code", "keep_prompt"];

pub(super) fn is_event(value: &Json<'_>) -> bool {
    !value.has("id") && !value.has("source") && (value.has("action") || value.has("observation"))
}

/// Converts events; their ids are their numbers, and an observation belongs to the action before it.
pub(super) fn with_ids(events: Vec<Json<'_>>) -> Vec<Json<'_>> {
    let mut newest_action = 0;
    let converted = (0..).zip(events).map(|(id, event)| {
        if event.has("action") {
            newest_action = id;
            return action_of(event, id);
        }
        let Json::Object(mut fields) = event else { return Json::Null };
        fields.push(("id".into(), Json::Number(id.into())));
        fields.push(("cause".into(), Json::Number(newest_action.into())));
        Json::Object(fields)
    });
    converted.collect()
}

fn action_of(mut event: Json<'_>, id: u64) -> Json<'_> {
    let action = event.take("action");
    let is_users = action.as_str() == Some("message") && !event.is_true("wait_for_response");
    let Json::Object(mut args) = event else { return Json::Null };
    args.retain(|(name, value)| !UNSENT.contains(&name.as_ref()) && *value != Json::Null);
    Json::Object(vec![
        ("id".into(), Json::Number(id.into())),
        ("source".into(), Json::Text(if is_users { "user" } else { "agent" }.into())),
        ("action".into(), action),
        ("args".into(), Json::Object(args)),
    ])
}
