//! Conversations' states in the archive's file.

use napi::Env;
use napi::bindgen_prelude::{Object, Result};
use napi_derive::napi;
use palimpsest_archive::{Acquired, Committed, Lease, NewState};

use crate::archive::{JsArchive, run};
use crate::archive_values::ArchivedBatch;
use crate::runtime::Lane;

/// A conversation as it stands; without a snapshot it is a new one.
#[napi(object, object_from_js = false)]
pub struct AcquiredConversation {
    pub snapshot: Option<String>,
    pub deltas: Vec<String>,
    pub version: i64,
    pub fence: i64,
    pub now_ms: f64,
}

impl From<Acquired> for AcquiredConversation {
    fn from(Acquired { snapshot, deltas, version, fence, now_ms }: Acquired) -> Self {
        Self { snapshot, deltas, version, fence, now_ms }
    }
}

/// The next version of a conversation.
#[napi(object, object_to_js = false)]
pub struct ConversationCommit {
    pub fence: i64,
    pub version: i64,
    pub text: String,
    /// Whether `text` is all of the state, and no delta.
    pub is_whole: bool,
    pub batches: Vec<ArchivedBatch>,
}

/// The answer to a commit.
#[napi(object, object_from_js = false)]
pub struct CommittedConversation {
    pub version: i64,
    pub now_ms: f64,
}

impl From<Committed> for CommittedConversation {
    fn from(Committed { version, now_ms }: Committed) -> Self {
        Self { version, now_ms }
    }
}

#[napi]
impl JsArchive {
    /// Reads a conversation, and takes it for `lease_ms` where an owner is named; null while somebody else has it.
    #[napi(catch_unwind, ts_return_type = "Promise<AcquiredConversation | null | ArchiveFailure>")]
    pub fn acquire<'e>(
        &self,
        env: &'e Env,
        id: String,
        owner: Option<String>,
        lease_ms: f64,
    ) -> Result<Object<'e>> {
        let place = if owner.is_some() { (&self.writer, Lane::Write) } else { (&self.reader, Lane::Read) };
        run(env, place, &self.journal, move |archive| {
            let lease = owner.as_deref().map(|owner| Lease { owner, ms: lease_ms });
            Ok(archive.acquire(&id, lease)?.map(AcquiredConversation::from))
        })
    }

    /// Writes the next version of a conversation, and its batches.
    #[napi(catch_unwind, ts_return_type = "Promise<CommittedConversation | ArchiveFailure>")]
    pub fn commit<'e>(&self, env: &'e Env, id: String, commit: ConversationCommit) -> Result<Object<'e>> {
        let ConversationCommit { fence, version, text, is_whole, mut batches } = commit;
        let read = |batch: &mut ArchivedBatch| Ok((batch.known_kind()?, batch.take_messages()));
        let messages = batches.iter_mut().map(read).collect::<Result<Vec<_>>>()?;
        run(env, (&self.writer, Lane::Write), &self.journal, move |archive| {
            let whole = batches.iter().zip(&messages);
            let batches: Vec<_> =
                whole.map(|(batch, (kind, messages))| batch.with(*kind, messages)).collect();
            let new = NewState { fence, version, text: &text, is_whole, batches: &batches };
            archive.commit(&id, &new).map(CommittedConversation::from)
        })
    }

    /// Ends the lease of that fence.
    #[napi(catch_unwind, ts_return_type = "Promise<null | ArchiveFailure>")]
    pub fn release<'e>(&self, env: &'e Env, id: String, fence: i64) -> Result<Object<'e>> {
        run(env, (&self.writer, Lane::Write), &self.journal, move |archive| {
            archive.release(&id, fence).map(|()| None::<bool>)
        })
    }
}
