//! Compression of long conversations: passes columns and texts to the core's session, and returns its steps.
//!
//! The JavaScript side calls `configure` → `begin` → `read` → `summarise` → `proceed`; each returns the next step and
//! the log events.

mod asking;
mod columns;
mod settings;
mod step;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use napi::bindgen_prelude::{Float64ArraySlice, Function, Object, Promise, Result};
use napi::{Env, Unknown};
use napi_derive::napi;
use palimpsest_core::compression::session::attempt::Breakers;
use palimpsest_core::compression::session::manager::Manager;
use palimpsest_core::compression::session::settings::Settings;
use palimpsest_core::compression::session::step::{Step, StepProgress};
use palimpsest_core::compression::session::{CompressionSession, events};
use palimpsest_core::tokens::models::Model;
use tokio_util::sync::CancellationToken;

use crate::locked;
use crate::logging::{EventBuffer, LogEvent};
use crate::option_values::GivenOptions;
use crate::runtime::promise;
use asking::{SummaryCall, SummaryExchange, SummaryReply};
use columns::{read_history, read_messages};
use settings::{CallFacts, EffectiveSettings, Findings};
use step::{MessageRecord, SessionOutcome, SessionStep, SessionWish};

/// Compresses the conversations of one application; has a session for each compression that is running.
#[napi]
pub struct Compressor {
    shared: Arc<Shared>,
}

/// The circuit breakers of one client's summary models, shared by all its compressors.
#[napi]
#[derive(Default)]
pub struct SummaryBreakers {
    breakers: Breakers,
}

#[napi]
impl SummaryBreakers {
    #[napi(constructor, catch_unwind)]
    pub fn new() -> Self {
        Self::default()
    }
}

/// Shared by the event loop's thread and the one that calls the model.
struct Shared {
    manager: Arc<Manager>,
    events: EventBuffer,
    /// By the conversation's number.
    sessions: Mutex<HashMap<u32, RunningSession>>,
}

#[derive(Clone)]
struct RunningSession {
    session: Arc<Mutex<CompressionSession>>,
    cancelled: CancellationToken,
}

to_js! {
    StatsFigure from (name, value): (String, f64) {
        name: String = name,
        value: f64 = value,
    }
}

#[napi]
impl Compressor {
    /// `options`: `{model?, language?, prompt?}` as the user gave them.
    #[napi(constructor, catch_unwind)]
    pub fn new(env: Env, options: Unknown<'_>, breakers: &SummaryBreakers) -> Result<Self> {
        let options = GivenOptions::new(&env, options, "options")?;
        let model = Model::choose(options.string("model")?.as_deref(), None);
        let prompt = settings::read_prompt(&options.nested("prompt")?)?;
        let language = options.language("language")?;
        let manager = Arc::new(Manager::new(model, language, prompt, breakers.breakers.clone()));
        let shared = Shared { manager, events: EventBuffer::default(), sessions: Mutex::default() };
        Ok(Self { shared: Arc::new(shared) })
    }

    /// Takes a value for each of `settingNames`, and the findings about the configuration; `listening` is true if
    /// events are wanted.
    #[napi(catch_unwind)]
    pub fn configure(
        &self,
        values: Vec<Unknown<'_>>,
        findings: Findings,
        facts: CallFacts,
        listening: bool,
    ) -> Result<EffectiveSettings> {
        self.shared.events.listen(listening);
        let given = values.iter().map(settings::read_value).collect::<Result<Vec<_>>>()?;
        let Shared { manager, events, .. } = &*self.shared;
        let Settings { enabled, max_context_tokens, .. } =
            events.keep(|| manager.configure(&given, &findings.into(), &facts.into()));
        Ok(EffectiveSettings { enabled, max_context_tokens, events: events.take() })
    }

    /// Begins a session. Columns as [`read_history`] takes them.
    #[napi(catch_unwind)]
    pub fn begin(
        &self,
        conversation: Option<u32>,
        rows: Float64ArraySlice<'_>,
        reports: Float64ArraySlice<'_>,
        fixed_tokens: f64,
        wish: SessionWish,
    ) -> SessionStep {
        let counted = read_history(&rows, &reports, fixed_tokens);
        let Shared { manager, events, .. } = &*self.shared;
        let (session, step) = events.keep(|| CompressionSession::begin(manager, conversation, counted, wish.into()));
        let conversation = session.conversation;
        let session = Arc::new(Mutex::new(session));
        let running = RunningSession { session, cancelled: CancellationToken::new() };
        locked(&self.shared.sessions).insert(conversation, running);
        self.shared.to_js(conversation, Some(step))
    }

    #[napi(
        catch_unwind,
        ts_args_type = "conversation: number, texts: string[], numbers: Float64Array, records: MessageRecord[]"
    )]
    pub fn read(
        &self,
        conversation: u32,
        texts: Unknown<'_>,
        numbers: Float64ArraySlice<'_>,
        records: Vec<MessageRecord>,
    ) -> SessionStep {
        let messages = read_messages(&texts, &numbers);
        let records: Vec<_> = records.into_iter().map(Into::into).collect();
        self.shared.with_session(conversation, |session| session.read(messages, &records))
    }

    /// Requests the summary from the model; rejects only for a panic.
    #[napi(
        catch_unwind,
        ts_args_type = "conversation: number, ask: (call: SummaryCall) => Promise<SummaryReply>",
        ts_return_type = "Promise<SessionStep>"
    )]
    pub fn summarise<'e>(
        &self,
        env: &'e Env,
        conversation: u32,
        ask: Function<'_, SummaryCall, Promise<SummaryReply>>,
    ) -> Result<Object<'e>> {
        let ask = ask.build_threadsafe_function().weak::<true>().callee_handled::<false>().build()?;
        let events = self.shared.events.clone();
        let running = self.shared.running(conversation);
        let exchange =
            running.map(|RunningSession { session, cancelled }| SummaryExchange { session, cancelled, ask, events });
        let next_step = async move { Some(exchange?.run().await) };
        let shared = Arc::clone(&self.shared);
        promise(env, next_step, move |_, step| Ok(shared.to_js(conversation, step)))
    }

    /// `tokens`: token counts of the shortened messages.
    #[napi(catch_unwind)]
    pub fn shortened(&self, conversation: u32, tokens: Float64ArraySlice<'_>) -> SessionStep {
        self.shared.with_session(conversation, |session| session.shortened(&tokens))
    }

    /// `progress`: `applied` (about to be applied), `range_changed`, `aborted` or `unchanged`; the columns are those of
    /// the current history.
    #[napi(catch_unwind)]
    pub fn proceed(
        &self,
        conversation: u32,
        progress: String,
        rows: Float64ArraySlice<'_>,
        reports: Float64ArraySlice<'_>,
        fixed_tokens: f64,
    ) -> SessionStep {
        let counted = read_history(&rows, &reports, fixed_tokens);
        let progress = StepProgress::from_name(&progress).unwrap_or(StepProgress::Unchanged);
        self.shared.with_session(conversation, |session| session.proceed(progress, counted))
    }

    /// Cancels the call of the model, now or when it begins.
    #[napi(catch_unwind)]
    pub fn cancel(&self, conversation: u32) {
        if let Some(running) = self.shared.running(conversation) {
            running.cancelled.cancel();
        }
    }

    /// Computes how full the window is if compression is disabled; columns as [`Self::begin`] takes them.
    #[napi(catch_unwind)]
    pub fn weigh(
        &self,
        rows: Float64ArraySlice<'_>,
        reports: Float64ArraySlice<'_>,
        fixed_tokens: f64,
    ) -> SessionOutcome {
        let counted = read_history(&rows, &reports, fixed_tokens);
        self.shared.events.keep(|| self.shared.manager.weigh(&counted)).into()
    }

    /// Aborts a session after the JavaScript side failed.
    #[napi(catch_unwind)]
    pub fn abandon(&self, conversation: u32) {
        self.shared.manager.abandon(conversation);
        locked(&self.shared.sessions).remove(&conversation);
    }

    #[napi(catch_unwind)]
    pub fn failed(&self, code: String, problem: String, listening: bool) -> Vec<LogEvent> {
        self.shared.events.listen(listening);
        self.shared.events.keep(|| events::failed(&code, &problem));
        self.shared.events.take()
    }

    /// Null if the figure can't be a window.
    #[napi(catch_unwind, ts_return_type = "Array<LogEvent> | null")]
    pub fn learn_window(&self, model: String, tokens: f64, listening: bool) -> Option<Vec<LogEvent>> {
        self.shared.events.listen(listening);
        let is_learnt = self.shared.events.keep(|| self.shared.manager.learn(&model, tokens));
        is_learnt.then(|| self.shared.events.take())
    }

    #[napi(catch_unwind)]
    pub fn archive_failed(&self, code: String) -> Vec<LogEvent> {
        self.shared.events.keep(|| events::archive_failed(&code));
        self.shared.events.take()
    }

    #[napi(catch_unwind)]
    pub fn stats(&self) -> Vec<StatsFigure> {
        self.shared.manager.figures().into_iter().map(Into::into).collect()
    }
}

impl Shared {
    fn running(&self, conversation: u32) -> Option<RunningSession> {
        locked(&self.sessions).get(&conversation).cloned()
    }

    fn with_session(&self, conversation: u32, work: impl FnOnce(&mut CompressionSession) -> Step) -> SessionStep {
        let running = self.running(conversation);
        let step = running.map(|running| self.events.keep(|| work(&mut locked(&running.session))));
        self.to_js(conversation, step)
    }

    /// `step` is `None` if the session no longer exists.
    fn to_js(&self, conversation: u32, step: Option<Step>) -> SessionStep {
        let figures = self.running(conversation).and_then(|running| locked(&running.session).figures);
        if matches!(step, None | Some(Step::Done(_))) {
            locked(&self.sessions).remove(&conversation);
        }
        let step = step.map_or_else(|| SessionStep { wants: "done", ..SessionStep::default() }, Into::into);
        SessionStep { conversation, figures: figures.map(Into::into), events: self.events.take(), ..step }
    }
}
