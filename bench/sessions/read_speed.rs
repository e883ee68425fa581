//! Measures how fast Claude Code sessions are read: `cargo run --release -p palimpsest-sessions --example read_speed -- FOLDER [MB] [THREADS]`.
//!
//! Copies the sessions under FOLDER to a temporary folder of about MB (2,000) megabytes, reads it three times, and
//! prints megabytes per second and the peak resident memory.

// Tests and examples may panic; the library may not.
#![allow(clippy::expect_used, clippy::print_stdout, clippy::cast_precision_loss)]

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use palimpsest_sessions::{Session, Source, find_files, for_each_source, read_source};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().expect("a folder with sessions"));
    let megabytes: u64 = arguments.next().map_or(2_000, |text| text.parse().expect("a number of megabytes"));
    let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let threads = arguments.next().map_or_else(cores, |text| text.parse().expect("a number of threads"));
    let target = std::env::temp_dir().join(format!("palimpsest-read-speed-{megabytes}"));
    let sources = copies(&folder, &target, megabytes * 1_000_000);
    let read_megabytes = sources.iter().map(|source| source.bytes).sum::<u64>() as f64 / 1e6;
    for _ in 0..3 {
        let begin = Instant::now();
        let figures = for_each_source(&sources, threads, &AtomicBool::new(false), |source| {
            let sessions = read_source(source).expect("sessions that can be read");
            let requests = || sessions.iter().flat_map(Session::requests);
            let prompt: u64 = requests().filter_map(|request| request.usage).map(|usage| usage.total()).sum();
            (requests().count(), prompt)
        });
        let seconds = begin.elapsed().as_secs_f64();
        let requests: usize = figures.iter().flatten().map(|(requests, _)| requests).sum();
        let prompt: u64 = figures.iter().flatten().map(|(_, prompt)| prompt).sum();
        println!(
            "{} files, {read_megabytes:.0} MB, {requests} requests, {prompt} prompt tokens: {seconds:.2} s, {:.0} MB/s on {threads} threads, peak memory {}",
            sources.len(),
            read_megabytes / seconds,
            peak_memory(),
        );
    }
}

fn copies(folder: &Path, target: &Path, wanted: u64) -> Vec<Source> {
    let originals = find_files(&[folder.to_path_buf()]).sources;
    assert!(!originals.is_empty(), "no sessions under {}", folder.display());
    std::fs::create_dir_all(target).expect("a folder for copies");
    let (mut bytes, mut round) = (0, 0);
    while bytes < wanted {
        for original in &originals {
            let name = original.path.file_name().expect("a name").to_string_lossy();
            let copy = target.join(format!("{round}-{name}"));
            if !copy.exists() {
                std::fs::copy(&original.path, &copy).expect("a copy");
            }
            bytes += original.bytes;
        }
        round += 1;
    }
    find_files(&[target.to_path_buf()]).sources
}

fn peak_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or_else(|| "unknown".to_owned(), |line| line.trim().to_owned())
}
