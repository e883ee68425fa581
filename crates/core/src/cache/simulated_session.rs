//! Defines a session of token counts, which the simulation plays.

#[derive(Debug, Clone, Default, PartialEq)]
pub struct SimulatedSession {
    /// System prompt and tool definitions.
    pub fixed_tokens: f64,
    pub messages: Vec<SimulatedMessage>,
    pub requests: Vec<SimulatedRequest>,
}

/// Token counts of one message in each form in which it may be sent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SimulatedMessage {
    /// As stored.
    pub tokens: f64,
    /// With references in place of lines of earlier messages; equals `tokens` if it repeats none.
    pub tokens_with_references: f64,
    /// With a placeholder in place of its result.
    pub tokens_replaced: f64,
    /// Index of the first request at which the result is outdated.
    pub outdated_from: Option<usize>,
}

/// A request with the first `len` messages.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SimulatedRequest {
    pub len: usize,
    pub now_ms: f64,
}

impl SimulatedMessage {
    /// A message that is always sent as stored.
    pub fn never_outdated(tokens: f64) -> Self {
        Self { tokens, tokens_with_references: tokens, tokens_replaced: tokens, outdated_from: None }
    }

    pub(super) fn is_outdated(&self, request: usize) -> bool {
        self.outdated_from.is_some_and(|outdated_from| outdated_from <= request)
    }

    pub(super) fn sent_tokens(&self, is_replaced: bool, has_references: bool) -> f64 {
        let not_replaced = if has_references { self.tokens_with_references } else { self.tokens };
        if is_replaced { self.tokens_replaced.min(not_replaced) } else { not_replaced }
    }
}

/// A session as columns: three with a value for each message, then two with a value for each request.
#[derive(Debug, Clone, Copy)]
pub struct Columns<'a> {
    pub fixed_tokens: f64,
    pub tokens: &'a [f64],
    pub tokens_replaced: &'a [f64],
    /// −1: never outdated.
    pub outdated_from: &'a [f64],
    /// Message counts.
    pub lengths: &'a [f64],
    pub times_ms: &'a [f64],
}

impl SimulatedSession {
    /// `None` for columns of different lengths or invalid numbers.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // checked as they are read
    pub fn from_columns(columns: Columns<'_>) -> Option<Self> {
        let Columns { fixed_tokens, tokens, tokens_replaced, outdated_from, lengths, times_ms } = columns;
        let is_amount = |value: f64| value.is_finite() && value >= 0.0;
        let count = |value: f64| (is_amount(value) && value <= f64::from(u32::MAX)).then_some(value as usize);
        let has_all_of_messages =
            tokens_replaced.len() == tokens.len() && outdated_from.len() == tokens.len();
        if !has_all_of_messages || lengths.len() != times_ms.len() {
            return None;
        }
        let message = |((&tokens, &tokens_replaced), &outdated_from): ((&f64, &f64), &f64)| {
            let is_possible = is_amount(tokens) && is_amount(tokens_replaced) && outdated_from >= -1.0;
            is_possible.then_some(SimulatedMessage {
                tokens_replaced,
                outdated_from: count(outdated_from),
                ..SimulatedMessage::never_outdated(tokens)
            })
        };
        let request = |(&len, &now_ms): (&f64, &f64)| {
            let len = count(len).filter(|&len| len <= tokens.len())?;
            now_ms.is_finite().then_some(SimulatedRequest { len, now_ms })
        };
        Some(Self {
            fixed_tokens: is_amount(fixed_tokens).then_some(fixed_tokens)?,
            messages: tokens
                .iter()
                .zip(tokens_replaced)
                .zip(outdated_from)
                .map(message)
                .collect::<Option<_>>()?,
            requests: lengths.iter().zip(times_ms).map(request).collect::<Option<_>>()?,
        })
    }

    /// The request before `request`.
    pub(super) fn previous(&self, request: usize) -> Option<&SimulatedRequest> {
        self.requests.get(request.checked_sub(1)?)
    }

    /// Messages outdated at `request` that are not replaced and would become shorter.
    pub fn pending(&self, request: usize, is_replaced: &[bool]) -> impl Iterator<Item = usize> {
        let len = self.requests.get(request).map_or(0, |sent| sent.len);
        let messages = self.messages.iter().zip(is_replaced).take(len).enumerate();
        messages.filter_map(move |(position, (message, &is_replaced))| {
            let is_pending =
                !is_replaced && message.tokens_replaced < message.tokens && message.is_outdated(request);
            is_pending.then_some(position)
        })
    }

    /// Tokens that a placeholder saves.
    pub fn saving(&self, position: usize) -> f64 {
        self.messages.get(position).map_or(0.0, |message| message.tokens - message.tokens_replaced)
    }
}
