//! The binding of references, which shorten a result by referring to lines that an earlier message of the prompt contains;
//! and of the labels with which texts and calls are shown.

use napi::bindgen_prelude::{Function, Result};
use napi_derive::napi;
use palimpsest_core::references::{ReferenceTracker, Source};
use palimpsest_core::tools::label;

use crate::option_values::language;
use crate::units::Utf16;

/// The lines of one conversation to which later results can refer.
#[napi(js_name = "References")]
pub struct JsReferences {
    references: ReferenceTracker,
}

#[napi]
impl JsReferences {
    #[napi(constructor, catch_unwind)]
    pub fn new(tag: String) -> Self {
        Self { references: ReferenceTracker::new(language(Some(&tag))) }
    }

    /// The result is outdated from request `since` on.
    #[napi(catch_unwind)]
    pub fn outdate(&mut self, row: u32, since: u32) {
        self.references.outdate(row, since);
    }

    /// Results and calls added after this are first sent with request `number`.
    #[napi(catch_unwind)]
    pub fn begin_request(&mut self, number: u32) {
        self.references.begin_request(number);
    }

    /// Adds the texts in a call's arguments, which are JSON text.
    #[napi(catch_unwind)]
    pub fn add_call(&mut self, call: u32, #[napi(ts_arg_type = "string")] arguments: Utf16) {
        self.references.add_call(call, &arguments.0);
    }

    /// Adds a result that is sent whole.
    #[napi(catch_unwind)]
    pub fn add_result(&mut self, row: u32, #[napi(ts_arg_type = "string")] text: Utf16) {
        self.references.add_result(row, &text.0);
    }

    /// The text that is sent for a result; null if it is sent whole. `labelOf` names a row, or call `-1 - n`.
    #[napi(
        catch_unwind,
        ts_args_type = "row: number, text: string, labelOf: (source: number) => string",
        ts_return_type = "string | null"
    )]
    pub fn shorten_result(&mut self, row: u32, text: Utf16, label: Function<'_, f64, Utf16>) -> Result<Option<Utf16>> {
        let mut failed = Ok(());
        let shortened = self.references.shorten_result(row, &text.0, &mut |source| {
            let source = match source {
                Source::Result(row) => f64::from(row),
                Source::Call(call) => -1.0 - f64::from(call),
            };
            let label = label.call(source).map_err(|error| failed = Err(error));
            label.map(|label| label.0).unwrap_or_default()
        });
        failed.map(|()| shortened.map(|shortened| Utf16(shortened.text)))
    }

    /// The number of the request from which on the result may be removed; null if it may not.
    #[napi(catch_unwind)]
    pub fn removable_since(&self, row: u32) -> Option<u32> {
        self.references.removable_since(row)
    }
}

/// The file or the command head that a call of `tool` names; empty if neither.
#[napi(catch_unwind)]
pub fn subject_of_call(tool: String, arguments: String) -> String {
    label::subject_of(&tool, &arguments)
}

#[napi(catch_unwind)]
pub fn text_label(text: String) -> String {
    label::of_text(&text)
}

#[napi(catch_unwind)]
pub fn call_label(tool: String, arguments: String) -> String {
    label::of_call(&tool, &arguments)
}
