//! The binding of the kinds of a context's content, and of the labels of texts and calls, for a picture of the context.

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
