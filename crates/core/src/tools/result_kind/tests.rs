//! Tests of the kind of a result, with calls and commands as agents write them.

use proptest::prelude::*;

use super::*;

#[test]
fn r14_3_the_kind_of_a_command_is_that_of_the_program_whose_output_is_shown() {
    use ResultKind::{EditResult, ShellRead, ShellRun, ShellSearch};
    for (command, kind) in [
        ("cat src/a.ts", ShellRead),
        ("sed -n '1,80p' src/a.ts", ShellRead),
        ("sed -i 's/a/b/' src/a.ts", EditResult),
        ("cd /work && git diff HEAD~1 -- src", ShellRead),
        ("git -C /work --no-pager show 9f8f085", ShellRead),
        ("git log -p -2", ShellRead),
        ("git log --oneline", ShellRun),
        ("git status && git diff", ShellRead),
        ("git grep -n total", ShellSearch),
        ("git commit -m 'cat the diff; grep all'", ShellRun),
        ("rg -n 'cat ' src | head -20", ShellSearch),
        ("cargo test 2>&1 | tail -20", ShellRun),
        ("cargo test 2>&1 | grep -A3 FAILED | head", ShellRun),
        ("npm test > out.log 2>&1; tail -50 out.log", ShellRun),
        ("npm test > out.log 2>&1; tail -50 other.log", ShellRead),
        ("RUST_LOG=debug timeout 60 cargo run", ShellRun),
        ("sudo -n cat /etc/hosts", ShellRead),
        ("env -i PATH=/bin cat x", ShellRead),
        ("bash -lc 'cat src/a.ts'", ShellRead),
        ("bash -lc \"bash -c 'ls -la'\"", ShellSearch),
        ("bash build.sh", ShellRun),
        ("cat > a.txt <<'EOF'\ncat b\ngrep c\nEOF", EditResult),
        ("cat <<EOF > a.txt\nrg x\nEOF\ncargo build", ShellRun),
        ("python3 - <<'EOF'\nimport os\nprint('cat x | grep y')\nEOF", ShellRun),
        ("apply_patch <<'EOF'\n*** Begin Patch\n-cat x\n*** End Patch\nEOF", EditResult),
        ("ls -la && pwd", ShellSearch),
        ("find . -name '*.rs' | xargs cat", ShellRead),
        ("find . -name '*.rs' -exec head -5 {} ;", ShellRead),
        ("find . -name '*.tmp' -delete", ShellRun),
        ("cat dump.sql | psql -d x", ShellRun),
        ("echo 'cat file' && make", ShellRun),
        ("for f in *.rs; do head -3 \"$f\"; done", ShellRead),
        ("if [ -f x ]; then cat x; fi", ShellRead),
        ("# cat x\nmake", ShellRun),
        ("echo $(cat x)", ShellRun),
        ("cat x > /dev/null && make", ShellRun),
        ("/usr/bin/grep -rn a src || true", ShellSearch),
        ("rg -n total src 2>/dev/null", ShellSearch),
        ("cat a.ts 2>&1", ShellRead),
        ("Get-Content src\\a.ts", ShellRead),
        ("", ShellRun),
        ("cat 'unfinished", ShellRead),
    ] {
        assert_eq!(command::kind_of_command_line(command), kind, "{command}");
    }
}

#[test]
fn r14_3_the_kind_of_a_call_is_that_of_its_tool_or_of_the_command_it_runs() {
    for (tool, arguments, kind) in [
        ("Bash", r#"{"command":"cat a.ts"}"#, ResultKind::ShellRead),
        ("shell", r#"{"command":["bash","-lc","rg -n x | head"],"workdir":"/p"}"#, ResultKind::ShellSearch),
        ("shell", r#"{"command":["cat","a b.ts"]}"#, ResultKind::ShellRead),
        ("exec_command", r#"{"cmd":"make -j8"}"#, ResultKind::ShellRun),
        ("write_stdin", r#"{"session_id":1,"chars":"cat x\n"}"#, ResultKind::ShellRun),
        (
            "exec",
            "const r = await tools.exec_command({\"cmd\":\"sed -n '1,9p' a.rs\",\"workdir\":\"/p\"});\ntext(r);",
            ResultKind::ShellRead,
        ),
        (
            "exec",
            r#"{"input":"const r = await tools.exec_command({cmd:\"git diff -- a \\\"b\\\" | head\", workdir:\"/p\"})"}"#,
            ResultKind::ShellRead,
        ),
        ("exec", r#"{"input":"await tools.write_stdin({session_id:1,chars:\"\"})"}"#, ResultKind::ShellRun),
        ("exec", r#"{"input":"await tools.update_plan({plan:[]})"}"#, ResultKind::Other),
        ("exec", "await tools.exec_command({\"cmd\":\"make\"}); await tools.apply_patch(p);", ResultKind::ShellRun),
        ("Read", r#"{"file_path":"a.ts"}"#, ResultKind::FileRead),
        ("mcp__files__read_file", "{}", ResultKind::FileRead),
        ("Edit", "{}", ResultKind::EditResult),
        ("apply_patch", "*** Begin Patch", ResultKind::EditResult),
        ("Grep", "{}", ResultKind::Search),
        ("WebFetch", "{}", ResultKind::Web),
        ("google_web_search", "{}", ResultKind::Web),
        ("TodoWrite", "{}", ResultKind::Other),
        ("mcp__jira__get_issue", "{}", ResultKind::Other),
    ] {
        assert_eq!(result_kind_of(tool, arguments), kind, "{tool} {arguments}");
    }
}

proptest! {
    #[test]
    fn r14_3_any_command_line_can_be_classified(text in "(['\"`\\\\$();&|<>#\n ]|<<|EOF|cat|é| ){0,40}") {
        let kind = command::kind_of_command_line(&text);
        prop_assert_eq!(kind, command::kind_of_command_line(&text));
        let _ = result_kind_of("bash", &serde_json::json!({"command": text}).to_string());
    }

    #[test]
    fn r14_3_quoted_text_is_not_run(words in "[a-z;&|><() ]{0,30}") {
        prop_assert_eq!(command::kind_of_command_line(&format!("git commit -m '{words} cat x'")), ResultKind::ShellRun);
    }
}
