//! A context that is about to be played.

use palimpsest_core::tools::result_kind::ResultKind;

use super::super::thread::CountedThread;
use super::super::view_columns::ViewColumns;

/// A context about to be played.
pub(in super::super) struct NeedContext<'a> {
    pub thread: &'a CountedThread<'a>,
    pub context: u32,
    pub order: &'a [usize],
    pub lengths: &'a [usize],
    pub view: &'a ViewColumns,
    /// By position, the kind of each result.
    pub kinds: &'a [Option<ResultKind>],
}

impl<'a> NeedContext<'a> {
    /// The context's requests, numbered from 1 in the thread.
    pub(super) fn requests(&self) -> impl Iterator<Item = (usize, &'a crate::model::Request)> + use<'a> {
        let context = self.context;
        let all = (1..).zip(&self.thread.thread.requests);
        all.filter(move |(_, request)| request.context == context)
    }
}
