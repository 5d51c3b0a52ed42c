//! The lines with operations, at which runs can stop.

use tidegate_check::Scene;
use tidegate_check::model::ordered::OrderedMap;
use tidegate_check::model::program::Node;

/// Returns the operations on each line that has any.
pub(crate) fn of(scene: &Scene) -> OrderedMap<u32, String> {
    let mut lines: OrderedMap<u32, Vec<String>> = OrderedMap::new();
    let Some(context) = scene.context() else { return OrderedMap::new() };
    for agent in 0..context.program.agents.len() {
        let nodes = context.program.body_of(agent).nodes.iter().zip(0..);
        for (_, node) in nodes.filter(|(node, _)| matches!(node, Node::Operation { .. })) {
            let source = scene.source(agent, node);
            let known = lines.entry(source.span.line).or_default();
            if !known.contains(&source.text) {
                known.push(source.text);
            }
        }
    }
    lines.remove(&0);
    lines.into_iter().map(|(line, all)| (line, all.join("; "))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::scene;

    #[test]
    fn every_line_lists_all_of_its_operations() {
        let text = "launch waves=2\n# nothing\nwave * {\n  arrive wg; wait wg\n  repeat 2 {\n    arrive wg\n    wait wg\n  }\n}\n";
        let lines: Vec<(u32, String)> = of(&scene(text)).into_iter().collect();
        let wanted = [(4, "arrive wg; wait wg"), (6, "arrive wg"), (7, "wait wg")];
        assert_eq!(lines, wanted.map(|(line, text)| (line, text.to_owned())));
        assert!(of(&scene("wave {")).is_empty());
    }
}
