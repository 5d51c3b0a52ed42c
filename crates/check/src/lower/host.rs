//! Code for one choice of arguments by the host.

use crate::scene::host::{fullest, reached, start};
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_lang::scenario::Compiled;
use tidegate_lang::source::Source;
use tidegate_model::ordered::OrderedMap;
use tidegate_model::program::{Body, BodyId, NodeId};

/// The program in the shortest choice of arguments that performs most of the text, without the choice, and the note on
/// it. Without a choice, the program itself. Choices that have code come first.
pub(super) fn one_way(compiled: Compiled) -> (Compiled, Option<String>) {
    let Some(way) = fullest(&compiled) else { return (compiled, None) };
    let (ways, passed) = (compiled.passed.len(), &compiled.passed[way]);
    let remedy = match passed.starts_with("data") {
        true => "",
        false => " Add `argument` lines to choose another.",
    };
    let told = format!("This code is for one of {ways} cases: the host passes {passed}.{remedy}");
    (taken(compiled, way), Some(told))
}

/// The program in one way.
fn taken(compiled: Compiled, way: usize) -> Compiled {
    let mut program = compiled.program.clone();
    let mut bodies: Vec<Body> = Vec::new();
    let mut made: OrderedMap<(BodyId, NodeId), (BodyId, Vec<NodeId>)> = OrderedMap::new();
    let mut sources: Vec<Rc<[Source]>> = Vec::new();
    for (agent, own) in program.agents.iter_mut().zip(&compiled.sources) {
        let nodes = &compiled.program.bodies[agent.body as usize].nodes;
        let start = start(nodes, way);
        let (body, order) = made.entry((agent.body, start)).or_insert_with(|| {
            let order = reached(nodes, start);
            let mut places = alloc::vec![0; nodes.len()];
            (0..).zip(&order).for_each(|(place, &node)| places[node as usize] = place);
            let nodes = order.iter().map(|&node| nodes[node as usize].moved(&places)).collect();
            let body = Body { nodes };
            let known = bodies.iter().position(|other| *other == body);
            let id = known.unwrap_or_else(|| {
                bodies.push(body);
                bodies.len() - 1
            });
            (id as BodyId, order)
        });
        agent.body = *body;
        let source = |&node: &NodeId| own.get(node as usize).cloned().unwrap_or_default();
        sources.push(order.iter().map(source).collect());
    }
    program.bodies = bodies;
    Compiled { program, sources, passed: Vec::new(), ..compiled }
}

#[cfg(test)]
mod tests {
    use crate::lower::lower;
    use crate::scene::{Options, Scene};
    use alloc::format;
    use alloc::string::String;
    use tidegate_model::target::TargetId;

    fn code(target: &str, body: &str) -> String {
        let text = format!(
            "target opencl\nlaunch subgroups=2 items=2\nkernel void k(global int *data, global const int *more, int n) {{\nlocal int tile[4];\nint l = get_local_id(0);\n{body}\n}}\n"
        );
        let options = Options { target: TargetId::from_name(target), ..Options::default() };
        let lowered = lower(&Scene::new("x.tide", &text), &options);
        assert_eq!(
            (lowered.problems.as_slice(), lowered.diagnostics.len()),
            (&[][..], 0),
            "{body}"
        );
        let again = Scene::new("again.tide", &lowered.text);
        assert!(again.is_valid(), "{:?}\n{}", again.diagnostics(), lowered.text);
        lowered.text
    }

    const TARGETS: [&str; 3] = ["gfx900", "gfx1250", "sm_90"];

    #[test]
    fn the_barrier_under_a_condition_of_the_host_is_shown() {
        for target in TARGETS {
            let text = code(target, "if (n > 10) barrier(CLK_LOCAL_MEM_FENCE);");
            assert!(text.contains("one of 2 cases: the host passes n = 11"), "{text}");
            assert!(text.contains("line 6: barrier"), "{text}");
            let data = code(target, "if (more[0] > 10) barrier(CLK_LOCAL_MEM_FENCE);");
            assert!(
                data.contains("one of 2 cases") && data.contains("is true for `more[0]`"),
                "{data}"
            );
            assert!(data.contains("line 6: barrier"), "{data}");
        }
    }

    #[test]
    fn accesses_of_all_work_items_are_shown() {
        let text = code("gfx1250", "if (l < n) tile[l] = 0;\nbarrier(CLK_LOCAL_MEM_FENCE);");
        assert!(text.contains("one of 5 cases: the host passes n = 4"), "{text}");
        assert!(text.contains("store tile[12..16]"), "{text}");
    }

    #[test]
    fn programs_without_a_host_choice_have_no_note() {
        let text = code("gfx900", "tile[l] = more[n];\nbarrier(CLK_LOCAL_MEM_FENCE);");
        assert!(!text.contains("the host passes"), "{text}");
    }

    #[test]
    fn waves_synchronise_equally_often_around_constructions() {
        for body in [
            "if (get_sub_group_id() == 0) tile[l] = 0;\nlocal<work_group_named_barrier> b(2);\nb.wait(mem_fence::local);",
            "local<work_group_named_barrier> a(1);\nif (get_sub_group_id() == 0) a.wait(mem_fence::local);\nlocal<work_group_named_barrier> b(2);\nb.wait(mem_fence::local);",
        ] {
            let again = Scene::new("again.tide", &code("gfx1250", body));
            let report = crate::check(&again, &Options::default(), &mut |_| true);
            assert_eq!((report.verdict.as_str(), report.exhaustive), ("ok", true), "{body}");
        }
    }
}
