//! Decides where Anthropic is told to cache: at most four marks in a request, and from each the provider looks back over
//! so many blocks for what it has cached before.

/// Marks in one request.
pub const MOST_MARKS: usize = 4;
/// Blocks that the provider looks back over from a mark.
pub const LOOK_BACK_BLOCKS: usize = 20;

/// The messages of a request, as far as marks go by them.
#[derive(Debug, Clone, Copy)]
pub struct Layout<'a> {
    /// By message, the blocks that it is to the provider.
    pub blocks: &'a [f64],
    /// How many messages at the start are the system prompt.
    pub system: usize,
    /// The first message that may still change; their number when none may.
    pub first_open: usize,
    /// Where the mark at the end stood in the request before; none where there was none.
    pub last_end: Option<usize>,
}

/// The messages to mark, ascending: the last of the system prompt, the last before what may still change, the end, and
/// what else the look-back needs to find the end of the request before.
#[must_use]
pub fn breakpoints(layout: Layout<'_>) -> Vec<usize> {
    let Some(end) = layout.blocks.len().checked_sub(1) else { return Vec::new() };
    let mut marks: Vec<usize> = [layout.system, layout.first_open.min(end + 1)]
        .into_iter()
        .filter_map(|count| count.checked_sub(1))
        .filter(|&mark| mark < end)
        .collect();
    marks.push(end);
    let seen = layout.last_end.filter(|&last| last < end);
    if let Some(last) = seen
        && blocks_between(layout.blocks, last, end) > LOOK_BACK_BLOCKS
        && !marks.contains(&last)
    {
        marks.push(last);
    }
    marks.sort_unstable();
    marks.dedup();
    debug_assert!(marks.len() <= MOST_MARKS);
    marks
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // counts of blocks
fn blocks_between(blocks: &[f64], from: usize, to: usize) -> usize {
    blocks.get(from + 1..=to).unwrap_or_default().iter().sum::<f64>() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(blocks: &[f64], system: usize, first_open: usize, last_end: Option<usize>) -> Vec<usize> {
        breakpoints(Layout { blocks, system, first_open, last_end })
    }

    #[test]
    fn r10_8_the_system_prompt_the_settled_part_and_the_end() {
        assert_eq!(marks(&[1.0; 10], 1, 5, None), [0, 4, 9]);
        assert_eq!(marks(&[1.0; 10], 0, 10, None), [9]);
        assert_eq!(marks(&[1.0; 10], 2, 2, None), [1, 9]);
        assert_eq!(marks(&[1.0], 1, 0, None), [0]);
        assert!(marks(&[], 0, 0, None).is_empty());
    }

    #[test]
    fn r10_8_an_end_out_of_reach_of_the_look_back_is_marked_again() {
        assert_eq!(marks(&[1.0; 40], 1, 5, Some(19)), [0, 4, 39], "20 blocks behind it");
        assert_eq!(marks(&[1.0; 40], 1, 5, Some(18)), [0, 4, 18, 39]);
        assert_eq!(marks(&[5.0; 10], 1, 3, Some(4)), [0, 2, 4, 9], "five blocks in each message");
        assert_eq!(marks(&[1.0; 10], 1, 3, Some(30)), [0, 2, 9], "rewound");
    }
}
