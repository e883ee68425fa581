//! The one table of the forms in which hosts, SDKs and agents say that a call failed; the face knows the same marks
//! (`lib/messages/failure-marks.js`), and one file of examples holds both to it.

/// `status` or `messageStatus` of a result whose call failed.
pub const STATUSES: [&str; 3] = ["error", "failed", "incomplete"];

/// `type` or `state` of a result whose call failed or was not allowed.
pub const TYPES: [&str; 6] =
    ["error-text", "error-json", "execution-denied", "tool-error", "output-error", "output-denied"];

/// Members of a JSON result with an exit code; `exit` too, where it is nested.
pub(super) const EXIT_CODES: [&str; 4] = ["exitCode", "exit_code", "returncode", "return_code"];

pub(super) const NESTED: [&str; 4] = ["metadata", "result", "data", "outcome"];

/// Only an answer about the call has these; other objects may be data that was asked for, such as a file.
pub(super) const OF_AN_ANSWER: [&str; 5] = ["stdout", "stderr", "output", "toolCallId", "tool_call_id"];

/// Results of failed calls begin with these or `Error:`; the first two are those of Codex' scripts.
pub(super) const BEGINNINGS: [&str; 3] = ["Script failed", "Script error:", "<tool_use_error>"];

/// An exit code follows these on its line.
pub(super) const EXIT_WORDS: [&str; 10] = [
    "exit code",
    "exit_code",
    "exitcode",
    "exit status",
    "exited with code",
    "exited with status code",
    "exited with status",
    "exited with exit code",
    "returncode",
    "退出码",
];

/// These may stand before the exit words on the line.
pub(super) const BEFORE_EXIT_WORDS: [&str; 11] = [
    "the",
    "command",
    "process",
    "script",
    "program",
    "shell",
    "completed",
    "finished",
    "failed",
    "exited",
    "with",
];

pub(super) fn says_nothing(value: &str) -> bool {
    let value = value.trim().trim_matches(['(', ')', '"', '\'']).to_ascii_lowercase();
    matches!(value.as_str(), "none" | "null" | "undefined" | "empty" | "no error" | "无" | "n/a")
}
