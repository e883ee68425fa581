//! Compression of long conversations: what the face asks in the course of one `process` call.
//!
//! A call goes settings → usage → plan → summary → cut; each is one exported function here, and the face carries
//! the results between them. Only the summary waits, see [`summary`].

mod columns;
mod exchange;
mod hard_limit;
mod notes;
mod settings;
mod summary;
mod transcript;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use napi::bindgen_prelude::{Float64ArraySlice, Result};
use napi::{Env, Unknown};
use napi_derive::napi;
use palimpsest_core::compression::attempt::{Attempt, attempt};
use palimpsest_core::compression::breaker::{Breaker, LastTry};
use palimpsest_core::compression::identity::compression_id;
use palimpsest_core::compression::prompt::PromptChanges;
use palimpsest_core::compression::settings::Settings;
use palimpsest_core::compression::stats::Stats;
use palimpsest_core::compression::turns::recorded_request;
use palimpsest_core::compression::usage::{replaced_tokens, used};
use palimpsest_core::compression::{api_fields, events};
use palimpsest_core::results::Language;
use palimpsest_core::tokens::models::Model;
use palimpsest_core::tokens::usage::{COMPLETION_FIELDS, REPORT_FIELDS};

use crate::logging::{Journal, LogEvent};
use crate::options::Options;
use columns::{Columns, number};
use hard_limit::{CutBudget, HardLimitCut, OnRecord};
use transcript::read_messages;

/// What one manager knows beside the conversations: all of it small, and shared with the summaries under way.
pub struct Shared {
    journal: Journal,
    model: Model,
    language: Option<Language>,
    prompt: PromptChanges,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    settings: Settings,
    refused: Vec<(&'static str, String)>,
    unreadable: Vec<String>,
    unknown: Vec<String>,
    breaker: Breaker,
    stats: Stats,
    /// It was said that a provider's figures can't be true.
    has_doubted_usage: bool,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The state of an `AutoCompressionManager`.
#[napi]
pub struct Compressor {
    shared: Arc<Shared>,
}

/// How full the context window is.
#[napi(object, object_from_js = false)]
pub struct WindowUse {
    /// Tokens in use.
    pub tokens: f64,
    /// `reported`, `counted` or `estimated`.
    pub source: &'static str,
    /// At or above the threshold: history is to be compressed.
    pub is_over_threshold: bool,
    /// Above the hard limit: history is to be cut.
    pub is_over_limit: bool,
}

/// What is to be summarised, or why nothing is.
#[napi(object, object_from_js = false)]
pub struct SummaryPlan {
    /// Why there is no plan.
    pub skipped: Option<&'static str>,
    /// The first message of the range.
    pub start: u32,
    /// The one after its last.
    pub end: u32,
    /// Messages in the range that are pinned.
    pub pinned: Vec<u32>,
    /// Those to repeat after the summary.
    pub carried: Vec<u32>,
    /// No message that is left says what the user wants now.
    pub holds_request: bool,
    /// The summary's level.
    pub level: u32,
    /// The compression's name.
    pub id: String,
    /// What the range weighs; the summary must weigh less.
    pub replaced_tokens: f64,
    /// The user's first request, when it is in the range.
    pub first_request: Option<String>,
}

/// A figure of the statistics.
#[napi(object, object_from_js = false)]
pub struct StatsFigure {
    pub name: String,
    pub value: f64,
}

#[napi]
impl Compressor {
    /// `options`: `{model?, language?, prompt?}` as the user gave them.
    #[napi(constructor, catch_unwind)]
    pub fn new(env: Env, options: Unknown<'_>) -> Result<Self> {
        let options = Options::new(&env, options, "options".to_owned())?;
        let model = options.text("model")?.map(|name| String::from_utf16_lossy(&name));
        let language = options.choice("language", &["zh", "en"])?;
        let language = language.map(|tag| if tag == 0 { Language::Chinese } else { Language::English });
        let shared = Shared {
            journal: Journal::default(),
            model: Model::choose(model.as_deref(), None),
            language,
            prompt: settings::read_prompt(&env, &options)?,
            state: Mutex::default(),
        };
        Ok(Self { shared: Arc::new(shared) })
    }

    /// Whether somebody wants events.
    #[napi(catch_unwind)]
    pub fn listen(&self, on: bool) {
        self.shared.journal.listen(on);
    }

    /// The events since the last time.
    #[napi(catch_unwind)]
    pub fn take_events(&self) -> Vec<LogEvent> {
        self.shared.journal.take()
    }

    /// What has happened so far.
    #[napi(catch_unwind)]
    pub fn stats(&self) -> Vec<StatsFigure> {
        let figures = self.shared.state().stats.figures();
        figures.into_iter().map(|(name, value)| StatsFigure { name, value }).collect()
    }

    /// Takes in the configuration: a value for each of `settingNames`, and what is wrong with it. Says what
    /// holds.
    #[napi(catch_unwind)]
    pub fn configure(
        &self,
        values: Vec<Unknown<'_>>,
        findings: settings::Findings,
    ) -> Result<settings::EffectiveSettings> {
        settings::configure(&self.shared, &values, findings)
    }

    /// How full the window is. Columns as [`Columns::read`] takes them.
    #[napi(catch_unwind)]
    pub fn window_use(
        &self,
        rows: Float64ArraySlice<'_>,
        reports: Float64ArraySlice<'_>,
        fixed_tokens: f64,
    ) -> WindowUse {
        let columns = Columns::read(&rows, &reports);
        let mut state = self.shared.state();
        let usage = used(&columns.rows, fixed_tokens, state.settings.max_context_tokens);
        if let Some(reported) = usage.doubted_tokens
            && !std::mem::replace(&mut state.has_doubted_usage, true)
        {
            self.shared.journal.keep(|| events::usage_doubted(reported, usage.estimate));
        }
        WindowUse {
            tokens: usage.tokens,
            source: usage.source.name(),
            is_over_threshold: usage.tokens >= state.settings.threshold_tokens(),
            is_over_limit: usage.tokens > state.settings.hard_limit_tokens(),
        }
    }

    /// What to summarise. `last_try`: whether the last try at this conversation gained, and the messages and
    /// tokens that came since; or empty. By hand (`forced`) nothing but the boundaries can be in the way.
    #[napi(
        catch_unwind,
        ts_args_type = "texts: string[], numbers: Float64Array, rows: Float64Array, reports: Float64Array, fixedTokens: number, now: number, lastTry: number[], forced: boolean"
    )]
    #[allow(clippy::too_many_arguments)] // one crossing of the boundary; the face has them as one object
    pub fn plan_summary(
        &self,
        texts: Unknown<'_>,
        numbers: Float64ArraySlice<'_>,
        rows: Float64ArraySlice<'_>,
        reports: Float64ArraySlice<'_>,
        fixed_tokens: f64,
        now: f64,
        last_try: Vec<f64>,
        forced: bool,
    ) -> SummaryPlan {
        let messages = read_messages(&texts, &numbers);
        let columns = Columns::read(&rows, &reports);
        let last = match *last_try {
            [gained, new_messages, new_tokens] => {
                Some(LastTry { gained: gained != 0.0, new_messages, new_tokens })
            }
            _ => None,
        };
        let mut state = self.shared.state();
        let usage = used(&columns.rows, fixed_tokens, state.settings.max_context_tokens);
        let keep = (state.settings.keep_recent, state.settings.max_context_tokens);
        let wish = Attempt { last, now_ms: now, forced };
        let planned = attempt(&messages, (&columns.rows, &usage), keep, &mut state.breaker, wish);
        match planned {
            Ok(plan) => SummaryPlan {
                skipped: None,
                start: number(plan.range.start),
                end: number(plan.range.end),
                pinned: plan.pinned.iter().map(|&index| number(index)).collect(),
                carried: plan.carried.iter().map(|&index| number(index)).collect(),
                holds_request: plan.holds_request,
                level: plan.level,
                id: compression_id(messages.get(plan.range.clone()).unwrap_or_default(), now),
                first_request: recorded_request(messages.get(plan.range.clone()).unwrap_or_default()),
                replaced_tokens: replaced_tokens(&usage, &columns.rows, plan.range),
            },
            Err(reason) => {
                state.stats.skipped(reason);
                self.shared.journal.keep(|| events::skipped(reason));
                SummaryPlan {
                    skipped: Some(reason),
                    start: 0,
                    end: 0,
                    pinned: Vec::new(),
                    carried: Vec::new(),
                    holds_request: false,
                    level: 0,
                    id: String::new(),
                    replaced_tokens: 0.0,
                    first_request: None,
                }
            }
        }
    }

    /// What to cut so that at most `limit_tokens` are left.
    #[napi(
        catch_unwind,
        ts_args_type = "texts: string[], numbers: Float64Array, onRecord: OnRecord, fixedTokens: number, limitTokens: number, now: number"
    )]
    pub fn plan_cut(
        &self,
        texts: Unknown<'_>,
        numbers: Float64ArraySlice<'_>,
        on_record: OnRecord,
        fixed_tokens: f64,
        limit_tokens: f64,
        now: f64,
    ) -> HardLimitCut {
        let messages = read_messages(&texts, &numbers);
        hard_limit::plan_cut(
            &self.shared,
            &messages,
            on_record,
            CutBudget { fixed_tokens, limit_tokens, now },
        )
    }
}

/// The fields of a message that a provider may see (SPEC R7.8).
#[napi(catch_unwind)]
pub fn request_field_names() -> Vec<&'static str> {
    api_fields::REQUEST_FIELDS.to_vec()
}

/// Where a message keeps a provider's report, and what the answer took in it, a dot before a nested name.
#[napi(object, object_from_js = false)]
pub struct ReportNames {
    pub fields: Vec<&'static str>,
    pub completion: Vec<&'static str>,
}

/// See [`ReportNames`].
#[napi(catch_unwind)]
pub fn report_names() -> ReportNames {
    ReportNames { fields: REPORT_FIELDS.to_vec(), completion: COMPLETION_FIELDS.to_vec() }
}

/// The fields that a compression makes untrue (SPEC R7.7).
#[napi(catch_unwind)]
pub fn usage_statistics_names() -> Vec<&'static str> {
    api_fields::USAGE_FIELDS.to_vec()
}
