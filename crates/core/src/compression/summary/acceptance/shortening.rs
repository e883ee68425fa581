//! Shortens a summary that is too long. Every section keeps a part: a model that writes too much puts the open work and
//! the failed attempts last, and the agent continues from those.

use std::collections::BTreeMap;

use super::headings::{begins_section, names_section};
use crate::compression::summary::prompt::Section;
use crate::compression::{to_f64, whole_tokens};
use crate::tokens::models::Model;
use crate::tokens::truncate::{Keep, truncate};

const OMISSION_MARK: &str = "…";
const LINE_BREAK_TOKENS: f64 = 1.0;

/// An entry is kept or dropped as a whole: a line with the more deeply indented lines below it, or a fenced block.
struct SummaryPart<'t> {
    heading: Option<&'t str>,
    entries: Vec<&'t str>,
}

/// Each section gets the same share, and long sections what short ones leave; within a section, lines with exact values
/// are kept first. The end is cut off only if the headings alone are too long. O(text × log text).
pub fn shorten_summary(text: &str, sections: &[Section], limit_tokens: f64, model: &Model) -> String {
    let parts = parts_of(text, sections);
    let mut room_tokens = limit_tokens;
    while parts.len() > 1 && room_tokens > limit_tokens / 2.0 {
        let Some(shorter) = shortened(&parts, room_tokens, model) else { break };
        if model.fits(&shorter, limit_tokens) {
            return shorter;
        }
        room_tokens -= limit_tokens / 20.0;
    }
    cut_at_line(text, limit_tokens, model)
}

/// The beginning of `text`, up to a line's end if that keeps at least half of what fits.
fn cut_at_line(text: &str, limit_tokens: f64, model: &Model) -> String {
    let kept =
        truncate(&|text| whole_tokens(model.count(text).ceil()), text, whole_tokens(limit_tokens), Keep::Head, "");
    let head = kept.and_then(|kept| text.get(..kept.head)).unwrap_or(text);
    let line_end = head.rfind('\n').filter(|&at| at >= head.len() / 2);
    head.get(..line_end.unwrap_or(head.len())).unwrap_or(head).trim_end().to_owned()
}

fn parts_of<'t>(text: &'t str, sections: &[Section]) -> Vec<SummaryPart<'t>> {
    let mut parts = vec![SummaryPart { heading: None, entries: Vec::new() }];
    let (mut line_end, mut entry_start, mut in_fence) = (0, 0, false);
    for line in text.split_inclusive('\n') {
        let line_start = line_end;
        line_end += line.len();
        let delimits = line.trim_start().starts_with("```");
        // A fence that the model forgot to close must not include the sections after it.
        let is_heading = if in_fence { names_section(line, sections) } else { begins_section(line, sections) };
        if is_heading && !delimits {
            in_fence = false;
            parts.push(SummaryPart { heading: Some(line.trim_end()), entries: Vec::new() });
            continue;
        }
        let Some(part) = parts.last_mut() else { continue };
        let continues = in_fence || line.starts_with([' ', '\t']);
        in_fence ^= delimits;
        match part.entries.last_mut().filter(|_| continues) {
            Some(entry) => *entry = text.get(entry_start..line_end).unwrap_or(entry),
            None if line.trim().is_empty() => {}
            None => {
                entry_start = line_start;
                part.entries.push(line);
            }
        }
    }
    parts.retain(|part| part.heading.is_some() || !part.entries.is_empty());
    parts
}

/// `parts` in about `limit_tokens`; `None` if the headings leave no room.
fn shortened(parts: &[SummaryPart<'_>], limit_tokens: f64, model: &Model) -> Option<String> {
    let cost = |text: &str| model.count(text.trim_end()) + LINE_BREAK_TOKENS;
    let fixed_tokens: f64 = parts.iter().map(|part| part.heading.map_or(0.0, cost) + cost(OMISSION_MARK)).sum();
    let mut room_tokens = limit_tokens - fixed_tokens;
    if room_tokens < limit_tokens / 4.0 {
        return None;
    }
    let body_tokens = |part: &SummaryPart<'_>| part.entries.iter().map(|entry| cost(entry)).sum::<f64>();
    let mut shortest_first: Vec<(usize, f64)> = parts.iter().map(body_tokens).enumerate().collect();
    shortest_first.sort_by(|(_, one), (_, other)| one.total_cmp(other));
    let mut texts = vec![String::new(); parts.len()];
    for (position, (index, _)) in shortest_first.into_iter().enumerate() {
        let (Some(part), Some(text)) = (parts.get(index), texts.get_mut(index)) else { continue };
        let (body, used_tokens) = body_within(part, room_tokens / to_f64(parts.len() - position), model);
        room_tokens -= used_tokens;
        *text = match part.heading {
            Some(heading) if body.is_empty() => heading.to_owned(),
            Some(heading) => [heading, "\n", &body].concat(),
            None => body,
        };
    }
    Some(texts.join("\n").trim_end().to_owned())
}

/// The entries of `part` that fit, and their tokens. If none fits, the first is cut.
fn body_within(part: &SummaryPart<'_>, share_tokens: f64, model: &Model) -> (String, f64) {
    let mut ranked: Vec<usize> = (0..part.entries.len()).collect();
    ranked.sort_by_key(|&index| !part.entries.get(index).is_some_and(|entry| has_exact_value(entry)));
    let (mut kept, mut used_tokens) = (BTreeMap::new(), 0.0);
    for index in ranked {
        let entry = part.entries.get(index).map_or("", |entry| entry.trim_end());
        let tokens = model.count(entry) + LINE_BREAK_TOKENS;
        if used_tokens + tokens <= share_tokens {
            used_tokens += tokens;
            kept.insert(index, entry.to_owned());
        }
    }
    if kept.is_empty() {
        let first = part.entries.first().map_or("", |entry| entry.trim_end());
        let head = cut_at_line(first, (share_tokens - LINE_BREAK_TOKENS).max(0.0), model);
        used_tokens = model.count(&head) + LINE_BREAK_TOKENS;
        kept.extend((!head.is_empty()).then_some((0, head)));
    }
    let omission = (kept.len() < part.entries.len()).then(|| OMISSION_MARK.to_owned());
    (kept.into_values().chain(omission).collect::<Vec<_>>().join("\n"), used_tokens)
}

/// Paths, numbers and quoted names can't be paraphrased.
fn has_exact_value(entry: &str) -> bool {
    let without_marker = entry.trim_start().trim_start_matches(|letter: char| letter.is_ascii_digit());
    without_marker.contains(['`', '/', '"', '“']) || without_marker.bytes().any(|byte| byte.is_ascii_digit())
}
