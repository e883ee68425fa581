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
mod qwen_code;
mod request_log;
mod swe_agent;

use crate::format::Format;

pub(crate) use opencode::StoredSessions;

pub(crate) static ALL: &[&dyn Format] = &[
    &claude_code::ClaudeCode,
    &codex::Codex,
    &pi::Pi,
    &gemini_cli::GeminiCli,
    &gemini_stream::GeminiStream,
    &opencode::OpenCode,
    &cline::Cline,
    &kimi_cli::KimiCli,
    &qwen_code::QwenCode,
    &copilot::Copilot,
    &openhands::OpenHands,
    &cursor::Cursor,
    &droid::Droid,
    &swe_agent::SweAgent,
    &mini_swe_agent::MiniSweAgent,
    &harbor::Harbor,
    &langgraph::LangGraph,
    &langchain::LangChain,
    &ai_sdk_ui::AiSdkUi,
    &mastra::Mastra,
    &openai_agents::OpenAiAgents,
    &request_log::RequestLog,
    &message_array::MessageArray,
];
