//! One file an agent. The order settles whose a file is when two formats recognise as much.

mod ai_sdk_ui;
mod claude_code;
mod cline;
mod codex;
mod copilot;
mod gemini_cli;
mod kimi_cli;
mod langchain;
mod langgraph;
mod mastra;
mod message_array;
mod openai_agents;
mod opencode;
mod openhands;
mod pi;
mod qwen_code;
mod request_log;

use crate::format::Format;

pub(crate) use opencode::StoredSessions;

pub(crate) static ALL: &[&dyn Format] = &[
    &claude_code::ClaudeCode,
    &codex::Codex,
    &pi::Pi,
    &gemini_cli::GeminiCli,
    &opencode::OpenCode,
    &cline::Cline,
    &kimi_cli::KimiCli,
    &qwen_code::QwenCode,
    &copilot::Copilot,
    &openhands::OpenHands,
    &langgraph::LangGraph,
    &langchain::LangChain,
    &ai_sdk_ui::AiSdkUi,
    &mastra::Mastra,
    &openai_agents::OpenAiAgents,
    &request_log::RequestLog,
    &message_array::MessageArray,
];
