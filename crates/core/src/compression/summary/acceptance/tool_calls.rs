//! Detects replies that are a tool call instead of a summary: markup, JSON, or a bare command.

use serde_json::Value;

/// A model that is trained to call tools but has none writes this at the start of a line.
const TOOL_MARKUP: [&str; 13] = [
    "<tool_call", "<tool_use", "<tool_code", "<function_call", "<function=", "<invoke ", "<invoke>", "<antml:",
    "<|tool", "<｜tool", "<|python_tag|>", "[tool_calls]", "<|channel|>commentary to=",
];

/// True for tool markup, also within a text, or the bare JSON of a call. Quoted and fenced lines don't count.
pub(super) fn is_tool_markup(text: &str) -> bool {
    let mut in_fence = false;
    let mut lines = text.lines().map(str::trim_start);
    let has_markup = lines.any(|line| {
        if line.starts_with("```") {
            in_fence = !in_fence;
        }
        let line: String = line.chars().take(40).collect::<String>().to_lowercase();
        !in_fence && TOOL_MARKUP.iter().any(|markup| line.starts_with(markup))
    });
    has_markup || is_call_json(text)
}

/// True for a command instead of a summary: `npm test`, only a fenced script, or an announced command.
pub(super) fn is_bare_command(text: &str) -> bool {
    if let Some((language, script)) = fenced(text) {
        return is_shell(language) || (language.is_empty() && is_command_line(script));
    }
    is_command_line(text) || announces_script(text)
}

/// The language and the content of a fenced block that is the whole `text`.
pub(super) fn fenced(text: &str) -> Option<(&str, &str)> {
    let (language, rest) = text.trim().strip_prefix("```")?.split_once('\n')?;
    let inner = rest.trim_end().strip_suffix("```")?;
    (!inner.contains("```")).then_some((language.trim(), inner))
}

fn is_shell(language: &str) -> bool {
    SHELLS.split_whitespace().any(|name| language.eq_ignore_ascii_case(name))
}

const SHELLS: &str = "sh bash zsh shell console shell-session powershell ps1 cmd bat terminal";
const PROGRAMS: &str = "
    npm npx pnpm yarn node bun deno tsc git gh cargo rustc go make cmake python python3 pip pip3 pytest uv poetry ruby
    bundle rake java mvn gradle ./gradlew dotnet docker kubectl cd ls cat head tail grep rg find sed awk echo mkdir rm
    cp mv curl wget bash sh sudo
";

const LONGEST_COMMAND_CHARS: usize = 200;
const LONGEST_BARE_COMMAND_WORDS: usize = 4;

/// One or two lines that each begin with a program, followed by an option or few words. Prose (`make the parser faster,
/// then …`) has more words, and commas.
fn is_command_line(text: &str) -> bool {
    let lines: Vec<&str> = text.lines().filter(|line| line.contains(char::is_alphanumeric)).map(str::trim).collect();
    let is_command = |line: &&str| {
        let is_prompted = line.starts_with("$ ");
        let line = line.trim_start_matches("$ ").trim_matches(['`', ' ', '\t', '.', '!', '。']);
        let words: Vec<&str> = line.split_whitespace().collect();
        let is_prose = [", ", ". ", ": ", "; ", "，", "。", "；"].iter().any(|mark| line.contains(mark));
        let is_short = words.len() <= LONGEST_BARE_COMMAND_WORDS
            || words.iter().any(|word| word.starts_with('-') || matches!(*word, "|" | "&&" | "||" | ">"));
        let is_program = words.first().is_some_and(|word| PROGRAMS.split_whitespace().any(|program| program == *word));
        line.chars().nth(LONGEST_COMMAND_CHARS).is_none() && (is_prompted || (is_program && is_short && !is_prose))
    };
    (1..=2).contains(&lines.len()) && lines.iter().all(is_command)
}

/// Phrases that announce an agent's next step; a summary has none. In lower case.
const ANNOUNCEMENTS: [&str; 14] = [
    "let me", "let's", "i'll", "i will", "i need to", "now i", "now let", "next, i", "next i", "first, i", "让我",
    "我来", "接下来我", "我先",
];

const LONGEST_ANNOUNCEMENT_CHARS: usize = 200;

fn announces_script(text: &str) -> bool {
    let (introduction, fence) = text.split_at(text.find("```").unwrap_or(text.len()));
    let introduction = introduction.trim().to_lowercase().replace('’', "'");
    fenced(fence).is_some_and(|(language, _)| is_shell(language))
        && introduction.chars().nth(LONGEST_ANNOUNCEMENT_CHARS).is_none()
        && ANNOUNCEMENTS.iter().any(|words| introduction.starts_with(words))
}

fn is_call_json(text: &str) -> bool {
    match serde_json::from_str::<Value>(fenced(text).map_or(text, |(_, inner)| inner).trim()) {
        Ok(Value::Array(entries)) => !entries.is_empty() && entries.iter().all(is_call),
        Ok(value) => is_call(&value),
        Err(_) => false,
    }
}

fn is_call(value: &Value) -> bool {
    let has = |key: &str| value.get(key).is_some();
    has("tool_calls")
        || has("function_call")
        || ((has("name") || has("tool") || has("function") || has("tool_name"))
            && ["arguments", "parameters", "input", "args", "tool_input"].into_iter().any(has))
        || value.get("function").is_some_and(|function| function.get("arguments").is_some())
}
