//! Lowers the syntax tree to flat code: names are resolved, loops and conditions become jumps, agents are placed.

mod acquire;
pub(crate) mod agents;
mod atomics;
mod calls;
mod choices;
pub(crate) mod code;
mod collective;
mod compare;
mod data;
mod frames;
mod labels;
mod live;
mod loops;
mod members;
pub(crate) mod names;
mod nvidia;
mod opencl;
mod parts;
mod pointers;
mod resolve;
mod skips;
pub(crate) mod term;
mod unit;
mod uses;
mod value;
mod vector;

use crate::scenario::Scenario;
use crate::tree::Tree;
use code::{Code, Unit};
use names::{Globals, Reports};
use tidegate_model::target::TargetId;

/// Lowers a scenario that was parsed from this text, and adds diagnostics to it.
pub(crate) fn lower(scenario: &mut Scenario, text: &str) {
    let mut diagnostics = core::mem::take(&mut scenario.diagnostics);
    let mut reports = Reports(&mut diagnostics);
    let more_dimensions = scenario.tree.more_dimensions;
    let mut code = Code { more_dimensions, text: text.into(), ..Code::default() };
    let globals = Globals::new(scenario, text, &mut code, &mut reports);
    let tree = &scenario.tree;
    let framed = frames::framed(&tree.functions);
    let uses = uses::functions(&tree.functions);
    let written = term::written(tree);
    let shapes = term::followed(tree, text);
    let acquire = acquire::acquire(tree, text);
    let result =
        |function: &crate::tree::Function| Some((function.name.text.clone(), function.result?));
    let results = tree.functions.iter().filter_map(result).collect();
    for &(restriction, span) in &tree.restrictions {
        opencl::restrict(&mut code.restricted, restriction, span);
    }
    let bodies = tree.functions.iter().map(|function| (&function.body, Some(function), &[][..]));
    let agents = tree.agents.iter().map(|agents| (&agents.body, None, &agents.arguments[..]));
    for (body, function, arguments) in bodies.chain(agents) {
        let context = unit::Context {
            globals: &globals,
            text,
            target: scenario.target,
            types: &tree.types,
            shapes: &shapes,
            framed: &framed,
            uses: &uses,
            written: &written,
            given: &tree.given,
            acquire: &acquire,
            computes: &tree.computes,
            prototypes: &tree.prototypes,
            results: &results,
            in_function: function.is_some(),
        };
        let mut unit = unit::lower(context, body, (function, arguments), &mut code, &mut reports);
        let parameters = function.map_or(&[][..], |function| &function.parameters);
        unit.computes = function.is_some_and(|one| choices::computes(&one.body));
        unit.parameters = parameters.iter().map(|parameter| parameter.text.clone()).collect();
        code.units.push(unit);
    }
    agents::place(tree, text, scenario.target, &mut code, &mut reports);
    code.of_c = is_of_opencl(tree, &code);
    if code.of_c {
        scenario.target = scenario.target.or_else(|| TargetId::from_name("opencl"));
    }
    live::analyse(&mut code);
    live::spread_looks(&mut code);
    scenario.code = code;
    scenario.tree = Default::default();
    scenario.diagnostics = diagnostics;
}

/// Whether a kernel has the form of OpenCL C, and no operation is NVIDIA's.
fn is_of_opencl(tree: &Tree, code: &Code) -> bool {
    !code.nvidia && tree.agents.iter().any(|block| block.of_c)
}

impl Unit {
    /// A unit that starts at a step.
    pub(crate) fn new(entry: code::Pc, looks: code::Looks, end: u32) -> Self {
        let (computes, parameters, arguments) = Default::default();
        Self { entry, looks, end, computes, parameters, arguments }
    }
}
