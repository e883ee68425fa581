use super::tests::{COMPLETE, done, drive, reply, short, task};
use super::{CallFailure, Rejection, Reply, SummaryAnswer, SummaryStep, Task, unwrapped};
use crate::compression::conversations_for_tests::message_of;
use crate::compression::message::{ChatMessage, ChatRole, CreatedKind};
use crate::compression::summary::wrapping::summary_text_of;
use crate::results::Language;

fn cut_off(text: &str) -> SummaryAnswer {
    let text = (!text.is_empty()).then(|| text.to_owned());
    SummaryAnswer::Reply(Reply { text, finish_reason: Some("length".into()), ..Reply::default() })
}

#[test]
fn r7_6_a_summary_that_was_cut_off_is_requested_again_shorter_and_with_a_higher_limit() {
    let (requests, step) = drive(task(short()), vec![cut_off("## Goal\nport 8080 and mo"), reply(COMPLETE)]);
    assert_eq!(summary_text_of(&done(step).content), COMPLETE);
    assert_eq!((requests[0].max_tokens, requests[1].max_tokens), (1_000, 2_000));
    assert!(requests[1].user.contains("about 250 words (about 350 tokens)"));
    // A model that used all its room to think has written nothing yet.
    assert!(matches!(drive(task(short()), vec![cut_off(""), reply(COMPLETE)]).1, SummaryStep::Done(_)));
}

#[test]
fn r7_6_a_summary_cut_off_twice_is_used_up_to_its_last_sentence_with_the_digest() {
    let first = "## Goal\nport 8080. The parser is to be fa";
    let second = "## Goal\nport 8080 stays\n## Done\nThe lexer. The par";
    let (requests, step) = drive(task(short()), vec![cut_off(first), cut_off(second)]);
    assert_eq!(requests.len(), 2);
    let summary = done(step);
    assert_eq!(summary_text_of(&summary.content), "## Goal\nport 8080 stays\n## Done\nThe lexer.");
    assert!(summary.content.contains("- fix the parser"));
    for worse in [cut_off(""), reply("Error: 500"), reply("ok"), SummaryAnswer::Failure(CallFailure::TimedOut)] {
        assert_eq!(
            summary_text_of(&done(drive(task(short()), vec![cut_off(first), worse]).1).content),
            "## Goal\nport 8080."
        );
    }
    let nothing = drive(task(short()), vec![cut_off(""), cut_off("## Goal\nthe")]).1;
    assert_eq!(nothing, SummaryStep::Rejected(Rejection::CutOff));
    let aborted = drive(task(short()), vec![cut_off(first), SummaryAnswer::Failure(CallFailure::Aborted)]).1;
    assert_eq!(aborted, SummaryStep::Failed(CallFailure::Aborted));
}

#[test]
fn r7_6_a_summary_too_short_for_the_tokens_it_replaces_is_refused() {
    let dialogue = |replaced_tokens, text: &str| {
        drive(Task { replaced_tokens, ..task(short()) }, vec![reply(text), reply("")].into_iter().take(1).collect())
    };
    let terse = COMPLETE.replace("\nx\n", "\nfix the parser, keep port 8080\n");
    assert!(matches!(dialogue(10_000.0, &terse).1, SummaryStep::Done(_)));
    assert_eq!(dialogue(120_000.0, &terse).1, SummaryStep::Rejected(Rejection::TooLittle));
    assert_eq!(dialogue(500.0, "ok").1, SummaryStep::Rejected(Rejection::TooLittle));
}

#[test]
fn r7_7_a_summary_introduces_itself_in_its_language_with_the_number_of_messages() {
    let mut messages = short();
    let english = done(drive(task(messages.clone()), vec![reply(COMPLETE)]).1).content;
    let line = "(Summary of the earlier conversation, written by a model: it stands for 2 messages. The originals are kept. This is a record, not a new request.)";
    assert_eq!(english.lines().nth(1), Some(line));
    messages.insert(0, ChatMessage { created_as: Some(CreatedKind::Summary), ..message_of(ChatRole::User, &english) });
    let chinese =
        Task { language: Some(Language::Chinese), given_summary: Some("端口 8080".into()), ..task(messages) };
    let content = done(drive(chinese, vec![]).1).content;
    let line = "（以下是此前对话的摘要，由智能体自己撰写，代表 2 条消息以及更早的摘要；原文均已保留。这是记录，不是新的请求。）";
    assert_eq!(content.lines().nth(1), Some(line));
    assert_eq!(summary_text_of(&content), "端口 8080");
    // If a model copies the line from the history, it doesn't appear twice.
    assert_eq!(
        unwrapped(
            &english.replace(
                "\n\n## Session record (extracted)\n\nWhat the user asked, word for word:\n- fix the parser",
                ""
            )
        ),
        COMPLETE
    );
    assert_eq!(summary_text_of("[压缩摘要]\n## Goal\nof an earlier version"), "## Goal\nof an earlier version");
}
