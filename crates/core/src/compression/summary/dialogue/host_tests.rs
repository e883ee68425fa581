//! Summaries with a text, a prompt or a length given by the application.

use super::*;

#[test]
fn r7_12_a_summary_given_by_the_agent_is_used_unchanged() {
    let given = |text: &str| Task { given_summary: Some(text.into()), ..task(short()) };
    let (requests, step) = drive(given("I cannot go on. Error: none. Port 8080."), vec![]);
    assert!(requests.is_empty());
    let summary = done(step);
    assert_eq!(summary_text_of(&summary.content), "I cannot go on. Error: none. Port 8080.");
    assert!(summary.content.contains("- fix the parser"));
    assert_eq!(drive(given(""), vec![]).1, SummaryStep::Rejected(Rejection::Empty));
    assert_eq!(drive(given(" \n"), vec![]).1, SummaryStep::Rejected(Rejection::Blank));
    assert_eq!(drive(given(&lines(5_000)), vec![]).1, SummaryStep::Rejected(Rejection::NotSmaller));
}

#[test]
fn r7_12_instructions_and_a_custom_prompt_are_inserted_literally() {
    let changes = PromptChanges {
        system: Some("be brief".into()),
        user: Some("Summarise.\n{history}".into()),
        ..PromptChanges::default()
    };
    let mut messages = short();
    messages.push(ChatMessage {
        created_as: Some(CreatedKind::Summary),
        ..message_of(ChatRole::User, "[压缩摘要]\nwhat was")
    });
    let custom = Task { prompt: changes, instructions: Some("keep {history} and $1".into()), ..task(messages) };
    let (requests, step) = drive(custom, vec![reply("It works; the port is 8080.")]);
    assert_eq!(requests[0].system, "be brief");
    assert!(requests[0].user.starts_with("Summarise.\n["));
    assert!(requests[0].user.contains("what was") && requests[0].user.ends_with("\n\nkeep {history} and $1"));
    assert!(done(step).content.contains("It works; the port is 8080."));
}

#[test]
fn req_3_2_a_summary_far_above_its_limit_is_shortened_in_its_longest_section() {
    let long = format!("{COMPLETE}\n{}", lines(600));
    let generous = Task { replaced_tokens: 50_000.0, ..task(short()) };
    let summary = done(drive(generous, vec![reply(&long)]).1);
    let text = summary_text_of(&summary.content);
    let tokens = Model::named("gpt-4o-mini").count(text);
    assert!((1_400.0..=1_500.0).contains(&tokens), "{tokens}");
    assert!(text.starts_with("## Goal\nx\n") && text.ends_with("of a long text\n…"));
    let english = SummaryPrompt::default_for(Language::English);
    assert_eq!(missing_sections(text, &english.sections), Vec::<String>::new());
}

#[test]
fn r7_5_an_answer_without_a_request_changes_nothing() {
    let mut dialogue = SummaryDialogue::new(task(short()));
    dialogue.answer(reply(COMPLETE));
    let step = dialogue.step().clone();
    dialogue.answer(SummaryAnswer::Failure(CallFailure::TimedOut));
    assert_eq!(*dialogue.step(), step);
}

#[test]
fn r7_1_a_limit_of_zero_tokens_leaves_a_summary_that_is_not_empty() {
    let mut without_room = task(short());
    without_room.settings.summary_max_tokens = 0.0;
    let summary = done(drive(without_room, vec![reply(COMPLETE)]).1);
    assert_eq!(summary_text_of(&summary.content), COMPLETE);
}
