//! Recovers the usable part of a reply that reached its output limit.

use super::headings::begins_section;
use super::{Accepted, judge_text};
use crate::compression::summary::exchange::Reply;
use crate::compression::summary::prompt::Section;

/// The summary up to its last whole sentence, without an empty last heading; `None` if that is no summary. O(text).
pub fn salvaged(reply: &Reply, sections: &[Section]) -> Option<Accepted> {
    let accepted = judge_text(reply.text.as_deref()?, sections).ok()?;
    judge_text(&without_torn_end(&accepted.text, sections), sections).ok()
}

fn without_torn_end(text: &str, sections: &[Section]) -> String {
    let (before, torn) = text.rsplit_once('\n').unwrap_or(("", text));
    let ends = [". ", "! ", "? ", "; ", "。", "！", "？", "；"];
    let end = ends.iter().filter_map(|mark| Some(torn.rfind(mark)? + mark.trim_end().len())).max();
    let is_ended = torn.trim_end().ends_with(['.', '!', '?', '。', '！', '？']);
    let kept = if is_ended { Some(torn) } else { end.and_then(|end| torn.get(..end)) };
    let kept = kept.filter(|_| !begins_section(torn, sections)).unwrap_or_default();
    let mut lines: Vec<&str> = before.lines().chain([kept]).collect();
    while lines.last().is_some_and(|line| line.trim().is_empty() || begins_section(line, sections)) {
        lines.pop();
    }
    let is_in_fence = lines.iter().filter(|line| line.trim_start().starts_with("```")).count() % 2 == 1;
    lines.extend(is_in_fence.then_some("```"));
    lines.join("\n")
}
