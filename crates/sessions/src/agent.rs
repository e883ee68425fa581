//! The agents whose sessions are read.

macro_rules! agents {
    ($($(#[$attribute:meta])? $agent:ident: $key:literal, $name:literal;)*) => {
        /// An agent, or another source of sessions: recorded requests, plain message lists.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
        pub enum Agent {
            $($(#[$attribute])? $agent,)*
        }

        impl Agent {
            pub const ALL: [Self; 22] = [$(Self::$agent),*];

            /// Stable name for programs and options.
            pub fn key(self) -> &'static str {
                match self { $(Self::$agent => $key),* }
            }

            /// Display name.
            pub fn name(self) -> &'static str {
                match self { $(Self::$agent => $name),* }
            }
        }
    };
}

agents! {
    ClaudeCode: "claude-code", "Claude Code";
    Codex: "codex", "Codex";
    Pi: "pi", "pi";
    GeminiCli: "gemini-cli", "Gemini CLI";
    OpenCode: "opencode", "opencode";
    Cline: "cline", "Cline";
    KimiCli: "kimi-cli", "Kimi CLI";
    QwenCode: "qwen-code", "Qwen Code";
    Copilot: "copilot", "GitHub Copilot";
    OpenHands: "openhands", "OpenHands";
    Cursor: "cursor", "Cursor";
    Droid: "droid", "Droid";
    SweAgent: "swe-agent", "SWE-agent";
    MiniSweAgent: "mini-swe-agent", "mini-SWE-agent";
    Harbor: "harbor", "Harbor (ATIF)";
    LangGraph: "langgraph", "LangGraph";
    LangChain: "langchain", "LangChain";
    AiSdkUi: "ai-sdk-ui", "AI SDK UI messages";
    Mastra: "mastra", "Mastra";
    OpenAiAgents: "openai-agents", "OpenAI Agents SDK";
    RequestLog: "request-log", "recorded API requests";
    #[default] MessageArray: "message-array", "message list";
}
