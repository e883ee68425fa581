//! Writes a digest as the text below a summary, and decides which entries to drop when there is little room.

use super::Digest;
use super::commands::FailingCommand;
use crate::compression::plain_text::one_line;
use crate::compression::{in_language, to_u32};
use crate::results::Language;

/// The most characters of the first and the newest request, and of another line; tried until the important entries fit.
const LINE_LIMITS: [(usize, usize); 4] = [(2_000, 600), (1_200, 400), (400, 160), (80, 80)];

/// In addition to requests and todos, this many of the latest failures and changed files count as important.
const IMPORTANT_FAILURES: usize = 3;
const IMPORTANT_FILES: usize = 10;

/// The model's own text ends before one of these lines, in Chinese or in English.
pub const HEADINGS: [&str; 2] = ["## 会话记录（自动提取）", "## Session record (extracted)"];

#[derive(Debug, Clone, Copy)]
enum Part {
    Requests,
    Todos,
    Failing,
    Written,
    Deleted,
    Read,
}

const TITLES: [(&str, &str); 6] = [
    ("用户的原话：", "What the user asked, word for word:"),
    ("未完成的待办：", "Open todos:"),
    ("仍然失败的命令：", "Commands that still fail:"),
    ("改过的文件：", "Files changed:"),
    ("删除的文件：", "Files deleted:"),
    ("读过的文件：", "Files read:"),
];

/// For each part, how many entries it has, including dropped ones.
type Totals = [u32; TITLES.len()];

struct DigestLine {
    part: Part,
    order: usize,
    text: String,
}

impl Digest {
    /// `None` if there is nothing to write or nothing fits. Entries are dropped in this order: files that were only
    /// read (oldest first), deleted files, old changes, old failures, requests between the first and the newest; the
    /// first request last. Calls `count_tokens` O(log items) times.
    pub fn render(&self, language: Language, max_tokens: f64, count_tokens: &dyn Fn(&str) -> f64) -> Option<String> {
        let longest_text = |ranked: &[DigestLine], totals: Totals| {
            let text_of = |count| digest_text(ranked.get(..count).unwrap_or_default(), totals, language);
            let count = most_that_fit(ranked.len(), |count| count_tokens(&text_of(count)) <= max_tokens);
            (count, text_of(count))
        };
        let mut best = (0, String::new());
        for limits in LINE_LIMITS {
            let (ranked, important_count) = self.ranked(limits);
            let text = longest_text(&ranked, self.totals());
            best = if text.0 > best.0 { text } else { best };
            if best.0 >= important_count.max(1) {
                break;
            }
        }
        if best.0 == 0 {
            // If not even one line fits with the counts, one line without them is better than nothing.
            let [.., shortest] = LINE_LIMITS;
            best = longest_text(&self.ranked(shortest).0, Totals::default());
        }
        (best.0 > 0).then_some(best.1)
    }

    /// All lines, the most important first, and how many of them are important.
    fn ranked(&self, (request_chars, other_chars): (usize, usize)) -> (Vec<DigestLine>, usize) {
        let Self { files, failing, requests, todos } = self;
        let short = |text: &str| one_line(text, other_chars);
        let newest_order = requests.newest.len();
        let requests = requests.first.iter().chain(&requests.newest).enumerate().map(|(order, text)| {
            let is_first_or_newest = order == 0 || order == newest_order;
            one_line(text, if is_first_or_newest { request_chars } else { other_chars })
        });
        let mut requests = lines(Part::Requests, requests);
        let first = (!requests.is_empty()).then(|| requests.remove(0));
        let newest = requests.pop();
        let todos = todos.open.iter().map(|todo| {
            let mark = if todo.in_progress { "~" } else { " " };
            format!("[{mark}] {}", short(&todo.text))
        });
        let failures = failing.commands.iter().map(|FailingCommand { command, error }| {
            let arrow = if error.is_empty() { "" } else { " → " };
            format!("`{}`{arrow}{}", short(command), short(error))
        });
        // Newest first; failures without an error text, such as a search that found nothing, come last.
        let failures = lines(Part::Failing, failures).into_iter().zip(&failing.commands).rev();
        let (explained, others): (Vec<_>, Vec<_>) = failures.partition(|(_, failing)| !failing.error.is_empty());
        let mut failures = explained.into_iter().chain(others).map(|(line, _)| line);
        let newest_first = |part, paths: &[String]| lines(part, paths.iter().cloned()).into_iter().rev();
        let mut written = newest_first(Part::Written, &files.written);

        let mut ranked: Vec<DigestLine> = first.into_iter().chain(newest).collect();
        ranked.extend(lines(Part::Todos, todos));
        ranked.extend(failures.by_ref().take(IMPORTANT_FAILURES));
        ranked.extend(written.by_ref().take(IMPORTANT_FILES));
        let important_count = ranked.len();
        ranked.extend(requests.into_iter().rev().chain(failures).chain(written));
        ranked.extend(newest_first(Part::Deleted, &files.deleted));
        ranked.extend(newest_first(Part::Read, &files.read));
        (ranked, important_count)
    }

    fn totals(&self) -> Totals {
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

fn lines(part: Part, texts: impl Iterator<Item = String>) -> Vec<DigestLine> {
    texts.enumerate().map(|(order, text)| DigestLine { part, order, text }).collect()
}

/// How many of `items` fit, or one less: token counts grow with the number of items except for a token or so.
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

/// A shortened list says how many entries it lacks, and an omitted list its count, or the model would assume no more.
fn digest_text(lines: &[DigestLine], totals: Totals, language: Language) -> String {
    let [chinese, english] = HEADINGS;
    let mut text = in_language(language, chinese, english).to_owned();
    let mut omitted = Vec::new();
    for (part, (total, (chinese, english))) in totals.into_iter().zip(TITLES).enumerate() {
        let title = in_language(language, chinese, english);
        let mut shown: Vec<&DigestLine> = lines.iter().filter(|line| line.part as usize == part).collect();
        shown.sort_by_key(|line| line.order);
        let lacking = total.saturating_sub(to_u32(shown.len()));
        if shown.is_empty() {
            omitted.extend((lacking > 0).then(|| format!("{title} {lacking}")));
            continue;
        }
        text.extend(["\n\n", title]);
        for line in shown {
            text.extend(["\n- ", &line.text]);
        }
        if lacking > 0 {
            let chinese = format!("\n- ……另有 {lacking} 项");
            text.push_str(&in_language(language, chinese, format!("\n- … and {lacking} more")));
        }
    }
    if !omitted.is_empty() {
        text.push_str(in_language(language, "\n\n因篇幅未列出：", "\n\nNot listed for lack of room: "));
        text.push_str(&omitted.join(in_language(language, "；", "; ")));
    }
    text
}

#[cfg(test)]
mod tests;
