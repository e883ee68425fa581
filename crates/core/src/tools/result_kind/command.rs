//! Decides which kind of result a command returns: that of the program whose output is shown, not of words elsewhere in it.

use super::kind::ResultKind;
use super::shell::{Pipeline, Simple, pipelines};

/// Maximum depth of shells within shells.
const DEEPEST: usize = 4;

const READS: [&str; 17] = [
    "cat", "head", "tail", "nl", "bat", "batcat", "less", "more", "tac", "xxd", "hexdump", "od", "strings",
    "awk", "get-content", "type", "sed",
];
const SEARCHES: [&str; 20] = [
    "rg", "grep", "egrep", "fgrep", "zgrep", "ag", "ack", "find", "fd", "fdfind", "ls", "tree", "locate",
    "wc", "du", "stat", "file", "dir", "select-string", "get-childitem",
];
/// Programs that, after a `|`, print their input or less of it.
const FILTERS: [&str; 17] = [
    "sort", "uniq", "cut", "tr", "tee", "column", "fold", "rev", "paste", "jq", "yq", "cat", "less", "more",
    "select-object", "out-string", "expand",
];
/// Programs whose output is not read later, whatever their arguments.
const SILENT: [&str; 19] = [
    "cd", "pushd", "popd", "export", "set", "unset", "source", ".", "true", ":", "echo", "printf", "sleep",
    "wait", "test", "[", "[[", "umask", "shopt",
];
/// Programs that run the command given after them.
const WRAPPERS: [&str; 12] = [
    "sudo", "doas", "env", "nice", "nohup", "time", "command", "exec", "stdbuf", "timeout", "builtin",
    "ionice",
];
const KEYWORDS: [&str; 11] = ["if", "then", "else", "elif", "while", "until", "do", "!", "{", "}", "time"];
/// First words that are not commands.
const HEADS: [&str; 8] = ["for", "case", "select", "function", "fi", "done", "esac", "in"];
const SHELLS: [&str; 6] = ["bash", "sh", "zsh", "dash", "ksh", "fish"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PrintedOutput {
    Nothing,
    /// Prints the input from the pipe.
    Input,
    Kind(ResultKind),
}

/// The kind of a line's result; if several programs print something, the kind that is needed longest.
pub(super) fn kind_of_text(text: &str) -> ResultKind {
    kind_of_pipelines(&pipelines(text), 0)
}

/// The kind of one program, given its words.
pub(super) fn kind_of_words(words: Vec<String>) -> ResultKind {
    kind_of_pipelines(&[vec![Simple { words, written: Vec::new() }]], 0)
}

/// Marks omitted words.
const OMITTED: &str = " …";

/// See [`super::head_of_command`].
pub(super) fn head_of(text: &str, most: usize, depth: usize) -> String {
    let all = pipelines(text);
    let shows = |simple: &&Simple| kind_of_simple(simple, false, depth) != PrintedOutput::Nothing;
    let Some(simple) = all.iter().flatten().find(shows).or(all.iter().flatten().next()) else {
        return String::new();
    };
    let words = without_prefixes(&simple.words);
    if let Some(script) = script_of(words).filter(|_| depth < DEEPEST) {
        return head_of(script, most, depth + 1);
    }
    let (mut head, mut units) = (String::new(), OMITTED.encode_utf16().count());
    for word in words {
        units += 1 + word.encode_utf16().count();
        if !is_plain(word) || units > most {
            return (head + OMITTED).trim_start().to_owned();
        }
        if !head.is_empty() {
            head.push(' ');
        }
        head.push_str(word);
    }
    head
}

/// Letters, digits and punctuation of paths and options; long runs are rejected, as they may be keys.
fn is_plain(word: &str) -> bool {
    const LONGEST: usize = 24;
    let is_part = |letter: char| letter.is_alphanumeric() || "._/+,-~*".contains(letter);
    word.chars().all(is_part) && word.split(['/', '.', '-', '_']).all(|part| part.chars().count() <= LONGEST)
}

/// The script given to a shell, `bash -lc '…'`.
fn script_of(words: &[String]) -> Option<&String> {
    let (program, arguments) = words.split_first()?;
    let program = program.rsplit('/').next().unwrap_or(program);
    SHELLS.contains(&program).then(|| text_for_shell(arguments)).flatten()
}

fn text_for_shell(arguments: &[String]) -> Option<&String> {
    let is_text = |word: &String| word.starts_with('-') && !word.starts_with("--") && word.ends_with('c');
    arguments.iter().position(is_text).and_then(|at| arguments.get(at + 1))
}

fn kind_of_pipelines(all: &[Pipeline], depth: usize) -> ResultKind {
    let mut kinds = Vec::new();
    let mut written: Vec<&str> = Vec::new();
    for pipeline in all {
        match kind_of_pipeline(pipeline, depth) {
            // A file that a run wrote and then printed is the run's output.
            PrintedOutput::Kind(ResultKind::ShellRead) if shows_only(pipeline, &written) => {
                kinds.push(ResultKind::ShellRun);
            }
            PrintedOutput::Kind(kind) => kinds.push(kind),
            PrintedOutput::Nothing | PrintedOutput::Input => {}
        }
        written.extend(pipeline.iter().flat_map(|simple| &simple.written).map(String::as_str));
    }
    longest_needed(&kinds).unwrap_or(ResultKind::ShellRun)
}

/// The kind whose results are needed longest.
pub(super) fn longest_needed(kinds: &[ResultKind]) -> Option<ResultKind> {
    let order = [
        ResultKind::FileRead,
        ResultKind::ShellRead,
        ResultKind::ShellSearch,
        ResultKind::Search,
        ResultKind::Web,
        ResultKind::ShellRun,
        ResultKind::EditResult,
        ResultKind::Other,
    ];
    order.into_iter().find(|kind| kinds.contains(kind))
}

fn shows_only(pipeline: &Pipeline, written: &[&str]) -> bool {
    let words = pipeline.first().map_or(&[][..], |simple| &simple.words);
    words.iter().skip(1).any(|word| written.contains(&word.as_str()))
}

fn kind_of_pipeline(pipeline: &Pipeline, depth: usize) -> PrintedOutput {
    let mut printed = PrintedOutput::Nothing;
    for (place, simple) in pipeline.iter().enumerate() {
        match kind_of_simple(simple, place > 0, depth) {
            PrintedOutput::Input if place > 0 => {}
            other => printed = other,
        }
    }
    printed
}

fn kind_of_simple(simple: &Simple, follows_pipe: bool, depth: usize) -> PrintedOutput {
    let words = without_prefixes(&simple.words);
    let Some((program, arguments)) = words.split_first() else { return PrintedOutput::Nothing };
    let program = program.rsplit(['/', '\\']).next().unwrap_or(program).to_ascii_lowercase();
    let program = program.strip_suffix(".exe").unwrap_or(&program);
    if HEADS.contains(&program) {
        return PrintedOutput::Nothing;
    }
    if SHELLS.contains(&program) {
        return PrintedOutput::Kind(kind_of_shell(arguments, depth));
    }
    let is_written = !simple.written.is_empty();
    if program == "xargs" {
        let inner: Vec<String> = arguments.iter().skip_while(|word| word.starts_with('-')).cloned().collect();
        return kind_of_simple(&Simple { words: inner, written: Vec::new() }, false, depth);
    }
    if is_written && ["cat", "echo", "printf", "tee"].contains(&program) || program == "tee" && !follows_pipe
    {
        return PrintedOutput::Kind(ResultKind::EditResult);
    }
    if SILENT.contains(&program) {
        return PrintedOutput::Nothing;
    }
    let kind = kind_of_program(program, arguments);
    let filters =
        FILTERS.contains(&program) || matches!(kind, ResultKind::ShellRead | ResultKind::ShellSearch);
    if follows_pipe && filters && program != "find" && program != "ls" {
        return PrintedOutput::Input;
    }
    if is_written && matches!(kind, ResultKind::ShellRead | ResultKind::ShellSearch) {
        PrintedOutput::Nothing
    } else {
        PrintedOutput::Kind(kind)
    }
}

fn kind_of_program(program: &str, arguments: &[String]) -> ResultKind {
    let has = |wanted: &str| arguments.iter().any(|word| word == wanted);
    match program {
        "git" => kind_of_git(arguments),
        "apply_patch" | "patch" | "applypatch" => ResultKind::EditResult,
        "sed" | "perl" if arguments.iter().any(|word| in_place(word)) => ResultKind::EditResult,
        "find" if has("-delete") => ResultKind::ShellRun,
        "find" => {
            let exec = arguments.iter().position(|word| word.starts_with("-exec"));
            let inner = exec.and_then(|at| arguments.get(at + 1..)?.split_first());
            inner.map_or(ResultKind::ShellSearch, |(program, rest)| kind_of_program(program, rest))
        }
        _ if READS.contains(&program) => ResultKind::ShellRead,
        _ if SEARCHES.contains(&program) => ResultKind::ShellSearch,
        _ => ResultKind::ShellRun,
    }
}

/// `-i`, `-i.bak`, `-pi`, `--in-place`.
fn in_place(word: &str) -> bool {
    word.starts_with("--in-place") || word.starts_with("-i") || word == "-pi" || word.starts_with("-pi.")
}

fn kind_of_git(arguments: &[String]) -> ResultKind {
    let takes_value = |word: &str| matches!(word, "-C" | "-c" | "--git-dir" | "--work-tree");
    let mut words = arguments.iter().map(String::as_str);
    let mut verb = words.next();
    while let Some(option) = verb.filter(|word| word.starts_with('-')) {
        if takes_value(option) {
            words.next();
        }
        verb = words.next();
    }
    match verb {
        Some("show" | "diff" | "blame" | "cat-file") => ResultKind::ShellRead,
        Some("log" | "stash") if words.any(|word| word == "-p" || word == "--patch" || word == "show") => {
            ResultKind::ShellRead
        }
        Some("grep" | "ls-files" | "ls-tree") => ResultKind::ShellSearch,
        Some("apply") => ResultKind::EditResult,
        _ => ResultKind::ShellRun,
    }
}

/// `bash -lc '…'` has the kind of its script; a script file is a run.
fn kind_of_shell(arguments: &[String], depth: usize) -> ResultKind {
    match text_for_shell(arguments).filter(|_| depth < DEEPEST) {
        Some(text) => kind_of_pipelines(&pipelines(text), depth + 1),
        None => ResultKind::ShellRun,
    }
}

/// A program's words without prefixes: keywords, `NAME=value`, `sudo`, `timeout 20`.
fn without_prefixes(words: &[String]) -> &[String] {
    let mut rest = words;
    while let Some((first, after)) = rest.split_first() {
        if KEYWORDS.contains(&first.as_str()) || is_assignment(first) {
            rest = after;
        } else if WRAPPERS.contains(&first.as_str()) {
            rest = after;
            while rest.first().is_some_and(|word| is_wrappers(word)) {
                rest = rest.get(1..).unwrap_or_default();
            }
        } else {
            break;
        }
    }
    rest
}

fn is_assignment(word: &str) -> bool {
    let Some((name, _)) = word.split_once('=') else { return false };
    let begins = name.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_');
    begins && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

/// An option, a number or a duration, none of which is a program's name.
fn is_wrappers(word: &str) -> bool {
    word.starts_with('-') || is_assignment(word) || word.starts_with(|letter: char| letter.is_ascii_digit())
}
