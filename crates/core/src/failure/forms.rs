//! The table of forms in which hosts, SDKs and agents say that a call failed. Nobody else knows any; the face knows the
//! same marks (`lib/messages/failure-marks.js`), and one file of examples holds both to it.

/// What `status` or `messageStatus` of a result says of a call that failed.
pub const STATUSES: [&str; 3] = ["error", "failed", "incomplete"];

/// What a result's `type` or `state` says of a call that failed or was not allowed.
pub const TYPES: [&str; 6] =
    ["error-text", "error-json", "execution-denied", "tool-error", "output-error", "output-denied"];

/// Members of a result that is JSON under which an exit code stands; `exit` too, where it is nested.
pub(super) const EXIT_CODES: [&str; 4] = ["exitCode", "exit_code", "returncode", "return_code"];

/// Members in which an answer about the call is nested.
pub(super) const NESTED: [&str; 4] = ["metadata", "result", "data", "outcome"];

/// Members that only an answer about a call has; other objects may be data that was asked for, such as a file.
pub(super) const OF_AN_ANSWER: [&str; 5] = ["stdout", "stderr", "output", "toolCallId", "tool_call_id"];

/// What results of failed calls begin with besides `Error:`; the first two are those of Codex' scripts.
pub(super) const BEGINNINGS: [&str; 3] = ["Script failed", "Script error:", "<tool_use_error>"];

/// What an exit code follows on its line.
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

/// What may stand before these on the line.
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

/// A value that stands for none.
pub(super) fn says_nothing(value: &str) -> bool {
    let value = value.trim().trim_matches(['(', ')', '"', '\'']).to_ascii_lowercase();
    matches!(value.as_str(), "none" | "null" | "undefined" | "empty" | "no error" | "无" | "n/a")
}
