//! Writes a digest as the text below a summary, and decides which entries to drop when there is little room.

use super::Digest;
use super::commands::FailingCommand;
use super::todos::Todo;
use crate::compression::plain_text::one_line;
use crate::compression::to_u32;
use crate::results::Language;

/// Length limits of a line.
#[derive(Debug, Clone, Copy)]
struct LineLimits {
    first_and_newest_request_chars: usize,
    other_chars: usize,
}

/// Tried in this order until the important entries fit.
const LINE_LIMITS: [LineLimits; 4] = [
    LineLimits { first_and_newest_request_chars: 2_000, other_chars: 600 },
    LineLimits { first_and_newest_request_chars: 1_200, other_chars: 400 },
    LineLimits { first_and_newest_request_chars: 400, other_chars: 160 },
    LineLimits { first_and_newest_request_chars: 80, other_chars: 80 },
];

/// In addition to requests and todos, this many of the latest failures and changed files count as important.
const IMPORTANT_FAILURES: usize = 3;
const IMPORTANT_FILES: usize = 10;

/// The model's own text ends before this line.
pub const fn heading(language: Language) -> &'static str {
    match language {
        Language::Chinese => "## 会话记录（自动提取）",
        Language::English => "## Session record (extracted)",
    }
}

/// The lists of a digest, in the order in which they are written.
#[derive(Debug, Clone, Copy)]
enum Part {
    Requests,
    Todos,
    Failing,
    Written,
    Deleted,
    Read,
}

const PART_COUNT: usize = Part::Read as usize + 1;

#[derive(Debug, Clone, Copy)]
struct DigestLine<'d> {
    part: Part,
    /// The place within the part.
    order: usize,
    entry: Entry<'d>,
}

#[derive(Debug, Clone, Copy)]
enum Entry<'d> {
    Request { text: &'d str, is_first_or_newest: bool },
    Todo(&'d Todo),
    Failing(&'d FailingCommand),
    Path(&'d str),
}

impl Digest {
    /// `None` if there is nothing to write or nothing fits.
    ///
    /// Entries are dropped in this order: files that were only read (oldest first), deleted files, old changes, old
    /// failures, requests between the first and the newest. The first request is dropped last. Calls `count_tokens` O(log
    /// items) times.
    pub fn render(
        &self,
        language: Language,
        max_tokens: f64,
        count_tokens: &dyn Fn(&str) -> f64,
    ) -> Option<String> {
        let (ranked, important_count) = self.ranked();
        let longest_text = |totals: [u32; PART_COUNT], limits: LineLimits| {
            let text_of = |line_count| {
                digest_text(ranked.get(..line_count).unwrap_or_default(), totals, limits, language)
            };
            let line_count =
                most_that_fit(ranked.len(), |line_count| count_tokens(&text_of(line_count)) <= max_tokens);
            ((line_count > 0).then(|| text_of(line_count)), line_count)
        };
        let (mut best, mut best_line_count) = (None, 0);
        let totals = self.totals();
        for limits in LINE_LIMITS {
            let (text, line_count) = longest_text(totals, limits);
            if line_count > best_line_count {
                (best, best_line_count) = (text, line_count);
            }
            if best_line_count >= important_count.max(1) {
                break;
            }
        }
        // If not even one line fits with the counts, one line without them is better than nothing.
        let [.., shortest] = LINE_LIMITS;
        best.or_else(|| longest_text([0; PART_COUNT], shortest).0)
    }

    /// All lines, the most important first, and how many of them are important.
    fn ranked(&self) -> (Vec<DigestLine<'_>>, usize) {
        let newest_order = self.requests.newest.len();
        let requests = self.requests.first.iter().chain(&self.requests.newest).enumerate();
        let requests = requests.map(|(order, text)| Entry::Request {
            text,
            is_first_or_newest: order == 0 || order == newest_order,
        });
        let mut requests = lines(Part::Requests, requests);
        let first = (!requests.is_empty()).then(|| requests.remove(0));
        let newest = requests.pop();
        // Newest first; failures without an error text, such as a search that found nothing, come last.
        let mut failing = lines(Part::Failing, self.failing.commands.iter().map(Entry::Failing));
        failing.reverse();
        failing.sort_by_key(|line| matches!(line.entry, Entry::Failing(failing) if failing.error.is_empty()));
        let mut failing = failing.into_iter();
        let mut written = newest_first(Part::Written, &self.files.written);

        let mut ranked: Vec<DigestLine<'_>> = first.into_iter().chain(newest).collect();
        ranked.extend(lines(Part::Todos, self.todos.open.iter().map(Entry::Todo)));
        ranked.extend(failing.by_ref().take(IMPORTANT_FAILURES));
        ranked.extend(written.by_ref().take(IMPORTANT_FILES));
        let important_count = ranked.len();
        ranked.extend(requests.into_iter().rev().chain(failing).chain(written));
        ranked.extend(
            newest_first(Part::Deleted, &self.files.deleted)
                .chain(newest_first(Part::Read, &self.files.read)),
        );
        (ranked, important_count)
    }

    /// For each part, how many entries it has, including dropped ones.
    fn totals(&self) -> [u32; PART_COUNT] {
        let Self { files, failing, requests, todos } = self;
        let [read, written, deleted] = files.forgotten;
        let request_count = requests.newest.len() + usize::from(requests.first.is_some());
        [
            (request_count, requests.forgotten),
            (todos.open.len(), todos.forgotten),
            (failing.commands.len(), failing.forgotten),
            (files.written.len(), written),
            (files.deleted.len(), deleted),
            (files.read.len(), read),
        ]
        .map(|(listed, forgotten)| to_u32(listed).saturating_add(forgotten))
    }
}

fn lines<'d>(part: Part, entries: impl Iterator<Item = Entry<'d>>) -> Vec<DigestLine<'d>> {
    entries.enumerate().map(|(order, entry)| DigestLine { part, order, entry }).collect()
}

fn newest_first(part: Part, paths: &[String]) -> impl Iterator<Item = DigestLine<'_>> {
    lines(part, paths.iter().map(|path| Entry::Path(path))).into_iter().rev()
}

impl Entry<'_> {
    fn line(self, limits: LineLimits) -> String {
        let short = |text: &str| one_line(text, limits.other_chars);
        match self {
            Self::Request { text, is_first_or_newest: true } => {
                format!("- {}", one_line(text, limits.first_and_newest_request_chars))
            }
            Self::Request { text, .. } => format!("- {}", short(text)),
            Self::Todo(todo) => {
                format!("- [{}] {}", if todo.in_progress { "~" } else { " " }, short(&todo.text))
            }
            Self::Failing(FailingCommand { command, error }) if error.is_empty() => {
                format!("- `{}`", short(command))
            }
            Self::Failing(FailingCommand { command, error }) => {
                format!("- `{}` → {}", short(command), short(error))
            }
            // A truncated path is useless.
            Self::Path(path) => format!("- {path}"),
        }
    }
}

/// How many of `items` fit. Token counts grow with the number of items except for a token or so, so the result may be
/// one below the optimum.
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
fn digest_text(
    lines: &[DigestLine<'_>],
    totals: [u32; PART_COUNT],
    limits: LineLimits,
    language: Language,
) -> String {
    let mut text = heading(language).to_owned();
    let mut omitted = Vec::new();
    for (part, total) in totals.into_iter().enumerate() {
        let mut shown: Vec<&DigestLine<'_>> =
            lines.iter().filter(|line| line.part as usize == part).collect();
        shown.sort_by_key(|line| line.order);
        let lacking = total.saturating_sub(to_u32(shown.len()));
        if shown.is_empty() {
            omitted.extend((lacking > 0).then(|| format!("{} {lacking}", title(part, language))));
            continue;
        }
        text.extend(["\n\n", title(part, language)]);
        for line in shown {
            text.extend(["\n", &line.entry.line(limits)]);
        }
        let rest = match language {
            _ if lacking == 0 => String::new(),
            Language::Chinese => format!("\n- ……另有 {lacking} 项"),
            Language::English => format!("\n- … and {lacking} more"),
        };
        text.push_str(&rest);
    }
    let not_listed = match language {
        _ if omitted.is_empty() => String::new(),
        Language::Chinese => format!("\n\n因篇幅未列出：{}", omitted.join("；")),
        Language::English => format!("\n\nNot listed for lack of room: {}", omitted.join("; ")),
    };
    text + &not_listed
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
