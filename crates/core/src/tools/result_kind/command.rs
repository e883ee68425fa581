//! Decides which kind of result a command returns: that of the program whose output is shown, not of words elsewhere in it.

use super::kind::ResultKind;
use super::shell::{Pipeline, SimpleCommand, pipelines};

/// Maximum nesting of shells: `bash -c "sh -c …"` has depth 2.
const MAX_DEPTH: usize = 4;
/// Programs that print the content of files.
const READS: [&str; 17] = [
    "cat", "head", "tail", "nl", "bat", "batcat", "less", "more", "tac", "xxd", "hexdump", "od", "strings", "awk",
    "get-content", "type", "sed",
];
/// Programs that print names, lines or sizes of files.
const SEARCHES: [&str; 20] = [
    "rg", "grep", "egrep", "fgrep", "zgrep", "ag", "ack", "find", "fd", "fdfind", "ls", "tree", "locate", "wc", "du",
    "stat", "file", "dir", "select-string", "get-childitem",
];
/// Programs that, after a `|`, print their input or less of it.
const FILTERS: [&str; 17] = [
    "sort", "uniq", "cut", "tr", "tee", "column", "fold", "rev", "paste", "jq", "yq", "cat", "less", "more",
    "select-object", "out-string", "expand",
];
/// Programs whose output is not read later, whatever their arguments.
const UNNEEDED_OUTPUT: [&str; 19] = [
    "cd", "pushd", "popd", "export", "set", "unset", "source", ".", "true", ":", "echo", "printf", "sleep", "wait",
    "test", "[", "[[", "umask", "shopt",
];
/// Programs that run the command given after them.
const WRAPPERS: [&str; 12] =
    ["sudo", "doas", "env", "nice", "nohup", "time", "command", "exec", "stdbuf", "timeout", "builtin", "ionice"];
/// Words before a command.
const KEYWORDS: [&str; 11] = ["if", "then", "else", "elif", "while", "until", "do", "!", "{", "}", "time"];
/// First words of a line that runs no program: they only begin or end a structure of the shell.
const STRUCTURE_WORDS: [&str; 8] = ["for", "case", "select", "function", "fi", "done", "esac", "in"];
const SHELLS: [&str; 6] = ["bash", "sh", "zsh", "dash", "ksh", "fish"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PrintedOutput {
    /// Nothing that is needed later.
    Nothing,
    /// The input from the pipe, or less of it.
    Input,
    Kind(ResultKind),
}

/// The kind of a command line's result; if several programs print something, see [`ResultKind::of_several`].
pub(super) fn kind_of_command_line(text: &str) -> ResultKind {
    kind_of_pipelines(&pipelines(text), 0)
}

pub(super) fn kind_of_words(words: Vec<String>) -> ResultKind {
    kind_of_pipelines(&[vec![SimpleCommand { words, written_files: Vec::new() }]], 0)
}

const OMITTED: &str = "…";

/// See [`super::head_of_command`]; `depth` counts the shells around the command.
pub(super) fn shown_command(text: &str, max_units: usize, depth: usize) -> String {
    let pipelines = pipelines(text);
    let prints = |command: &&SimpleCommand| output_of_command(command, false, depth) != PrintedOutput::Nothing;
    let mut commands = pipelines.iter().flatten();
    let Some(main) = commands.clone().find(prints).or_else(|| commands.next()) else {
        return String::new();
    };
    let words = without_prefixes(&main.words);
    if let Some(script) = script_of(words).filter(|_| depth < MAX_DEPTH) {
        return shown_command(script, max_units, depth + 1);
    }
    let (mut shown, mut units) = (Vec::new(), OMITTED.encode_utf16().count() + 1);
    for word in words {
        units += 1 + word.encode_utf16().count();
        if !may_be_shown(word) || units > max_units {
            shown.push(OMITTED);
            break;
        }
        shown.push(word);
    }
    // A word may be empty.
    shown.join(" ").trim_start().to_owned()
}

/// True for letters, digits and punctuation of paths and options; a long run of letters may be a secret.
fn may_be_shown(word: &str) -> bool {
    const LONGEST_PART: usize = 24;
    let is_plain = |letter: char| letter.is_alphanumeric() || "._/+,-~*".contains(letter);
    let mut parts = word.split(['/', '.', '-', '_']);
    word.chars().all(is_plain) && parts.all(|part| part.chars().count() <= LONGEST_PART)
}

/// The script of a shell, if the command is one: `bash -lc '…'`.
fn script_of(words: &[String]) -> Option<&String> {
    let (program, arguments) = words.split_first()?;
    SHELLS.contains(&program.rsplit('/').next()?).then(|| script_argument(arguments)).flatten()
}

fn script_argument(arguments: &[String]) -> Option<&String> {
    let is_option = |word: &String| word.starts_with('-') && !word.starts_with("--") && word.ends_with('c');
    arguments.iter().skip_while(|word| !is_option(word)).nth(1)
}

fn kind_of_pipelines(pipelines: &[Pipeline], depth: usize) -> ResultKind {
    let mut kinds = Vec::new();
    let mut written_files: Vec<&String> = Vec::new();
    for pipeline in pipelines {
        let mut outputs =
            pipeline.iter().enumerate().map(|(index, command)| output_of_command(command, index > 0, depth));
        // A command after a `|` that prints its input leaves the kind of the one before it.
        if let Some(PrintedOutput::Kind(kind)) = outputs.rfind(|output| *output != PrintedOutput::Input) {
            let mut arguments = pipeline.iter().take(1).flat_map(|command| command.words.iter().skip(1));
            let prints_written_file = arguments.any(|word| written_files.contains(&word));
            // A file that a run wrote and then printed is the run's output.
            let is_run = kind == ResultKind::ShellRead && prints_written_file;
            kinds.push(if is_run { ResultKind::ShellRun } else { kind });
        }
        written_files.extend(pipeline.iter().flat_map(|command| &command.written_files));
    }
    ResultKind::of_several(&kinds).unwrap_or(ResultKind::ShellRun)
}

fn output_of_command(command: &SimpleCommand, follows_pipe: bool, depth: usize) -> PrintedOutput {
    let words = without_prefixes(&command.words);
    let Some((program, arguments)) = words.split_first() else { return PrintedOutput::Nothing };
    let program = program.rsplit(['/', '\\']).next().unwrap_or(program).to_ascii_lowercase();
    let program = program.strip_suffix(".exe").unwrap_or(&program);
    if STRUCTURE_WORDS.contains(&program) {
        return PrintedOutput::Nothing;
    }
    if SHELLS.contains(&program) {
        // A script file is a run.
        let script = script_argument(arguments).filter(|_| depth < MAX_DEPTH);
        let kind_of_script = |script: &String| kind_of_pipelines(&pipelines(script), depth + 1);
        return PrintedOutput::Kind(script.map_or(ResultKind::ShellRun, kind_of_script));
    }
    let is_written = !command.written_files.is_empty();
    if program == "xargs" {
        let words: Vec<String> = arguments.iter().skip_while(|word| word.starts_with('-')).cloned().collect();
        return output_of_command(&SimpleCommand { words, written_files: Vec::new() }, false, depth);
    }
    if is_written && ["cat", "echo", "printf", "tee"].contains(&program) || program == "tee" && !follows_pipe {
        return PrintedOutput::Kind(ResultKind::EditResult);
    }
    if UNNEEDED_OUTPUT.contains(&program) {
        return PrintedOutput::Nothing;
    }
    let kind = kind_of_program(program, arguments);
    let may_filter = FILTERS.contains(&program) || matches!(kind, ResultKind::ShellRead | ResultKind::ShellSearch);
    if follows_pipe && may_filter && program != "find" && program != "ls" {
        return PrintedOutput::Input;
    }
    if is_written && matches!(kind, ResultKind::ShellRead | ResultKind::ShellSearch) {
        PrintedOutput::Nothing
    } else {
        PrintedOutput::Kind(kind)
    }
}

fn kind_of_program(program: &str, arguments: &[String]) -> ResultKind {
    match program {
        "git" => kind_of_git(arguments),
        "apply_patch" | "patch" | "applypatch" => ResultKind::EditResult,
        "sed" | "perl" if arguments.iter().any(|word| edits_in_place(word)) => ResultKind::EditResult,
        "find" if arguments.iter().any(|word| word == "-delete") => ResultKind::ShellRun,
        "find" => {
            let exec = arguments.iter().position(|word| word.starts_with("-exec"));
            let executed = exec.and_then(|option| arguments.get(option + 1..)?.split_first());
            executed.map_or(ResultKind::ShellSearch, |(program, rest)| kind_of_program(program, rest))
        }
        _ if READS.contains(&program) => ResultKind::ShellRead,
        _ if SEARCHES.contains(&program) => ResultKind::ShellSearch,
        _ => ResultKind::ShellRun,
    }
}

/// True for `-i`, `-i.bak`, `-pi` and `--in-place`.
fn edits_in_place(word: &str) -> bool {
    word.starts_with("--in-place") || word.starts_with("-i") || word == "-pi" || word.starts_with("-pi.")
}

fn kind_of_git(arguments: &[String]) -> ResultKind {
    let mut words = arguments.iter().map(String::as_str);
    let mut verb = words.next();
    while let Some(option) = verb.filter(|word| word.starts_with('-')) {
        let takes_value = matches!(option, "-C" | "-c" | "--git-dir" | "--work-tree");
        verb = words.nth(usize::from(takes_value));
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

/// A program's words without prefixes: keywords, `NAME=value`, `sudo`, `timeout 20`.
fn without_prefixes(words: &[String]) -> &[String] {
    let mut rest = words;
    while let Some((first, after)) = rest.split_first() {
        if KEYWORDS.contains(&first.as_str()) || is_assignment(first) {
            rest = after;
        } else if WRAPPERS.contains(&first.as_str()) {
            let options = after.iter().take_while(|word| belongs_to_wrapper(word)).count();
            rest = after.get(options..).unwrap_or_default();
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

/// True for an option, an assignment, a number or a duration after a wrapper: none of them is a program's name.
fn belongs_to_wrapper(word: &str) -> bool {
    word.starts_with('-') || is_assignment(word) || word.starts_with(|letter: char| letter.is_ascii_digit())
}
