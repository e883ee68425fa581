//! Decides failure of a terminal result as the original function does: the content is one JSON object, and only `stderr` counts.

use super::envelope::is_filled;
use crate::text::json_probe::{key_is, object_members};

/// True if `stderr` has content; the last duplicate counts. O(content).
pub fn has_stderr(content: &[u16]) -> bool {
    const STDERR: [u16; 6] = [0x73, 0x74, 0x64, 0x65, 0x72, 0x72];
    let mut has = false;
    let is_object = object_members(content, |key, value| {
        if key_is(key, &STDERR) {
            has = is_filled(value);
        }
    });
    is_object && has
}
