//! Reads recorded sessions and compares them with facts counted without this reader, and with invariants.
//!
//! The recordings are other people's work, so they are outside the repository. Without them these tests print a message
//! and pass locally; in CI they fail.

// Tests and examples may panic; the library may not.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stderr,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss
)]

mod account;
mod facts;
mod golden;
mod mutated;
mod need;
mod picture;
mod structure;
#[path = "../support/mod.rs"]
mod support;

use std::fs;
use std::path::{Path, PathBuf};

use palimpsest_sessions::{Session, find_files, read_file, read_source};

/// The folder of recordings; `None`, with a message, if it is missing.
fn recordings() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/recordings");
    if folder.is_dir() {
        return Some(folder);
    }
    assert!(std::env::var_os("CI").is_none(), "no recordings in {}: in CI they must be there", folder.display());
    eprintln!("skipped: no recordings in {}", folder.display());
    None
}

fn read(folder: &Path, name: &str) -> Session {
    let mut sessions = read_file(&folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(sessions.len(), 1, "{name}");
    sessions.remove(0)
}

/// The sessions of every recording, by path relative to the folder.
fn every_source(folder: &Path) -> Vec<(String, Vec<Session>)> {
    let mut out = Vec::new();
    for source in find_files(&[folder.to_path_buf()]).sources {
        let name = source.path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
        if let Ok(sessions) = read_source(&source) {
            out.push((name, sessions));
        }
    }
    out
}

/// Files that are not sessions: usage samples, and metadata of an OpenHands session.
const NO_SESSIONS: [&str; 2] =
    ["cline-sdk/cline-usage.json", "openhands/session-63b4315947a049e2b7a51249b3d4fcc3/metadata.json"];

#[test]
fn r12_1_every_recording_of_a_session_is_read() {
    let Some(folder) = recordings() else { return };
    for source in find_files(std::slice::from_ref(&folder)).sources {
        let name = source.path.strip_prefix(&folder).unwrap().to_string_lossy().into_owned();
        assert_eq!(read_source(&source).is_err(), NO_SESSIONS.contains(&name.as_str()), "{name}");
    }
}

#[test]
fn r12_1_the_agent_is_recognised_by_content_rather_than_by_file_name() {
    let Some(folder) = recordings() else { return };
    let copies = tempfile::tempdir().unwrap();
    for (name, sessions) in every_source(&folder) {
        let path = folder.join(&name);
        if !path.is_file() {
            continue;
        }
        let copy = copies.path().join("renamed.txt");
        fs::copy(&path, &copy).unwrap();
        let agents = |sessions: &[Session]| sessions.iter().map(|session| session.agent).collect::<Vec<_>>();
        assert_eq!(agents(&read_file(&copy).unwrap()), agents(&sessions), "{name}");
    }
}
