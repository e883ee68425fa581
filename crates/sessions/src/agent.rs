//! The agents whose sessions are read.

/// An agent, or another source of sessions: recorded requests, plain message lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Agent {
    ClaudeCode,
    Codex,
    Pi,
    GeminiCli,
    OpenCode,
    Cline,
    KimiCli,
    QwenCode,
    Copilot,
    OpenHands,
    Cursor,
    Droid,
    SweAgent,
    MiniSweAgent,
    Harbor,
    LangGraph,
    LangChain,
    AiSdkUi,
    Mastra,
    OpenAiAgents,
    RequestLog,
    MessageArray,
}

impl Agent {
    pub const ALL: [Self; 22] = [
        Self::ClaudeCode,
        Self::Codex,
        Self::Pi,
        Self::GeminiCli,
        Self::OpenCode,
        Self::Cline,
        Self::KimiCli,
        Self::QwenCode,
        Self::Copilot,
        Self::OpenHands,
        Self::Cursor,
        Self::Droid,
        Self::SweAgent,
        Self::MiniSweAgent,
        Self::Harbor,
        Self::LangGraph,
        Self::LangChain,
        Self::AiSdkUi,
        Self::Mastra,
        Self::OpenAiAgents,
        Self::RequestLog,
        Self::MessageArray,
    ];

    /// Display name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "Claude Code",
            Self::Codex => "Codex",
            Self::Pi => "pi",
            Self::GeminiCli => "Gemini CLI",
            Self::OpenCode => "opencode",
            Self::Cline => "Cline",
            Self::KimiCli => "Kimi CLI",
            Self::QwenCode => "Qwen Code",
            Self::Copilot => "GitHub Copilot",
            Self::OpenHands => "OpenHands",
            Self::Cursor => "Cursor",
            Self::Droid => "Droid",
            Self::SweAgent => "SWE-agent",
            Self::MiniSweAgent => "mini-SWE-agent",
            Self::Harbor => "Harbor (ATIF)",
            Self::LangGraph => "LangGraph",
            Self::LangChain => "LangChain",
            Self::AiSdkUi => "AI SDK UI messages",
            Self::Mastra => "Mastra",
            Self::OpenAiAgents => "OpenAI Agents SDK",
            Self::RequestLog => "recorded API requests",
            Self::MessageArray => "message list",
        }
    }

    /// Stable name for programs and options.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::Pi => "pi",
            Self::GeminiCli => "gemini-cli",
            Self::OpenCode => "opencode",
            Self::Cline => "cline",
            Self::KimiCli => "kimi-cli",
            Self::QwenCode => "qwen-code",
            Self::Copilot => "copilot",
            Self::OpenHands => "openhands",
            Self::Cursor => "cursor",
            Self::Droid => "droid",
            Self::SweAgent => "swe-agent",
            Self::MiniSweAgent => "mini-swe-agent",
            Self::Harbor => "harbor",
            Self::LangGraph => "langgraph",
            Self::LangChain => "langchain",
            Self::AiSdkUi => "ai-sdk-ui",
            Self::Mastra => "mastra",
            Self::OpenAiAgents => "openai-agents",
            Self::RequestLog => "request-log",
            Self::MessageArray => "message-array",
        }
    }
}
