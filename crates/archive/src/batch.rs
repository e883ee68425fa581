//! What one compression or truncation takes out of a conversation.

/// Why messages were taken out of a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BatchKind {
    /// A summary stands in their place.
    Summary,
    /// They were cut to get under the hard limit.
    Truncation,
}

impl BatchKind {
    /// What `name` gives.
    pub const NAMES: [&str; 2] = [Self::Summary.name(), Self::Truncation.name()];

    /// As users see it, and as it is stored.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Summary => "summary",
            Self::Truncation => "truncation",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Summary, Self::Truncation].into_iter().find(|kind| kind.name() == name)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredMessage {
    /// `user`, `assistant` …; empty when it has none.
    pub role: String,
    /// What it says, to be searched and quoted. Base64 in it is left out when it is stored.
    pub text: String,
    /// All of it, as its owner wrote it; never looked into.
    pub json: String,
}

/// What one compression or truncation takes out of a conversation.
#[derive(Debug, Clone, Copy)]
pub struct NewBatch<'b> {
    /// Unique within its session.
    pub id: &'b str,
    pub kind: BatchKind,
    /// How many compressions lie within it, itself included.
    pub level: u32,
    /// When, ms since the epoch.
    pub at_ms: f64,
    /// What stands in the place of the messages, as its owner wrote it.
    pub summary: Option<&'b str>,
    pub messages: &'b [StoredMessage],
}

/// What is kept of one compression or truncation.
#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    /// Unique within its session.
    pub id: String,
    pub kind: BatchKind,
    /// How many compressions lie within it, itself included.
    pub level: u32,
    /// When, ms since the epoch.
    pub at_ms: f64,
    /// What stands in the place of the messages.
    pub summary: Option<String>,
    pub messages: Vec<StoredMessage>,
}

/// A count as `SQLite` has them.
pub fn integer(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
