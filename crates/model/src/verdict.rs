//! Classes of findings, verdicts, and how far a finding reaches.

/// What kind of thing a finding is. The order is from worst to mildest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// The target has no such operation or object.
    Unsupported,
    /// Stated undefined behaviour.
    Ub,
    /// A stated "must" without a stated consequence.
    Violation,
    /// Two conflicting accesses that nothing orders.
    Race,
    /// A wait that never completes.
    Deadlock,
    /// The text allows it, known hardware does not.
    Hazard,
    /// Legal and suspicious.
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
    /// A stated bound was hit before everything was seen.
    Unknown,
    /// Nothing worse was found, and everything was seen.
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

    /// The verdict that a word stands for.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verdict| verdict.word() == word)
    }
}

/// In which schedules a finding is met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Schedules {
    /// In every schedule.
    All,
    /// In some schedules and not in others.
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
