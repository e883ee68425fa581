//! The number columns with which the JavaScript side sends changes to the core, read by the binding's own readers: they
//! are rejected, or decided on.
#![no_main]

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use palimpsest_core::cache::fold::{ConversationHead, Fold, FoldOptions};
use palimpsest_core::cache::prices::Prices;
use palimpsest_core::cleanup::rules::presets;
use palimpsest_core::cleanup::{Cleanup, Orphans, Policy, Purpose};
use palimpsest_core::conversation::RowTexts;
use palimpsest_core::results::Language;
use palimpsest_core::text::paths::ProjectRoot;
use palimpsest_fuzz_targets::Numbers;

#[allow(dead_code)]
#[path = "../../../../src/layouts.rs"]
mod layouts;
#[path = "../../../../src/wire.rs"]
mod wire;

/// No case needs longer conversations, and rules visit each row repeatedly.
const MAX_NUMBERS: usize = 2_000;

/// The same few texts for all rows.
struct Texts;

const TEXTS: [&str; 5] = [
    "",
    "{\"stdout\":\"a\\nb\\nc, and more of it than a placeholder has\",\"exitCode\":0}",
    "read /p/a.rs",
    "error: no such file",
    "x",
];
const ARGUMENTS: [&str; 4] =
    ["{\"path\":\"/p/a.rs\"}", "{\"command\":\"cat /p/a.rs\"}", "{", "{\"pattern\":\"x\"}"];

fn units(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}

impl RowTexts for Texts {
    fn content_head(&mut self, index: usize, limit: usize, read: &mut dyn FnMut(&[u16], usize)) {
        let text = units(TEXTS[index % TEXTS.len()]);
        read(&text[..limit.min(text.len())], text.len());
    }
    fn content_to_only(&mut self, _: usize, _: u16, _: usize, _: &mut dyn FnMut(&[u16])) {}
    fn content(&mut self, index: usize, read: &mut dyn FnMut(&[u16])) {
        read(&units(TEXTS[index % TEXTS.len()]));
    }
    fn arguments(&mut self, index: usize, read: &mut dyn FnMut(&[u16])) {
        read(&units(ARGUMENTS[index % ARGUMENTS.len()]));
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Some((&kind, rest)) = bytes.split_first() else { return };
    let calls = rest.split(|&byte| byte == 0xF7);
    let inboxes = calls.map(|call| Numbers::new(call).take(MAX_NUMBERS).collect::<Vec<f64>>());
    if kind % 2 == 0 { clean_up(kind, inboxes) } else { fold(inboxes) }
});

fn policy(kind: u8) -> Policy {
    let root = || ProjectRoot::new(&units("/p"), false).expect("an absolute path");
    let by_kind = |name: &str| presets::by_kind(name, None, root(), Language::English);
    let (purpose, orphans) = match kind >> 1 & 3 {
        0 => (Purpose::View, Orphans::Answer),
        1 => (Purpose::Prepare, Orphans::Remove),
        _ => (Purpose::DropIn, Orphans::Keep),
    };
    let rules = if purpose == Purpose::View {
        ["terminal", "fileReads", "textSearch", "edits", "otherTools"]
            .into_iter()
            .filter_map(by_kind)
            .collect()
    } else {
        let language = Language::Chinese;
        vec![
            presets::terminal(language),
            presets::file_reads(root(), language),
            presets::text_search(language),
        ]
    };
    Policy { purpose, orphans, rules, ..Policy::default() }
}

fn clean_up(kind: u8, inboxes: impl Iterator<Item = Vec<f64>>) {
    let mut cleanup = Cleanup::new(Arc::new(policy(kind)));
    for name in ["bash", "read", "grep", "edit", "mcp__x"] {
        cleanup.add_name(&units(name));
    }
    for inbox in inboxes {
        let Ok(update) = wire::read_update(&inbox, &mut cleanup) else { continue };
        let decided = cleanup.evaluate_requests(&mut Texts, update).clone();
        let rows = cleanup.conversation().len();
        assert!(decided.dropped.is_sorted() && decided.dropped.iter().all(|&row| row < rows));
        assert!(decided.edits.iter().all(|edit| (edit.row as usize) < rows));
        let mut short = [0.0; 9];
        let length = wire::write_evaluation(&decided, &mut short);
        let mut outbox = vec![f64::NAN; length + 1];
        assert_eq!(wire::write_evaluation(&decided, &mut outbox), length);
        assert_eq!(outbox[..short.len().min(length)].len(), short.len().min(length));
        assert!(outbox.last().is_some_and(|last| last.is_nan()), "no more is written than was said");
        for row in 0..rows.min(20) {
            let handle = cleanup.handle_of(row).to_string();
            let _ = cleanup.row_of(&handle);
        }
    }
}

fn fold(inboxes: impl Iterator<Item = Vec<f64>>) {
    let options = FoldOptions { uses_breakpoints: true, ..FoldOptions::new(Prices::USUAL) };
    let mut fold = Fold::new(options, ConversationHead::default());
    for inbox in inboxes {
        let Ok(removals) = wire::fold_requests(&inbox, &mut fold) else { continue };
        let mut short = vec![0.0; 64];
        let length = wire::write_removals(&removals, &mut short);
        assert!(length <= <layouts::FoldOutcome as layouts::FlatForm>::LENGTH + 2 * MAX_NUMBERS);
        let mut outbox = vec![f64::NAN; length + 1];
        assert_eq!(wire::write_removals(&removals, &mut outbox), length);
        assert!(outbox.last().is_some_and(|last| last.is_nan()), "no more is written than was said");
        let _ = (fold.breakpoints(), fold.ledger().to_json());
    }
}
