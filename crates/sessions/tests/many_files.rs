//! Many files in parallel: order, memory of one session per thread, cancelling, and very large folders.

// Tests and examples may panic; the library may not.
#![allow(
    clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice,
    clippy::print_stderr
)]

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use palimpsest_sessions::{find_files, for_each_source, read_source};

const TWO: NonZeroUsize = NonZeroUsize::new(2).unwrap();

/// Stop writing after this time: on a slow file system fewer files are enough.
const LONGEST_WRITING: Duration = Duration::from_secs(15);

/// Returns the number of files written.
fn write_small_sessions(folder: &Path, count: usize) -> usize {
    let begun = Instant::now();
    for number in 0..count {
        if number % 1000 == 0 && begun.elapsed() > LONGEST_WRITING {
            eprintln!("{number} of {count} files could be written in {LONGEST_WRITING:?}");
            return number;
        }
        let text = format!(
            "{{\"messages\":[{{\"role\":\"user\",\"content\":\"{number}\"}},{{\"role\":\"assistant\",\"content\":\"x\"}}]}}"
        );
        let inner = folder.join(format!("{:03}", number / 1000));
        if number % 1000 == 0 {
            std::fs::create_dir_all(&inner).unwrap();
        }
        std::fs::write(inner.join(format!("s{number:06}.json")), text).unwrap();
    }
    count
}

fn read_all(count: usize) {
    let folder = tempfile::tempdir().unwrap();
    let count = write_small_sessions(folder.path(), count);
    let sources = find_files(&[folder.path().to_path_buf()]).sources;
    let numbers = for_each_source(&sources, TWO, &AtomicBool::new(false), |source| {
        let read = read_source(source).unwrap();
        assert_eq!(read[0].requests().count(), 1);
        source.path.file_stem().unwrap().to_str().unwrap()[1..].parse::<usize>().unwrap()
    });
    let expected: Vec<Option<usize>> = (0..count).map(Some).collect();
    assert_eq!(numbers, expected);
}

#[test]
fn two_thousand_small_files_are_read_in_the_order_of_their_names() {
    read_all(2_000);
}

#[test]
fn a_hundred_thousand_small_files_are_read_in_the_order_of_their_names() {
    read_all(100_000);
}

#[test]
fn no_file_is_begun_after_cancelling() {
    let folder = tempfile::tempdir().unwrap();
    write_small_sessions(folder.path(), 50);
    let sources = find_files(&[folder.path().to_path_buf()]).sources;
    let (cancelled, begun) = (AtomicBool::new(false), AtomicUsize::new(0));
    let results = for_each_source(&sources, TWO, &cancelled, |_| {
        if begun.fetch_add(1, Ordering::Relaxed) == 4 {
            cancelled.store(true, Ordering::Relaxed);
        }
    });
    let done = results.iter().flatten().count();
    assert!((5..=6).contains(&done), "{done}");
}

#[test]
fn an_unreadable_file_is_an_error_of_that_file_only() {
    let folder = tempfile::tempdir().unwrap();
    write_small_sessions(folder.path(), 2);
    std::fs::write(folder.path().join("000/broken.json"), "{\"x\": 1}").unwrap();
    let sources = find_files(&[folder.path().to_path_buf()]).sources;
    let codes = for_each_source(&sources, TWO, &AtomicBool::new(false), |source| {
        read_source(source).map(|read| read.len()).map_err(|error| error.code())
    });
    assert_eq!(codes, [Some(Err("ERR_SESSION_FORMAT")), Some(Ok(1)), Some(Ok(1))]);
}
