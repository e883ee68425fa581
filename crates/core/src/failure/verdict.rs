//! What a result says about its call.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Succeeded,
    /// `stderr` or `Error:` together with exit code 0: git, npm and cargo write their progress to `stderr`. Clean-up keeps such a
    /// result, and reports don't count it as a failure.
    Doubtful,
    Failed,
}
