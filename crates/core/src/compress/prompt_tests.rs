use super::*;
use crate::compress::acceptance::missing_sections;

fn said(role: Role, text: &str) -> Message {
    Message { role, text: text.to_owned(), ..Message::default() }
}

#[test]
fn edge_18_values_are_inserted_literally() {
    let slots = [("history", "$& $1 {previous} \\0"), ("previous", "{history}")];
    assert_eq!(
        fill("a {history} b {previous} {other} {", &slots),
        "a $& $1 {previous} \\0 b {history} {other} {"
    );
    assert_eq!(fill("{{history}}", &slots[..1]), "{$& $1 {previous} \\0}");
    assert_eq!(fill("", &slots), "");
    assert_eq!(uses_of("{history} {history", "history"), 1);
}

#[test]
fn r7_6_the_default_prompts_ask_for_what_is_then_looked_for() {
    for language in [Language::Chinese, Language::English] {
        let prompt = Prompt::default_for(language);
        let headings: Vec<&str> = prompt.user.lines().filter(|line| line.starts_with("## ")).collect();
        assert_eq!(headings.len(), 6);
        assert_eq!(missing_sections(&headings.join("\nnone\n"), &prompt.sections), Vec::<String>::new());
        for slot in ["history", "previous", "instructions", "max_tokens"] {
            assert_eq!(uses_of(&prompt.user, slot), 1, "{slot}");
        }
        for slot in ["summary", "missing", "history", "max_tokens"] {
            assert_eq!(uses_of(&prompt.repair, slot), 1, "{slot}");
        }
        assert_eq!(uses_of(&prompt.system, "boundary"), 1);
    }
}

#[test]
fn r7_5_a_prompt_of_the_hosts_own_is_not_held_to_our_headings() {
    let prompt = || Prompt::default_for(Language::English);
    let own = PromptChanges { user: Some("short: {history}".into()), ..PromptChanges::default() };
    assert!(prompt().changed(&own).sections.is_empty());
    assert_eq!(prompt().changed(&own).system, prompt().system);
    let repair = PromptChanges { repair: Some("again".into()), ..PromptChanges::default() };
    assert_eq!(prompt().changed(&repair).sections, prompt().sections);
    let sections = vec![Section { name: "x".into(), headings: vec!["x".into()] }];
    let both = PromptChanges { sections: Some(sections.clone()), ..own };
    assert_eq!(prompt().changed(&both).sections, sections);
}

#[test]
fn req_3_2_the_language_is_that_of_the_talk_not_of_the_tools() {
    let log = "error: cannot find value in this scope, did you mean something else? ".repeat(50);
    let chinese = [
        said(Role::User, "帮我修复 src/parser.rs 里的 bug，运行 cargo test 确认"),
        said(Role::Assistant, "好的，我先看一下 parser 的实现。"),
        Message { answers: vec!["c".into()], ..said(Role::Tool, &log) },
        Message { answers: vec!["c".into()], ..said(Role::User, &log) },
    ];
    assert_eq!(language_of(&chinese), Language::Chinese);
    let english = [
        said(Role::User, "Translate the label to 中文 please, keep the rest of the page as it is"),
        Message { answers: vec!["c".into()], ..said(Role::Tool, &"今天天气很好".repeat(500)) },
    ];
    assert_eq!(language_of(&english), Language::English);
    assert_eq!(
        language_of(&[said(Role::User, "テストを実行して、失敗したら直してください")]),
        Language::English
    );
    assert_eq!(language_of(&[]), Language::English);
    assert_eq!(language_of(&[said(Role::User, "12345 !!!")]), Language::English);
}
