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

/// A larger buffer is freed after a call, so that one huge content doesn't stay allocated.
const KEPT_BUFFER_UNITS: usize = 1 << 20;

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
        read_new(env, value, usize::MAX)
            .map(Self)
            .ok_or_else(|| Error::new(Status::StringExpected, "expected a string"))
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

/// Copies at most `wanted` units into `buffer` and returns their number; `None` if `value` is not a string.
fn read(env: sys::napi_env, value: sys::napi_value, buffer: &mut Vec<u16>, wanted: usize) -> Option<usize> {
    // V8 writes a terminating zero after the copied units.
    if buffer.len() <= wanted {
        buffer.resize(wanted + 1, 0);
    }
    let mut written = 0;
    // SAFETY: the buffer has room for `wanted` units and the terminator, which is the size that is passed;
    // `env` and `value` come from the call in progress on this thread.
    let status = unsafe {
        sys::napi_get_value_string_utf16(env, value, buffer.as_mut_ptr(), wanted + 1, &raw mut written)
    };
    (status == sys::Status::napi_ok).then_some(written)
}

/// Like [`read`], into a new buffer, each unit of which is written only once: clearing 20 MB first would double the cost.
fn read_new(env: sys::napi_env, value: sys::napi_value, limit: usize) -> Option<Vec<u16>> {
    let wanted = length(env, value)?.min(limit);
    let mut units: Vec<u16> = Vec::with_capacity(wanted + 1);
    let mut written = 0;
    // SAFETY: the buffer's capacity has room for `wanted` units and the terminator, which is the size that is
    // passed; `env` and `value` come from the call in progress on this thread.
    let status = unsafe {
        sys::napi_get_value_string_utf16(env, value, units.as_mut_ptr(), wanted + 1, &raw mut written)
    };
    if status != sys::Status::napi_ok {
        return None;
    }
    // SAFETY: V8 has written `written` units, at most `wanted`, which the capacity exceeds.
    unsafe { units.set_len(written.min(wanted)) };
    Some(units)
}

/// At most `limit` units of a string; `None` if the value is not a string. Flattens a rope, otherwise O(limit).
pub fn beginning(value: &Unknown<'_>, limit: usize) -> Option<Vec<u16>> {
    read_new(value.value().env, value.raw(), limit)
}

fn length(env: sys::napi_env, value: sys::napi_value) -> Option<usize> {
    let mut len = 0;
    // SAFETY: a null buffer asks for the length only; `env` and `value` come from the call in progress.
    let status = unsafe { sys::napi_get_value_string_utf16(env, value, ptr::null_mut(), 0, &raw mut len) };
    (status == sys::Status::napi_ok).then_some(len)
}

fn element(env: sys::napi_env, array: sys::napi_value, index: usize) -> Option<sys::napi_value> {
    let mut value = ptr::null_mut();
    let index = u32::try_from(index).ok()?;
    // SAFETY: `env` and `array` come from the call in progress; napi checks that `array` is an object.
    let status = unsafe { sys::napi_get_element(env, array, index, &raw mut value) };
    (status == sys::Status::napi_ok).then_some(value)
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

    /// At most `limit` units of an element.
    pub fn head(&mut self, index: usize, limit: usize) -> &[u16] {
        let value = element(self.env, self.array, index);
        let wanted = value.and_then(|value| Some((value, length(self.env, value)?.min(limit))));
        let read = wanted.and_then(|(value, units)| read(self.env, value, &mut self.buffer, units));
        self.buffer.get(..read.unwrap_or(0)).unwrap_or_default()
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
    /// The index of the piece in the buffer, and its units.
    held: Option<(usize, usize)>,
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
        match self.held {
            Some((held, units)) if held == index => self.pieces.buffer.get(..units).unwrap_or_default(),
            _ => {
                let piece = self.pieces.head(index, PIECE.min(self.units));
                self.held = Some((index, piece.len()));
                piece
            }
        }
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

/// The texts that clean-up reads: contents of rows and arguments of calls, one at a time into one buffer. Valid for one
/// call.
pub struct TextArrays<'b> {
    env: sys::napi_env,
    contents: sys::napi_value,
    arguments: sys::napi_value,
    to_only: sys::napi_value,
    buffer: &'b mut Vec<u16>,
}

impl<'b> TextArrays<'b> {
    /// `contents` by row and `arguments` by call; an element that is not a string reads as empty. `to_only` is a
    /// function of the JavaScript side: N-API can copy the start of a string, but neither search it nor copy its end.
    pub fn new(
        contents: &Unknown<'_>,
        arguments: &Unknown<'_>,
        to_only: &Unknown<'_>,
        buffer: &'b mut Vec<u16>,
    ) -> Self {
        Self {
            env: contents.value().env,
            contents: contents.raw(),
            arguments: arguments.raw(),
            to_only: to_only.raw(),
            buffer,
        }
    }

    /// The last units of a string up to the only occurrence of `unit`, by the JavaScript function, which can't throw.
    fn to_only(&self, value: sys::napi_value, unit: u16, limit: usize) -> Option<sys::napi_value> {
        let limit = u32::try_from(limit).ok()?;
        let (mut wanted, mut number) = (ptr::null_mut(), ptr::null_mut());
        let (mut this, mut result) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: all values belong to the call in progress on this thread; the argument list outlives the call.
        unsafe {
            if sys::napi_create_uint32(self.env, u32::from(unit), &raw mut wanted) != sys::Status::napi_ok
                || sys::napi_create_uint32(self.env, limit, &raw mut number) != sys::Status::napi_ok
                || sys::napi_get_undefined(self.env, &raw mut this) != sys::Status::napi_ok
            {
                return None;
            }
            let arguments = [value, wanted, number];
            let status =
                sys::napi_call_function(self.env, this, self.to_only, 3, arguments.as_ptr(), &raw mut result);
            (status == sys::Status::napi_ok).then_some(result)
        }
    }

    /// Passes at most `limit` units of an element, and the element's length, to `use_head`.
    fn head(
        &mut self,
        array: sys::napi_value,
        index: usize,
        limit: usize,
        use_head: &mut dyn FnMut(&[u16], usize),
    ) {
        let Some(value) = element(self.env, array, index) else { return };
        let Some(len) = length(self.env, value) else { return };
        let Some(read) = read(self.env, value, self.buffer, limit.min(len)) else { return };
        use_head(self.buffer.get(..read).unwrap_or_default(), len);
    }
}

impl Drop for TextArrays<'_> {
    fn drop(&mut self) {
        if self.buffer.len() > KEPT_BUFFER_UNITS {
            *self.buffer = Vec::new();
        }
    }
}

impl RowTexts for TextArrays<'_> {
    fn content_head(&mut self, index: usize, limit: usize, use_head: &mut dyn FnMut(&[u16], usize)) {
        self.head(self.contents, index, limit, use_head);
    }

    fn content_to_only(&mut self, index: usize, unit: u16, limit: usize, use_end: &mut dyn FnMut(&[u16])) {
        let Some(value) = element(self.env, self.contents, index) else { return };
        let Some(end) = self.to_only(value, unit, limit) else { return };
        let Some(len) = read(self.env, end, self.buffer, limit) else { return };
        use_end(self.buffer.get(..len).unwrap_or_default());
    }

    fn content(&mut self, index: usize, use_text: &mut dyn FnMut(&[u16])) {
        self.head(self.contents, index, usize::MAX, &mut |text, _| use_text(text));
    }

    fn arguments(&mut self, index: usize, use_text: &mut dyn FnMut(&[u16])) {
        self.head(self.arguments, index, usize::MAX, &mut |text, _| use_text(text));
    }
}
