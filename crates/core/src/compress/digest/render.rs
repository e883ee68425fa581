//! Decides how a digest is written below a summary, and what of it goes first when there is little room.

use super::{Digest, one_line};
use crate::results::Language;

/// How long a request may be, tried in turn until everything but old files has room.
const REQUEST_CHARS: [usize; 4] = [2_000, 600, 200, 80];

/// The line that a digest begins with. What stands before it is the model's own text.
#[must_use]
pub const fn heading(language: Language) -> &'static str {
    match language {
        Language::Chinese => "## 会话记录（自动提取）",
        Language::English => "## Session record (extracted)",
    }
}

/// One line of a digest, as it is ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Item<'d> {
    Request { order: usize, text: &'d str },
    Todo { order: usize, text: &'d str, in_progress: bool },
    Failing { order: usize, command: &'d str, error: &'d str },
    Written { order: usize, path: &'d str },
    Deleted { order: usize, path: &'d str },
    Read { order: usize, path: &'d str },
}

impl Digest {
    /// The digest as text of at most `max_tokens`, by `count`; `None` when nothing fits or there is nothing.
    ///
    /// Files that were only read go first, the oldest before the newest, then other files, older requests, old
    /// failures, todos; the first request goes last. The same digest gives the same text. O(log items) counts.
    #[must_use]
    pub fn render(&self, language: Language, max_tokens: f64, count: &dyn Fn(&str) -> f64) -> Option<String> {
        let ranked = self.ranked();
        let (mut best, mut best_items) = (None, 0);
        for request_chars in REQUEST_CHARS {
            let text_of =
                |items: usize| written(ranked.get(..items).unwrap_or_default(), request_chars, language);
            let items = most_that_fit(ranked.len(), |items| count(&text_of(items)) <= max_tokens);
            if items > best_items {
                (best, best_items) = (Some(text_of(items)), items);
            }
            if ranked.get(best_items..).is_some_and(|rest| rest.iter().all(Item::is_file)) && best_items > 0 {
                break;
            }
        }
        best
    }

    /// Every line, the most important first.
    fn ranked(&self) -> Vec<Item<'_>> {
        let requests = self.requests.first.iter().chain(&self.requests.newest).enumerate();
        let mut requests = requests.map(|(order, text)| Item::Request { order, text });
        let first = requests.next();
        let mut later: Vec<Item<'_>> = requests.collect();
        let newest = later.pop();
        let todos = self.todos.open.iter().enumerate();
        let todos =
            todos.map(|(order, todo)| Item::Todo { order, text: &todo.text, in_progress: todo.in_progress });
        let failing = self.failing.commands.iter().enumerate().rev();
        let failing = failing.map(|(order, failing)| Item::Failing {
            order,
            command: &failing.command,
            error: &failing.error,
        });
        let written = self.files.written.iter().enumerate().rev();
        let deleted = self.files.deleted.iter().enumerate().rev();
        let read = self.files.read.iter().enumerate().rev();
        (first.into_iter().chain(newest).chain(todos).chain(failing).chain(later.into_iter().rev()))
            .chain(written.map(|(order, path)| Item::Written { order, path }))
            .chain(deleted.map(|(order, path)| Item::Deleted { order, path }))
            .chain(read.map(|(order, path)| Item::Read { order, path }))
            .collect()
    }
}

impl Item<'_> {
    const fn is_file(&self) -> bool {
        matches!(self, Item::Written { .. } | Item::Deleted { .. } | Item::Read { .. })
    }

    /// Where it stands in the text: its part, and its place there.
    const fn place(&self) -> (usize, usize) {
        match *self {
            Item::Request { order, .. } => (0, order),
            Item::Todo { order, .. } => (1, order),
            Item::Failing { order, .. } => (2, order),
            Item::Written { order, .. } => (3, order),
            Item::Deleted { order, .. } => (4, order),
            Item::Read { order, .. } => (5, order),
        }
    }

    fn line(&self, request_chars: usize) -> String {
        match *self {
            Item::Request { text, .. } => format!("- {}", one_line(text, request_chars)),
            Item::Todo { text, in_progress: true, .. } => format!("- [~] {text}"),
            Item::Todo { text, .. } => format!("- [ ] {text}"),
            Item::Failing { command, error: "", .. } => format!("- `{command}`"),
            Item::Failing { command, error, .. } => format!("- `{command}` → {error}"),
            Item::Written { path, .. } | Item::Deleted { path, .. } | Item::Read { path, .. } => {
                format!("- {path}")
            }
        }
    }
}

/// The most items for which `fits` holds. More items are longer text but for the odd token, so a few fewer are
/// tried where the search ends.
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

fn written(items: &[Item<'_>], request_chars: usize, language: Language) -> String {
    let mut items = items.to_vec();
    items.sort_by_key(Item::place);
    let mut text = heading(language).to_owned();
    let mut part = usize::MAX;
    for item in items {
        if item.place().0 != part {
            part = item.place().0;
            text.push_str("\n\n");
            text.push_str(title(part, language));
        }
        text.push('\n');
        text.push_str(&item.line(request_chars));
    }
    text
}

fn title(part: usize, language: Language) -> &'static str {
    let titles = match language {
        Language::Chinese => [
            "用户的原话：",
            "未完成的待办：",
            "仍然失败的命令：",
            "改过的文件：",
            "删除的文件：",
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
