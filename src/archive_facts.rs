//! Conversations' facts in the archive's file.

use napi::Env;
use napi::bindgen_prelude::{Object, Result};
use napi_derive::napi;
use palimpsest_archive::StoredFact;

use crate::archive::{JsArchive, run};
use crate::archive_values::converted;
use crate::runtime::Lane;

/// A fact as stored in the file.
#[napi(object, object_from_js = false)]
pub struct ArchivedFact {
    pub fact: String,
    /// When it was written, ms since the epoch.
    pub at_ms: f64,
}

impl From<StoredFact> for ArchivedFact {
    fn from(StoredFact { fact, at_ms }: StoredFact) -> Self {
        Self { fact, at_ms }
    }
}

#[napi]
impl JsArchive {
    /// Adds all facts if exactly `from` exist, otherwise none, and returns every fact from `from` on.
    #[napi(catch_unwind, ts_return_type = "Promise<ArchivedFact[] | ArchiveFailure>")]
    pub fn append_facts<'e>(
        &self,
        env: &'e Env,
        id: String,
        from: i64,
        facts: Vec<String>,
    ) -> Result<Object<'e>> {
        run(env, (&self.writer, Lane::Write), &self.journal, move |archive| {
            archive.append_facts(&id, from, &facts).map(converted::<_, ArchivedFact>)
        })
    }

    /// The facts from `from` on, oldest first.
    #[napi(catch_unwind, ts_return_type = "Promise<ArchivedFact[] | ArchiveFailure>")]
    pub fn facts<'e>(&self, env: &'e Env, id: String, from: i64) -> Result<Object<'e>> {
        run(env, (&self.reader, Lane::Read), &self.journal, move |archive| {
            archive.facts(&id, from).map(converted::<_, ArchivedFact>)
        })
    }
}
