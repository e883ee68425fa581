//! Defines a batch: the messages that one compression or truncation removes from a conversation.

/// Why messages were removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BatchKind {
    /// A summary replaced them.
    Summary,
    /// They were cut to get under the hard limit.
    Truncation,
}

impl BatchKind {
    const ALL: [Self; 2] = [Self::Summary, Self::Truncation];
    /// All names that [`Self::name`] returns.
    pub const NAMES: [&str; 2] = [Self::Summary.name(), Self::Truncation.name()];

    /// The name that users see and that is stored.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Summary => "summary",
            Self::Truncation => "truncation",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// An original message of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredMessage {
    /// `user`, `assistant` …; empty if the message has no role.
    pub role: String,
    /// Its text, for searches and quotations. Stored without long base64.
    pub text: String,
    /// The whole message as the caller wrote it; never parsed.
    pub json: String,
}

/// The messages that one compression or truncation removes.
#[derive(Debug, Clone, Copy)]
pub struct NewBatch<'b> {
    /// Unique within its session.
    pub id: &'b str,
    pub kind: BatchKind,
    /// How deep compressions are nested, as the caller counts.
    pub level: u32,
    /// When the messages were removed, ms since the epoch.
    pub at_ms: f64,
    /// The message that replaces them, as the caller wrote it.
    pub summary: Option<&'b str>,
    pub messages: &'b [StoredMessage],
}

/// A stored batch, with the fields of [`NewBatch`].
#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    pub id: String,
    pub kind: BatchKind,
    pub level: u32,
    pub at_ms: f64,
    pub summary: Option<String>,
    pub messages: Vec<StoredMessage>,
}

/// A count in `SQLite`'s integer type.
pub fn integer(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
