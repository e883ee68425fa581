//! One file an agent. The order settles whose a file is when two formats recognise as much.

mod claude_code;

use crate::format::Format;

pub(crate) static ALL: &[&dyn Format] = &[&claude_code::ClaudeCode];
