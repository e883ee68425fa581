//! Sums the tokens of a conversation's messages, as sent and unmodified, up to any message.

#[derive(Debug, Clone, Copy, PartialEq)]
struct PromptMessage {
    tokens: Compared,
    /// Tokens of the messages before this one, without the fixed ones.
    tokens_before: Compared,
    /// Content blocks up to and including this message, which Anthropic's cache look-back counts.
    blocks_through: f64,
}

/// The token counts of one conversation. Adding a message is O(1), replacing a result O(messages after it).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PromptTokens {
    fixed: f64,
    messages: Vec<PromptMessage>,
    first_replaced: Option<usize>,
}

/// Tokens or a cost: as sent, and with unmodified history.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Compared {
    pub sent: f64,
    pub unmodified: f64,
}

impl Compared {
    pub(super) const fn both(amount: f64) -> Self {
        Self { sent: amount, unmodified: amount }
    }

    pub(super) fn map(self, convert: impl Fn(f64) -> f64) -> Self {
        Self { sent: convert(self.sent), unmodified: convert(self.unmodified) }
    }

    pub(super) fn zip(self, other: Self, join: impl Fn(f64, f64) -> f64) -> Self {
        Self { sent: join(self.sent, other.sent), unmodified: join(self.unmodified, other.unmodified) }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        self.zip(other, |one, other| one + other)
    }
}

impl PromptTokens {
    pub fn new(fixed: f64) -> Self {
        Self { fixed, ..Self::default() }
    }

    pub fn len(&self) -> usize {
        self.messages.len()
    }

    pub fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    pub fn fixed(&self) -> f64 {
        self.fixed
    }

    pub fn push(&mut self, tokens: f64, blocks: f64) {
        let tokens_before = self.sum_of_messages();
        let blocks_through = self.messages.last().map_or(0.0, |last| last.blocks_through) + blocks;
        self.messages.push(PromptMessage { tokens: Compared::both(tokens), tokens_before, blocks_through });
    }

    /// Sends the newest message with `saved` fewer tokens. It has not been sent before, so no prefix changes.
    pub fn shorten_newest(&mut self, saved: f64) {
        if let Some(newest) = self.messages.last_mut() {
            newest.tokens.sent -= saved;
        }
    }

    pub fn blocks_between(&self, from: usize, to: usize) -> f64 {
        let blocks_before = |position: usize| {
            let previous = position.checked_sub(1).and_then(|previous| self.messages.get(previous));
            previous.map_or(0.0, |message| message.blocks_through)
        };
        blocks_before(to) - blocks_before(from)
    }

    pub fn message_tokens(&self, position: usize) -> Option<Compared> {
        self.messages.get(position).map(|message| message.tokens)
    }

    /// Replaces results. `savings`: the position of each result's message and the tokens saved, sorted by position, which may repeat.
    pub fn replace_results(&mut self, savings: impl Iterator<Item = (usize, f64)>) {
        let mut first = None;
        for (position, saved) in savings {
            first = first.or(Some(position));
            if let Some(message) = self.messages.get_mut(position) {
                message.tokens.sent -= saved;
            }
        }
        let Some(first) = first else { return };
        self.first_replaced = Some(self.first_replaced.map_or(first, |known| known.min(first)));
        let mut sent = self.messages.get(first).map_or(0.0, |message| message.tokens_before.sent);
        for message in self.messages.iter_mut().skip(first) {
            message.tokens_before.sent = sent;
            sent += message.tokens.sent;
        }
    }

    /// Position of the message in which the first `tokens` of the sent prompt end.
    pub fn position_at(&self, tokens: f64) -> usize {
        let begins_before = |message: &PromptMessage| message.tokens_before.sent <= tokens - self.fixed;
        self.messages.partition_point(begins_before).saturating_sub(1)
    }

    /// Tokens before `position`, the fixed ones included; the whole prompt for positions past the end.
    pub fn up_to(&self, position: usize) -> Compared {
        let before = self.messages.get(position).map(|message| message.tokens_before);
        Compared::both(self.fixed).plus(before.unwrap_or_else(|| self.sum_of_messages()))
    }

    /// True if the first messages have exactly these tokens, the fixed ones included.
    pub fn has_prefix(&self, prefix: Compared) -> bool {
        let unmodified = prefix.unmodified - self.fixed;
        let len = self.messages.partition_point(|message| message.tokens_before.unmodified < unmodified);
        self.up_to(len) == prefix
    }

    fn sum_of_messages(&self) -> Compared {
        self.messages.last().map_or(Compared::both(0.0), |last| last.tokens_before.plus(last.tokens))
    }

    pub fn total(&self) -> Compared {
        self.up_to(self.len())
    }

    pub fn has_replaced_before(&self, position: usize) -> bool {
        self.first_replaced.is_some_and(|first| first < position)
    }
}

#[cfg(test)]
mod tests;
