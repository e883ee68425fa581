//! Parses an application's configuration (R7.1, REQ-3.5), and decides which window sizes hold: reported, configured, or
//! those of known models.

use std::collections::BTreeMap;

use crate::tokens::windows::window_of;

#[derive(Debug, Clone, PartialEq)]
pub enum Given {
    Missing,
    Flag(bool),
    Number(f64),
    Text(String),
    Other,
}

named_enum! {
    /// The source of a window size; a later variant has priority over earlier ones.
    #[derive(Default)]
    WindowSource {
        /// Neither a setting nor the model is known.
        #[default]
        Guess = "guess",
        Model = "model",
        Configured = "configured",
        /// The provider's error about a request that was too long named the window.
        Provider = "provider",
    }
}

/// The settings of one call; read again for each call, since applications change them at run time.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// If false, nothing is done at all, not even truncation.
    pub enabled: bool,
    /// The share of the window above which history is summarised.
    pub threshold: f64,
    pub keep_recent: usize,
    pub summary_max_tokens: f64,
    /// Without a summary model nothing is summarised.
    pub summary_model: Option<String>,
    pub summary_timeout_ms: f64,
    /// Time limit for all calls of one compression: a range that is summarised in parts takes several.
    pub total_timeout_ms: f64,
    /// The window of the conversation's model: the most tokens that a prompt can have.
    pub max_context_tokens: f64,
    pub window_source: WindowSource,
    /// The share of the window above which history is cut.
    pub hard_limit_threshold: f64,
    /// The window of the summary model, for prompt and output.
    pub summary_context_tokens: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            enabled: true,
            threshold: 0.8,
            keep_recent: 10,
            summary_max_tokens: 1_000.0,
            summary_model: None,
            summary_timeout_ms: 30_000.0,
            total_timeout_ms: 120_000.0,
            max_context_tokens: GUESSED_WINDOW,
            window_source: WindowSource::Guess,
            hard_limit_threshold: 0.95,
            summary_context_tokens: GUESSED_WINDOW,
        }
    }
}

/// The window of an unknown model, in tokens.
pub const GUESSED_WINDOW: f64 = 128_000.0;

/// A digest takes this share of the window, within these bounds.
const DIGEST_SHARE: f64 = 1.0 / 16.0;
const MIN_DIGEST_TOKENS: f64 = 200.0;
const MAX_DIGEST_TOKENS: f64 = 1_500.0;
/// A notice quotes the first request up to this many tokens, or this share of the window if that is less.
const NOTICE_QUOTE_TOKENS: f64 = 400.0;
const NOTICE_QUOTE_SHARE: f64 = 1.0 / 16.0;

impl Settings {
    pub fn threshold_tokens(&self) -> f64 {
        self.max_context_tokens * self.threshold
    }

    /// More tokens than this are never sent (R7.11).
    pub fn hard_limit_tokens(&self) -> f64 {
        self.max_context_tokens * self.hard_limit_threshold
    }

    pub fn digest_max_tokens(&self) -> f64 {
        (self.max_context_tokens * DIGEST_SHARE).clamp(MIN_DIGEST_TOKENS, MAX_DIGEST_TOKENS)
    }

    pub fn notice_quote_tokens(&self) -> f64 {
        (self.max_context_tokens * NOTICE_QUOTE_SHARE).min(NOTICE_QUOTE_TOKENS).floor()
    }
}

/// Above it JavaScript's numbers are not exact integers.
const MAX_SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;

/// Where a value of a kind is stored.
#[derive(Clone, Copy)]
enum Slot {
    Flag(fn(&mut Settings) -> &mut bool),
    Share(fn(&mut Settings) -> &mut f64),
    Count(fn(&mut Settings) -> &mut usize),
    Positive(fn(&mut Settings) -> &mut f64),
    Name(fn(&mut Settings) -> &mut Option<String>),
}

use Slot::{Count, Flag, Name, Positive, Share};

/// Flat name, nested name (with dots, below `conversation.autoCompression`), and slot.
const KEYS: [(&str, &str, Slot); 10] = [
    ("autoCompressionEnabled", "enabled", Flag(|to| &mut to.enabled)),
    ("autoCompressionThreshold", "threshold", Share(|to| &mut to.threshold)),
    ("autoCompressionKeepRecentCount", "keepRecentCount", Count(|to| &mut to.keep_recent)),
    ("autoCompressionSummaryMaxTokens", "summaryMaxTokens", Positive(|to| &mut to.summary_max_tokens)),
    ("autoCompressionSummaryModel", "summaryModel", Name(|to| &mut to.summary_model)),
    ("autoCompressionSummaryTimeoutMs", "summaryTimeout", Positive(|to| &mut to.summary_timeout_ms)),
    ("maxContextTokens", "contextLimit.maxTokens", Positive(|to| &mut to.max_context_tokens)),
    ("hardLimitThreshold", "contextLimit.hardLimitThreshold", Share(|to| &mut to.hard_limit_threshold)),
    ("autoCompressionSummaryContextTokens", "summaryContextTokens", Positive(|to| &mut to.summary_context_tokens)),
    ("autoCompressionTotalTimeoutMs", "totalTimeout", Positive(|to| &mut to.total_timeout_ms)),
];

impl Slot {
    /// For an invalid value, a description of valid ones.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // whole and safe
    fn store(self, settings: &mut Settings, given: &Given) -> Result<(), &'static str> {
        let is_whole = |number: f64| (0.0..=MAX_SAFE_INTEGER).contains(&number) && number.fract() == 0.0;
        match (self, given) {
            (Flag(slot), Given::Flag(flag)) => *slot(settings) = *flag,
            (Share(slot), &Given::Number(share)) if share > 0.0 && share <= 1.0 => *slot(settings) = share,
            (Count(slot), &Given::Number(count)) if is_whole(count) => *slot(settings) = count as usize,
            (Positive(slot), &Given::Number(count)) if count > 0.0 && is_whole(count) => *slot(settings) = count,
            (Name(slot), Given::Text(name)) if !name.trim().is_empty() => {
                *slot(settings) = Some(name.trim().to_owned());
            }
            (Flag(_), _) => return Err("true or false"),
            (Share(_), _) => return Err("a number above 0, at most 1"),
            (Count(_), _) => return Err("a whole number, 0 or more"),
            (Positive(_), _) => return Err("a whole number above 0"),
            (Name(_), _) => return Err("a model's name"),
        }
        Ok(())
    }
}

pub fn setting_names() -> impl Iterator<Item = (&'static str, &'static str)> {
    KEYS.iter().map(|&(flat, nested, _)| (flat, nested))
}

/// Reads `given`, in the order of [`setting_names`]. For an invalid value the default applies, since a typing error must
/// not stop an agent; its flat name and a description of valid values are returned. Windows that are not given are zero, no valid value, until `Settings::with_windows`.
pub fn read_settings(given: &[Given]) -> (Settings, Vec<(&'static str, &'static str)>) {
    let mut settings = Settings { max_context_tokens: 0.0, summary_context_tokens: 0.0, ..Settings::default() };
    let mut refused = Vec::new();
    for ((key, _, slot), value) in KEYS.into_iter().zip(given) {
        if *value != Given::Missing
            && let Err(expected) = slot.store(&mut settings, value)
        {
            refused.push((key, expected));
        }
    }
    (settings, refused)
}

/// Endings that people add or omit.
const ENDINGS: [&str; 8] = ["count", "ms", "seconds", "tokens", "ratio", "percent", "name", "size"];
/// Shorter names resemble too many others.
const SHORTEST_COMPARED_CHARS: usize = 5;
/// The most letters that are wrong, missing or too many.
const MAX_WRONG_LETTERS: usize = 2;

/// The setting that the misspelt `key` resembles; `None` for a valid setting and for a key of the application's own.
/// Nested names count only in a section.
pub fn intended_setting(key: &str, in_section: bool) -> Option<&'static str> {
    let is_key_or_in_it = |name: &str| name == key || name.strip_prefix(key).is_some_and(|rest| rest.starts_with('.'));
    let is_read = |(flat, nested): (&str, &str)| if in_section { is_key_or_in_it(nested) } else { flat == key };
    if setting_names().any(is_read) {
        return None;
    }
    let last_part = |nested: &'static str| nested.rsplit('.').next().unwrap_or(nested);
    let intended = setting_names().find(|&(flat, nested)| {
        resembles(key, flat) || (in_section && [nested, last_part(nested)].iter().any(|name| resembles(key, name)))
    });
    intended.map(|(flat, nested)| if in_section { nested } else { flat })
}

fn resembles(key: &str, name: &str) -> bool {
    // Spellings put hyphens, underscores and dots between words.
    let [key, name] =
        [key, name].map(|name| name.replace(|at: char| !at.is_ascii_alphanumeric(), "").to_ascii_lowercase());
    let differ_by_ending =
        |long: &str, short: &str| long.strip_prefix(short).is_some_and(|rest| ENDINGS.contains(&rest));
    key == name
        || (key.len() >= SHORTEST_COMPARED_CHARS
            && (differ_by_ending(&key, &name)
                || differ_by_ending(&name, &key)
                || distance(key.as_bytes(), name.as_bytes()) <= MAX_WRONG_LETTERS))
}

/// The Levenshtein distance. O(product of the lengths).
fn distance(one: &[u8], other: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (index, letter) in one.iter().enumerate() {
        let mut left = index + 1;
        let mut next = vec![left];
        for (other_letter, above) in other.iter().zip(row.windows(2)) {
            let &[diagonal, up] = above else { continue };
            left = (diagonal + usize::from(letter != other_letter)).min(up + 1).min(left + 1);
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

/// Windows that providers have reported, by model; the empty name is that of an unnamed model.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LearntWindows(BTreeMap<String, f64>);

impl LearntWindows {
    pub fn learn(&mut self, model: &str, tokens: f64) -> bool {
        // A smaller figure is no window: the error text used the number for something else.
        let is_possible = tokens.is_finite() && tokens >= 256.0;
        if is_possible {
            self.0.insert(model.to_owned(), tokens);
        }
        is_possible
    }

    /// `configured` is 0 for a window that is not.
    pub fn window_for(&self, model: &str, configured: f64) -> (f64, WindowSource) {
        let reported = self.0.get(model).map(|&tokens| (tokens, WindowSource::Provider));
        let configured = (configured > 0.0).then_some((configured, WindowSource::Configured));
        let listed = || window_of(model).map(|window| (window.prompt_tokens, WindowSource::Model));
        reported.or(configured).or_else(listed).unwrap_or((GUESSED_WINDOW, WindowSource::Guess))
    }
}

impl Settings {
    /// Fills in the windows that were not given; a window reported by the provider overrides a setting.
    pub(super) fn with_windows(mut self, model: Option<&str>, learnt: &LearntWindows) -> Self {
        let model = model.unwrap_or_default();
        (self.max_context_tokens, self.window_source) = learnt.window_for(model, self.max_context_tokens);
        let unnamed = LearntWindows::default();
        let (summary_model, learnt) = match self.summary_model.as_deref() {
            Some(model) if !model.is_empty() => (model, learnt),
            _ => ("", &unnamed),
        };
        // An unknown summary model gets the conversation's window if that is configured, otherwise at most the guess:
        // summary models tend to be small.
        self.summary_context_tokens = match learnt.window_for(summary_model, self.summary_context_tokens) {
            (_, WindowSource::Guess) if self.window_source == WindowSource::Configured => self.max_context_tokens,
            (guess, WindowSource::Guess) => self.max_context_tokens.min(guess),
            (tokens, _) => tokens,
        };
        self
    }
}

#[cfg(test)]
mod tests;
