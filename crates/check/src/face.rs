//! The names and tones of verdicts wherever people read them.

/// The appearance of a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Face {
    /// The word in the verdict bar.
    pub word: &'static str,
    /// Name of its colours and of its icon.
    pub tone: &'static str,
}

/// Returns the appearance of a verdict or of a finding's class.
#[must_use]
pub fn face(verdict: &str) -> Face {
    let (word, tone) = match verdict {
        "ok" => ("Defined", "ok"),
        "empty" => ("Empty", "unknown"),
        "launch" => ("No launch size", "unknown"),
        "ub" => ("Undefined", "ub"),
        "violation" => ("Violation", "violation"),
        "race" => ("Data race", "race"),
        "deadlock" => ("Deadlock", "deadlock"),
        "unsupported" => ("Unsupported", "unsupported"),
        "invalid" => ("Invalid scenario", "invalid"),
        "hazard" => ("Hazard", "violation"),
        "checking" => ("Checking", "unknown"),
        "lint" => ("Suspicious", "unknown"),
        _ => ("Inconclusive", "unknown"),
    };
    Face { word, tone }
}

#[cfg(test)]
mod tests {
    use super::face;

    #[test]
    fn a_verdict_without_a_face_is_inconclusive() {
        assert_eq!((face("race").word, face("race").tone), ("Data race", "race"));
        assert_eq!(face("something else"), face("unknown"));
    }
}
