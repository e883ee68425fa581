//! Prints figures of the sessions in each file: `cargo run --release -p palimpsest-sessions --example figures -- FILE…`.

// Tests and examples may panic; the library may not.
#![allow(clippy::indexing_slicing, clippy::print_stdout, clippy::cast_precision_loss)]

use std::path::Path;

use palimpsest_sessions::{Session, Thread, read_file};

fn main() {
    for path in std::env::args().skip(1) {
        match read_file(Path::new(&path)) {
            Err(error) => println!("{path}: {error}"),
            Ok(sessions) => sessions.iter().for_each(|session| print_session(&path, session)),
        }
    }
}

fn print_session(path: &str, session: &Session) {
    let Session { agent, id, project, messages, threads, totals, notes, .. } = session;
    println!("{path}: {} id={id:?} project={project:?} {} messages", agent.name(), messages.len());
    threads.iter().for_each(print_thread);
    for total in totals {
        println!("  total of {}: {} requests, prompt {}", total.model, total.requests, total.usage.total());
    }
    for (kind, count) in notes.iter() {
        println!("  {} x {}: {}", count.count, kind.meaning(), count.first[0]);
    }
}

fn print_thread(thread: &Thread) {
    let (count, usage) = thread.usage();
    println!(
        "  {:?}: {} requests, {count} with usage, prompt {}, read {:.1} %, written {} (5m {}, 1h {}), output {}, {} contexts, {} compactions",
        thread.kind,
        thread.requests.len(),
        usage.total(),
        100.0 * usage.cache_read as f64 / usage.total().max(1) as f64,
        usage.cache_write,
        usage.cache_write_5m,
        usage.cache_write_1h,
        usage.output,
        thread.contexts.len(),
        thread.compaction_count(),
    );
}
