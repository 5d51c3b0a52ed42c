//! What a call breaks by itself.

use super::state::State;
use crate::opencl::action::Action;
use crate::opencl::fence::{image_alone, image_scope, local_scope_ignored};
use crate::opencl::named::image;
use crate::rule::RuleId;

/// Checks the rules that a call breaks by itself.
pub(super) fn check(state: &mut State, action: Action) {
    let Some(arguments) = action.arguments() else { return };
    if matches!(action, Action::Wait { .. }) {
        state.check(image::check(arguments.flags));
    } else {
        state.check(image_alone::check(arguments.flags));
        state.check(image_scope::check(arguments.flags, arguments.scope));
    }
    if local_scope_ignored::applies(arguments) {
        state.break_rule(RuleId::OpenclFenceLocalScopeIgnored);
    }
}
