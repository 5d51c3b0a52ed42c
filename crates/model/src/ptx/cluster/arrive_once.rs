//! The check of `ptx.cluster.arrive-once`.

use crate::rule::RuleId;

/// The state of an agent at the cluster barrier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Standing {
    /// It has not arrived since its last wait.
    #[default]
    Away,
    /// It has arrived, and the phase is incomplete.
    Arrived,
    /// It has arrived, and the phase is complete: a wait returns.
    Released,
}

/// The state after an arrive.
///
/// # Errors
/// This rule, if the agent has arrived and not waited since.
pub fn arrive(standing: Standing) -> Result<Standing, RuleId> {
    match standing {
        Standing::Away => Ok(Standing::Arrived),
        _ => Err(RuleId::PtxClusterArriveOnce),
    }
}

/// Passes if the agent may wait: no other agent can arrive for it.
///
/// # Errors
/// This rule, if it has not arrived.
pub fn wait(standing: Standing) -> Result<(), RuleId> {
    if standing == Standing::Away { Err(RuleId::PtxClusterArriveOnce) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrive_and_wait_alternate() {
        assert_eq!(arrive(Standing::Away), Ok(Standing::Arrived));
        assert!(arrive(Standing::Arrived).is_err() && arrive(Standing::Released).is_err());
        assert!(wait(Standing::Away).is_err() && wait(Standing::Arrived).is_ok());
    }
}
