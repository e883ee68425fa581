//! Writes a digest as the text below a summary, and decides which entries to drop when there is little room.

use super::Digest;
use super::entry::{as_count, one_line};
use crate::results::Language;

/// Line limits: for the first and the newest request, and for other lines. The pairs are tried in order until the
/// important entries fit.
const LINE_CHARS: [(usize, usize); 4] = [(2_000, 600), (1_200, 400), (400, 160), (80, 80)];

/// In addition to requests and todos, this many of the latest failures and changed files count as important.
const FAILURES_THAT_MATTER: usize = 3;
const FILES_THAT_MATTER: usize = 10;

/// The model's own text ends before this line.
pub const fn heading(language: Language) -> &'static str {
    match language {
        Language::Chinese => "## 会话记录（自动提取）",
        Language::English => "## Session record (extracted)",
    }
}

/// Requests, todos, failing commands; files written, deleted, read.
const PARTS: usize = 6;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DigestLine<'d> {
    Request { order: usize, text: &'d str, is_end: bool },
    Todo { order: usize, text: &'d str, in_progress: bool },
    Failing { order: usize, command: &'d str, error: &'d str },
    Written { order: usize, path: &'d str },
    Deleted { order: usize, path: &'d str },
    Read { order: usize, path: &'d str },
}

impl Digest {
    /// `None` if there is nothing to write or nothing fits.
    ///
    /// Entries are dropped in this order: files that were only read (oldest first), deleted files, old changes, old failures,
    /// requests between the first and the newest. The first request is dropped last. Calls `count` O(log items) times.
    pub fn render(&self, language: Language, max_tokens: f64, count: &dyn Fn(&str) -> f64) -> Option<String> {
        let (ranked, mattering) = self.ranked();
        let (mut best, mut best_items) = (None, 0);
        let totals = self.totals();
        for line_chars in LINE_CHARS {
            let (text, items) = Self::longest(&ranked, totals, line_chars, language, max_tokens, count);
            if items > best_items {
                (best, best_items) = (text, items);
            }
            if best_items >= mattering.max(1) {
                break;
            }
        }
        // If not even one line fits with the counts, one line without them is better than nothing.
        let [.., shortest] = LINE_CHARS;
        best.or_else(|| Self::longest(&ranked, [0; PARTS], shortest, language, max_tokens, count).0)
    }

    fn longest(
        ranked: &[DigestLine<'_>],
        totals: [u32; PARTS],
        line_chars: (usize, usize),
        language: Language,
        max_tokens: f64,
        count: &dyn Fn(&str) -> f64,
    ) -> (Option<String>, usize) {
        let text_of =
            |items: usize| written(ranked.get(..items).unwrap_or_default(), totals, line_chars, language);
        let items = most_that_fit(ranked.len(), |items| count(&text_of(items)) <= max_tokens);
        ((items > 0).then(|| text_of(items)), items)
    }

    /// All lines, the most important first, and how many of them are important.
    fn ranked(&self) -> (Vec<DigestLine<'_>>, usize) {
        let mut older = self.request_lines();
        let first = (!older.is_empty()).then(|| older.remove(0));
        let newest = older.pop();
        let todos = self.todos.open.iter().enumerate();
        let todos = todos.map(|(order, todo)| DigestLine::Todo {
            order,
            text: &todo.text,
            in_progress: todo.in_progress,
        });
        let mut failing = self.failing_lines().into_iter();
        let written = self.files.written.iter().enumerate().rev();
        let mut written = written.map(|(order, path)| DigestLine::Written { order, path });
        let deleted = self.files.deleted.iter().enumerate().rev();
        let read = self.files.read.iter().enumerate().rev();

        let mut ranked: Vec<DigestLine<'_>> = first.into_iter().chain(newest).chain(todos).collect();
        ranked.extend(failing.by_ref().take(FAILURES_THAT_MATTER));
        ranked.extend(written.by_ref().take(FILES_THAT_MATTER));
        let mattering = ranked.len();
        ranked.extend(older.into_iter().rev().chain(failing).chain(written));
        ranked.extend(deleted.map(|(order, path)| DigestLine::Deleted { order, path }));
        ranked.extend(read.map(|(order, path)| DigestLine::Read { order, path }));
        (ranked, mattering)
    }

    /// Includes dropped entries.
    fn totals(&self) -> [u32; PARTS] {
        let [read, written, deleted] = self.files.forgotten;
        [
            as_count(self.requests.newest.len() + usize::from(self.requests.first.is_some()))
                .saturating_add(self.requests.forgotten),
            as_count(self.todos.open.len()).saturating_add(self.todos.forgotten),
            as_count(self.failing.commands.len()).saturating_add(self.failing.forgotten),
            as_count(self.files.written.len()).saturating_add(written),
            as_count(self.files.deleted.len()).saturating_add(deleted),
            as_count(self.files.read.len()).saturating_add(read),
        ]
    }

    fn request_lines(&self) -> Vec<DigestLine<'_>> {
        let last = self.requests.newest.len();
        let requests = self.requests.first.iter().chain(&self.requests.newest).enumerate();
        requests
            .map(|(order, text)| DigestLine::Request { order, text, is_end: order == 0 || order == last })
            .collect()
    }

    /// Newest first; failures without an error text, such as a search that found nothing, come last.
    fn failing_lines(&self) -> Vec<DigestLine<'_>> {
        let failing = self.failing.commands.iter().enumerate().rev();
        let mut lines: Vec<DigestLine<'_>> = failing
            .map(|(order, failing)| DigestLine::Failing {
                order,
                command: &failing.command,
                error: &failing.error,
            })
            .collect();
        lines.sort_by_key(|line| matches!(line, DigestLine::Failing { error: "", .. }));
        lines
    }
}

impl DigestLine<'_> {
    const fn place(&self) -> (usize, usize) {
        match *self {
            DigestLine::Request { order, .. } => (0, order),
            DigestLine::Todo { order, .. } => (1, order),
            DigestLine::Failing { order, .. } => (2, order),
            DigestLine::Written { order, .. } => (3, order),
            DigestLine::Deleted { order, .. } => (4, order),
            DigestLine::Read { order, .. } => (5, order),
        }
    }

    fn line(&self, (end_chars, other_chars): (usize, usize)) -> String {
        let short = |text: &str| one_line(text, other_chars);
        match *self {
            DigestLine::Request { text, is_end: true, .. } => format!("- {}", one_line(text, end_chars)),
            DigestLine::Request { text, .. } => format!("- {}", short(text)),
            DigestLine::Todo { text, in_progress: true, .. } => format!("- [~] {}", short(text)),
            DigestLine::Todo { text, .. } => format!("- [ ] {}", short(text)),
            DigestLine::Failing { command, error: "", .. } => format!("- `{}`", short(command)),
            DigestLine::Failing { command, error, .. } => {
                format!("- `{}` → {}", short(command), short(error))
            }
            // A truncated path is useless.
            DigestLine::Written { path, .. }
            | DigestLine::Deleted { path, .. }
            | DigestLine::Read { path, .. } => {
                format!("- {path}")
            }
        }
    }
}

/// Token counts grow with the number of items except for a token or so, so the result may be one below the optimum.
fn most_that_fit(items: usize, fits: impl Fn(usize) -> bool) -> usize {
    if items == 0 || fits(items) {
        return items;
    }
    let (mut low, mut high) = (0, items);
    while high - low > 1 {
        let middle = usize::midpoint(low, high);
        if fits(middle) { low = middle } else { high = middle }
    }
    low
}

/// A shortened list says how many entries it lacks, and an omitted list is named with its count: otherwise the model
/// would assume there are no more.
fn written(
    items: &[DigestLine<'_>],
    totals: [u32; PARTS],
    line_chars: (usize, usize),
    language: Language,
) -> String {
    let mut text = heading(language).to_owned();
    let mut left_out = Vec::new();
    for (part, total) in totals.into_iter().enumerate() {
        let mut shown: Vec<&DigestLine<'_>> = items.iter().filter(|item| item.place().0 == part).collect();
        shown.sort_by_key(|item| item.place());
        let lacking = total.saturating_sub(as_count(shown.len()));
        if shown.is_empty() {
            left_out.extend((lacking > 0).then(|| format!("{} {lacking}", title(part, language))));
            continue;
        }
        text.push_str("\n\n");
        text.push_str(title(part, language));
        for item in shown {
            text.push('\n');
            text.push_str(&item.line(line_chars));
        }
        if lacking > 0 {
            text.push('\n');
            text.push_str(&and_more(lacking, language));
        }
    }
    if !left_out.is_empty() {
        text.push_str("\n\n");
        text.push_str(&not_listed(&left_out, language));
    }
    text
}

fn and_more(lacking: u32, language: Language) -> String {
    match language {
        Language::Chinese => format!("- ……另有 {lacking} 项"),
        Language::English => format!("- … and {lacking} more"),
    }
}

fn not_listed(parts: &[String], language: Language) -> String {
    match language {
        Language::Chinese => format!("因篇幅未列出：{}", parts.join("；")),
        Language::English => format!("Not listed for lack of room: {}", parts.join("; ")),
    }
}

fn title(part: usize, language: Language) -> &'static str {
    let titles = match language {
        Language::Chinese => [
            "用户的原话：", "未完成的待办：", "仍然失败的命令：", "改过的文件：", "删除的文件：",
            "读过的文件：",
        ],
        Language::English => [
            "What the user asked, word for word:",
            "Open todos:",
            "Commands that still fail:",
            "Files changed:",
            "Files deleted:",
            "Files read:",
        ],
    };
    titles.get(part).copied().unwrap_or_default()
}

#[cfg(test)]
#[path = "render_tests.rs"]
mod tests;
