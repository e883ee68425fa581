//! A context whose needs are to be found.

use std::collections::BTreeMap;

use palimpsest_core::tools::result_kind::ResultKind;

use super::super::counted_context::CountedContext;
use super::super::thread::CountedThread;
use crate::model::Request;

/// A context before policies are simulated on it.
pub(in super::super) struct NeedContext<'a> {
    pub thread: &'a CountedThread<'a>,
    /// Index among the thread's contexts.
    pub number: u32,
    /// By position in the context, the index of the row.
    pub order: &'a [usize],
    pub counted_context: &'a CountedContext,
    /// By position, the kind of each result.
    pub kinds: Vec<Option<ResultKind>>,
}

impl<'a> NeedContext<'a> {
    /// The context's requests, numbered from 1 in the thread.
    pub(super) fn requests(&self) -> impl Iterator<Item = (usize, &'a Request)> + use<'a> {
        let context = self.number;
        let all = (1..).zip(&self.thread.thread.requests);
        all.filter(move |(_, request)| request.context == context)
    }

    /// By position of a result that is sent with references, the results that it refers to.
    pub(super) fn refers(&self) -> BTreeMap<usize, Vec<usize>> {
        self.counted_context.referring.iter().map(|found| (found.position, found.results.clone())).collect()
    }
}
