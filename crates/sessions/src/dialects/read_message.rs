//! What the readers of messages return.

use crate::model::{Message, Request};

/// A message, and what it records of the request that it answers.
pub(crate) struct ReadMessage {
    pub(crate) message: Message,
    pub(crate) id: Option<String>,
    /// Only used for assistant messages.
    pub(crate) answered: Request,
}
