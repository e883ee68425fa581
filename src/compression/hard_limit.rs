//! Cutting at the hard limit: the core's answer in numbers that the face can apply.

use napi_derive::napi;
use palimpsest_core::compression::digest::Digest;
use palimpsest_core::compression::events;
use palimpsest_core::compression::hard_limit::truncation::{self, Budget, Told, Truncation, truncation};
use palimpsest_core::compression::identity::compression_id;
use palimpsest_core::compression::message::Message;

use super::Shared;
use super::columns::{count, number};

/// What is to be cut at the hard limit.
#[napi(object, object_from_js = false)]
#[derive(Default)]
pub struct HardLimitCut {
    /// Nothing helps: what can't be cut is too large by itself.
    pub cannot_fit: bool,
    /// Starts and ends of what goes, in turns.
    pub dropped: Vec<u32>,
    /// Where the notice goes; absent when nothing is dropped.
    pub notice_at: Option<u32>,
    /// The notice's content.
    pub notice: String,
    /// Messages to shorten and how many tokens each may then have, in turns.
    pub shorten: Vec<f64>,
    /// The user's first request, for later notices.
    pub first_request: Option<String>,
    /// What was read, changed and asked for in all that is gone: JSON, to be stored with the notice.
    pub digest: String,
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
    /// The digest of the newest summary or notice.
    pub digest: Option<String>,
    /// For each notice: its message's index, and how many messages and tokens it stands for.
    pub notices: Vec<f64>,
}

/// What may be left, and what a request takes besides its messages.
#[derive(Clone, Copy)]
pub struct CutBudget {
    pub fixed_tokens: f64,
    pub limit_tokens: f64,
    pub now: f64,
}

/// What to cut, and the notice that says so.
pub fn plan_cut(
    shared: &Shared,
    messages: &[Message],
    on_record: OnRecord,
    given: CutBudget,
) -> HardLimitCut {
    let settings = shared.state().settings.clone();
    let budget = Budget {
        fixed_tokens: given.fixed_tokens,
        limit_tokens: given.limit_tokens,
        settings: &settings,
        model: &shared.model,
        language: shared.language,
    };
    let id = compression_id(messages, given.now);
    match truncation(messages, &read_record(on_record), budget) {
        Ok(found) => described(found, id),
        Err(problem) => {
            shared.journal.keep(|| events::cannot_fit(&problem));
            HardLimitCut { cannot_fit: true, id, ..HardLimitCut::default() }
        }
    }
}

fn read_record(on_record: OnRecord) -> truncation::OnRecord {
    let told = |told: &[f64]| match *told {
        [index, messages, tokens] => Some(Told { index: count(index), messages: count(messages), tokens }),
        _ => None,
    };
    truncation::OnRecord {
        first_request: on_record.first_request,
        digest: on_record.digest.as_deref().map(Digest::from_json),
        notices: on_record.notices.chunks_exact(3).filter_map(told).collect(),
    }
}

fn described(found: Truncation, id: String) -> HardLimitCut {
    let cut = found.cut;
    HardLimitCut {
        cannot_fit: false,
        notice_at: cut.notice_at.map(number),
        notice: found.notice,
        dropped: cut.dropped.iter().flat_map(|range| [number(range.start), number(range.end)]).collect(),
        #[allow(clippy::cast_precision_loss)] // indices
        shorten: cut.shorten.iter().flat_map(|shorten| [shorten.index as f64, shorten.max_tokens]).collect(),
        first_request: found.first_request,
        digest: found.digest.to_json(),
        dropped_count: number(found.dropped_messages),
        dropped_tokens: found.dropped_tokens,
        id,
    }
}
