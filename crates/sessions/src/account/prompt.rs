//! Tokens of each request and of each row (a tool result, or the rest of a message): `o200k_base` counts scaled to the
//! usage that the provider reported.
//!
//! The tokenizer isn't the provider's. What isn't in the file (the tools, usually the system prompt) are the *fixed tokens*.
//! Usage is exact: it gives the size of a whole prompt, and its growth is the size of the added messages.

use palimpsest_core::tokens::weights::MESSAGE_TOKENS;

use super::rows::CountedRows;
use crate::model::{Request, Role, Thread};

/// Used if no two requests of the thread have usage from which to compute the scale.
const USUAL_SCALE: f64 = 1.0;
/// Limits of the scale: beyond them, usage and messages hardly belong to the same request.
const MIN_SCALE: f64 = 0.5;
const MAX_SCALE: f64 = 3.0;

/// One context of a thread as rows.
#[derive(Debug, Clone, Default)]
pub(super) struct Prompt {
    /// Indices into `CountedRows::all`.
    pub rows: Vec<usize>,
    /// By row in `rows`, its tokens.
    pub tokens: Vec<f64>,
    /// By number of messages sent, the number of their rows.
    pub ends: Vec<usize>,
}

/// One thread's requests in tokens.
#[derive(Debug, Clone)]
pub(super) struct Prompts {
    /// Tokens of system prompt and tools that aren't among the messages.
    pub fixed_tokens: f64,
    /// The provider's tokens for each token in our count.
    scale: f64,
    pub contexts: Vec<Prompt>,
    /// By request, the tokens of its prompt: reported, or else estimated.
    pub totals: Vec<f64>,
}

impl Prompts {
    pub fn of(thread: &Thread, rows: &CountedRows<'_>) -> Self {
        let mut contexts: Vec<Prompt> =
            thread.contexts.iter().map(|context| Prompt::of(&context.messages, rows)).collect();
        let scale = scale_of(thread, &contexts);
        for prompt in &mut contexts {
            for tokens in &mut prompt.tokens {
                *tokens *= scale;
            }
        }
        let fixed_tokens = fixed_tokens_of(thread, &contexts);
        let mut prompts = Self { fixed_tokens, scale, contexts, totals: Vec::new() };
        prompts.fit(thread);
        prompts.totals = thread.requests.iter().map(|request| prompts.total(request)).collect();
        prompts
    }

    /// Tokens in the prompt of a result whose text has `tokens` in our count.
    pub fn with_text(&self, tokens: f64) -> f64 {
        (tokens + MESSAGE_TOKENS) * self.scale
    }

    /// Tokens before the first non-system message: the most that another session can share.
    pub fn shared_tokens(&self, context: u32, rows: &CountedRows<'_>) -> f64 {
        let Some(prompt) = self.contexts.get(context as usize) else { return self.fixed_tokens };
        let is_system = |row: usize| {
            rows.message(row).is_some_and(|message| matches!(message.role, Role::System | Role::Developer))
        };
        let leading = prompt.rows.iter().take_while(|&&row| is_system(row)).count();
        self.fixed_tokens + prompt.tokens.iter().take(leading).sum::<f64>()
    }

    /// Scales the rows that each request added, so that together they have as many tokens as its prompt is longer than the
    /// longest one before.
    fn fit(&mut self, thread: &Thread) {
        let fixed = self.fixed_tokens;
        for (number, prompt) in (0..).zip(&mut self.contexts) {
            // Rows and tokens of the longest prompt so far.
            let (mut known_rows, mut known_tokens) = (0, fixed);
            for request in thread.requests.iter().filter(|request| request.context == number) {
                let Some(total) = reported(request) else { continue };
                let end = prompt.end(request.sent_count);
                let added = prompt.tokens.get_mut(known_rows..end).unwrap_or_default();
                let counted: f64 = added.iter().sum();
                let factor = (total - known_tokens) / counted;
                if counted > 0.0 && factor.is_finite() && factor > 0.0 {
                    for tokens in added.iter_mut() {
                        *tokens *= factor;
                    }
                }
                if end >= known_rows {
                    (known_rows, known_tokens) = (end, total);
                }
            }
        }
    }

    fn total(&self, request: &Request) -> f64 {
        let prompt = self.contexts.get(request.context as usize);
        let visible = || prompt.map_or(0.0, |prompt| prompt.sent_tokens(request.sent_count));
        reported(request).unwrap_or_else(|| self.fixed_tokens + visible())
    }
}

impl Prompt {
    fn of(messages: &[u32], rows: &CountedRows<'_>) -> Self {
        let mut prompt = Self { ends: vec![0], ..Self::default() };
        for &message in messages {
            prompt.rows.extend(rows.of_message(message));
            prompt.ends.push(prompt.rows.len());
        }
        let tokens = |&row: &usize| rows.all.get(row).map_or(0.0, |row| row.tokens);
        prompt.tokens = prompt.rows.iter().map(tokens).collect();
        prompt
    }

    /// Tokens of the first `sent` messages.
    fn sent_tokens(&self, sent: u32) -> f64 {
        self.tokens.iter().take(self.end(sent)).sum()
    }

    /// Number of rows of the first `sent` messages.
    pub fn end(&self, sent: u32) -> usize {
        self.ends.get(sent as usize).copied().unwrap_or(self.rows.len())
    }
}

/// Ratio of the prompts' growth to the counted tokens of the added messages.
fn scale_of(thread: &Thread, contexts: &[Prompt]) -> f64 {
    let (mut grown, mut counted) = (0.0, 0.0);
    for pair in thread.requests.windows(2) {
        let [before, after] = pair else { continue };
        let (Some(old), Some(new)) = (before.usage, after.usage) else { continue };
        if before.context != after.context || old.total() == 0 || new.total() <= old.total() {
            continue;
        }
        let Some(prompt) = contexts.get(after.context as usize) else { continue };
        let added = prompt.tokens.get(prompt.end(before.sent_count)..prompt.end(after.sent_count));
        counted += added.unwrap_or_default().iter().sum::<f64>();
        grown += amount(new.total() - old.total());
    }
    if counted > 0.0 { (grown / counted).clamp(MIN_SCALE, MAX_SCALE) } else { USUAL_SCALE }
}

/// The first request's usage minus its visible messages.
fn fixed_tokens_of(thread: &Thread, contexts: &[Prompt]) -> f64 {
    let first = thread.requests.iter().find_map(|request| {
        let prompt = contexts.get(request.context as usize)?;
        Some((reported(request)? - prompt.sent_tokens(request.sent_count)).max(0.0))
    });
    first.unwrap_or(0.0)
}

/// The prompt's tokens as the provider reported them.
fn reported(request: &Request) -> Option<f64> {
    request.usage.map(|usage| amount(usage.total())).filter(|&tokens| tokens > 0.0)
}

/// Token counts are far below 2^53.
#[allow(clippy::cast_precision_loss)]
pub(super) fn amount(tokens: u64) -> f64 {
    tokens as f64
}
