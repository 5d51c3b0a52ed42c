//! The relations of one execution, as data and as drawings.

use crate::check::{engine_options, scene};
use crate::types::CheckOptions;
use crate::values::{give, take};
use tidegate_check::graph::draw::{dot, mermaid, svg};
use tidegate_check::graph::report::report;
use tidegate_check::graph::{ExecutionGraph, GraphError, Pick, RelationId};
use tidegate_check::{Options, Scene, graph};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

/// Returns the relations of one execution: the witness of the finding with an index, by default the first, or a complete
/// execution if there are no findings. Throws if there is no such execution or it is too large.
#[wasm_bindgen(js_name = graph, unchecked_return_type = "GraphReport")]
pub fn relations(
    text: &str,
    #[wasm_bindgen(unchecked_optional_param_type = "CheckOptions")] options: JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "number")] finding: Option<usize>,
) -> Result<JsValue, JsError> {
    let (scene, options, found) = find(text, options, Pick { finding, memory: false })?;
    let target = options.target_of(&scene).get().name;
    give(&report(&found, scene.file(), scene.title(), target, &RelationId::ALL))
}

/// Draws the execution as `dot`, `mermaid` or `svg`, with the relations of these names; by default program-order, modification
/// order and barrier-participates-in.
#[wasm_bindgen(js_name = drawGraph)]
pub fn draw(
    text: &str,
    format: &str,
    #[wasm_bindgen(unchecked_optional_param_type = "CheckOptions")] options: JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "number")] finding: Option<usize>,
    #[wasm_bindgen(unchecked_optional_param_type = "string[]")] relations: Option<Vec<String>>,
) -> Result<String, JsError> {
    let draw = match format {
        "dot" => dot,
        "mermaid" => mermaid,
        "svg" => svg,
        other => {
            return Err(JsError::new(&format!(
                "unknown format `{other}`: expected `dot`, `mermaid` or `svg`"
            )));
        }
    };
    let usual =
        [RelationId::ProgramOrder, RelationId::ModificationOrder, RelationId::ParticipatesIn];
    let named = |name: &String| {
        RelationId::from_name(name)
            .ok_or_else(|| JsError::new(&format!("unknown relation `{name}`")))
    };
    let relations = match relations {
        Some(names) => names.iter().map(named).collect::<Result<Vec<_>, _>>()?,
        None => usual.to_vec(),
    };
    let memory = relations.iter().any(|id| id.is_of_memory());
    let (scene, _, found) = find(text, options, Pick { finding, memory })?;
    Ok(draw(&found, scene.title(), &relations))
}

fn find(
    text: &str,
    options: JsValue,
    pick: Pick,
) -> Result<(Scene, Options, ExecutionGraph), JsError> {
    let asked: CheckOptions = take(options)?;
    let scene = scene(text, &asked);
    let options = Options { ambiguities: false, machine: false, ..engine_options(&asked)? };
    let found = graph(&scene, &options, pick, &mut |_| true).map_err(failed)?;
    Ok((scene, options, found))
}

fn failed(error: GraphError) -> JsError {
    JsError::new(match error {
        GraphError::Invalid => "the scenario has errors: see the diagnostics of `check`",
        GraphError::NoSuchFinding(_) => "no finding with that index has an execution",
        GraphError::TooLarge => "the execution has too many operations",
        GraphError::NoInterleaving => "the execution matches no interleaving",
        GraphError::NoRelations => "the scenario combines barriers from several specifications",
    })
}
