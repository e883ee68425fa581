//! What each request held in tokens: counts of `o200k_base` scaled to the usage that the provider reported.
//!
//! The tokenizer isn't the provider's, and system prompt and tools aren't in the file. What usage says is exact:
//! a request's prompt is its whole size, and what it has grown by is the size of what was added.

use palimpsest_core::tokens::weights::MESSAGE_TOKENS;

use super::rows::CountedRows;
use crate::model::{Role, Session, Thread};

/// Used where no two requests of the thread have usage that could tell the scale.
const USUAL_SCALE: f64 = 1.0;
/// Scales beyond these say that usage and messages aren't of the same request.
const LEAST_SCALE: f64 = 0.5;
const MOST_SCALE: f64 = 3.0;

/// One context of a thread as rows.
#[derive(Debug, Clone, Default)]
pub(super) struct Prompt {
    /// Places in `CountedRows::rows`.
    pub rows: Vec<usize>,
    pub tokens: Vec<f64>,
    /// By number of messages sent, the number of rows that they are.
    pub ends: Vec<usize>,
}

/// One thread's requests in tokens.
#[derive(Debug, Clone)]
pub(super) struct Prompts {
    /// Tokens of the system prompt and the tools that aren't among the messages.
    pub fixed_tokens: f64,
    scale: f64,
    pub contexts: Vec<Prompt>,
    /// By request, all tokens of its prompt: reported, or else estimated.
    pub totals: Vec<f64>,
}

impl Prompts {
    pub fn of(thread: &Thread, rows: &CountedRows) -> Self {
        let mut contexts: Vec<Prompt> =
            thread.contexts.iter().map(|context| Prompt::of(&context.messages, rows)).collect();
        let scale = scale_of(thread, &contexts);
        for prompt in &mut contexts {
            for tokens in &mut prompt.tokens {
                *tokens *= scale;
            }
        }
        let fixed_tokens = fixed_of(thread, &contexts);
        let mut prompts = Self { fixed_tokens, scale, contexts, totals: Vec::new() };
        prompts.fit(thread);
        prompts.totals = thread.requests.iter().map(|request| prompts.total(request)).collect();
        prompts
    }

    /// What a result takes whose text has so many tokens by our count.
    pub fn with_text(&self, tokens: f64) -> f64 {
        (tokens + MESSAGE_TOKENS) * self.scale
    }

    /// What of a request stands ahead of the first thing that somebody said: all that another session shares.
    pub fn shared_tokens(&self, session: &Session, context: u32, rows: &CountedRows) -> f64 {
        let Some(prompt) = self.contexts.get(context as usize) else { return self.fixed_tokens };
        let is_system = |row: usize| {
            let message = rows.all.get(row).and_then(|row| session.messages.get(row.message as usize));
            message.is_some_and(|message| matches!(message.role, Role::System | Role::Developer))
        };
        let leading = prompt.rows.iter().take_while(|&&row| is_system(row)).count();
        self.fixed_tokens + prompt.tokens.iter().take(leading).sum::<f64>()
    }

    /// Gives the rows that a request added what the prompt has grown by since the request before.
    fn fit(&mut self, thread: &Thread) {
        let fixed = self.fixed_tokens;
        for (number, prompt) in (0..).zip(&mut self.contexts) {
            let mut known = (0, fixed);
            for request in thread.requests.iter().filter(|request| request.context == number) {
                let Some(total) = request.usage.map(|usage| amount(usage.total())).filter(|&all| all > 0.0)
                else {
                    continue;
                };
                let end = prompt.end(request.sent);
                let added = prompt.tokens.get_mut(known.0..end).unwrap_or_default();
                let counted: f64 = added.iter().sum();
                let factor = (total - known.1) / counted;
                if counted > 0.0 && factor.is_finite() && factor > 0.0 {
                    for tokens in added.iter_mut() {
                        *tokens *= factor;
                    }
                }
                if end >= known.0 {
                    known = (end, total);
                }
            }
        }
    }

    fn total(&self, request: &crate::model::Request) -> f64 {
        let reported = request.usage.map(|usage| amount(usage.total())).filter(|&all| all > 0.0);
        reported.unwrap_or_else(|| {
            let prompt = self.contexts.get(request.context as usize);
            self.fixed_tokens
                + prompt
                    .map_or(0.0, |prompt| prompt.tokens.iter().take(prompt.end(request.sent)).sum::<f64>())
        })
    }
}

impl Prompt {
    fn of(messages: &[u32], rows: &CountedRows) -> Self {
        let mut prompt = Self { ends: vec![0], ..Self::default() };
        for &message in messages {
            prompt.rows.extend(rows.of_message(message));
            prompt.ends.push(prompt.rows.len());
        }
        let tokens = |&row: &usize| rows.all.get(row).map_or(0.0, |row| row.tokens);
        prompt.tokens = prompt.rows.iter().map(tokens).collect();
        prompt
    }

    /// How many rows the first `sent` messages are.
    pub fn end(&self, sent: u32) -> usize {
        self.ends.get(sent as usize).copied().unwrap_or(self.rows.len())
    }
}

/// What the prompts have grown by, to what was counted of it.
fn scale_of(thread: &Thread, contexts: &[Prompt]) -> f64 {
    let (mut grown, mut counted) = (0.0, 0.0);
    for pair in thread.requests.windows(2) {
        let [before, after] = pair else { continue };
        let (Some(old), Some(new)) = (before.usage, after.usage) else { continue };
        if before.context != after.context || old.total() == 0 || new.total() <= old.total() {
            continue;
        }
        let Some(prompt) = contexts.get(after.context as usize) else { continue };
        let added = prompt.tokens.get(prompt.end(before.sent)..prompt.end(after.sent));
        counted += added.unwrap_or_default().iter().sum::<f64>();
        grown += amount(new.total() - old.total());
    }
    if counted > 0.0 { (grown / counted).clamp(LEAST_SCALE, MOST_SCALE) } else { USUAL_SCALE }
}

/// The first request's usage less its visible messages.
fn fixed_of(thread: &Thread, contexts: &[Prompt]) -> f64 {
    let first = thread.requests.iter().find_map(|request| {
        let total = request.usage.map(|usage| amount(usage.total())).filter(|&all| all > 0.0)?;
        let prompt = contexts.get(request.context as usize)?;
        let visible: f64 = prompt.tokens.iter().take(prompt.end(request.sent)).sum();
        Some((total - visible).max(0.0))
    });
    first.unwrap_or(0.0)
}

/// Token counts are far below 2^53.
#[allow(clippy::cast_precision_loss)]
pub(super) fn amount(tokens: u64) -> f64 {
    tokens as f64
}
