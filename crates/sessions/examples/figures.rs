//! Prints figures of the sessions in each file: `cargo run --release -p palimpsest-sessions --example figures -- FILE…`.

// Tests and examples may panic; the library may not.
#![allow(
    clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice,
    clippy::print_stdout, clippy::cast_precision_loss
)]

use std::path::Path;

use palimpsest_sessions::{ThreadKind, read_file};

fn main() {
    for path in std::env::args().skip(1) {
        match read_file(Path::new(&path)) {
            Err(error) => println!("{path}: {error}"),
            Ok(sessions) => {
                for session in &sessions {
                    println!(
                        "{path}: {} id={:?} project={:?} {} messages",
                        session.agent.name(),
                        session.id,
                        session.project,
                        session.messages.len()
                    );
                    for thread in &session.threads {
                        let (count, usage) = thread.usage();
                        let kind = match thread.kind {
                            ThreadKind::Main => "main",
                            ThreadKind::Branch => "branch",
                            ThreadKind::SubAgent => "sub",
                        };
                        println!(
                            "  {kind}: {} requests, {count} with usage, prompt {}, read {:.1} %, written {} (5m {}, 1h {}), output {}, {} contexts, {} compactions",
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
                    for total in &session.totals {
                        println!(
                            "  total of {}: {} requests, prompt {}",
                            total.model,
                            total.requests,
                            total.usage.total()
                        );
                    }
                    for (kind, count) in session.notes.iter() {
                        println!("  {} x {}: {}", count.count, kind.meaning(), count.first[0]);
                    }
                }
            }
        }
    }
}
