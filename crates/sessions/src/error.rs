//! Errors for files that can't be read as a session at all. Partly readable files yield a session with notes.

use std::io;

use crate::Agent;

#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("the file can't be read: {0}")]
    Io(#[from] io::Error),
    #[error("expected a regular file, found {found}, which may have no end")]
    NotRegular { found: &'static str },
    #[error("the file is empty")]
    Empty,
    #[error("{}", unknown_format_text(nearest.as_ref(), *line, found))]
    UnknownFormat {
        /// The closest format, and what that one expects.
        nearest: Option<(Agent, &'static str)>,
        line: u64,
        /// Short description of that line; quotes no content.
        found: String,
    },
    #[error(
        "the file is an SQLite database that can't be read: {reason}. opencode keeps its sessions in one: \
         `opencode export <session> > session.json` writes a file that can"
    )]
    Database { reason: String },
    #[error("only {understood} of {offered} {what} are understood, so the figures would be wrong. {}", known_agents())]
    NotUnderstood { understood: usize, offered: usize, what: &'static str },
    #[error(
        "a document, or a folder of numbered files, may have at most {limit_bytes} bytes, because it is read whole"
    )]
    TooLarge { limit_bytes: usize },
}

impl ReadError {
    pub fn code(&self) -> &'static str {
        match self {
            Self::Io(_) => "ERR_SESSION_IO",
            Self::NotRegular { .. } => "ERR_SESSION_NO_FILE",
            Self::Empty => "ERR_SESSION_EMPTY",
            Self::UnknownFormat { .. } => "ERR_SESSION_FORMAT",
            Self::Database { .. } => "ERR_SESSION_DATABASE",
            Self::NotUnderstood { .. } => "ERR_SESSION_NOT_UNDERSTOOD",
            Self::TooLarge { .. } => "ERR_SESSION_TOO_LARGE",
        }
    }
}

fn known_agents() -> String {
    format!("Known formats: {}", Agent::ALL.map(Agent::name).join(", "))
}

fn unknown_format_text(nearest: Option<&(Agent, &'static str)>, line: u64, found: &str) -> String {
    let place = match nearest {
        Some((agent, expects)) => {
            format!("nearest to {}: line {line}: expected {expects}, found {found}", agent.name())
        }
        None => format!("line {line}: found {found}"),
    };
    format!("not a known session format; {place}. {}", known_agents())
}
