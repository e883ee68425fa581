//! Decides how a view weighs a message: short texts are counted with the tokenizer, of long ones windows that are spread evenly
//! over them. Counting all of them would cost more than all else that a view does.

pub const WINDOW_UNITS: u32 = 64;
/// A text that isn't longer than so many windows is counted as a whole.
pub const FEWEST_WINDOWS: u32 = 8;
/// However long a text is, no more windows are looked at.
pub const MOST_WINDOWS: u32 = 64;
pub const UNITS_PER_WINDOW: u32 = 1024;
/// Cutting a window out adds so much, since words and numbers are cut at both ends.
pub const CUT_TOKENS: f64 = 0.65;
pub const MESSAGE_TOKENS: f64 = 4.0;
pub const CALL_TOKENS: f64 = 8.0;
/// An image or a file, of whatever size.
pub const MEDIA_TOKENS: f64 = 1_000.0;
/// This share of the extra cost that a host allows is left for the weights' errors. Half of the texts of more than 200 tokens in
/// recorded agent sessions weigh within 4 % of their tokens, nine of ten within 9 %; the sums over a session, which the promise is
/// about, are within 6 %.
pub const ESTIMATE_MARGIN: f64 = 0.1;
/// Without a cache, weights decide only whether a placeholder is shorter, and bytes of UTF-8 will do.
pub const BYTES_PER_TOKEN: f64 = 4.0;
