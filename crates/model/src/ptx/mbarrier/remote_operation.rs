//! The check of `ptx.mbarrier.remote-operation`.

use crate::ptx::action::Action;
use crate::rule::RuleId;

/// Passes if an operation may act on an object of another CTA.
///
/// # Errors
/// This rule, if it may not.
pub fn check(action: Action) -> Result<(), RuleId> {
    match action {
        Action::Init { .. }
        | Action::Inval { .. }
        | Action::Wait { .. }
        | Action::CopyArrive { of_copies: true, .. } => Err(RuleId::PtxMbarrierRemoteOperation),
        Action::Arrive { form, .. } if form.no_complete || form.token.is_some() => {
            Err(RuleId::PtxMbarrierRemoteOperation)
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::ptx::action::{Arrive, Name, Order, Place};

    #[test]
    fn plain_arrives_may_act_on_other_ctas() {
        let name = Name { index: 0, place: Place::Rank(1) };
        assert!(
            check(Action::Inval { name }).is_err()
                && check(Action::Init { name, count: 1 }).is_err()
        );
        assert!(check(Action::Expect { name, bytes: 16 }).is_ok());
        let arrive = |no_complete, token| {
            let form = Arrive {
                count: 1,
                drop: false,
                no_complete,
                expect: None,
                order: Order::Cluster,
                token,
            };
            check(Action::Arrive { name, form }).is_ok()
        };
        let forms = [(false, None), (true, None), (false, Some(0))];
        assert_eq!(forms.map(|(no, token)| arrive(no, token)), [true, false, false]);
        assert!(
            check(Action::CopyArrive {
                name,
                no_increment: true,
                threads: 1,
                of_copies: true,
                ranks: None
            })
            .is_err()
        );
    }
}
