//! The one table of forms in which hosts, SDKs and agents say that a call failed. `lib/messages/failure-marks.js` has the same marks,
//! and one file of examples holds both to it.

/// Of a failed result's `status` or `messageStatus`.
pub const STATUSES: [&str; 3] = ["error", "failed", "incomplete"];

/// Of the `type` or `state` of a result whose call failed or was not allowed.
pub const TYPES: [&str; 6] =
    ["error-text", "error-json", "execution-denied", "tool-error", "output-error", "output-denied"];

/// Members with an exit code; `exit`, too, where it is nested.
pub(super) const EXIT_CODES: [&str; 4] = ["exitCode", "exit_code", "returncode", "return_code"];

pub(super) const NESTED: [&str; 4] = ["metadata", "result", "data", "outcome"];

/// Only answers about a call have these; other objects may be data, such as a file.
pub(super) const OF_AN_ANSWER: [&str; 5] = ["stdout", "stderr", "output", "toolCallId", "tool_call_id"];

/// Results of failed calls begin so, or with `Error:`; the first two are Codex'.
pub(super) const BEGINNINGS: [&str; 3] = ["Script failed", "Script error:", "<tool_use_error>"];

/// An exit code follows on the line.
pub(super) const EXIT_WORDS: [&str; 10] = [
    "exit code", "exit_code", "exitcode", "exit status", "exited with code", "exited with status code",
    "exited with status", "exited with exit code", "returncode", "退出码",
];

/// These may precede the exit words.
pub(super) const BEFORE_EXIT_WORDS: [&str; 11] = [
    "the", "command", "process", "script", "program", "shell", "completed", "finished", "failed", "exited",
    "with",
];

pub(super) fn says_nothing(value: &str) -> bool {
    let value = value.trim().trim_matches(['(', ')', '"', '\'']).to_ascii_lowercase();
    matches!(value.as_str(), "none" | "null" | "undefined" | "empty" | "no error" | "无" | "n/a")
}
