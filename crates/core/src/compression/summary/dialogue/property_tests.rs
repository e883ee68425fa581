use proptest::prelude::*;

use super::tests::{COMPLETE, reply, task};
use super::{SummaryDialogue, SummaryStep, Task};
use crate::compression::conversations_for_tests::{lines, message_of};
use crate::compression::message::{ChatMessage, ChatRole, CreatedKind, ToolCall};
use crate::compression::summary::exchange::{CallFailure, CallPurpose, Reply, SummaryAnswer};
use crate::compression::summary::wrapping::summary_text_of;
use crate::tokens::models::Model;

fn any_messages() -> impl Strategy<Value = Vec<ChatMessage>> {
    let text = prop_oneof![
        6 => "(\\PC|\n|你|😀|q[0-9a-f]{4} ){0,40}".boxed(),
        2 => (1_usize..200).prop_map(lines).boxed(),
        1 => (1_usize..2_000).prop_map(|length| "a9 /+我".repeat(length)).boxed(),
    ];
    let roles = prop::sample::select(vec![ChatRole::User, ChatRole::Assistant, ChatRole::Tool, ChatRole::Other]);
    let created_as =
        prop::sample::select(vec![None, None, None, None, Some(CreatedKind::Summary), Some(CreatedKind::Notice)]);
    let name = prop::sample::select(vec!["bash", "Read", "Edit", "TodoWrite", "?"]);
    let arguments = prop::sample::select(vec!["", "{", "[]", "{\"command\":\"ls\",\"path\":\"a\",\"todos\":[\"x\"]}"]);
    let message = (roles, text, created_as, name, arguments, any::<(bool, bool, bool)>());
    let message = message.prop_map(|(role, text, created_as, name, arguments, (calls, answers, failed))| ChatMessage {
        calls: if calls {
            vec![ToolCall { id: "c".into(), name: name.into(), arguments: arguments.into() }]
        } else {
            vec![]
        },
        answers: if answers { vec!["c".into()] } else { vec![] },
        created_as,
        failed,
        ..message_of(role, &text)
    });
    prop::collection::vec(message, 0..20)
}

fn any_answer() -> impl Strategy<Value = SummaryAnswer> {
    prop_oneof![
        4 => Just(reply(COMPLETE)),
        3 => "(## Goal\n)?(\\PC|\n|## Open|<think>|</think>|```|q[0-9a-f]{4}|你){0,30}".prop_map(|text| reply(&text)),
        1 => (0_usize..900).prop_map(|length| reply(&format!("## Goal\n{}", lines(length)))),
        1 => prop::sample::select(vec![Some(3_000.0), Some(0.0), Some(f64::NAN), Some(-1.0), None])
            .prop_map(|max_tokens| SummaryAnswer::Failure(CallFailure::TooLong { max_tokens })),
        1 => Just(SummaryAnswer::Failure(CallFailure::TimedOut)),
        2 => ("(## Goal\nport 8080\n|## Open\n|(\\PC){0,9}[.\n]){0,12}", any::<bool>()).prop_map(|(text, has_text)| {
            let finish_reason = Some("length".to_owned());
            SummaryAnswer::Reply(Reply { text: has_text.then_some(text), finish_reason, ..Reply::default() })
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn r7_5_every_request_fits_the_window_and_every_summary_is_smaller(
        messages in any_messages(),
        answers in prop::collection::vec(any_answer(), 1..6),
        window in 1_u32..20_000,
        replaced in 0_u32..3_000,
        max_tokens in 0_u32..3_000,
        instructions in prop::option::of("(\\PC|\\{history\\}|你){0,400}"),
        name in prop::sample::select(vec!["gpt-4o", "claude-opus-4-7", "deepseek-chat", "?"]),
    ) {
        let mut task = Task { replaced_tokens: f64::from(replaced), instructions, language: None, ..task(messages) };
        task.settings.summary_context_tokens = f64::from(window);
        task.settings.summary_max_tokens = f64::from(max_tokens);
        task.settings.summary_model = Some(name.into());
        let mut dialogue = SummaryDialogue::new(task);
        // One more for a repair, and one for a reply that was cut off.
        let (mut request_count, mut max_requests) = (0_u32, 2_u32);
        while let SummaryStep::Ask(request) = dialogue.step().clone() {
            request_count += 1;
            prop_assert!(request.prompt_tokens + f64::from(request.max_tokens) <= f64::from(window));
            let counted = Model::named(name).count(&request.user);
            prop_assert!(counted <= f64::from(window));
            if let CallPurpose::Summary { part: 1, parts } = request.purpose {
                max_requests += parts;
            }
            prop_assert!(request_count <= max_requests, "{request_count} > {max_requests}");
            let answer = answers[(request_count as usize - 1) % answers.len()].clone();
            dialogue.answer(answer);
        }
        if let SummaryStep::Done(summary) = dialogue.step() {
            prop_assert!(summary.tokens < f64::from(replaced));
            prop_assert!(!summary_text_of(&summary.content).is_empty());
        }
    }
}
