//! Defines a session of token counts, which the simulation plays.

#[derive(Debug, Clone, Default, PartialEq)]
pub struct SimulatedSession {
    /// System prompt and tool definitions.
    pub fixed_tokens: f64,
    pub messages: Vec<SimulatedMessage>,
    pub requests: Vec<Sent>,
}

/// Tokens as stored, with references to repeated lines, and with a placeholder.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SimulatedMessage {
    pub tokens: f64,
    /// Equals `tokens` if it has no references.
    pub tokens_short: f64,
    pub tokens_after: f64,
    /// First request at which the result is outdated.
    pub stale_at: Option<usize>,
}

/// A request with the first `len` messages.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sent {
    pub len: usize,
    pub now_ms: f64,
}

impl SimulatedMessage {
    /// A message without references that is never outdated.
    pub fn whole(tokens: f64) -> Self {
        Self { tokens, tokens_short: tokens, tokens_after: tokens, stale_at: None }
    }

    pub(super) fn is_outdated(&self, request: usize) -> bool {
        self.stale_at.is_some_and(|stale_at| stale_at <= request)
    }

    pub(super) fn sent(&self, is_replaced: bool, is_short: bool) -> f64 {
        let in_full = if is_short { self.tokens_short } else { self.tokens };
        if is_replaced { self.tokens_after.min(in_full) } else { in_full }
    }
}

/// Columns of a session. Messages: tokens as stored, tokens with a placeholder, the request at which it is outdated (−1: never).
/// Requests: length and time.
#[derive(Debug, Clone, Copy)]
pub struct Columns<'a> {
    pub fixed_tokens: f64,
    pub tokens: &'a [f64],
    pub replaced: &'a [f64],
    pub stale_at: &'a [f64],
    pub lengths: &'a [f64],
    pub times_ms: &'a [f64],
}

impl SimulatedSession {
    /// `None` for columns of different lengths or invalid numbers.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // checked as they are read
    pub fn from_columns(columns: Columns<'_>) -> Option<Self> {
        let Columns { fixed_tokens, tokens, replaced, stale_at, lengths, times_ms } = columns;
        let is_amount = |value: f64| value.is_finite() && value >= 0.0;
        let count = |value: f64| (is_amount(value) && value <= f64::from(u32::MAX)).then_some(value as usize);
        if tokens.len() != replaced.len() || tokens.len() != stale_at.len() || lengths.len() != times_ms.len()
        {
            return None;
        }
        let message = |((&tokens, &tokens_after), &stale_at): ((&f64, &f64), &f64)| {
            let is_possible = is_amount(tokens) && is_amount(tokens_after) && stale_at >= -1.0;
            is_possible.then_some(SimulatedMessage {
                tokens_after,
                stale_at: count(stale_at),
                ..SimulatedMessage::whole(tokens)
            })
        };
        let sent = |(&len, &now_ms): (&f64, &f64)| {
            let len = count(len).filter(|&len| len <= tokens.len())?;
            now_ms.is_finite().then_some(Sent { len, now_ms })
        };
        Some(Self {
            fixed_tokens: is_amount(fixed_tokens).then_some(fixed_tokens)?,
            messages: tokens.iter().zip(replaced).zip(stale_at).map(message).collect::<Option<_>>()?,
            requests: lengths.iter().zip(times_ms).map(sent).collect::<Option<_>>()?,
        })
    }

    /// The request before `request`.
    pub(super) fn previous(&self, request: usize) -> Option<&Sent> {
        self.requests.get(request.checked_sub(1)?)
    }

    /// Messages outdated at `request` that are not replaced and would become shorter.
    pub fn pending(&self, request: usize, replaced: &[bool]) -> impl Iterator<Item = usize> {
        let len = self.requests.get(request).map_or(0, |sent| sent.len);
        let is_pending = move |(message, &is_replaced): (&SimulatedMessage, &bool)| {
            !is_replaced && message.tokens_after < message.tokens && message.is_outdated(request)
        };
        let all = self.messages.iter().zip(replaced).take(len).enumerate();
        all.filter_map(move |(position, entry)| is_pending(entry).then_some(position))
    }

    pub fn saving(&self, position: usize) -> f64 {
        self.messages.get(position).map_or(0.0, |message| message.tokens - message.tokens_after)
    }
}
