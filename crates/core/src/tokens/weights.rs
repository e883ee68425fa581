//! Decides how a view estimates a message's tokens, its weight: short texts with the tokenizer, long ones by windows (short pieces)
//! spread evenly over them. Counting all of them would cost more than everything else that a view does.

/// Length of a window in UTF-16 units.
pub const WINDOW_UNITS: u32 = 64;
/// A text no longer than this many windows is counted in full.
pub const MIN_WINDOWS: u32 = 8;
pub const MAX_WINDOWS: u32 = 64;
/// A long text gets one window for each of these units.
pub const UNITS_PER_WINDOW: u32 = 1024;
/// Tokens that cutting out a window adds, since words and numbers are split at both ends.
pub const CUT_TOKENS: f64 = 0.65;
/// Tokens of a message in addition to its texts.
pub const MESSAGE_TOKENS: f64 = 4.0;
/// Tokens of a tool call in addition to its name and arguments.
pub const CALL_TOKENS: f64 = 8.0;
/// Tokens of an image or a file of any size.
pub const MEDIA_TOKENS: f64 = 1_000.0;
/// Share of the allowed extra cost that is reserved for the estimates' errors. In recorded agent sessions, half of the texts of more
/// than 200 tokens are estimated within 4 % of their tokens, nine of ten within 9 %; a session's sums, which the promise is
/// about, are within 6 %. Both bills of the promise have the same errors, so a tenth is enough.
pub const ESTIMATE_MARGIN: f64 = 0.1;
/// Without a cache, estimates only decide whether a placeholder is shorter, and UTF-8 bytes are precise enough.
pub const BYTES_PER_TOKEN: f64 = 4.0;
