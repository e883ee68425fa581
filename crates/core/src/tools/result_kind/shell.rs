//! Parses a command line far enough to know which programs it runs: words, quotes, operators, here-documents.

/// Commands joined by `|`.
pub(super) type Pipeline = Vec<SimpleCommand>;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SimpleCommand {
    /// The program and its arguments, without quotes and redirections.
    pub words: Vec<String>,
    /// Files to which its output is redirected.
    pub written_files: Vec<String>,
}

/// The pipelines of a text, in order. Text that is not shell gives some result, never an error. O(text).
pub(super) fn pipelines(text: &str) -> Vec<Pipeline> {
    let mut reader = ShellReader { rest: text, ..ShellReader::default() };
    while reader.step() {}
    reader.end_pipeline();
    reader.finished
}

#[derive(Default)]
struct ShellReader<'a> {
    rest: &'a str,
    /// The word, command and pipeline that are not finished.
    word: Option<String>,
    command: SimpleCommand,
    pipeline: Pipeline,
    finished: Vec<Pipeline>,
    /// True if the next word names the file for the output.
    next_is_output_file: bool,
    /// True if the next word names a file that is not printed, such as one for input.
    next_is_other_file: bool,
    /// Here-documents that begin on the next line: the word that ends each, and whether tabs before that are ignored.
    documents: Vec<(String, bool)>,
    /// If the next word ends a here-document, whether tabs before that end are ignored.
    next_ends_document: Option<bool>,
}

const fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'/' | b'-' | b'_' | b',' | b':' | b'=' | b'+' | b'@' | b'%')
}

impl ShellReader<'_> {
    fn step(&mut self) -> bool {
        let Some(letter) = self.rest.chars().next() else {
            self.end_word();
            return false;
        };
        match letter {
            '\'' => self.quoted(b'\'', false),
            '"' => self.quoted(b'"', true),
            '`' => self.quoted(b'`', true),
            '\\' => self.escaped(),
            '$' if self.rest.starts_with("$(") => self.substitution(),
            '#' if self.word.is_none() => self.skip(self.rest.find('\n').unwrap_or(self.rest.len())),
            '\n' => self.line_end(),
            letter if letter.is_whitespace() => {
                self.skip(letter.len_utf8());
                self.end_word();
            }
            '<' | '>' => self.redirection(),
            '&' if self.rest.starts_with("&>") => {
                self.end_word();
                self.skip(1);
            }
            ';' | '&' | '|' | '(' | ')' => self.operator(),
            letter => {
                let rest = self.rest.as_bytes().get(letter.len_utf8()..).unwrap_or_default();
                let plain = rest.iter().take_while(|&&byte| is_plain(byte)).count();
                self.take_into_word(letter.len_utf8() + plain);
            }
        }
        true
    }

    fn skip(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or_default();
    }

    fn take_into_word(&mut self, bytes: usize) {
        let taken = self.rest.get(..bytes).unwrap_or(self.rest);
        self.word.get_or_insert_default().push_str(taken);
        self.skip(bytes);
    }

    /// Reads a quoted part of a word; `escapes` if a backslash escapes the next letter.
    fn quoted(&mut self, quote: u8, escapes: bool) {
        self.skip(1);
        loop {
            let is_end = |&byte: &u8| byte == quote || (escapes && byte == b'\\');
            let end = self.rest.as_bytes().iter().position(is_end);
            self.take_into_word(end.unwrap_or(self.rest.len()));
            let is_escape = self.rest.as_bytes().first() != Some(&quote);
            self.skip(1);
            if !is_escape {
                break;
            }
            let Some(letter) = self.rest.chars().next() else { break };
            self.take_into_word(letter.len_utf8());
        }
    }

    fn escaped(&mut self) {
        self.skip(1);
        let Some(letter) = self.rest.chars().next() else { return };
        self.skip(letter.len_utf8());
        // A backslash at the end of a line continues it.
        if letter != '\n' {
            self.word.get_or_insert_default().push(letter);
        }
    }

    /// Adds `$(…)` to the word: its command belongs to the surrounding program's argument.
    fn substitution(&mut self) {
        let mut depth = 0_usize;
        let end = self.rest.char_indices().find(|&(_, letter)| {
            depth = match letter {
                '(' => depth + 1,
                ')' => depth.saturating_sub(1),
                _ => return false,
            };
            depth == 0
        });
        let end = end.map_or(self.rest.len(), |(index, _)| index + 1);
        self.word.get_or_insert_default().push_str(self.rest.get(..end).unwrap_or_default());
        self.skip(end);
    }

    fn redirection(&mut self) {
        // In `2>` the number is a stream; only stream 1 is the program's result.
        let number = self.word.take_if(|word| word.chars().all(|letter| letter.is_ascii_digit()));
        let is_other_stream = number.is_some_and(|number| number != "1");
        self.end_word();
        let operators = ["<<<", "<<-", "<<", "<(", ">(", ">>", ">&", "<&", ">|", ">", "<"];
        let operator = operators.into_iter().find(|operator| self.rest.starts_with(operator));
        match operator.unwrap_or_default() {
            "<<-" => self.next_ends_document = Some(true),
            "<<" => self.next_ends_document = Some(false),
            "<(" | ">(" => {}
            ">>" | ">|" if !is_other_stream => self.next_is_output_file = true,
            ">>" | ">|" | ">&" | "<<<" | "<&" => self.next_is_other_file = true,
            single => {
                self.next_is_output_file = single == ">" && !is_other_stream;
                self.next_is_other_file = !self.next_is_output_file;
            }
        }
        self.skip(operator.map_or(1, str::len));
    }

    fn operator(&mut self) {
        self.end_word();
        let is_pipe = self.rest.starts_with('|') && !self.rest.starts_with("||");
        let is_double = ["||", "&&", ";;", "|&"].iter().any(|operator| self.rest.starts_with(operator));
        self.skip(if is_double { 2 } else { 1 });
        if is_pipe { self.end_command() } else { self.end_pipeline() }
    }

    fn line_end(&mut self) {
        self.skip(1);
        self.end_word();
        self.end_pipeline();
        for (end_word, ignores_tabs) in std::mem::take(&mut self.documents) {
            loop {
                let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
                self.rest = rest;
                let line = if ignores_tabs { line.trim_start_matches('\t') } else { line };
                if line.trim_end_matches('\r') == end_word || self.rest.is_empty() {
                    break;
                }
            }
        }
    }

    fn end_word(&mut self) {
        let Some(word) = self.word.take() else { return };
        if let Some(ignores_tabs) = self.next_ends_document.take() {
            self.documents.push((word, ignores_tabs));
        } else if std::mem::take(&mut self.next_is_output_file) {
            self.command.written_files.push(word);
        } else if !std::mem::take(&mut self.next_is_other_file) {
            self.command.words.push(word);
        }
    }

    fn end_command(&mut self) {
        let command = std::mem::take(&mut self.command);
        if !command.words.is_empty() || !command.written_files.is_empty() {
            self.pipeline.push(command);
        }
    }

    fn end_pipeline(&mut self) {
        self.end_command();
        let pipeline = std::mem::take(&mut self.pipeline);
        if !pipeline.is_empty() {
            self.finished.push(pipeline);
        }
    }
}
