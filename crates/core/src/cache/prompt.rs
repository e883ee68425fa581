//! Tokens of a conversation's messages as stored and as sent, with sums up to each.

use crate::cache::delta::AsTold;

#[derive(Debug, Clone, Copy, PartialEq)]
struct PromptMessage {
    stored: f64,
    sent: f64,
    stored_before: f64,
    sent_before: f64,
    is_replaced: bool,
    /// For a provider whose marks look back over blocks.
    blocks: f64,
}

/// A message before a change, to take that back.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Before {
    pub position: usize,
    pub sent: f64,
    pub is_replaced: bool,
}

/// A new message costs O(1); a change costs the messages behind it, as it does at the provider.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PromptTokens {
    /// System prompt and tool definitions.
    fixed: f64,
    messages: Vec<PromptMessage>,
    replaced: Vec<usize>,
    /// Of the stored messages.
    as_told: AsTold,
}

/// Tokens ahead of a position in both forms, fixed ones included.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extent {
    pub stored: f64,
    pub sent: f64,
}

impl PromptTokens {
    pub fn len(&self) -> usize {
        self.messages.len()
    }

    pub fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    pub fn fixed(&self) -> f64 {
        self.fixed
    }

    pub fn set_fixed(&mut self, tokens: f64) {
        self.fixed = tokens;
    }

    pub fn push(&mut self, tokens: f64, blocks: f64) {
        let Extent { stored: stored_before, sent: sent_before } = self.without_fixed();
        let (stored, sent) = (tokens, tokens);
        self.messages.push(PromptMessage {
            stored,
            sent,
            stored_before,
            sent_before,
            is_replaced: false,
            blocks,
        });
    }

    /// `to` is exclusive.
    pub fn blocks_between(&self, from: usize, to: usize) -> f64 {
        self.messages.get(from..to).unwrap_or_default().iter().map(|message| message.blocks).sum()
    }

    /// Stored tokens and blocks of the messages from `from` on.
    pub fn stored_from(&self, from: usize) -> impl Iterator<Item = (f64, f64)> {
        self.messages.get(from..).unwrap_or_default().iter().map(|message| (message.stored, message.blocks))
    }

    /// Counts all stored messages as written; returns how many were.
    pub fn tell(&mut self) -> usize {
        self.as_told.tell(self.messages.len())
    }

    pub fn truncate(&mut self, len: usize) {
        self.as_told.changed_from(len);
        self.messages.truncate(len);
        self.replaced.truncate(self.replaced.partition_point(|&position| position < len));
    }

    pub fn stored_at(&self, position: usize) -> Option<f64> {
        self.messages.get(position).map(|message| message.stored)
    }

    pub fn sent_at(&self, position: usize) -> Option<f64> {
        self.messages.get(position).map(|message| message.sent)
    }

    pub fn is_replaced(&self, position: usize) -> bool {
        self.messages.get(position).is_some_and(|message| message.is_replaced)
    }

    pub fn replaced(&self) -> impl Iterator<Item = (usize, f64)> {
        self.replaced.iter().filter_map(|&position| Some((position, self.messages.get(position)?.sent)))
    }

    /// Changes stored messages, which are sent as they are. `edits` are in order.
    pub fn edit(&mut self, edits: &[(usize, f64)]) {
        let Some(&(first, _)) = edits.first() else { return };
        self.as_told.changed_from(first);
        for &(position, tokens) in edits {
            let Some(message) = self.messages.get_mut(position) else { continue };
            (message.stored, message.sent, message.is_replaced) = (tokens, tokens, false);
        }
        let messages = &self.messages;
        self.replaced.retain(|&position| messages.get(position).is_some_and(|message| message.is_replaced));
        self.sum_from(first);
    }

    /// Sends shorter texts from now on. `replacements` are in order; returns what takes them back.
    pub fn replace(&mut self, replacements: &[(usize, f64)]) -> Vec<Before> {
        let Some(&(first, _)) = replacements.first() else { return Vec::new() };
        let mut before = Vec::with_capacity(replacements.len());
        for &(position, tokens) in replacements {
            let Some(message) = self.messages.get_mut(position) else { continue };
            before.push(Before { position, sent: message.sent, is_replaced: message.is_replaced });
            message.sent = tokens;
            if !std::mem::replace(&mut message.is_replaced, true) {
                self.replaced.push(position);
            }
        }
        self.replaced.sort_unstable();
        self.sum_from(first);
        before
    }

    pub fn take_back(&mut self, before: &[Before]) {
        for &Before { position, sent, is_replaced } in before {
            let Some(message) = self.messages.get_mut(position) else { continue };
            (message.sent, message.is_replaced) = (sent, is_replaced);
        }
        let messages = &self.messages;
        self.replaced.retain(|&position| messages.get(position).is_some_and(|message| message.is_replaced));
        if let Some(first) = before.iter().map(|before| before.position).min() {
            self.sum_from(first);
        }
    }

    /// The message in which the first `tokens` of the sent prompt end.
    pub fn reached_by(&self, tokens: f64) -> usize {
        let within = tokens - self.fixed;
        self.messages.partition_point(|message| message.sent_before <= within).saturating_sub(1)
    }

    /// Counts the whole prompt for positions past the end.
    pub fn up_to(&self, position: usize) -> Extent {
        let within = self.messages.get(position).map_or_else(
            || self.without_fixed(),
            |message| Extent { stored: message.stored_before, sent: message.sent_before },
        );
        Extent { stored: self.fixed + within.stored, sent: self.fixed + within.sent }
    }

    fn without_fixed(&self) -> Extent {
        self.messages.last().map_or(Extent { stored: 0.0, sent: 0.0 }, |last| Extent {
            stored: last.stored_before + last.stored,
            sent: last.sent_before + last.sent,
        })
    }

    pub fn total(&self) -> Extent {
        self.up_to(self.len())
    }

    pub fn has_replaced_before(&self, position: usize) -> bool {
        self.replaced.first().is_some_and(|&first| first < position)
    }

    fn sum_from(&mut self, position: usize) {
        let Some(first) = self.messages.get(position) else { return };
        let (mut stored, mut sent) = (first.stored_before, first.sent_before);
        for message in self.messages.iter_mut().skip(position) {
            (message.stored_before, message.sent_before) = (stored, sent);
            stored += message.stored;
            sent += message.sent;
        }
    }
}
