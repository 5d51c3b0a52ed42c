//! Lints for OpenCL that need no search.

use crate::cause::{Finding as Found, Opencl};
use crate::finding::finding;
use crate::report::Finding;
use crate::scene::Scene;
use alloc::vec::Vec;
use tidegate_model::context::Context;
use tidegate_model::opencl::action::Action;
use tidegate_model::opencl::named::limit;
use tidegate_model::operation::Action as Any;
use tidegate_model::ordered::OrderedMap;
use tidegate_model::rule::RuleId;
use tidegate_model::verdict::Schedules;

/// `opencl.named.limit`, at the first construction beyond what is portable.
pub(super) fn limit(scene: &Scene, context: &Context) -> Option<Finding> {
    let mut places: OrderedMap<u16, (usize, u32)> = OrderedMap::new();
    for (agent, node, operation) in context.operations() {
        if let Any::Opencl(Action::Construct { object, .. }) = operation.action {
            places.entry(object).or_insert((agent, node));
        }
    }
    if !limit::exceeds(places.len()) {
        return None;
    }
    let &(agent, node) = places.values().nth(limit::PORTABLE)?;
    let operation = (agent, node);
    let facts = Vec::from([Opencl::Constructs { count: places.len() as u32 }.into()]);
    let cause = Opencl::Exceeds { operation, limit: limit::PORTABLE as u32 };
    let found = Found::new(cause, facts, Some(operation));
    Some(finding(scene, RuleId::OpenclNamedLimit, Schedules::All, found))
}
