//! The agents whose sessions are read, and where they keep them on the user's machine.

use std::path::{Path, PathBuf};

macro_rules! agents {
    ($($(#[$attribute:meta])? $agent:ident: $key:literal, $name:literal;)*) => {
        /// An agent, or another source of sessions: recorded requests, plain message lists.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
        pub enum Agent {
            $($(#[$attribute])? $agent,)*
        }

        impl Agent {
            pub const ALL: [Self; 22] = [$(Self::$agent),*];

            pub fn key(self) -> &'static str {
                match self { $(Self::$agent => $key),* }
            }

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

/// A folder or file that may hold sessions; it may not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DefaultFolder {
    pub agent: Agent,
    pub path: PathBuf,
}

/// The default locations of all agents on every operating system, for a home folder and environment variables.
pub fn default_folders(home: &Path, variable: impl Fn(&str) -> Option<String>) -> Vec<DefaultFolder> {
    let from_variable = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let config = from_variable("XDG_CONFIG_HOME").unwrap_or_else(|| home.join(".config"));
    let mut folders = Vec::new();
    let mut add = |agent, path| folders.push(DefaultFolder { agent, path });
    if let Some(folder) = from_variable("CLAUDE_CONFIG_DIR") {
        add(Agent::ClaudeCode, folder.join("projects"));
    } else {
        add(Agent::ClaudeCode, home.join(".claude/projects"));
        add(Agent::ClaudeCode, config.join("claude/projects"));
    }
    let codex = from_variable("CODEX_HOME").unwrap_or_else(|| home.join(".codex"));
    add(Agent::Codex, codex.join("sessions"));
    add(Agent::Codex, codex.join("archived_sessions"));
    let pi = from_variable("PI_CODING_AGENT_DIR").unwrap_or_else(|| home.join(".pi/agent"));
    add(Agent::Pi, pi.join("sessions"));
    add(Agent::GeminiCli, home.join(".gemini/tmp"));
    add(Agent::KimiCli, home.join(".kimi/sessions"));
    add(Agent::QwenCode, home.join(".qwen/projects"));
    add(Agent::QwenCode, home.join(".qwen/tmp"));
    add(Agent::Copilot, home.join(".copilot/session-state"));
    add(Agent::Copilot, home.join(".copilot/history-session-state"));
    let data = from_variable("XDG_DATA_HOME").unwrap_or_else(|| home.join(".local/share")).join("opencode");
    // A relative path is relative to that folder.
    let database = from_variable("OPENCODE_DB").unwrap_or_else(|| PathBuf::from("opencode.db"));
    add(Agent::OpenCode, data.join(database));
    // Location before opencode had a database; left out if the database exists.
    add(Agent::OpenCode, data.join("storage"));
    add(Agent::Cursor, home.join(".cursor/projects"));
    add(Agent::Droid, home.join(".factory/sessions"));
    let support = home.join("Library/Application Support");
    add(Agent::MiniSweAgent, config.join("mini-swe-agent"));
    add(Agent::MiniSweAgent, support.join("mini-swe-agent"));
    add(Agent::OpenHands, home.join(".openhands/sessions"));
    let roaming = from_variable("APPDATA").unwrap_or_else(|| home.join("AppData/Roaming"));
    for base in [config, support, roaming] {
        let user = base.join("Code/User");
        add(Agent::Cline, user.join("globalStorage/saoudrizwan.claude-dev/tasks"));
        add(Agent::Cline, user.join("globalStorage/rooveterinaryinc.roo-cline/tasks"));
        add(Agent::Copilot, user.join("workspaceStorage"));
    }
    folders
}

#[cfg(test)]
mod tests;
