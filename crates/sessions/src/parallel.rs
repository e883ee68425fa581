//! Processes many sources in parallel, one per thread at a time, so memory doesn't grow with their number.

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use crate::source::Source;

/// Calls `each` with every source, on `threads` threads. Returns the results in the order of `sources`, `None` for
/// those not begun when `cancelled` became true.
///
/// Largest first, so that no thread is left with a large source at the end.
pub fn for_each_source<T: Send>(
    sources: &[Source],
    threads: NonZeroUsize,
    cancelled: &AtomicBool,
    each: impl Fn(&Source) -> T + Sync,
) -> Vec<Option<T>> {
    let mut order: Vec<usize> = (0..sources.len()).collect();
    order.sort_by_key(|index| std::cmp::Reverse(sources.get(*index).map_or(0, |source| source.bytes)));
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<Option<T>>> = Mutex::new(sources.iter().map(|_| None).collect());
    let work = || {
        while !cancelled.load(Ordering::Relaxed) {
            let job = next.fetch_add(1, Ordering::Relaxed);
            let Some(index) = order.get(job).copied() else { break };
            let Some(source) = sources.get(index) else { break };
            let result = each(source);
            if let Some(slot) =
                results.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get_mut(index)
            {
                *slot = Some(result);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.get().min(sources.len()) {
            scope.spawn(work);
        }
        work();
    });
    results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
}
