//! The check of `opencl.split.flags-differ`.

use crate::opencl::action::Arguments;

/// Whether an arrive and its wait pass different flags or scopes.
#[must_use]
pub fn applies(arrive: Arguments, wait: Arguments) -> bool {
    (arrive.flags, arrive.scope) != (wait.flags, wait.scope)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opencl::action::{Flags, Scope};

    #[test]
    fn flags_and_scope_are_compared() {
        let one =
            Arguments { flags: Flags::LOCAL, scope: Scope::WorkGroup, given: false, others: 0 };
        assert!(!applies(one, one));
        assert!(applies(one, Arguments { flags: Flags::GLOBAL, ..one }));
        assert!(applies(one, Arguments { scope: Scope::Device, ..one }));
    }
}
