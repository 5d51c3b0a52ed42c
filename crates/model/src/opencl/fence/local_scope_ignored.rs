//! The check of `opencl.fence.local-scope-ignored`.

use crate::opencl::action::{Arguments, Flags};

/// Whether the call has a scope argument that has no effect.
#[must_use]
pub fn applies(arguments: Arguments) -> bool {
    arguments.given && arguments.flags == Flags::LOCAL
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opencl::action::Scope;

    #[test]
    fn only_a_written_scope_with_only_the_local_flag_is_ignored() {
        let written =
            Arguments { flags: Flags::LOCAL, scope: Scope::Device, given: true, others: 0 };
        assert!(applies(written));
        assert!(!applies(Arguments { given: false, ..written }));
        assert!(!applies(Arguments { flags: Flags::new(3), ..written }));
    }
}
