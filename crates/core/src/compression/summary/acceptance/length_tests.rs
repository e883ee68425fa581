//! Summaries that were cut off by the model, or are above their limit.

use super::*;

#[test]
fn r7_6_a_summary_that_was_cut_off_is_kept_up_to_its_last_sentence() {
    let sections = sections_named_in(Language::English);
    let salvage = |text: &str| salvaged(&reply(text), &sections).map(|accepted| accepted.text);
    let kept = |text: &str, expected: &str| assert_eq!(salvage(text).as_deref(), Some(expected), "{text}");
    kept("## Goal\nfix it\n## Open\nThe tests. Then the do", "## Goal\nfix it\n## Open\nThe tests.");
    kept("## Goal\nfix it\n## Open\n- one\n- two of th", "## Goal\nfix it\n## Open\n- one");
    kept("## Goal\nfix it\n## Open\nthe do", "## Goal\nfix it");
    kept("## Goal\nfix it\n## Op", "## Goal\nfix it");
    kept("## 任务目标\n修复。\n## 待办\n测试。然后", "## 任务目标\n修复。\n## 待办\n测试。");
    kept("## Goal\nfix it.", "## Goal\nfix it.");
    kept("## Goal\nx\n```sh\nls\nnpm te", "## Goal\nx\n```sh\nls\n```");
    kept("<think>a</think>## Goal\nfix it. And", "## Goal\nfix it.");
    for nothing in ["", "<think>on and on", "## Goal\nfix the", "I'm sorry, but I can't. Beca", "Error: 500. And"] {
        assert_eq!(salvage(nothing), None, "{nothing}");
    }
}

#[test]
fn r7_6_a_summary_above_its_limit_is_shortened_in_its_long_sections_and_keeps_exact_values() {
    let sections = sections_named_in(Language::English);
    let model = crate::tokens::models::Model::named("gpt-4o");
    let chatter = "- and then this was looked at as well, for a while\n".repeat(80);
    let text = format!(
        "## Goal\nkeep port 8443\n## Done\n{chatter}- wrote `src/a.rs`\n{chatter}## Open\n- the docs\n- the release\n## Failed attempts\n{chatter}- tokio 1.54 hangs\n"
    );
    let short = shorten_summary(&text, &sections, 300.0, &model);
    for kept in ["keep port 8443", "- wrote `src/a.rs`", "- the docs\n- the release", "- tokio 1.54 hangs", "\n…"] {
        assert!(short.contains(kept), "{kept}: {short}");
    }
    assert!((270.0..=300.0).contains(&model.count(&short)), "{}", model.count(&short));
    let flat = "one long line without any end ".repeat(200);
    assert!(model.count(&shorten_summary(&flat, &sections, 100.0, &model)) <= 100.0);
}
