//! Trajectories of benchmark agents: SWE-agent, mini-SWE-agent and Harbor.

use palimpsest_sessions::{Agent, Session, ThreadKind, read_sessions};
use serde_json::{Value, json};

use crate::{lines, sent, sent_by_main, text_of};

fn document(value: Value) -> Session {
    text_of(&format!("{value:#}"))
}

fn chat_call(id: &str) -> Value {
    json!({"index": 0, "id": id, "type": "function", "function": {"name": "bash", "arguments": "{}"}})
}

fn swe_run(history: Value) -> Value {
    let config = json!({"agent": {"model": {"name": "devstral-2"}}}).to_string();
    let stats = json!({"instance_cost": 0, "tokens_sent": 900, "tokens_received": 40, "api_calls": 3});
    let step = json!({"action": "ls", "observation": "a.rs", "response": "Look first.", "thought": "Look first.",
        "execution_time": 0.2, "state": {}, "query": [{"role": "user", "content": "fix it"}]});
    json!({"environment": "swe_main", "trajectory": [step], "history": history, "replay_config": config,
        "info": {"model_stats": stats, "exit_status": "submitted"}})
}

#[test]
fn swe_agent_requests_follow_the_history_and_usage_is_that_of_the_run() {
    let session = document(swe_run(json!([
        {"role": "system", "content": "be good", "agent": "main", "message_type": "system_prompt"},
        {"role": "user", "content": [{"type": "text", "text": "fix it"}], "is_demo": false},
        {"role": "assistant", "content": "Look first.", "action": "ls", "tool_calls": [chat_call("c1")],
            "thinking_blocks": [{"type": "thinking", "thinking": "hm", "signature": "s"}]},
        {"role": "tool", "content": [{"type": "text", "text": "a.rs"}], "tool_call_ids": ["c1"]},
        {"role": "assistant", "content": "Done."},
    ])));
    assert_eq!(session.agent, Agent::SweAgent);
    assert_eq!(sent_by_main(&session)[1], ["s:be good", "u:fix it", "a:(hm)+Look first.+bash#c1{}", "t:#c1=a.rs"]);
    let total = &session.totals[0];
    assert_eq!(
        (total.model.as_str(), total.requests, total.usage.total(), total.usage.output),
        ("devstral-2", 3, 900, 40)
    );
}

#[test]
fn swe_agent_a_result_without_an_id_answers_the_open_call() {
    let session = document(swe_run(json!([
        {"role": "user", "content": "fix it"},
        {"role": "assistant", "content": "", "tool_calls": [chat_call("c1"), chat_call("c2")]},
        {"role": "tool", "content": "one"},
        {"role": "tool", "content": "two"},
        {"role": "assistant", "content": "Done."},
    ])));
    assert_eq!(sent_by_main(&session)[1], ["u:fix it", "a:bash#c1{}+bash#c2{}", "t:#c1=one", "t:#c2=two"]);
}

#[test]
fn swe_agent_steps_are_read_if_there_is_no_history() {
    let session = document(swe_run(json!([])));
    assert_eq!(sent_by_main(&session), [["u:fix it"]]);
    assert_eq!(session.messages.len(), 3, "the user message, the assistant message and the result");
}

fn mini_answer(text: &str, call: Option<&str>, prompt: u64, at: f64) -> Value {
    let usage = json!({"prompt_tokens": prompt, "completion_tokens": 5, "total_tokens": prompt + 5,
        "prompt_tokens_details": {"cached_tokens": 320}});
    let calls: Vec<Value> = call.map(chat_call).into_iter().collect();
    json!({"role": "assistant", "content": text, "tool_calls": calls, "function_call": null, "provider_specific_fields": null,
        "extra": {"actions": [], "cost": 0.01, "timestamp": at,
            "response": {"model": "deepseek-chat", "usage": usage, "choices": [{"message": {"content": text}}]}}})
}

fn mini_messages() -> Value {
    json!([
        {"role": "system", "content": "be good"},
        {"role": "user", "content": "fix it"},
        mini_answer("Look first.", Some("c1"), 1_000, 1_775_795_869.5),
        {"role": "tool", "tool_call_id": "c1", "content": "<returncode>0</returncode>", "extra": {"raw_output": "", "returncode": 0}},
        mini_answer("Done.", None, 1_400, 1_775_795_879.5),
        {"role": "exit", "content": "", "extra": {"exit_status": "Submitted", "submission": "diff"}},
    ])
}

fn assert_mini_run(session: &Session) {
    assert_eq!(session.agent, Agent::MiniSweAgent);
    assert_eq!(
        sent_by_main(session)[1],
        ["s:be good", "u:fix it", "a:Look first.+bash#c1{}", "t:#c1=<returncode>0</returncode>"]
    );
    let (requests, usage) = session.threads[0].usage();
    assert_eq!((requests, usage.total(), usage.cache_read, usage.output), (2, 2_400, 640, 10));
    let request = &session.threads[0].requests[0];
    assert_eq!((request.at_ms, request.cost_usd), (Some(1_775_795_869_500), Some(0.01)));
    assert_eq!(request.model.as_deref(), Some("deepseek-chat"));
    assert_eq!(session.messages.len(), 5, "the exit record is not sent");
}

#[test]
fn mini_swe_agent_a_run_is_read_as_a_trajectory_as_messages_and_as_json_lines() {
    let run = json!({"info": {"mini_version": "2.2.7", "config": {"environment": {"cwd": "/testbed"}}},
        "messages": mini_messages(), "trajectory_format": "mini-swe-agent-1.1"});
    let session = document(run.clone());
    assert_mini_run(&session);
    assert_eq!((session.version.as_deref(), session.project.as_deref()), (Some("2.2.7"), Some("/testbed")));
    assert_mini_run(&document(mini_messages()));
    assert_mini_run(&lines(mini_messages().as_array().unwrap()));
    let several = read_sessions(json!([run.clone(), run]).to_string().as_bytes()).unwrap();
    assert_eq!(several.len(), 2);
    several.iter().for_each(assert_mini_run);
}

#[test]
fn mini_swe_agent_messages_may_be_whole_responses() {
    let output = json!([
        {"type": "reasoning", "id": "r", "summary": [{"type": "summary_text", "text": "hm"}]},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Look first."}]},
        {"type": "function_call", "call_id": "c1", "name": "bash", "arguments": "{}"},
    ]);
    let usage = json!({"input_tokens": 1_000, "output_tokens": 5, "input_tokens_details": {"cached_tokens": 600}});
    let session = document(json!([
        {"role": "user", "content": "fix it"},
        {"object": "response", "model": "gpt-5.4-mini", "output": output, "usage": usage,
            "extra": {"actions": [{"command": "ls"}], "cost": 0.02, "timestamp": 1_775_795_869.5}},
        {"type": "function_call_output", "call_id": "c1", "output": "a.rs", "extra": {"returncode": 0}},
    ]));
    assert_eq!(sent_by_main(&session), [["u:fix it"]]);
    let messages: Vec<String> = session.messages.iter().map(crate::short).collect();
    assert_eq!(messages[1..], ["a:(hm)+Look first.+bash#c1{}", "t:#c1=a.rs"]);
    assert_eq!(session.threads[0].usage().1.cache_read, 600);
}

fn harbor(steps: Value, more: Value) -> Value {
    let mut trajectory = json!({"schema_version": "ATIF-v1.6", "session_id": "run-1", "steps": steps,
        "agent": {"name": "terminus-2", "version": "2.0.0", "model_name": "kimi-k2.6"}});
    trajectory.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    trajectory
}

#[test]
fn harbor_each_step_of_the_agent_is_a_request_with_its_results() {
    let metrics = json!({"prompt_tokens": 1_000, "completion_tokens": 20, "cached_tokens": 700, "cost_usd": 0.003});
    let session = document(harbor(
        json!([
            {"step_id": 1, "source": "system", "message": "be good"},
            {"step_id": 2, "source": "user", "message": [{"type": "text", "text": "boot it"}]},
            {"step_id": 3, "timestamp": "2026-03-01T10:00:00Z", "source": "agent", "message": "I look.", "reasoning_content": "hm",
                "tool_calls": [{"tool_call_id": "c1", "function_name": "bash", "arguments": {"command": "ls"}}],
                "observation": {"results": [{"source_call_id": "c1", "content": "a.rs"}, {"content": "still running"}]},
                "metrics": metrics},
            {"step_id": 4, "source": "agent", "message": "Done.", "model_name": "glm-5.2", "metrics": metrics},
        ]),
        json!({"final_metrics": {"total_prompt_tokens": 2_000, "total_completion_tokens": 40}}),
    ));
    assert_eq!((session.agent, session.id.as_deref()), (Agent::Harbor, Some("run-1")));
    assert_eq!(session.version.as_deref(), Some("terminus-2 2.0.0"));
    assert_eq!(
        sent_by_main(&session)[1],
        ["s:be good", "u:boot it", "a:(hm)+I look.+bash#c1{\"command\":\"ls\"}", "t:#c1=a.rs", "u:still running"]
    );
    let (requests, usage) = session.threads[0].usage();
    assert_eq!((requests, usage.uncached, usage.cache_read, usage.output), (2, 600, 1_400, 40));
    let models: Vec<_> = session.requests().map(|request| request.model.as_deref().unwrap()).collect();
    assert_eq!(models, ["kimi-k2.6", "glm-5.2"]);
    assert_eq!(session.requests().next().unwrap().cost_usd, Some(0.003));
    assert!(session.totals.is_empty(), "steps have their own usage");
}

#[test]
fn harbor_copied_steps_and_steps_without_a_model_call_are_not_billed() {
    let session = document(harbor(
        json!([
            {"step_id": 1, "source": "user", "message": "go", "is_copied_context": true},
            {"step_id": 2, "source": "agent", "message": "earlier", "is_copied_context": true},
            {"step_id": 3, "source": "agent", "message": "by rule", "llm_call_count": 0},
            {"step_id": 4, "source": "agent", "message": "now", "llm_call_count": 1},
        ]),
        json!({"final_metrics": {"total_prompt_tokens": 100, "total_completion_tokens": 5, "total_cached_tokens": 40, "total_cost_usd": 0.5}}),
    ));
    assert_eq!(sent_by_main(&session), [["u:go", "a:earlier", "a:by rule"]]);
    let total = &session.totals[0];
    assert_eq!((total.requests, total.usage.uncached, total.usage.cache_read), (1, 60, 40));
    assert_eq!(total.cost_usd, Some(0.5));
}

#[test]
fn harbor_nested_trajectories_are_sub_agent_threads() {
    let inner = harbor(
        json!([{"step_id": 1, "source": "user", "message": "sub"}, {"step_id": 2, "source": "agent", "message": "well"}]),
        json!({}),
    );
    let session = document(harbor(
        json!([{"step_id": 1, "source": "user", "message": "go"}, {"step_id": 2, "source": "agent", "message": "done"}]),
        json!({"subagent_trajectories": [inner]}),
    ));
    let thread = &session.threads[1];
    assert_eq!(
        (thread.kind, sent(&session, thread, &thread.requests[0])),
        (ThreadKind::SubAgent, vec!["u:sub".to_owned()])
    );
}

#[test]
fn harbor_cache_writes_of_anthropic_are_a_part_of_the_prompt() {
    let metrics = json!({"prompt_tokens": 1_000, "completion_tokens": 1, "cached_tokens": 700,
        "extra": {"cache_creation_input_tokens": 250}});
    let session =
        document(harbor(json!([{"step_id": 1, "source": "agent", "message": "x", "metrics": metrics}]), json!({})));
    let usage = session.threads[0].usage().1;
    assert_eq!((usage.uncached, usage.cache_read, usage.cache_write), (50, 700, 250));
}
