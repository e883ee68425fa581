use super::*;

#[test]
fn r1_4_shell_names_are_compared_without_case() {
    for name in ["Bash", "terminal-execute", "LOCAL_SHELL", "run_in_terminal"] {
        assert!(terminal(Language::Chinese).covers_tool(&units(name)), "{name}");
    }
    for name in ["filesystem-read", "bash2", ""] {
        assert!(!terminal(Language::Chinese).covers_tool(&units(name)), "{name}");
    }
}

#[test]
fn r2_1_names_of_reading_tools_are_compared_exactly() {
    let rule = file_reads(ProjectRoot::new(&units("/"), false).unwrap(), Language::Chinese);
    assert!(rule.covers_tool(&units("filesystem-read")));
    assert!(!rule.covers_tool(&units("Filesystem-Read")));
}
