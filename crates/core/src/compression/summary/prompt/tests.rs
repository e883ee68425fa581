use super::*;
use crate::compression::summary::acceptance::missing_sections;

#[test]
fn edge_18_values_are_inserted_literally() {
    let slots = [("history", "$& $1 {previous} \\0"), ("previous", "{history}")];
    assert_eq!(fill("a {history} b {previous} {other} {", &slots), "a $& $1 {previous} \\0 b {history} {other} {");
    assert_eq!(fill("{{history}}", &slots[..1]), "{$& $1 {previous} \\0}");
    assert_eq!(fill("", &slots), "");
    assert_eq!(slot_uses("{history} {history", "history"), 1);
}

#[test]
fn r7_6_the_default_prompts_request_the_sections_that_are_checked() {
    for language in [Language::Chinese, Language::English] {
        let prompt = SummaryPrompt::default_for(language);
        let headings: Vec<&str> = prompt.user.lines().filter(|line| line.starts_with("## ")).collect();
        assert_eq!(headings.len(), 7);
        assert_eq!(missing_sections(&headings.join("\nnone\n"), &prompt.sections), Vec::<String>::new());
        for slot in ["history", "previous", "instructions", "length", "max_length"] {
            assert_eq!(slot_uses(&prompt.user, slot), 1, "{slot}");
        }
        for slot in ["summary", "missing", "history", "max_length"] {
            assert_eq!(slot_uses(&prompt.repair, slot), 1, "{slot}");
        }
        assert_eq!(slot_uses(&prompt.system, "boundary"), 1);
    }
}

#[test]
fn r7_5_a_custom_prompt_needs_no_default_sections() {
    let prompt = || SummaryPrompt::default_for(Language::English);
    let custom = PromptChanges { user: Some("short: {history}".into()), ..PromptChanges::default() };
    assert!(prompt().with_changes(&custom).sections.is_empty());
    assert_eq!(prompt().with_changes(&custom).system, prompt().system);
    let repair = PromptChanges { repair: Some("again".into()), ..PromptChanges::default() };
    assert_eq!(prompt().with_changes(&repair).sections, prompt().sections);
    let sections = vec![Section { name: "x".into(), headings: vec!["x".into()] }];
    let both = PromptChanges { sections: Some(sections.clone()), ..custom };
    assert_eq!(prompt().with_changes(&both).sections, sections);
}

#[test]
fn req_3_2_a_length_is_requested_in_words_of_the_language() {
    assert_eq!(length_in_words(700.0, Language::English), "500 words (about 700 tokens)");
    assert_eq!(length_in_words(700.0, Language::Chinese), "840 字（约 700 个 token）");
    assert_eq!(length_in_words(1_399.0, Language::English), "990 words (about 1300 tokens)");
    assert_eq!(length_in_words(0.0, Language::English), "1 words (about 1 tokens)");
}
