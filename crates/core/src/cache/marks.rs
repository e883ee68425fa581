//! Decides where Anthropic's cache breakpoints go: at most four a request; from each, the provider looks back over a number of
//! blocks for a prefix cached before. A prefix is given by its message count; 0 is the system prompt and tools if they are not messages.

use crate::cache::prompt::PromptTokens;

pub const MOST_MARKS: usize = 4;
/// Blocks over which the provider looks back from a breakpoint.
pub const LOOK_BACK_BLOCKS: f64 = 20.0;

/// The application's own breakpoints.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HostMarks {
    /// Message count of the system prompt.
    pub system: usize,
    /// Prefixes with a breakpoint, ascending.
    pub marked: Vec<usize>,
    /// Breakpoints on tools and on the system prompt.
    pub outside: usize,
    /// Breakpoints whose place is unknown.
    pub elsewhere: usize,
}

impl HostMarks {
    /// True if the application sets breakpoints; the provider then reads only those.
    #[must_use]
    pub fn has_marks(&self) -> bool {
        self.outside + self.elsewhere + self.marked.len() > 0
    }

    /// Prefixes that the application's breakpoints alone keep cached, ascending.
    #[must_use]
    pub fn entries(&self, end: usize) -> Vec<usize> {
        let ahead = (self.outside > 0).then_some(0);
        ahead.into_iter().chain(self.marked.iter().copied().filter(|&mark| mark <= end)).collect()
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct WantedMarks {
    /// The entry that this request reads; `None` if nothing is cached.
    pub read: Option<usize>,
    /// First message that this request changes.
    pub changed: Option<usize>,
    /// Message at which the next change would be worth most.
    pub next: Option<usize>,
}

/// The prefixes that get a breakpoint, ascending, the application's included. Chosen in order of what a missing one costs: the end; the
/// entry to read, if no other breakpoint looks back that far; the next or current change; the system prompt.
#[must_use]
pub fn marks(prompt: &PromptTokens, host: &HostMarks, wanted: WantedMarks) -> Vec<usize> {
    let end = prompt.len();
    let room = MOST_MARKS.saturating_sub(host.outside + host.elsewhere);
    let mut chosen: Vec<usize> = host.marked.iter().copied().filter(|&mark| mark <= end).collect();
    chosen.truncate(room);
    let add = |mark: usize, chosen: &mut Vec<usize>| {
        if chosen.len() < room && mark <= end && !chosen.contains(&mark) {
            chosen.push(mark);
        }
    };
    add(end, &mut chosen);
    let mut with_changes = chosen.clone();
    let changes = [wanted.next, wanted.changed].into_iter().flatten();
    changes.clone().for_each(|mark| add(mark, &mut with_changes));
    if let Some(read) = wanted.read
        && !is_reached(prompt, read, &with_changes)
    {
        add(read, &mut chosen);
    }
    changes.for_each(|mark| add(mark, &mut chosen));
    if host.outside == 0 && (host.system > 0 || prompt.fixed() > 0.0) {
        add(host.system, &mut chosen);
    }
    chosen.sort_unstable();
    chosen
}

fn is_reached(prompt: &PromptTokens, entry: usize, marks: &[usize]) -> bool {
    marks.iter().any(|&mark| mark >= entry && prompt.blocks_between(entry, mark) <= LOOK_BACK_BLOCKS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prompt(blocks: &[f64]) -> PromptTokens {
        let mut prompt = PromptTokens::default();
        for &blocks in blocks {
            prompt.push(100.0, blocks);
        }
        prompt
    }

    fn host(system: usize) -> HostMarks {
        HostMarks { system, ..HostMarks::default() }
    }

    fn wanted(read: usize, next: Option<usize>) -> WantedMarks {
        WantedMarks { read: Some(read), changed: None, next }
    }

    #[test]
    fn r10_8_the_system_prompt_what_may_change_next_and_the_end() {
        let ten = prompt(&[1.0; 10]);
        assert_eq!(marks(&ten, &host(1), wanted(8, Some(5))), [1, 5, 10]);
        assert_eq!(marks(&ten, &host(0), wanted(8, None)), [10]);
        assert_eq!(
            marks(&ten, &host(1), WantedMarks { read: Some(4), changed: Some(4), next: None }),
            [1, 4, 10]
        );
        assert_eq!(marks(&prompt(&[]), &host(0), WantedMarks::default()), [0]);
    }

    #[test]
    fn r10_8_an_end_out_of_reach_of_the_look_back_is_marked_again() {
        let forty = prompt(&[1.0; 40]);
        assert_eq!(marks(&forty, &host(1), wanted(20, Some(5))), [1, 5, 40], "20 blocks behind it");
        assert_eq!(marks(&forty, &host(1), wanted(19, Some(5))), [1, 5, 19, 40]);
        assert_eq!(
            marks(&prompt(&[5.0; 10]), &host(1), wanted(5, Some(3))),
            [1, 3, 5, 10],
            "five blocks each"
        );
    }

    #[test]
    fn r10_8_a_mark_that_nobody_can_tell_the_place_of_takes_the_room_of_one() {
        let ten = prompt(&[1.0; 10]);
        let own = HostMarks { system: 1, marked: vec![9], elsewhere: 1, ..HostMarks::default() };
        assert!(own.has_marks());
        assert_eq!(marks(&ten, &own, wanted(8, Some(5))), [5, 9, 10], "the system prompt has no room");
        assert_eq!(own.entries(10), [9], "it is no entry that one could read");
        let full = HostMarks { elsewhere: 4, ..HostMarks::default() };
        assert_eq!(marks(&ten, &full, wanted(8, Some(5))), [0_usize; 0]);
    }

    #[test]
    fn r10_8_where_the_host_has_marked_what_stands_ahead_the_system_prompt_is_not_marked_again() {
        let ten = prompt(&[1.0; 10]);
        let own = HostMarks { system: 1, outside: 1, ..HostMarks::default() };
        assert_eq!(marks(&ten, &own, wanted(8, Some(5))), [5, 10]);
        assert_eq!(own.entries(10), [0]);
        assert!(!host(1).has_marks() && host(1).entries(10).is_empty());
    }

    #[test]
    fn r10_8_what_stands_ahead_of_all_messages_is_marked_where_it_is_no_message() {
        let mut two = PromptTokens::new(900.0);
        two.push(100.0, 1.0);
        two.push(100.0, 1.0);
        assert_eq!(marks(&two, &host(0), WantedMarks::default()), [0, 2]);
    }

    #[test]
    fn r10_8_a_mark_past_the_end_is_none() {
        let two = prompt(&[1.0; 2]);
        let own = HostMarks { marked: vec![1, 7], ..HostMarks::default() };
        assert_eq!(marks(&two, &own, wanted(9, Some(8))), [1, 2]);
        assert_eq!(own.entries(2), [1]);
    }

    #[test]
    fn r10_8_the_entry_to_be_read_is_marked_again_unless_a_mark_that_has_room_reaches_it() {
        let forty = prompt(&[1.0; 40]);
        let read = WantedMarks { read: Some(10), changed: Some(12), next: Some(2) };
        assert_eq!(marks(&forty, &host(1), read), [1, 2, 12, 40], "the change reaches it");
        let crowded = HostMarks { elsewhere: 2, ..host(1) };
        assert_eq!(marks(&forty, &crowded, read), [10, 40], "no room for the change");
        assert_eq!(marks(&forty, &crowded, WantedMarks { next: Some(12), ..read }), [12, 40]);
    }

    #[test]
    fn r10_8_the_hosts_own_marks_count_among_the_four_and_stay() {
        let ten = prompt(&[1.0; 10]);
        let own = HostMarks { system: 1, marked: vec![7, 9], ..HostMarks::default() };
        assert_eq!(marks(&ten, &own, wanted(8, Some(5))), [5, 7, 9, 10]);
        let crowded = HostMarks { outside: 2, ..own };
        assert_eq!(marks(&ten, &crowded, wanted(8, Some(5))), [7, 9]);
        assert_eq!(crowded.entries(8), [0, 7]);
    }
}
