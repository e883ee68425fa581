//! Errors that a caller can act on: the right JavaScript class, a stable `code`, the expected and the actual value.

use napi::{Env, Error, Status, Unknown, ValueType};

/// The argument has the wrong type: a `TypeError`.
pub const INVALID_TYPE: &str = "ERR_INVALID_ARG_TYPE";
/// The argument has the right type and an invalid value: a `RangeError`.
pub const OUT_OF_RANGE: &str = "ERR_OUT_OF_RANGE";

pub fn wrong_type(env: &Env, name: &str, expected: &str, actual: &Unknown<'_>) -> Error {
    let message = format!("{name}: expected {expected}, got {}", describe(actual));
    pending(env.throw_type_error(&message, Some(INVALID_TYPE)), message)
}

pub fn out_of_range(env: &Env, name: &str, expected: &str, actual: &str) -> Error {
    let message = format!("{name}: expected {expected}, got {actual}");
    pending(env.throw_range_error(&message, Some(OUT_OF_RANGE)), message)
}

/// Shows a single word, but of any other text only its length: a caller that mixes up arguments may pass a conversation
/// as a name.
pub fn quoted(text: &str) -> String {
    const LONGEST_WORD: usize = 40;
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"_./-".contains(byte);
    if text.len() <= LONGEST_WORD && text.as_bytes().iter().all(is_word) {
        format!("'{text}'")
    } else {
        format!("a string of {} units", text.encode_utf16().count())
    }
}

/// The error that tells napi that an exception was already thrown; `thrown` is the result of throwing it.
fn pending(thrown: napi::Result<()>, message: String) -> Error {
    match thrown {
        Ok(()) => Error::new(Status::PendingException, message),
        Err(error) => error,
    }
}

/// Names a value's type without showing the value: options may hold secrets that must not reach a log.
fn describe(value: &Unknown<'_>) -> &'static str {
    match value.get_type() {
        Ok(ValueType::Undefined) => "undefined",
        Ok(ValueType::Null) => "null",
        Ok(ValueType::Boolean) => "a boolean",
        Ok(ValueType::Number) => "a number",
        Ok(ValueType::String) => "a string",
        Ok(ValueType::Symbol) => "a symbol",
        Ok(ValueType::Function) => "a function",
        Ok(ValueType::BigInt) => "a bigint",
        _ => "an object",
    }
}
