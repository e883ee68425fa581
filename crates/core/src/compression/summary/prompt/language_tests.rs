use proptest::prelude::*;

use super::*;
use crate::compression::conversations_for_tests::message_of;

const LOG: &str =
    "error: cannot find value `x` in this scope, did you mean something else?\n  at Object.run (/app/index.js:10)\n";

fn user(text: &str) -> ChatMessage {
    message_of(ChatRole::User, text)
}

#[test]
fn req_3_2_the_language_is_that_of_user_and_assistant_messages_rather_than_of_tool_results() {
    let log = LOG.repeat(50);
    let chinese = [
        user("帮我修复 src/parser.rs 里的 bug，运行 cargo test 确认"),
        message_of(ChatRole::Assistant, "好的，我先看一下 parser 的实现。"),
        ChatMessage { answers: vec!["c".into()], ..message_of(ChatRole::Tool, &log) },
        ChatMessage { answers: vec!["c".into()], ..user(&log) },
    ];
    assert_eq!(language_of(&chinese), Language::Chinese);
    let english = [
        user("Translate the label to 中文 please, keep the rest of the page as it is"),
        ChatMessage { answers: vec!["c".into()], ..message_of(ChatRole::Tool, &"今天天气很好".repeat(500)) },
    ];
    assert_eq!(language_of(&english), Language::English);
    assert_eq!(language_of(&[user("テストを実行して、失敗したら直してください")]), Language::English);
    assert_eq!(language_of(&[]), Language::English);
    assert_eq!(language_of(&[user("12345 !!!")]), Language::English);
}

#[test]
fn req_3_2_a_terse_chinese_session_with_one_pasted_english_log_is_chinese() {
    let log = LOG.repeat(200);
    for pasted in [format!("跑挂了\n{log}"), format!("{log}\n怎么回事？"), format!("```\n{log}```\n看看")] {
        assert_eq!(language_of(&[user(&pasted)]), Language::Chinese, "{pasted}");
    }
    let terse =
        [user("修一下"), message_of(ChatRole::Assistant, ""), user(&log), user("继续"), user("ok"), user("npm test")];
    assert_eq!(language_of(&terse), Language::Chinese);
    assert_eq!(language_of(&[user("修一下"), user(&log)]), Language::Chinese);
    // English text of the model doesn't make the user English.
    let answered =
        [user("好"), message_of(ChatRole::Assistant, &"I have now rewritten the parser. ".repeat(90)), user("再改")];
    assert_eq!(language_of(&answered), Language::Chinese);
}

#[test]
fn req_3_2_an_english_session_with_chinese_values_is_english() {
    let labels =
        "Put these labels into the i18n file:\n    title: 标题\n    save: 保存\n    cancel: 取消\nand run the tests";
    assert_eq!(language_of(&[user(labels)]), Language::English);
    let quoted = "Why does it print this? Find out please.\n```\n错误：端口 8080 已被占用，请更换端口\n```";
    assert_eq!(language_of(&[user(quoted)]), Language::English);
    let client = [
        user("<system-reminder>今天是星期一，请注意以下事项</system-reminder>"),
        user("Fix the parser and run all tests"),
    ];
    assert_eq!(language_of(&client), Language::English);
}

proptest! {
    #[test]
    fn req_3_2_no_amount_of_english_output_changes_the_language_of_a_chinese_user(
        requests in prop::collection::vec("[修改看测试运行继续提交]{2,12}", 1..6),
        logs in 0_usize..400,
        replies in 0_usize..40,
    ) {
        let mut messages: Vec<ChatMessage> = requests.iter().map(|text| user(text)).collect();
        messages.push(ChatMessage { answers: vec!["c".into()], ..message_of(ChatRole::Tool, &LOG.repeat(logs)) });
        messages.push(message_of(ChatRole::Assistant, &"Now I run the tests. ".repeat(replies)));
        messages.insert(1, user(&LOG.repeat(logs)));
        prop_assert_eq!(language_of(&messages), Language::Chinese);
    }
}
