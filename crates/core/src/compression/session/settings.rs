//! Parses an application's configuration: names, defaults and valid values (R7.1, REQ-3.5), and the setting that a
//! misspelt key was meant to be.

/// A configuration value as given by the application.
#[derive(Debug, Clone, PartialEq)]
pub enum Given {
    Missing,
    Flag(bool),
    Number(f64),
    Text(String),
    Other,
}

/// The source of a window size; a later variant has priority over earlier ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WindowSource {
    /// Neither a setting nor the model is known.
    #[default]
    Guess,
    Model,
    Configured,
    /// The provider's error about a request that was too long named the window.
    Provider,
}

impl WindowSource {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Guess => "guess",
            Self::Model => "model",
            Self::Configured => "configured",
            Self::Provider => "provider",
        }
    }
}

/// The settings of one call; read again for each call, since applications change them at run time.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// If false, nothing is done at all, not even truncation.
    pub enabled: bool,
    /// The share of the window above which history is summarised, in (0, 1].
    pub threshold: f64,
    /// How many of the newest messages are never summarised.
    pub keep_recent: usize,
    /// The longest summary.
    pub summary_max_tokens: u32,
    /// Without a summary model nothing is summarised.
    pub summary_model: Option<String>,
    /// Time limit for one call of the summary model.
    pub summary_timeout_ms: f64,
    /// Time limit for all calls of one compression: a range that is summarised in parts takes several.
    pub total_timeout_ms: f64,
    /// The window of the conversation's model: the most tokens that a prompt can have.
    pub max_context_tokens: f64,
    pub window_source: WindowSource,
    /// The share of the window above which history is cut, in (0, 1].
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
            summary_max_tokens: 1_000,
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

/// A setting with an invalid value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidSetting {
    /// The setting's flat name.
    pub key: &'static str,
    /// A description of valid values.
    pub expected: &'static str,
}

/// A digest takes this share of the window, within these bounds.
const DIGEST_SHARE: f64 = 1.0 / 16.0;
const MIN_DIGEST_TOKENS: f64 = 200.0;
const MAX_DIGEST_TOKENS: f64 = 1_500.0;
/// A notice quotes the first request up to this many tokens, or this share of the window if that is less.
const NOTICE_QUOTE_TOKENS: f64 = 400.0;
const NOTICE_QUOTE_SHARE: f64 = 1.0 / 16.0;

impl Settings {
    /// History is compressed from this many tokens on (REQ-3.1).
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

// Descriptions of valid values.
const FLAG: &str = "true or false";
const SHARE: &str = "a number above 0, at most 1";
const COUNT: &str = "a whole number, 0 or more";
const POSITIVE: &str = "a whole number above 0";
const NAME: &str = "a model's name";

/// Above it JavaScript's numbers are not exact integers.
const MAX_SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;

/// Flat name, nested name (with dots, below `conversation.autoCompression`), description of valid values, and the
/// function that stores a value in the settings; it returns false for an invalid value.
type SettingKey = (&'static str, &'static str, &'static str, fn(&mut Settings, &Given) -> bool);

const KEYS: [SettingKey; 10] = [
    ("autoCompressionEnabled", "enabled", FLAG, |to, given| set(&mut to.enabled, flag(given))),
    ("autoCompressionThreshold", "threshold", SHARE, |to, given| set(&mut to.threshold, share(given))),
    ("autoCompressionKeepRecentCount", "keepRecentCount", COUNT, |to, given| {
        set(&mut to.keep_recent, whole_count(given))
    }),
    ("autoCompressionSummaryMaxTokens", "summaryMaxTokens", POSITIVE, |to, given| {
        set(&mut to.summary_max_tokens, positive(given).map(saturated))
    }),
    ("autoCompressionSummaryModel", "summaryModel", NAME, |to, given| {
        set(&mut to.summary_model, name(given).map(Some))
    }),
    ("autoCompressionSummaryTimeoutMs", "summaryTimeout", POSITIVE, |to, given| {
        set(&mut to.summary_timeout_ms, positive(given))
    }),
    ("maxContextTokens", "contextLimit.maxTokens", POSITIVE, |to, given| {
        set(&mut to.max_context_tokens, positive(given))
    }),
    ("hardLimitThreshold", "contextLimit.hardLimitThreshold", SHARE, |to, given| {
        set(&mut to.hard_limit_threshold, share(given))
    }),
    ("autoCompressionSummaryContextTokens", "summaryContextTokens", POSITIVE, |to, given| {
        set(&mut to.summary_context_tokens, positive(given))
    }),
    ("autoCompressionTotalTimeoutMs", "totalTimeout", POSITIVE, |to, given| {
        set(&mut to.total_timeout_ms, positive(given))
    }),
];

/// The flat and the nested name of each setting.
pub fn setting_names() -> impl Iterator<Item = (&'static str, &'static str)> {
    KEYS.iter().map(|&(flat, nested, _, _)| (flat, nested))
}

/// Reads `given`, in the order of [`setting_names`]. An invalid value is reported and its default applies: a typing
/// error in a configuration must not stop an agent. Window sizes that are not given are zero, which is no valid value,
/// until `Settings::with_windows`.
pub fn read_settings(given: &[Given]) -> (Settings, Vec<InvalidSetting>) {
    let mut settings =
        Settings { max_context_tokens: 0.0, summary_context_tokens: 0.0, ..Settings::default() };
    let mut refused = Vec::new();
    for ((key, _, expected, store), value) in KEYS.into_iter().zip(given) {
        if *value != Given::Missing && !store(&mut settings, value) {
            refused.push(InvalidSetting { key, expected });
        }
    }
    (settings, refused)
}

/// Stores a valid value; false for an invalid one.
fn set<T>(setting: &mut T, value: Option<T>) -> bool {
    let Some(value) = value else { return false };
    *setting = value;
    true
}

fn flag(given: &Given) -> Option<bool> {
    if let Given::Flag(flag) = given { Some(*flag) } else { None }
}

fn number(given: &Given) -> Option<f64> {
    if let Given::Number(number) = given { Some(*number) } else { None }
}

fn share(given: &Given) -> Option<f64> {
    number(given).filter(|share| *share > 0.0 && *share <= 1.0)
}

fn whole_number(given: &Given) -> Option<f64> {
    number(given).filter(|count| (0.0..=MAX_SAFE_INTEGER).contains(count) && count.fract() == 0.0)
}

fn positive(given: &Given) -> Option<f64> {
    whole_number(given).filter(|count| *count > 0.0)
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // whole and safe
fn whole_count(given: &Given) -> Option<usize> {
    whole_number(given).map(|count| count as usize)
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // `as` saturates, and no summary has 2^32 tokens
fn saturated(count: f64) -> u32 {
    count as u32
}

fn name(given: &Given) -> Option<String> {
    let Given::Text(name) = given else { return None };
    let name = name.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

/// Endings that people add or omit.
const ENDINGS: [&str; 8] = ["count", "ms", "seconds", "tokens", "ratio", "percent", "name", "size"];
/// Shorter names resemble too many others.
const SHORTEST_COMPARED_CHARS: usize = 5;
/// The most letters that are wrong, missing or too many.
const MAX_WRONG_LETTERS: usize = 2;

/// The correct name of the setting that `key` resembles; `None` for a valid setting and for a key of the application's
/// own. In a section nested and flat names are compared, elsewhere only flat ones.
pub fn intended_setting(key: &str, in_section: bool) -> Option<&'static str> {
    let is_key_or_in_it =
        |name: &str| name == key || name.strip_prefix(key).is_some_and(|rest| rest.starts_with('.'));
    let is_read =
        |(flat, nested): (&str, &str)| if in_section { is_key_or_in_it(nested) } else { flat == key };
    if setting_names().any(is_read) {
        return None;
    }
    let intended = setting_names().find(|(flat, nested)| {
        resembles(key, flat) || (in_section && (resembles(key, nested) || resembles(key, last_part(nested))))
    });
    intended.map(|(flat, nested)| if in_section { nested } else { flat })
}

fn last_part(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

fn resembles(key: &str, name: &str) -> bool {
    let (key, name) = (letters(key), letters(name));
    let differ_by_ending =
        |long: &str, short: &str| long.strip_prefix(short).is_some_and(|rest| ENDINGS.contains(&rest));
    key == name
        || (key.len() >= SHORTEST_COMPARED_CHARS
            && (differ_by_ending(&key, &name)
                || differ_by_ending(&name, &key)
                || distance(key.as_bytes(), name.as_bytes()) <= MAX_WRONG_LETTERS))
}

/// Spellings put hyphens, underscores and dots between words.
fn letters(key: &str) -> String {
    key.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect()
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

#[cfg(test)]
#[path = "settings_tests.rs"]
mod tests;
