//! The binding of message kinds and labels, which a map of the context shows.

use napi_derive::napi;
use palimpsest_core::tools::label;

#[napi(catch_unwind)]
pub fn picture_kinds() -> Vec<String> {
    label::KINDS.map(str::to_owned).to_vec()
}

#[napi(catch_unwind)]
pub fn text_label(text: String) -> String {
    label::of_text(&text)
}

#[napi(catch_unwind)]
pub fn call_label(tool: String, arguments: String) -> String {
    label::of_call(&tool, &arguments)
}
