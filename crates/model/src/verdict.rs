//! Classes of findings, verdicts, and the schedules of a finding.

/// The class of a finding, from worst to mildest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// The target does not support an operation or object.
    Unsupported,
    /// Stated undefined behaviour.
    Ub,
    /// A violated requirement without a stated consequence.
    Violation,
    /// Two unordered conflicting accesses.
    Race,
    /// A wait that never completes.
    Deadlock,
    /// The specification allows it, but known hardware does not.
    Hazard,
    /// Legal but suspicious.
    Lint,
}

impl Class {
    /// The word used in reports.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Unsupported => "unsupported",
            Self::Ub => "ub",
            Self::Violation => "violation",
            Self::Race => "race",
            Self::Deadlock => "deadlock",
            Self::Hazard => "hazard",
            Self::Lint => "lint",
        }
    }

    /// The verdict that a finding of this class leads to; hazards and lints change no verdict.
    #[must_use]
    pub const fn verdict(self) -> Verdict {
        match self {
            Self::Unsupported => Verdict::Unsupported,
            Self::Ub => Verdict::Ub,
            Self::Violation => Verdict::Violation,
            Self::Race => Verdict::Race,
            Self::Deadlock => Verdict::Deadlock,
            Self::Hazard | Self::Lint => Verdict::Ok,
        }
    }
}

/// The verdict on a scenario, from worst to best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)] // each but the last two is the class of that name
pub enum Verdict {
    Unsupported,
    Ub,
    Violation,
    Race,
    Deadlock,
    /// The search reached a limit before it saw every execution.
    Unknown,
    /// The search was exhaustive and found nothing worse.
    Ok,
}

impl Verdict {
    /// Every verdict, from worst to best.
    pub const ALL: [Self; 7] = [
        Self::Unsupported,
        Self::Ub,
        Self::Violation,
        Self::Race,
        Self::Deadlock,
        Self::Unknown,
        Self::Ok,
    ];

    /// The word used in reports and expectations.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Unsupported => "unsupported",
            Self::Ub => "ub",
            Self::Violation => "violation",
            Self::Race => "race",
            Self::Deadlock => "deadlock",
            Self::Unknown => "unknown",
            Self::Ok => "ok",
        }
    }

    /// The verdict that a word names.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verdict| verdict.word() == word)
    }
}

/// The schedules in which a finding occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Schedules {
    /// In every schedule.
    All,
    /// In some schedules but not in all.
    Some,
}

impl Schedules {
    /// The word used in reports and expectations.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Some => "some",
        }
    }
}
