//! Reads JavaScript strings as UTF-16 without conversion: lone surrogates, NUL and two-byte text included.
//!
//! The only `unsafe` code of the addon. napi's own `String` would turn lone surrogates into U+FFFD and costs five to
//! twenty times as much on two-byte text.

#![allow(unsafe_code)]

use std::ptr;

use napi::bindgen_prelude::{FromNapiValue, ToNapiValue, TypeName, ValidateNapiValue};
use napi::{Error, JsValue, Result, Status, Unknown, ValueType, sys};
use palimpsest_core::conversation::RowTexts;
use palimpsest_core::output::{PIECE, TextPieces};
use palimpsest_core::text::utf16::to_utf8;

/// A JavaScript string as its UTF-16 units.
#[derive(Debug, Clone, Default)]
pub struct Utf16(pub Vec<u16>);

impl TypeName for Utf16 {
    fn type_name() -> &'static str {
        "string"
    }

    fn value_type() -> ValueType {
        ValueType::String
    }
}

impl ValidateNapiValue for Utf16 {}

impl FromNapiValue for Utf16 {
    unsafe fn from_napi_value(env: sys::napi_env, value: sys::napi_value) -> Result<Self> {
        let mut units = Vec::new();
        let is_string = read(env, value, usize::MAX, &mut units).is_some();
        is_string.then_some(Self(units)).ok_or_else(|| Error::new(Status::StringExpected, "expected a string"))
    }
}

impl ToNapiValue for Utf16 {
    unsafe fn to_napi_value(env: sys::napi_env, string: Self) -> Result<sys::napi_value> {
        let mut value = ptr::null_mut();
        let len = isize::try_from(string.0.len())
            .map_err(|_| Error::new(Status::GenericFailure, "the string is too long for JavaScript"))?;
        // SAFETY: the pointer and length describe `string.0`, which outlives the call; V8 copies the units.
        let status = unsafe { sys::napi_create_string_utf16(env, string.0.as_ptr(), len, &raw mut value) };
        if status == sys::Status::napi_ok {
            Ok(value)
        } else {
            Err(Error::new(Status::from(status), "the string is too long for JavaScript"))
        }
    }
}

/// Replaces what is in `buffer` by at most `limit` units of a string, and returns the whole string's length; `None` if
/// `value` is not a string. Flattens a rope, otherwise O(limit). Each unit is written once: clearing 20 MB first would
/// double the cost.
fn read(env: sys::napi_env, value: sys::napi_value, limit: usize, buffer: &mut Vec<u16>) -> Option<usize> {
    let len = length(env, value)?;
    let wanted = len.min(limit);
    buffer.clear();
    // V8 writes a terminating zero after the copied units.
    buffer.reserve(wanted + 1);
    let mut written = 0;
    // SAFETY: the buffer's capacity has room for `wanted` units and the terminator, which is the size that is
    // passed; `env` and `value` come from the call in progress on this thread.
    let status =
        unsafe { sys::napi_get_value_string_utf16(env, value, buffer.as_mut_ptr(), wanted + 1, &raw mut written) };
    if status != sys::Status::napi_ok {
        return None;
    }
    // SAFETY: V8 has written `written` units, at most `wanted`, which the capacity exceeds.
    unsafe { buffer.set_len(written.min(wanted)) };
    Some(len)
}

/// At most `limit` units of a string; `None` if the value is not a string.
pub fn beginning(value: &Unknown<'_>, limit: usize) -> Option<Vec<u16>> {
    let mut units = Vec::new();
    read(value.value().env, value.raw(), limit, &mut units).map(|_| units)
}

fn length(env: sys::napi_env, value: sys::napi_value) -> Option<usize> {
    let mut len = 0;
    // SAFETY: a null buffer asks for the length only; `env` and `value` come from the call in progress.
    let status = unsafe { sys::napi_get_value_string_utf16(env, value, ptr::null_mut(), 0, &raw mut len) };
    (status == sys::Status::napi_ok).then_some(len)
}

/// The strings of a plain JavaScript array, read one at a time. Valid for one call.
pub struct Strings {
    env: sys::napi_env,
    array: sys::napi_value,
    buffer: Vec<u16>,
}

impl Strings {
    /// An element that is no string reads as empty.
    pub fn new(array: &Unknown<'_>) -> Self {
        Self { env: array.value().env, array: array.raw(), buffer: Vec::new() }
    }

    pub fn len(&self) -> usize {
        let mut len = 0;
        // SAFETY: `env` and `array` come from the call in progress; napi checks that `array` is an array.
        let status = unsafe { sys::napi_get_array_length(self.env, self.array, &raw mut len) };
        if status == sys::Status::napi_ok { len as usize } else { 0 }
    }

    fn element(&self, index: usize) -> Option<sys::napi_value> {
        let mut value = ptr::null_mut();
        let index = u32::try_from(index).ok()?;
        // SAFETY: `env` and `array` come from the call in progress; napi checks that `array` is an object.
        let status = unsafe { sys::napi_get_element(self.env, self.array, index, &raw mut value) };
        (status == sys::Status::napi_ok).then_some(value)
    }

    /// At most `limit` units of an element, and the length of the whole element.
    fn read(&mut self, index: usize, limit: usize) -> Option<(&[u16], usize)> {
        self.buffer.clear();
        let len = read(self.env, self.element(index)?, limit, &mut self.buffer)?;
        Some((&self.buffer, len))
    }

    /// At most `limit` units of an element.
    pub fn head(&mut self, index: usize, limit: usize) -> &[u16] {
        self.read(index, limit).map_or(&[], |(head, _)| head)
    }

    /// An element as UTF-8; lone surrogates become U+FFFD.
    pub fn utf8(&mut self, index: usize) -> String {
        to_utf8(self.head(index, usize::MAX))
    }
}

/// A text that the JavaScript side has cut into pieces, read one at a time into one small buffer. Valid for one call.
pub struct StringPieces {
    pieces: Strings,
    units: usize,
    /// The index of the piece in the buffer.
    held: Option<usize>,
}

impl StringPieces {
    /// `pieces` is an array of strings with `units` units in all.
    pub fn new(pieces: &Unknown<'_>, units: usize) -> Self {
        Self { pieces: Strings::new(pieces), units, held: None }
    }
}

impl TextPieces for StringPieces {
    fn units(&self) -> usize {
        self.units
    }

    fn piece(&mut self, index: usize) -> &[u16] {
        if self.held != Some(index) {
            self.pieces.head(index, PIECE.min(self.units));
            self.held = Some(index);
        }
        &self.pieces.buffer
    }
}

/// Passes the numbers of a `Float64Array` to `write`. The buffer is looked up at this moment, because JavaScript that
/// ran earlier in the call may have detached it; then, and for any other value, there are no numbers.
pub fn write_numbers<R>(array: &Unknown<'_>, write: impl FnOnce(&mut [f64]) -> R) -> R {
    let (mut kind, mut len, mut data) = (sys::TypedarrayType::int8_array, 0, ptr::null_mut());
    // SAFETY: `env` and `array` come from the call in progress on this thread; napi checks that `array` is a typed
    // array, and what isn't asked for may be null.
    let status = unsafe {
        let (env, array) = (array.value().env, array.raw());
        let (buffer, offset) = (ptr::null_mut(), ptr::null_mut());
        sys::napi_get_typedarray_info(env, array, &raw mut kind, &raw mut len, &raw mut data, buffer, offset)
    };
    let is_usable = status == sys::Status::napi_ok && kind == sys::TypedarrayType::float64_array;
    if !is_usable || data.is_null() || len == 0 {
        return write(&mut []);
    }
    // SAFETY: V8 has just returned `len` and `data`, which it aligns for doubles. They stay valid while `write` runs:
    // only JavaScript could detach or read the buffer, and `write` calls only the core.
    write(unsafe { std::slice::from_raw_parts_mut(data.cast::<f64>(), len) })
}

/// The texts that clean-up reads, one at a time. Valid for one call.
pub struct TextArrays {
    contents: Strings,
    arguments: Strings,
    to_only: sys::napi_value,
}

impl TextArrays {
    /// `contents` by row and `arguments` by call; an element that is not a string reads as empty. `to_only` is a
    /// function of the JavaScript side: N-API can copy the start of a string, but neither search it nor copy its end.
    pub fn new(contents: &Unknown<'_>, arguments: &Unknown<'_>, to_only: &Unknown<'_>) -> Self {
        let (contents, arguments) = (Strings::new(contents), Strings::new(arguments));
        Self { contents, arguments, to_only: to_only.raw() }
    }

    /// The last units of a string up to the only occurrence of `unit`, by the JavaScript function, which can't throw.
    fn to_only(&self, value: sys::napi_value, unit: u16, limit: usize) -> Option<sys::napi_value> {
        let (env, limit) = (self.contents.env, u32::try_from(limit).ok()?);
        let (mut wanted, mut number) = (ptr::null_mut(), ptr::null_mut());
        let (mut this, mut result) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: all values belong to the call in progress on this thread; the argument list outlives the call.
        unsafe {
            if sys::napi_create_uint32(env, u32::from(unit), &raw mut wanted) != sys::Status::napi_ok
                || sys::napi_create_uint32(env, limit, &raw mut number) != sys::Status::napi_ok
                || sys::napi_get_undefined(env, &raw mut this) != sys::Status::napi_ok
            {
                return None;
            }
            let arguments = [value, wanted, number];
            let status = sys::napi_call_function(env, this, self.to_only, 3, arguments.as_ptr(), &raw mut result);
            (status == sys::Status::napi_ok).then_some(result)
        }
    }
}

impl RowTexts for TextArrays {
    fn content_head(&mut self, index: usize, limit: usize, use_head: &mut dyn FnMut(&[u16], usize)) {
        if let Some((head, len)) = self.contents.read(index, limit) {
            use_head(head, len);
        }
    }

    fn content_to_only(&mut self, index: usize, unit: u16, limit: usize, use_end: &mut dyn FnMut(&[u16])) {
        let end = self.contents.element(index).and_then(|value| self.to_only(value, unit, limit));
        let Strings { env, buffer, .. } = &mut self.contents;
        if end.and_then(|end| read(*env, end, limit, buffer)).is_some() {
            use_end(buffer);
        }
    }

    fn content(&mut self, index: usize, use_text: &mut dyn FnMut(&[u16])) {
        self.content_head(index, usize::MAX, &mut |text, _| use_text(text));
    }

    fn arguments(&mut self, index: usize, use_text: &mut dyn FnMut(&[u16])) {
        if let Some((text, _)) = self.arguments.read(index, usize::MAX) {
            use_text(text);
        }
    }
}
