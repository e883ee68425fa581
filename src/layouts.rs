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
    // What clean-up is sent: whether a message takes the place of others; after it so many patches, a row's index and the row each, so
    // many rows, and of so many requests before the newest the rows and the time. `first_request`: the number of the first request.
    CleanupNews cleanup_news { now, is_compressed, keep, patches, rows, requests, first_request }
    // One row, with its `RowFlag`s; behind it so many calls, none of a patch. −1 is no id.
    CleanupRow cleanup_row { flags, timestamp, call_id, calls }
    // A declared call; one that is settled needs no result.
    CleanupCall cleanup_call { id, name, is_settled }
    // What clean-up decides: behind it the dropped rows, the calls that get an answer, those that are left out of their messages,
    // the edits, and the groups of these.
    // So many edits as `kept_edits` says were told before; they stand, and what follows comes after them.
    CleanupDecision cleanup_decision {
        valid_until, dropped, answered, repeated, duplicates, edits, in_seconds, kept_edits, unmatched,
    }
    // A replaced row; after all edits so many of the groups are its own. `request`: the number of the request at which it was first
    // outdated.
    CleanupEdit cleanup_edit { row, rule, groups, request }
    // A request that a view folds; the whole begins with the number of requests. After each: tokens, blocks, and tokens that
    // references save, of so many new messages, and row, message and saved tokens of so many results that are outdated from this request on. `time` is that of the newest message,
    // `last_time` that of the newest answer, `interrupted_time` that of a request that was perhaps interrupted since, in the messages' own
    // unit; NaN where nobody knows it.
    FoldedRequest folded_request { messages, outdated, time, last_time, interrupted_time, is_side }
    // What is removed; after it row and number of the request, as many as said, and so many messages that are sent whole though references
    // would save tokens. `cached_tokens`: of the newest request.
    FoldOutcome fold_outcome { removed, whole, cached_tokens }
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
    /// Nobody else speaks: a system message in mid-conversation, or an item of the model's that is no call.
    Aside = 256,
    /// Its form isn't understood, and it may hold calls or results.
    Unknown = 512,
    /// An agent made the result up for a call that never ended.
    Interruption = 1024,
    /// Another result has the same id.
    Repeated = 2048,
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
