//! One module per agent or file format. If two formats have equal evidence for a file, the first in order wins.

mod ai_sdk_ui;
mod claude_code;
mod cline;
mod codex;
mod copilot;
mod cursor;
mod droid;
mod gemini_cli;
mod gemini_stream;
mod harbor;
mod kimi_cli;
mod langchain;
mod langgraph;
mod mastra;
mod message_array;
mod mini_swe_agent;
mod openai_agents;
mod opencode;
mod openhands;
mod pi;
mod prelude;
mod qwen_code;
mod request_log;
mod swe_agent;

use crate::format::Format;

pub(crate) use opencode::StoredSessions;

pub(crate) static ALL: [Format; 23] = [
    claude_code::FORMAT,
    codex::FORMAT,
    pi::FORMAT,
    gemini_cli::FORMAT,
    gemini_stream::FORMAT,
    opencode::FORMAT,
    cline::FORMAT,
    kimi_cli::FORMAT,
    qwen_code::FORMAT,
    copilot::FORMAT,
    openhands::FORMAT,
    cursor::FORMAT,
    droid::FORMAT,
    swe_agent::FORMAT,
    mini_swe_agent::FORMAT,
    harbor::FORMAT,
    langgraph::FORMAT,
    langchain::FORMAT,
    ai_sdk_ui::FORMAT,
    mastra::FORMAT,
    openai_agents::FORMAT,
    request_log::FORMAT,
    message_array::FORMAT,
];
