//! One file an agent. The order settles whose a file is when two formats recognise as much.

mod claude_code;
mod codex;
mod pi;

use crate::format::Format;

pub(crate) static ALL: &[&dyn Format] = &[&claude_code::ClaudeCode, &codex::Codex, &pi::Pi];
