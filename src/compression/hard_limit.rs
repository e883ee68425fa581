//! Cutting at the hard limit: the core's answer in numbers that the face can apply.

use napi_derive::napi;
use palimpsest_core::compress::events;
use palimpsest_core::compress::hard_limit::{Cut, Dropped, cut, notice};
use palimpsest_core::compress::identity::compression_id;
use palimpsest_core::compress::message::Message;
use palimpsest_core::compress::prompt::language_of;
use palimpsest_core::compress::turns::{first_request, recorded_request};

use super::Shared;
use super::columns::{count, number};

/// What the words around the quotation take at most.
const NOTICE_TOKENS: f64 = 110.0;

/// What is to be cut at the hard limit.
#[napi(object, object_from_js = false)]
#[derive(Default)]
pub struct HardLimitCut {
    /// Nothing helps: the system prompt alone is too large.
    pub cannot_fit: bool,
    /// Starts and ends of what goes, in turns.
    pub dropped: Vec<u32>,
    /// Where the notice goes; absent when nothing is dropped.
    pub notice_at: Option<u32>,
    /// The notice's content.
    pub notice: String,
    /// Messages to shorten and how many tokens each may then have, in turns.
    pub shorten: Vec<f64>,
    /// The user's first request, as far as it is quoted.
    pub first_request: Option<String>,
    /// Messages and tokens that are gone, with those of the notices that go.
    pub dropped_count: u32,
    pub dropped_tokens: f64,
    /// The cut's name.
    pub id: String,
}

/// What earlier compressions have left on record.
#[napi(object, object_to_js = false)]
pub struct OnRecord {
    /// The user's first request, when it is no longer among the messages.
    pub first_request: Option<String>,
    /// For each notice: its message's index, and how many messages and tokens it stands for.
    pub notices: Vec<f64>,
}

/// What may be left, and what a request takes besides its messages.
#[derive(Clone, Copy)]
pub struct Budget {
    pub fixed_tokens: f64,
    pub limit_tokens: f64,
    pub now: f64,
}

/// What to cut, and the notice that says so.
pub fn plan_cut(shared: &Shared, messages: &[Message], on_record: OnRecord, budget: Budget) -> HardLimitCut {
    let (keep_recent, quote_tokens) = {
        let state = shared.state();
        (state.settings.keep_recent, state.settings.notice_quote_tokens())
    };
    let notice_tokens = NOTICE_TOKENS + quote_tokens + shared.model.message.message;
    let found = cut(messages, budget.fixed_tokens, budget.limit_tokens, keep_recent, notice_tokens);
    let id = compression_id(messages, budget.now);
    match found {
        Ok(found) => described(shared, messages, on_record, &found, count(quote_tokens), id),
        Err(problem) => {
            shared.journal.keep(|| events::cannot_fit(problem.system_tokens, problem.limit_tokens));
            HardLimitCut { cannot_fit: true, id, ..HardLimitCut::default() }
        }
    }
}

fn described(
    shared: &Shared,
    messages: &[Message],
    on_record: OnRecord,
    found: &Cut,
    quote_tokens: usize,
    id: String,
) -> HardLimitCut {
    let whole =
        || first_request(messages).and_then(|index| messages.get(index)).map(|message| &*message.text);
    let quoted = on_record.first_request.as_deref().or_else(whole);
    let (dropped_count, dropped_tokens) = gone(messages, &on_record.notices, found);
    let dropped = Dropped { messages: dropped_count, tokens: dropped_tokens, first_request: quoted };
    let language = shared.language.unwrap_or_else(|| language_of(messages));
    HardLimitCut {
        cannot_fit: false,
        notice_at: found.notice_at.map(number),
        notice: notice(dropped, language, &shared.model, quote_tokens),
        dropped: found.dropped.iter().flat_map(|range| [number(range.start), number(range.end)]).collect(),
        #[allow(clippy::cast_precision_loss)] // indices
        shorten: found
            .shorten
            .iter()
            .flat_map(|shorten| [shorten.index as f64, shorten.max_tokens])
            .collect(),
        first_request: on_record.first_request.or_else(|| recorded_request(messages)),
        dropped_count: number(dropped_count),
        dropped_tokens,
        id,
    }
}

/// How many messages and tokens are gone in all: a notice that goes stands for those it told of.
fn gone(messages: &[Message], notices: &[f64], found: &Cut) -> (usize, f64) {
    let mut total = (0, 0.0);
    for index in found.dropped.iter().cloned().flatten() {
        let told = notices.chunks_exact(3).find(|told| told.first().is_some_and(|&at| count(at) == index));
        let (messages, tokens) = match told {
            Some(&[_, messages, tokens]) => (count(messages), tokens),
            _ => (1, messages.get(index).map_or(0.0, |message| message.tokens)),
        };
        total = (total.0 + messages, total.1 + tokens);
    }
    total
}
