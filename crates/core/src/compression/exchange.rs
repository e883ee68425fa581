//! What passes between a compaction and whoever calls the model for it.

/// Why the model is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// For a summary of part `part` of `parts` (from 1); more than one when the range is too large at once.
    Summary { part: u32, parts: u32 },
    /// For the sections that its summary lacked.
    Repair,
}

/// One call of the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// Why.
    pub purpose: Purpose,
    /// The system message.
    pub system: String,
    /// The user message, with the history quoted in it.
    pub user: String,
    /// The most tokens to answer with.
    pub max_tokens: u32,
    /// Tokens of both messages, as counted for the summary model.
    pub prompt_tokens: u64,
}

/// What the model said, whatever the form in which its client hands that over.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reply {
    /// Its text; `None` when there is none, or something else than text stands there.
    pub text: Option<String>,
    /// It calls a tool.
    pub has_tool_calls: bool,
    /// The provider's own refusal field is set.
    pub refused: bool,
    /// `finish_reason` (`stop_reason`) as given.
    pub finish_reason: Option<String>,
    /// What the provider reports, when it does.
    pub prompt_tokens: Option<f64>,
    /// The same for the answer.
    pub completion_tokens: Option<f64>,
}

/// Why there is no reply.
#[derive(Debug, Clone, PartialEq)]
pub enum CallFailure {
    /// Nothing came in time.
    TimedOut,
    /// The host gave up; counts as no failure.
    Aborted,
    /// The prompt was too long for the model; its window where the provider says.
    TooLong { max_tokens: Option<f64> },
    /// Anything else; the text names an error's class or code, never its message (SPEC R9.2).
    Failed { code: String },
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// With a reply.
    Reply(Reply),
    /// Without one.
    Failure(CallFailure),
}
