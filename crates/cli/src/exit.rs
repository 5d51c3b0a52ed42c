//! Exit codes and failures.

use std::fmt;
use std::process::ExitCode;

/// How a command ended. With several files, the worst result counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Every verdict is ok, or the command is done: 0.
    Ok,
    /// A search reached its limit: 3.
    Unknown,
    /// A verdict other than ok, or a failed expectation: 1.
    Found,
    /// Usage error, or invalid or unreadable input: 2.
    Usage,
}

impl Exit {
    /// The exit for a verdict as reports spell it.
    pub(crate) fn of_verdict(verdict: &str) -> Self {
        match verdict {
            "ok" => Self::Ok,
            "unknown" => Self::Unknown,
            "invalid" => Self::Usage,
            _ => Self::Found,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Ok => 0,
            Exit::Found => 1,
            Exit::Usage => 2,
            Exit::Unknown => 3,
        })
    }
}

/// Why a command failed, with a suggestion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) message: String,
    pub(crate) help: Option<String>,
    pub(crate) exit: Exit,
}

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None, exit: Exit::Usage }
    }

    /// A failure because of a limit.
    pub(crate) fn bound(message: impl Into<String>) -> Self {
        Self { exit: Exit::Unknown, ..Self::new(message) }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        self.help.as_ref().map_or(Ok(()), |help| write!(f, " ({help})"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_of_several_decides() {
        let exits = ["ok", "unknown", "ub", "invalid"].map(Exit::of_verdict);
        assert!(exits.is_sorted());
        assert_eq!(exits, [Exit::Ok, Exit::Unknown, Exit::Found, Exit::Usage]);
    }
}
