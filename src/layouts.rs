//! The flat forms in which face and core tell each other numbers, since a call through N-API costs more than the numbers in it.
//! Each is described here and nowhere else: the binding reads and writes it by its fields, the face by the places of the same
//! fields, which it gets from `layouts` when it is loaded.

use napi_derive::napi;

pub trait FlatForm: Sized {
    const LENGTH: usize;
    /// `None` where there are too few numbers.
    fn read(numbers: &[f64]) -> Option<Self>;
}

macro_rules! layouts {
    ($($layout:ident $name:ident { $($field:ident),+ $(,)? })+) => {
        $(
            #[napi(object, object_from_js = false)]
            pub struct $layout { $(pub $field: f64),+ }

            impl FlatForm for $layout {
                const LENGTH: usize = [$(stringify!($field)),+].len();

                fn read(numbers: &[f64]) -> Option<Self> {
                    let &[$($field),+] = numbers.first_chunk()?;
                    Some(Self { $($field),+ })
                }
            }

            #[allow(dead_code)] // Some forms go one way only.
            impl $layout {
                pub const fn numbers(&self) -> [f64; Self::LENGTH] {
                    [$(self.$field),+]
                }

                fn places() -> Self {
                    let mut length = -1.0;
                    let mut next = || {
                        length += 1.0;
                        length
                    };
                    Self { $($field: next()),+ }
                }
            }
        )+

        #[napi(object, object_from_js = false)]
        pub struct Layouts { $(pub $name: $layout),+ }

        /// The place of each number in each form.
        #[napi(catch_unwind)]
        pub fn layouts() -> Layouts {
            Layouts { $($name: $layout::places()),+ }
        }
    };
}

layouts! {
    // What clean-up is told: whether a message stands for others, and behind it so many patches, a row's index and the row each, and so
    // many rows.
    CleanupNews cleanup_news { now, is_compressed, keep, patches, rows }
    // One row, with its `RowFlag`s; behind it so many calls, none of a patch. −1 is no id.
    CleanupRow cleanup_row { flags, timestamp, call_id, calls }
    // A declared call; one that is settled needs no result.
    CleanupCall cleanup_call { id, name, is_settled }
    // What clean-up decides: behind it the dropped rows, the calls that get an answer, the edits, and the groups of these.
    // So many edits as `kept_edits` says were told before; they stand, and what follows comes after them.
    CleanupDecision cleanup_decision { valid_until, dropped, answered, edits, in_seconds, kept_edits, unmatched }
    // A replaced row; behind all edits so many of the groups are its own. One that rides isn't outdated yet and goes with others.
    CleanupEdit cleanup_edit { row, rule, groups, rides }
    // What a view tells its schedule. The times are of the newest message and of the newest answer, in their own units, NaN where
    // messages don't say them; `sent` is NaN where the request is played again; `fixed` are the tokens ahead of all messages.
    // Behind it stand, as many as said: positions and tokens of changed messages, tokens and blocks of new ones, positions and
    // tokens of those that stay replaced, of those that are pending now and of those that only ride, the positions of those that
    // aren't any more, and the prefixes that the host has marked.
    ViewNews view_news {
        now, spoken, answered, sent, commit, fixed, system, outside, elsewhere,
        changed, pushed, kept, marked, riding, unmarked, host_marks,
    }
    // What the schedule decides; behind it position and tokens of each message to replace.
    ScheduleDecision schedule_decision {
        reason, is_taken, total_tokens, cached_tokens, cost, cost_left_alone, tokens_saved, extra_cost, gain_per_request,
        pays_after_requests, left_pending, tokens_left_pending, replaced, changes, number,
    }
    // What a message weighs by the tokenizer, and by the host's own count or NaN.
    WeighedMessage weighed_message { tokens, counted }
    // What compression knows of a message beside its texts, with its `SaidFlag`s.
    SaidMessage said_message { role, flags, level, tokens, calls, answers, units_beside_results }
}

/// Flags of a row for clean-up; the last two concern the face alone.
#[napi]
#[derive(Clone, Copy)]
pub enum RowFlag {
    Assistant = 1,
    Tool = 2,
    StatusError = 4,
    HasText = 8,
    HasMedia = 16,
    /// The time is when the row was first seen as it is.
    IsFirstSight = 32,
    /// Reading the message throws. It is left alone like any other, but read again when it comes back.
    Unreadable = 64,
    /// Some rule depends on the row's content, timestamp or status.
    Watched = 128,
}

/// What becomes of a request that the schedule is asked about.
#[napi]
#[derive(Clone, Copy)]
pub enum Commit {
    Look,
    /// The request counts as sent unless something is to be replaced.
    TakeUnlessChanged,
    Take,
}

#[napi]
#[derive(Clone, Copy)]
pub enum SaidRole {
    System,
    User,
    Assistant,
    Tool,
    Other,
}

#[napi]
#[derive(Clone, Copy)]
pub enum SaidFlag {
    Failed = 1,
    Thinking = 2,
    Pinned = 4,
    Summary = 8,
    Truncation = 16,
    PinnedCopy = 32,
    /// The message can't be sent without the one before it.
    Joined = 64,
    /// It begins with the provider's own summary, as text.
    Compaction = 128,
    /// It is the provider's own summary, encrypted.
    Sealed = 256,
}
