//! What the model reads in place of the messages that were cut out.

use crate::results::Language;
use crate::tokens::models::Model;
use crate::tokens::truncate::{Keep, assemble, truncate};

/// What a notice begins with.
#[must_use]
pub const fn prefix(language: Language) -> &'static str {
    match language {
        Language::Chinese => "[历史截断]",
        Language::English => "[History truncated]",
    }
}

/// Between the parts of a request that is too long to be quoted whole.
const LEFT_OUT: &str = "\n…\n";

/// What was cut out of the conversation so far, by this cut and by those before it.
#[derive(Debug, Clone, Copy)]
pub struct Dropped<'t> {
    /// Messages.
    pub messages: usize,
    /// Their tokens, about.
    pub tokens: f64,
    /// The user's first request, wherever it is now; see [`super::super::turns::first_request`].
    pub first_request: Option<&'t str>,
}

/// The content of the `user` message that says what was cut out and repeats the task (SPEC R7.11, EDGE-CASES 20).
///
/// The request is quoted as it is, start and end of it when it has more than `quote_tokens` tokens by `model`'s
/// count. Besides the quote a notice takes less than 100 tokens in any model.
#[must_use]
pub fn notice(dropped: Dropped<'_>, language: Language, model: &Model, quote_tokens: usize) -> String {
    let Dropped { messages, tokens, .. } = dropped;
    let tokens = tokens.max(0.0).round();
    let prefix = prefix(language);
    let mut text = match language {
        Language::Chinese => format!(
            "{prefix}\n此前的 {messages} 条消息(约 {tokens} 个 token)因超出上下文上限已被移除。需要其中的信息时,请重新查看。"
        ),
        Language::English => format!(
            "{prefix}\n{messages} earlier messages (about {tokens} tokens) were removed to stay within the context limit. \
             What you need of them, look up again."
        ),
    };
    let request = dropped.first_request.filter(|request| !request.trim().is_empty());
    if let Some(quote) =
        request.map(|request| quoted(request, model, quote_tokens)).filter(|quote| !quote.is_empty())
    {
        text.push_str(match language {
            Language::Chinese => "\n用户最初的请求:\n",
            Language::English => "\nThe user's first request was:\n",
        });
        text.push_str(&quote);
    }
    text
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a count of tokens
fn quoted(request: &str, model: &Model, quote_tokens: usize) -> String {
    let count = |text: &str| model.count(text).ceil() as usize;
    let kept = truncate(&count, request, quote_tokens, Keep::Both, LEFT_OUT);
    kept.map_or_else(|| request.to_owned(), |kept| assemble(request, kept, LEFT_OUT))
}

#[cfg(test)]
#[path = "notice_tests.rs"]
mod tests;
