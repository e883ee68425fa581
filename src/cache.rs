//! Prompt caches: prices, the cost of a request, and simulations of whole sessions under every policy.

use napi::bindgen_prelude::{Float64ArraySlice, FromNapiValue, Result};
use napi::{Env, Unknown, ValueType};
use napi_derive::napi;
use palimpsest_core::cache::policies::{PolicyOutcome, compare};
use palimpsest_core::cache::prices::{ImpossiblePrice, PRESETS, PRICES_DATE, Preset, Prices};
use palimpsest_core::cache::simulation::SimulatedSession;

use crate::error::{out_of_range, quoted, wrong_type};
use crate::option_values::GivenOptions;
use crate::units::Utf16;

/// One provider's prices, from a preset or from the application.
#[napi(object)]
#[derive(Clone)]
pub struct JsPrices {
    /// The preset that the prices are based on.
    pub preset: Option<String>,
    pub read: f64,
    pub write: f64,
    pub ttl_ms: f64,
    pub min_tokens: f64,
    pub block_tokens: f64,
}

to_js! {
    JsOutcome from outcome: PolicyOutcome {
        policy: &'static str = outcome.policy,
        cost: f64 = outcome.cost,
        #[doc = "`tokens sent, tokens from the cache, prefix changes, tokens of the longest prompt`; null for the"]
        #[doc = "policy computed in hindsight."]
        bill: Option<Vec<f64>> = outcome
            .bill
            .map(|bill| vec![bill.tokens, bill.cached, bill.prefix_changes, bill.peak_tokens]),
    }
}

/// The presets, and the date on which they were last compared with the providers' published prices.
#[napi(catch_unwind)]
pub fn price_presets() -> (Vec<JsPrices>, String) {
    let presets = PRESETS.iter().map(|preset| to_js(Some(preset.name), &preset.prices)).collect();
    (presets, PRICES_DATE.to_owned())
}

/// `given`: a preset's name, or `{preset?, read?, write?, ttlMs?, minTokens?, blockTokens?}`; errors call it `label`.
#[napi(catch_unwind)]
pub fn check_prices(env: Env, given: Unknown<'_>, label: String) -> Result<JsPrices> {
    let (preset, prices) = read_prices(&env, given, &label)?;
    Ok(to_js(preset, &prices))
}

#[napi(catch_unwind)]
pub fn request_cost(prices: JsPrices, cached: f64, total: f64) -> f64 {
    from_js(&prices).cost(cached, total)
}

/// `elapsed_ms`: time since the last request.
#[napi(catch_unwind)]
pub fn cached_tokens(prices: JsPrices, unchanged: f64, elapsed_ms: f64) -> f64 {
    from_js(&prices).cached_tokens(unchanged, Some(elapsed_ms))
}

/// Null if the columns are not those of a session.
#[napi(catch_unwind)]
pub fn simulate_session(
    prices: JsPrices,
    fixed_tokens: f64,
    tokens: Float64ArraySlice<'_>,
    replaced: Float64ArraySlice<'_>,
    outdated_from: Float64ArraySlice<'_>,
    lengths: Float64ArraySlice<'_>,
    times_ms: Float64ArraySlice<'_>,
) -> Option<Vec<JsOutcome>> {
    let messages = [&*tokens, &*replaced, &*outdated_from];
    let session = SimulatedSession::from_columns(fixed_tokens, messages, [&*lengths, &*times_ms])?;
    let outcomes = compare(&session, None, &from_js(&prices), &mut |_, _| ());
    Some(outcomes.into_iter().map(JsOutcome::from).collect())
}

/// The prices that the application has given, and the name of the preset that they are based on, if any.
pub fn read_prices(env: &Env, given: Unknown<'_>, label: &str) -> Result<(Option<&'static str>, Prices)> {
    match given.get_type()? {
        ValueType::Object => (),
        ValueType::String => {
            let preset = preset_named(env, &String::from_utf16_lossy(&Utf16::from_unknown(given)?.0), label)?;
            return Ok((Some(preset.name), preset.prices));
        }
        _ => return Err(wrong_type(env, label, "a preset's name or an object", &given)),
    }
    let options = GivenOptions::new(env, given, label)?;
    let preset = options.string("preset")?.map(|name| preset_named(env, &name, &options.name("preset"))).transpose()?;
    let base = preset.map(|preset| preset.prices);
    let needed = |key: &str, base: Option<f64>| match (options.number(key)?, base) {
        (Some(given), _) | (None, Some(given)) => Ok(given),
        (None, None) => Err(wrong_type(env, &options.name(key), "a number", &options.get(key)?)),
    };
    let prices = Prices {
        read: needed("read", base.map(|base| base.read))?,
        write: needed("write", base.map(|base| base.write))?,
        ttl_ms: needed("ttlMs", base.map(|base| base.ttl_ms))?,
        min_tokens: options.number("minTokens")?.or(base.map(|base| base.min_tokens)).unwrap_or(0.0),
        block_tokens: options.number("blockTokens")?.or(base.map(|base| base.block_tokens)).unwrap_or(1.0),
    };
    let refuse = |impossible: ImpossiblePrice| {
        let actual = options.number(impossible.field).ok().flatten().unwrap_or(f64::NAN);
        options.refuse(impossible.field, impossible.expected, &actual.to_string())
    };
    prices.checked().map(|prices| (preset.map(|preset| preset.name), prices)).map_err(refuse)
}

fn preset_named(env: &Env, name: &str, label: &str) -> Result<Preset> {
    PRESETS.iter().find(|preset| preset.name == name).copied().ok_or_else(|| {
        let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
        out_of_range(env, label, &format!("one of {}", names.join(", ")), &quoted(name))
    })
}

fn to_js(preset: Option<&str>, prices: &Prices) -> JsPrices {
    let Prices { read, write, ttl_ms, min_tokens, block_tokens } = *prices;
    JsPrices { preset: preset.map(str::to_owned), read, write, ttl_ms, min_tokens, block_tokens }
}

const fn from_js(prices: &JsPrices) -> Prices {
    let JsPrices { read, write, ttl_ms, min_tokens, block_tokens, .. } = *prices;
    Prices { read, write, ttl_ms, min_tokens, block_tokens }
}
