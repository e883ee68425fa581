//! Parses a command line far enough to know which programs it runs: words, quotes, operators, here-documents.

/// Programs joined by `|`.
pub(super) type Pipeline = Vec<Simple>;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Simple {
    pub words: Vec<String>,
    pub written: Vec<String>,
}

/// The pipelines of a text, in order. Text that is not shell gives some result, never an error. O(text).
pub(super) fn pipelines(text: &str) -> Vec<Pipeline> {
    let mut reader = ShellReader { rest: text, ..ShellReader::default() };
    while reader.step() {}
    reader.end_pipeline();
    reader.done
}

#[derive(Default)]
struct ShellReader<'a> {
    rest: &'a str,
    word: Option<String>,
    simple: Simple,
    pipeline: Pipeline,
    done: Vec<Pipeline>,
    /// The next word is the target of output.
    to_file: bool,
    /// The next word is the source of input.
    from_file: bool,
    /// End words of here-documents that begin on the next line; whether tabs before them are ignored.
    documents: Vec<(String, bool)>,
    /// The next word is such an end word.
    document: Option<bool>,
}

/// True if the byte is only a literal part of a word.
const fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'.' | b'/' | b'-' | b'_' | b',' | b':' | b'=' | b'+' | b'@' | b'%')
}

impl ShellReader<'_> {
    /// Reads one character or operator; false at the end.
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
            '#' if self.word.is_none() => self.take(self.rest.find('\n').unwrap_or(self.rest.len())),
            '\n' => self.line_end(),
            letter if letter.is_whitespace() => {
                self.take(letter.len_utf8());
                self.end_word();
            }
            '<' | '>' => self.redirection(),
            '&' if self.rest.starts_with("&>") => {
                self.end_word();
                self.take(1);
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

    fn take(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or_default();
    }

    /// Adds the next `bytes` to the word.
    fn take_into_word(&mut self, bytes: usize) {
        let taken = self.rest.get(..bytes).unwrap_or(self.rest);
        self.word.get_or_insert_default().push_str(taken);
        self.take(bytes);
    }

    fn quoted(&mut self, quote: u8, escapes: bool) {
        self.take(1);
        loop {
            let is_end = |&byte: &u8| byte == quote || (escapes && byte == b'\\');
            let end = self.rest.as_bytes().iter().position(is_end);
            self.take_into_word(end.unwrap_or(self.rest.len()));
            let is_escape = self.rest.as_bytes().first() != Some(&quote);
            self.take(1);
            if !is_escape {
                break;
            }
            let Some(letter) = self.rest.chars().next() else { break };
            self.take_into_word(letter.len_utf8());
        }
    }

    fn escaped(&mut self) {
        self.take(1);
        let Some(letter) = self.rest.chars().next() else { return };
        self.take(letter.len_utf8());
        // A backslash at the end of a line continues it.
        if letter != '\n' {
            self.word.get_or_insert_default().push(letter);
        }
    }

    /// Treats the command in `$(…)` as one word of the surrounding program.
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
        let end = end.map_or(self.rest.len(), |(at, _)| at + 1);
        self.word.get_or_insert_default().push_str(self.rest.get(..end).unwrap_or_default());
        self.take(end);
    }

    fn redirection(&mut self) {
        // `2>`: the number before it belongs to it, and output sent there is not the program's result.
        let number = self.word.take_if(|word| word.chars().all(|letter| letter.is_ascii_digit()));
        let is_other_stream = number.is_some_and(|number| number != "1");
        self.end_word();
        let kinds = [
            ("<<<", 3),
            ("<<-", 3),
            ("<<", 2),
            ("<(", 2),
            (">(", 2),
            (">>", 2),
            (">&", 2),
            ("<&", 2),
            (">|", 2),
        ];
        let found = kinds.iter().find(|(text, _)| self.rest.starts_with(text));
        match found {
            Some(("<<-", _)) => self.document = Some(true),
            Some(("<<", _)) => self.document = Some(false),
            Some((">>" | ">|", _)) if !is_other_stream => self.to_file = true,
            Some((">>" | ">|" | ">&" | "<<<" | "<&", _)) => self.from_file = true,
            Some(_) => {}
            None => {
                let is_out = self.rest.starts_with('>');
                self.to_file = is_out && !is_other_stream;
                self.from_file = !self.to_file;
            }
        }
        self.take(found.map_or(1, |(_, length)| *length));
    }

    fn operator(&mut self) {
        self.end_word();
        let is_pipe = self.rest.starts_with('|') && !self.rest.starts_with("||");
        let length =
            if ["||", "&&", ";;", "|&"].iter().any(|two| self.rest.starts_with(two)) { 2 } else { 1 };
        self.take(length);
        if is_pipe { self.end_simple() } else { self.end_pipeline() }
    }

    fn line_end(&mut self) {
        self.take(1);
        self.end_word();
        self.end_pipeline();
        for (end, has_tabs) in std::mem::take(&mut self.documents) {
            loop {
                let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
                self.rest = rest;
                let line = if has_tabs { line.trim_start_matches('\t') } else { line };
                if line.trim_end_matches('\r') == end || self.rest.is_empty() {
                    break;
                }
            }
        }
    }

    fn end_word(&mut self) {
        let Some(word) = self.word.take() else { return };
        if let Some(has_tabs) = self.document.take() {
            self.documents.push((word, has_tabs));
        } else if std::mem::take(&mut self.to_file) {
            self.simple.written.push(word);
        } else if !std::mem::take(&mut self.from_file) {
            self.simple.words.push(word);
        }
    }

    fn end_simple(&mut self) {
        let simple = std::mem::take(&mut self.simple);
        if !simple.words.is_empty() || !simple.written.is_empty() {
            self.pipeline.push(simple);
        }
    }

    fn end_pipeline(&mut self) {
        self.end_simple();
        let pipeline = std::mem::take(&mut self.pipeline);
        if !pipeline.is_empty() {
            self.done.push(pipeline);
        }
    }
}
