//! Lists all forms in which applications, SDKs and agents report a failed call. `lib/messages/tool-result.js` has the
//! same statuses and types; only the core searches texts. `__test__/fixtures/failures.json` has examples of both.

/// Values of a failed result's `status` or `messageStatus`.
pub const STATUSES: [&str; 3] = ["error", "failed", "incomplete"];
/// Values of `type` or `state` for a call that failed or was not allowed.
pub const TYPES: [&str; 6] =
    ["error-text", "error-json", "execution-denied", "tool-error", "output-error", "output-denied"];
/// Members with an exit code; if nested, also `exit`.
pub(super) const EXIT_CODES: [&str; 4] = ["exitCode", "exit_code", "returncode", "return_code"];
/// Members whose object is read as well.
pub(super) const NESTING_FIELDS: [&str; 4] = ["metadata", "result", "data", "outcome"];
/// Only results of a call have these; other objects may be data, such as a file.
pub(super) const RESULT_FIELDS: [&str; 5] = ["stdout", "stderr", "output", "toolCallId", "tool_call_id"];
/// Results of failed calls begin with these or `Error:`; the first two are Codex's.
pub(super) const BEGINNINGS: [&str; 3] = ["Script failed", "Script error:", "<tool_use_error>"];
/// Words that an exit code follows on the line.
pub(super) const EXIT_WORDS: [&str; 10] = [
    "exit code", "exit_code", "exitcode", "exit status", "exited with code", "exited with status code",
    "exited with status", "exited with exit code", "returncode", "退出码",
];
/// Words that may precede the exit words.
pub(super) const BEFORE_EXIT_WORDS: [&str; 11] =
    ["the", "command", "process", "script", "program", "shell", "completed", "finished", "failed", "exited", "with"];

/// True for a value that applications write if there is no error.
pub(super) fn says_nothing(value: &str) -> bool {
    let value = value.trim().trim_matches(['(', ')', '"', '\'']).to_ascii_lowercase();
    matches!(value.as_str(), "none" | "null" | "undefined" | "empty" | "no error" | "无" | "n/a")
}
