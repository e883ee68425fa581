//! Prices of a model's tokens: in US dollars if known, else relative to input, by its provider's usual ratios.

use std::borrow::Cow;

use palimpsest_core::cache::prices::{PRESETS, Prices};
use palimpsest_core::provider::usage::Usage;
use serde::Deserialize;

use super::to_f64;

const PACKAGE_LIST: &str = include_str!("../../prices.json");
const MINUTE_MS: f64 = 60_000.0;
/// A cache's lifetime (ms) and block size (tokens).
type CacheForm = (f64, f64);

/// By beginning of a model's name: the preset without a listed price, and the cache's form if recordings show another.
const FAMILIES: [(&str, &str, Option<CacheForm>); 5] = [
    ("claude", "anthropic", None),
    ("gpt", "openai", None),
    ("deepseek", "deepseek", None),
    ("gemini", "gemini", None),
    // The cache survived pauses of 25 to 41 minutes; cached tokens are multiples of 256.
    ("kimi", "gemini", Some((60.0 * MINUTE_MS, 256.0))),
];

/// US dollars per million tokens, for every model whose name starts with `model`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ModelPrice {
    model: String,
    /// Applies to this exact name only: “gpt-5” is not the price of “gpt-5.9”.
    #[serde(default)]
    exact: bool,
    /// When it was last compared with the provider's published price; `None` if it couldn't be.
    checked: Option<String>,
    /// Source of a price that couldn't be compared, for readers of the list.
    #[serde(rename = "source")]
    _source: Option<String>,
    input: f64,
    cache_read: f64,
    output: f64,
    /// Price of automatic cache writes; `None` means the input price.
    cache_write: Option<f64>,
    cache_write_5m: Option<f64>,
    cache_write_1h: Option<f64>,
    cache_minutes: Option<f64>,
    /// Cached tokens are multiples of this.
    cache_block: Option<f64>,
    /// Prices of a request whose prompt exceeds `prompt_tokens`.
    above: Option<Surcharge>,
}

#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Surcharge {
    prompt_tokens: u64,
    input: f64,
    cache_read: f64,
    output: f64,
    cache_write: Option<f64>,
    cache_write_5m: Option<f64>,
    cache_write_1h: Option<f64>,
}

/// All known prices; the user's own take precedence over the package's.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename = "List")]
pub struct PriceList {
    pub date: String,
    models: Vec<ModelPrice>,
}

const EXPECTED_FILE: &str = r#"{"date": "2026-11-22", "models": [{"model": "…", "input": 1, "cacheRead": 0.1, "output": 5}]} in US dollars for a million tokens"#;

/// Token prices in units of base input, and the cache's properties.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rates {
    pub read: f64,
    pub write: f64,
    pub write_5m: f64,
    pub write_1h: f64,
    pub output: f64,
    pub input_usd: Option<f64>,
    pub ttl_ms: f64,
    pub min_tokens: f64,
    pub block_tokens: f64,
}

impl PriceList {
    /// The package's list, preceded by the entries of the user's list (JSON text of the same form).
    pub fn new(users_list: Option<&str>) -> Result<Self, String> {
        let parse = |text: &str| serde_json::from_str::<Self>(text).map_err(|error| error.to_string());
        let mut list = parse(PACKAGE_LIST)?;
        if let Some(text) = users_list {
            let text = text.strip_prefix('\u{feff}').unwrap_or(text);
            let mut users = parse(text).map_err(|error| format!("{error}; expected {EXPECTED_FILE}"))?;
            users.expect_valid()?;
            for price in &mut users.models {
                price.checked.get_or_insert_with(|| users.date.clone());
            }
            list.models.splice(0..0, users.models);
            list.date = users.date;
        }
        Ok(list)
    }

    fn expect_valid(&self) -> Result<(), String> {
        if self.models.is_empty() {
            return Err(format!("it has no models; expected {EXPECTED_FILE}"));
        }
        for (index, price) in self.models.iter().enumerate() {
            if price.model.trim().is_empty() {
                return Err(format!("models[{index}]: expected the beginning of a model’s name; got an empty one"));
            }
            if !price.is_valid() {
                return Err(format!("{}: expected prices of 0 and more, and input above 0", price.model));
            }
            let name = |price: &ModelPrice| (price.exact, spelling(&price.model));
            if self.models.iter().take(index).any(|earlier| name(earlier) == name(price)) {
                return Err(format!("{}: expected one entry for each model; got a second", price.model));
            }
        }
        Ok(())
    }

    fn price(&self, name: &str) -> Option<&ModelPrice> {
        let name = spelling(name);
        let applies = |price: &&ModelPrice| {
            let known = spelling(&price.model);
            name == known || name.starts_with(&known) && !price.exact
        };
        self.models.iter().find(applies)
    }

    pub fn is_unchecked(&self, model: &str) -> bool {
        self.price(model).is_some_and(|price| price.checked.is_none())
    }

    pub fn rates(&self, model: Option<&str>) -> Rates {
        self.rates_for(model, 0)
    }

    pub fn rates_for(&self, model: Option<&str>, prompt_tokens: u64) -> Rates {
        let model = model.unwrap_or_default();
        let family = family_rates(&spelling(model));
        self.price(model).map_or(family, |price| price.for_prompt(prompt_tokens).rates(family))
    }
}

/// Normalises a model name: without a gateway's prefix, with `-` for `.`.
fn spelling(model: &str) -> String {
    let name = model.rsplit('/').next().unwrap_or(model);
    let name = name.rsplit_once("anthropic.").map_or(name, |(_, name)| name);
    name.to_ascii_lowercase().replace('.', "-")
}

fn family_rates(name: &str) -> Rates {
    let Some((_, preset, cache)) = FAMILIES.iter().find(|(family, ..)| name.starts_with(family)) else {
        return Rates::of(Prices::USUAL);
    };
    let rates = Rates::of(Prices::named(preset).unwrap_or(Prices::USUAL));
    let (ttl_ms, block_tokens) = cache.unwrap_or((rates.ttl_ms, rates.block_tokens));
    Rates { ttl_ms, block_tokens, ..rates }
}

impl ModelPrice {
    fn is_valid(&self) -> bool {
        let optional = [self.cache_write, self.cache_write_5m, self.cache_write_1h, self.cache_minutes];
        let mut given = [self.cache_read, self.output].into_iter().chain(optional.into_iter().flatten());
        let are_prices = self.input > 0.0 && given.all(|price| price >= 0.0 && price.is_finite());
        let is_surcharge_valid =
            || self.above.is_none() || Self { above: None, ..self.for_prompt(u64::MAX).into_owned() }.is_valid();
        self.input.is_finite() && are_prices && is_surcharge_valid()
    }

    fn for_prompt(&self, prompt_tokens: u64) -> Cow<'_, Self> {
        let above = self.above.filter(|above| prompt_tokens > above.prompt_tokens);
        above.map_or(Cow::Borrowed(self), |above| {
            let Surcharge { input, cache_read, output, cache_write, cache_write_5m, cache_write_1h, .. } = above;
            Cow::Owned(Self { input, cache_read, output, cache_write, cache_write_5m, cache_write_1h, ..self.clone() })
        })
    }

    /// The prices as rates; those of its family of models for what the list doesn't say.
    fn rates(&self, family: Rates) -> Rates {
        let in_units = |price: f64| price / self.input;
        let write = self.cache_write.or(self.cache_write_5m).unwrap_or(self.input);
        Rates {
            read: in_units(self.cache_read),
            write: in_units(write),
            write_5m: in_units(self.cache_write_5m.unwrap_or(write)),
            write_1h: in_units(self.cache_write_1h.unwrap_or(write)),
            output: in_units(self.output),
            input_usd: Some(self.input / 1e6),
            ttl_ms: self.cache_minutes.map_or(family.ttl_ms, |minutes| minutes * MINUTE_MS),
            block_tokens: self.cache_block.unwrap_or(family.block_tokens).max(1.0),
            ..family
        }
    }
}

impl Rates {
    /// Usual ratio of output to input price, for models without a listed price.
    const USUAL_OUTPUT: f64 = 5.0;

    fn of(prices: Prices) -> Self {
        let one_hour = PRESETS.iter().find(|preset| preset.name == "anthropic-1h");
        Self {
            read: prices.read,
            write: prices.write,
            write_5m: prices.write,
            write_1h: one_hour.map_or(prices.write, |preset| preset.prices.write),
            output: Self::USUAL_OUTPUT,
            input_usd: None,
            ttl_ms: prices.ttl_ms,
            min_tokens: prices.min_tokens,
            block_tokens: prices.block_tokens,
        }
    }

    /// Cost in units of base input. `write`: the price of a token written for an unknown time.
    pub(super) fn prompt_cost(&self, usage: &Usage, uncached: f64, write: f64) -> f64 {
        uncached * to_f64(usage.uncached)
            + self.read * to_f64(usage.cache_read)
            + self.write_5m * to_f64(usage.cache_write_5m)
            + self.write_1h * to_f64(usage.cache_write_1h)
            + write * to_f64(usage.cache_write_unspecified())
    }

    /// The prices in the form of the cost model, for the default or the one-hour cache.
    pub fn prices(&self, is_one_hour: bool) -> Prices {
        let (write, ttl_ms) = if is_one_hour { (self.write_1h, 60.0 * MINUTE_MS) } else { (self.write, self.ttl_ms) };
        let Self { min_tokens, block_tokens, .. } = *self;
        Prices { read: self.read.min(write), write, ttl_ms, min_tokens, block_tokens }
    }
}
