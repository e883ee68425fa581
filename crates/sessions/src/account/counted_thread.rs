//! A thread in tokens: counts of `o200k_base`, scaled to usage, whose growth is the exact size of the added messages.
//! *Fixed tokens* are what isn't in the file: the tools, usually the system prompt.

use palimpsest_core::tokens::weights::MESSAGE_TOKENS;

use super::CountedRows;
use crate::model::{Request, Role, Thread};

/// Scale if no two requests of the thread have usage from which to compute it.
const USUAL_SCALE: f64 = 1.0;
/// Limits of the scale: beyond them, usage and messages hardly belong to the same request.
const MIN_SCALE: f64 = 0.5;
const MAX_SCALE: f64 = 3.0;

/// The rows of one context of a thread. A *position* is an index into them.
#[derive(Debug, Clone, Default)]
pub(super) struct ContextRows {
    /// By position, the index of the row in `CountedRows::all`.
    pub rows: Vec<usize>,
    pub tokens: Vec<f64>,
    /// For the first 0, 1, 2, … messages of the context, the number of their rows.
    row_counts: Vec<usize>,
}

pub(super) struct CountedThread<'a> {
    pub thread: &'a Thread,
    pub index: usize,
    pub rows: &'a CountedRows<'a>,
    /// Tokens of system prompt and tools that aren't among the messages.
    pub fixed_tokens: f64,
    /// The provider's tokens for each token in our count.
    scale: f64,
    pub contexts: Vec<ContextRows>,
    pub prompt_tokens: Vec<f64>,
}

impl<'a> CountedThread<'a> {
    pub fn of(index: usize, thread: &'a Thread, rows: &'a CountedRows<'a>) -> Self {
        let mut contexts: Vec<ContextRows> =
            thread.contexts.iter().map(|context| ContextRows::of(&context.messages, rows)).collect();
        let scale = scale_of(thread, &contexts);
        for tokens in contexts.iter_mut().flat_map(|context| &mut context.tokens) {
            *tokens *= scale;
        }
        let fixed_tokens = fixed_tokens_of(thread, &contexts);
        let prompt_tokens = Vec::new();
        let mut counted = Self { thread, index, rows, fixed_tokens, scale, contexts, prompt_tokens };
        counted.fit_to_usage();
        let visible = |request: &Request| {
            let context = counted.contexts.get(request.context as usize);
            fixed_tokens + context.map_or(0.0, |context| context.tokens_of_first(request.sent_count))
        };
        let tokens = |request| reported_tokens(request).unwrap_or_else(|| visible(request));
        counted.prompt_tokens = thread.requests.iter().map(tokens).collect();
        counted
    }

    pub fn begins_turn(&self, request: &Request) -> bool {
        self.rows.session.begins_turn(self.thread, request)
    }

    /// Tokens in the prompt of a result whose text has `tokens` in our count.
    pub fn with_text(&self, tokens: f64) -> f64 {
        (tokens + MESSAGE_TOKENS) * self.scale
    }

    /// Tokens before the first non-system message: the most that another session can share.
    pub fn system_tokens(&self, context: u32) -> f64 {
        let Some(context) = self.contexts.get(context as usize) else { return self.fixed_tokens };
        let is_system = |row: usize| {
            let message = self.rows.message(row);
            message.is_some_and(|message| matches!(message.role, Role::System | Role::Developer))
        };
        let leading = context.rows.iter().take_while(|&&row| is_system(row)).count();
        self.fixed_tokens + context.tokens.iter().take(leading).sum::<f64>()
    }

    /// Scales the rows that each request added to the tokens by which its prompt is longer than the longest one before.
    fn fit_to_usage(&mut self) {
        for (index, context) in (0..).zip(&mut self.contexts) {
            let (mut known_rows, mut known_tokens) = (0, self.fixed_tokens);
            for request in self.thread.requests.iter().filter(|request| request.context == index) {
                let Some(reported) = reported_tokens(request) else { continue };
                let row_count = context.row_count(request.sent_count);
                let added = context.tokens.get_mut(known_rows..row_count).unwrap_or_default();
                let counted: f64 = added.iter().sum();
                let factor = (reported - known_tokens) / counted;
                if counted > 0.0 && factor.is_finite() && factor > 0.0 {
                    for tokens in added {
                        *tokens *= factor;
                    }
                }
                if row_count >= known_rows {
                    (known_rows, known_tokens) = (row_count, reported);
                }
            }
        }
    }
}

impl ContextRows {
    fn of(messages: &[u32], rows: &CountedRows<'_>) -> Self {
        let mut context = Self { row_counts: vec![0], ..Self::default() };
        for &message in messages {
            context.rows.extend(rows.of_message(message));
            context.row_counts.push(context.rows.len());
        }
        let tokens = |&row: &usize| rows.all.get(row).map_or(0.0, |row| row.tokens);
        context.tokens = context.rows.iter().map(tokens).collect();
        context
    }

    fn tokens_of_first(&self, message_count: u32) -> f64 {
        self.tokens.iter().take(self.row_count(message_count)).sum()
    }

    pub fn row_count(&self, message_count: u32) -> usize {
        self.row_counts.get(message_count as usize).copied().unwrap_or(self.rows.len())
    }
}

/// Ratio of the prompts' growth to the counted tokens of the added messages.
fn scale_of(thread: &Thread, contexts: &[ContextRows]) -> f64 {
    let (mut grown, mut counted) = (0.0, 0.0);
    for pair in thread.requests.windows(2) {
        let [before, after] = pair else { continue };
        let (Some(old), Some(new)) = (before.usage, after.usage) else { continue };
        if before.context != after.context || old.total() == 0 || new.total() <= old.total() {
            continue;
        }
        let Some(context) = contexts.get(after.context as usize) else { continue };
        let range = context.row_count(before.sent_count)..context.row_count(after.sent_count);
        counted += context.tokens.get(range).unwrap_or_default().iter().sum::<f64>();
        grown += to_f64(new.total() - old.total());
    }
    if counted > 0.0 { (grown / counted).clamp(MIN_SCALE, MAX_SCALE) } else { USUAL_SCALE }
}

fn fixed_tokens_of(thread: &Thread, contexts: &[ContextRows]) -> f64 {
    let first = thread.requests.iter().find_map(|request| {
        let context = contexts.get(request.context as usize)?;
        Some((reported_tokens(request)? - context.tokens_of_first(request.sent_count)).max(0.0))
    });
    first.unwrap_or(0.0)
}

fn reported_tokens(request: &Request) -> Option<f64> {
    request.usage.map(|usage| to_f64(usage.total())).filter(|&tokens| tokens > 0.0)
}

pub(super) fn to_f64(tokens: u64) -> f64 {
    tokens as f64
}
