//! Lints for OpenCL that need no search.

use crate::explain::{self, Told};
use crate::finding::finding;
use crate::report::Finding;
use crate::scene::Scene;
use alloc::format;
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
    let what = explain::operation(scene, agent, node);
    let told = Told {
        message: format!(
            "{what} exceeds the portable limit of {} named barriers in a work-group",
            limit::PORTABLE
        ),
        because: alloc::vec![format!("the work-group constructs {}", places.len())],
        agent: Some(agent),
        node: Some(node),
        ..Told::default()
    };
    Some(finding(scene, RuleId::OpenclNamedLimit, Schedules::All, told))
}
