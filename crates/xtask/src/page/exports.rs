//! Leaves out functions that a module exports and that nothing calls.

use super::{FEATURES, tool};
use crate::context::Context;
use crate::process;
use anyhow::{Context as _, Result};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Start of the exports of `wasm-streams`, which leptos brings along: classes for streams that no code of the page makes.
/// wasm-bindgen keeps the exports of every dependency.
const UNUSED: [&str; 2] = ["intounderlying", "__wbg_intounderlying"];

/// Keeps the exports that the JavaScript of a module calls, and what they need.
pub(super) fn leave_out_unused(context: &Context, programs: &Path, module: &Path) -> Result<()> {
    let name = module.file_stem().unwrap_or_default().to_string_lossy();
    let script = module.with_file_name(format!("{}.js", name.trim_end_matches("_bg")));
    let text =
        fs::read_to_string(&script).with_context(|| format!("cannot read {}", script.display()))?;
    let nodes: Vec<String> = called(&text)
        .into_iter()
        .filter(|name| !UNUSED.iter().any(|unused| name.starts_with(unused)))
        .map(|name| format!(r#"{{"name":"{name}","export":"{name}","root":true}}"#))
        .collect();
    let graph = module.with_extension("graph.json");
    fs::write(&graph, format!("[{}]", nodes.join(",")))?;
    let smaller = module.with_extension("smaller");
    let mut command = tool(context, programs, "wasm-metadce")?;
    // The names of functions are needed to order them.
    command.args(["--quiet", "--debuginfo"]).args(FEATURES).arg("--graph-file").arg(&graph);
    process::quietly(command.arg(module).arg("-o").arg(&smaller))?;
    fs::remove_file(graph)?;
    fs::rename(smaller, module)?;
    Ok(())
}

/// Names of the exports that the JavaScript of wasm-bindgen uses: `wasm.name`.
fn called(script: &str) -> BTreeSet<&str> {
    let part = |character: char| character.is_ascii_alphanumeric() || "_$".contains(character);
    let uses = script.match_indices("wasm.").filter(|(at, _)| !script[..*at].ends_with(part));
    uses.map(|(at, found)| {
        let name = &script[at + found.len()..];
        &name[..name.find(|character| !part(character)).unwrap_or(name.len())]
    })
    .filter(|name| !name.is_empty())
    .collect()
}

#[cfg(test)]
mod tests {
    use super::called;

    #[test]
    fn exports_that_a_script_uses_are_found() {
        let script = "const ret = wasm.run(ptr);\nwasm.memory.buffer; other_wasm.no; wasm.__wbg$_1";
        assert_eq!(Vec::from_iter(called(script)), ["__wbg$_1", "memory", "run"]);
    }
}
