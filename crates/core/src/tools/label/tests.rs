use super::*;

#[test]
fn a_label_is_one_line_of_at_most_120_units() {
    assert_eq!(of_text("  two\n\n\twords \u{0007}"), "two words");
    assert_eq!(of_text(""), "");
    for text in ["a".repeat(500), "汉".repeat(500), "𝒳 ".repeat(500)] {
        let label = of_text(&text);
        assert!(label.encode_utf16().count() <= MAX_UNITS && label.ends_with('…'), "{label}");
    }
    assert_eq!(of_text(&"a".repeat(MAX_UNITS - 1)), "a".repeat(MAX_UNITS - 1));
}

#[test]
fn the_subject_of_a_call_is_its_file_or_its_command_without_secrets() {
    let command = |text: &str| subject_of("bash", &serde_json::json!({ "command": text }).to_string());
    assert_eq!(command("cd /app && cargo test -p core --lib 2>&1 | tail -5"), "cargo test -p core --lib");
    assert_eq!(command("API_KEY=sk-123 npm run deploy"), "npm run deploy");
    assert_eq!(command("curl -H 'Authorization: Bearer sk-123' https://a.b"), "curl -H …");
    assert_eq!(command("bash -lc 'sed -n 1,20p src/a.ts'"), "sed -n 1,20p src/a.ts");
    assert_eq!(command("login 0123456789abcdef0123456789abcdef"), "login …");
    assert_eq!(subject_of("exec_command", r#"{"cmd":["git","log","-3"]}"#), "git log -3");
    assert_eq!(subject_of("Read", r#"{"file_path":"src/a.ts","limit":3}"#), "src/a.ts");
    assert_eq!(subject_of("Grep", r#"{"pattern":"sk-123"}"#), "");
    assert_eq!(subject_of("ask_database", r#"{"sql":"select 1"}"#), "");
    assert_eq!(subject_of("apply_patch", "*** Begin Patch"), "");
    for path in ["d/".repeat(100) + "a.ts", "汉".repeat(200), "𝒳".repeat(200)] {
        let subject = subject_of("Read", &serde_json::json!({ "path": path }).to_string());
        assert!(subject.encode_utf16().count() <= MAX_SUBJECT_UNITS, "{subject}");
        assert!(subject.starts_with('…'), "{subject}");
    }
    for text in ["x ".repeat(300), "a/".repeat(300), String::new(), "汉 ".repeat(99)] {
        assert!(command(&text).encode_utf16().count() <= MAX_SUBJECT_UNITS, "{text}");
    }
}

#[test]
fn a_label_has_text_arguments_as_they_are_and_no_arguments_give_the_name_alone() {
    assert_eq!(of_call("apply_patch", "*** Begin Patch"), "apply_patch: *** Begin Patch");
    for arguments in ["{}", "", r#"{"n": 1}"#, r#"{"command": null}"#] {
        assert_eq!(of_call("wait", arguments), "wait", "{arguments}");
    }
    assert_eq!(of_call("x", r#"{"path": "a", "path": "b"}"#), "x: b", "named twice");
}
