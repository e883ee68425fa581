//! Decides where Anthropic is told to cache: at most four marks in a request, and from each the provider looks back over
//! so many blocks for what it has cached before. A later request reads only prefixes that were marked.
//!
//! A prefix is named by the number of messages in it; 0 is the system prompt and the tools where they are no messages.

use crate::cache::prompt::Prompt;

/// Marks in one request.
pub const MOST_MARKS: usize = 4;
/// Blocks that the provider looks back over from a mark.
pub const LOOK_BACK_BLOCKS: f64 = 20.0;

/// What the places of marks go by.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Host {
    /// How many messages at the start are the system prompt.
    pub system: usize,
    /// Prefixes that the host has marked itself, ascending.
    pub marked: Vec<usize>,
    /// Marks of the host's that are not on messages: on tools, on the system prompt.
    pub outside: usize,
    /// Further marks of the host's of which nobody can tell where they were.
    pub elsewhere: usize,
}

impl Host {
    /// Whether the host marks what is to be cached, so that the provider reads nothing else.
    #[must_use]
    pub fn has_marks(&self) -> bool {
        self.outside + self.elsewhere + self.marked.len() > 0
    }

    /// The prefixes that the provider has with the host's marks alone, ascending.
    #[must_use]
    pub fn entries(&self, end: usize) -> Vec<usize> {
        let ahead = (self.outside > 0).then_some(0);
        ahead.into_iter().chain(self.marked.iter().copied().filter(|&mark| mark <= end)).collect()
    }
}

/// What a request reads and prepares.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Wanted {
    /// The entry of the request before that this one reads; none where nothing is cached.
    pub read: Option<usize>,
    /// The first message that changes with this request.
    pub changed: Option<usize>,
    /// The message at which a later change is worth most.
    pub next: Option<usize>,
}

/// The prefixes that are marked, ascending, those of the host included. In the order of what it costs to lack them: the end;
/// the entry to be read, where no other mark looks back as far; what is changed next or now; the system prompt.
#[must_use]
pub fn marks(prompt: &Prompt, host: &Host, wanted: Wanted) -> Vec<usize> {
    let end = prompt.len();
    let mut chosen: Vec<usize> = host.marked.iter().copied().filter(|&mark| mark <= end).collect();
    let elsewhere = host.outside + host.elsewhere;
    chosen.truncate(MOST_MARKS.saturating_sub(elsewhere));
    let mut free = MOST_MARKS.saturating_sub(elsewhere + chosen.len());
    let mut add = |mark: usize, chosen: &mut Vec<usize>| {
        if free > 0 && mark <= end && !chosen.contains(&mark) {
            chosen.push(mark);
            free -= 1;
        }
    };
    add(end, &mut chosen);
    if let Some(read) = wanted.read
        && !is_reached(prompt, read, &chosen, wanted)
    {
        add(read, &mut chosen);
    }
    for mark in [wanted.next, wanted.changed].into_iter().flatten() {
        add(mark, &mut chosen);
    }
    if host.outside == 0 && (host.system > 0 || prompt.fixed() > 0.0) {
        add(host.system, &mut chosen);
    }
    chosen.sort_unstable();
    chosen
}

/// Whether a provider finds the entry from the marks that there will be.
fn is_reached(prompt: &Prompt, entry: usize, chosen: &[usize], wanted: Wanted) -> bool {
    let mut marks = chosen.iter().copied().chain(wanted.next).chain(wanted.changed);
    marks.any(|mark| mark >= entry && prompt.blocks_between(entry, mark) <= LOOK_BACK_BLOCKS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prompt(blocks: &[f64]) -> Prompt {
        let mut prompt = Prompt::default();
        blocks.iter().for_each(|&blocks| prompt.push(100.0, blocks));
        prompt
    }

    fn host(system: usize) -> Host {
        Host { system, ..Host::default() }
    }

    fn wanted(read: usize, next: Option<usize>) -> Wanted {
        Wanted { read: Some(read), changed: None, next }
    }

    #[test]
    fn r10_8_the_system_prompt_what_may_change_next_and_the_end() {
        let ten = prompt(&[1.0; 10]);
        assert_eq!(marks(&ten, &host(1), wanted(8, Some(5))), [1, 5, 10]);
        assert_eq!(marks(&ten, &host(0), wanted(8, None)), [10]);
        assert_eq!(marks(&ten, &host(1), Wanted { read: Some(4), changed: Some(4), next: None }), [1, 4, 10]);
        assert_eq!(marks(&prompt(&[]), &host(0), Wanted::default()), [0]);
    }

    #[test]
    fn r10_8_an_end_out_of_reach_of_the_look_back_is_marked_again() {
        let forty = prompt(&[1.0; 40]);
        assert_eq!(marks(&forty, &host(1), wanted(20, Some(5))), [1, 5, 40], "20 blocks behind it");
        assert_eq!(marks(&forty, &host(1), wanted(19, Some(5))), [1, 5, 19, 40]);
        assert_eq!(marks(&prompt(&[5.0; 10]), &host(1), wanted(5, Some(3))), [1, 3, 5, 10], "five blocks each");
    }

    #[test]
    fn r10_8_the_hosts_own_marks_count_among_the_four_and_stay() {
        let ten = prompt(&[1.0; 10]);
        let own = Host { system: 1, marked: vec![7, 9], ..Host::default() };
        assert_eq!(marks(&ten, &own, wanted(8, Some(5))), [5, 7, 9, 10]);
        let crowded = Host { outside: 2, ..own };
        assert_eq!(marks(&ten, &crowded, wanted(8, Some(5))), [7, 9]);
        assert_eq!(crowded.entries(8), [0, 7]);
    }
}
