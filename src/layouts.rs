//! The flat forms in which the JavaScript side and the core exchange numbers, since a call through N-API costs more
//! than the numbers in it. Each form is described only here: the binding reads and writes it by field, and the
//! JavaScript side by index, which it gets from `layouts` when it is loaded.

use napi_derive::napi;

/// Named fields that are exchanged as consecutive numbers.
pub trait FlatForm: Sized {
    /// How many numbers.
    const LENGTH: usize;
    /// `None` if there are too few numbers.
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

            #[allow(dead_code)] // Some forms are only written or only read.
            impl $layout {
                pub const fn numbers(&self) -> [f64; Self::LENGTH] {
                    [$(self.$field),+]
                }

                fn field_indices() -> Self {
                    let mut indices = (0_u32..).map(f64::from);
                    Self { $($field: indices.next().unwrap_or(f64::NAN)),+ }
                }
            }
        )+

        #[napi(object, object_from_js = false)]
        pub struct Layouts { $(pub $name: $layout),+ }

        /// The index of each field in each form.
        #[napi(catch_unwind)]
        pub fn layouts() -> Layouts {
            Layouts { $($name: $layout::field_indices()),+ }
        }
    };
}

layouts! {
    // Input of clean-up. `is_compressed`: a message replaces others. After it: `patches` times a row's index and its
    // new row, then `rows` rows, then `requests` times the row count and the time of a request before the newest.
    // `first_request`: the number of the first request.
    CleanupNews cleanup_news { now, is_compressed, keep, patches, rows, requests, first_request }
    // One row, with its `RowFlag`s; after it `calls` calls (none in a patch). −1 means no id.
    CleanupRow cleanup_row { flags, timestamp, call_id, calls }
    // A declared call; a settled call needs no result.
    CleanupCall cleanup_call { id, name, is_settled }
    // A decision of clean-up. After it: the dropped rows, the calls that get a result, the calls to omit from their
    // messages, the edits, and the groups of the edits. The first `kept_edits` edits are the same as before and not
    // written again; new edits follow them.
    CleanupDecision cleanup_decision {
        valid_until, dropped, answered, repeated, duplicates, edits, in_seconds, kept_edits, unmatched,
    }
    // A replaced row; after all edits, `groups` of the groups belong to this one. `request`: the number of the request
    // at which it was first outdated.
    CleanupEdit cleanup_edit { row, rule, groups, request }
    // A request that a view folds; the input begins with the number of requests. After each request: `messages` times
    // tokens, blocks, and tokens that references save; then `outdated` times row, message, and the tokens that the
    // placeholder and that references save, of a result that is outdated from this request on. `time` is that of the
    // newest message, `last_time` that of the newest assistant message, `interrupted_time` that of a later request that
    // may have been interrupted, in the messages' own unit; NaN if unknown.
    FoldedRequest folded_request { messages, outdated, time, last_time, interrupted_time, is_side }
    // The removals of a fold. After it: `removed` times row and number of the request, then `whole` messages that are
    // sent whole although references would save tokens. `cached_tokens`: of the newest request.
    FoldOutcome fold_outcome { removed, whole, cached_tokens }
    // A message's tokens by the tokenizer, and by the application's own count or NaN.
    WeighedMessage weighed_message { tokens, counted }
    // What compression reads of a message in addition to its texts, with its `SaidFlag`s.
    SaidMessage said_message { role, flags, level, tokens, calls, answers, units_beside_results }
}

/// Flags of a row for clean-up; `Unreadable`, `Watched` and `Repeated` are used only by the JavaScript side.
#[napi]
#[derive(Clone, Copy)]
pub enum RowFlag {
    Assistant = 1,
    Tool = 2,
    StatusError = 4,
    HasText = 8,
    HasMedia = 16,
    /// The time is when the row was first seen in its current form.
    IsFirstSight = 32,
    /// Reading the message throws. It is not modified, but read again when it comes back.
    Unreadable = 64,
    /// A rule depends on the row's content, timestamp or status.
    Watched = 128,
    /// Neither a user nor an assistant message: a later system message, or an item of the model's that is no call.
    Aside = 256,
    /// Its form is unknown, and it may hold calls or results.
    Unknown = 512,
    /// An agent wrote the result for a call that never ended.
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
    /// The message can't be sent without the previous one.
    Joined = 64,
    /// It begins with the provider's own summary, as text.
    Compaction = 128,
    /// It is the provider's own summary, encrypted.
    Sealed = 256,
}
