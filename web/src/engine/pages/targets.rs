//! The targets: their names, the verdict on each, and the machine code.

use crate::judge::{scene, target};
use protocol::document_page::*;
use protocol::verdict::{badge, face};
use protocol::{DocumentPage, Terms};
use tidegate_check::matrix::{Matrix, MatrixRow};
use tidegate_check::model::target::{Family, TARGETS};

/// Returns the names of all targets under headings: the specification only, AMDGPU generations from newest to oldest, others.
pub(crate) fn names() -> Vec<(String, Vec<String>)> {
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for target in TARGETS.iter().rev() {
        let heading = match target.family {
            Family::Model => "Specification only".to_owned(),
            Family::Amdgpu { major, .. } => format!("GFX{major}"),
            other => other.word().to_owned(),
        };
        match groups.iter_mut().find(|(name, _)| *name == heading) {
            Some((_, names)) => names.insert(0, target.name.to_owned()),
            None => groups.push((heading, vec![target.name.to_owned()])),
        }
    }
    groups.sort_by_key(|(heading, _)| {
        let words = [Family::Nvidia.word(), Family::Opencl.word()];
        let other = words.iter().position(|word| word == heading).map_or(0, |at| at + 1);
        (heading != "Specification only", other)
    });
    groups
}

/// The targets of a matrix, grouped by result; `here` is the current target. If `is_alone`, the verdict `ok` covers only one
/// assumed agent.
pub(crate) fn cells(matrix: &Matrix, here: &str, is_alone: bool) -> DocumentPage {
    let rows = matrix.rows.iter().map(|row| cell(row, here, is_alone));
    DocumentPage::new("Targets").with(ul("matrix__cells").with(all(rows)))
}

fn cell(row: &MatrixRow, here: &str, is_alone: bool) -> Element {
    let newest = row.targets.last().cloned().unwrap_or_default();
    let several = (row.targets.len() > 1).then(|| {
        let name = |name: &String| {
            let name_button = pressed(button("button button--small cell__name"), name == here);
            name_button.does(Action::Target, name).with(&**name)
        };
        details("cell__all").with((
            summary("").with(format!("{} targets", row.targets.len())),
            div("cell__names").with(all(row.targets.iter().map(name))),
        ))
    });
    let main = pressed(button("cell__main"), row.targets.iter().any(|name| name == here));
    let main = main.does(Action::Target, newest).with((
        code("cell__label").with(&*row.label),
        badge(if is_alone && row.verdict == "ok" { "launch" } else { &row.verdict }),
        span("cell__why").with((reason(row), machine(row))),
    ));
    li("cell")
        .set("data-label", &*row.label)
        .set("data-verdict", &*row.verdict)
        .with((main, several))
}

fn pressed(button: Element, holds: bool) -> Element {
    button.set("aria-pressed", if holds { "true" } else { "false" })
}

/// The rule and line of the verdict.
fn reason(row: &MatrixRow) -> Option<Vec<Part>> {
    let reason = row.reason.as_ref()?;
    let line = reason.line.map(|line| format!(", line {line}")).unwrap_or_default();
    Some(prose(&format!("`{}`{line}", reason.rule)))
}

/// The machine's verdict, if it differs.
fn machine(row: &MatrixRow) -> Option<Element> {
    let machine = row.machine.as_ref().filter(|machine| machine.agrees == Some(false))?;
    let word = face(&machine.verdict).word.to_lowercase();
    Some(span("cell__machine").with(format!("The hardware model differs: {word}.")))
}

/// A text as machine code of its target, or why it has none.
pub(crate) fn machine_code(text: &str, terms: &Terms) -> DocumentPage {
    let name = h3("findings__sub").with(("Machine code for ", code("").with(target(text, terms))));
    let lowered = tidegate_check::lower(&scene(text), &terms.options());
    DocumentPage::new("Machine code").with(match lowered.problems.first() {
        Some(problem) => all([name, p("aside").with(prose(&problem.message))]),
        None => {
            let listing =
                pre("").set("tabindex", "0").set("aria-label", "Code").set("role", "group");
            let copy =
                button("button button--small").does(Action::Copy, &*lowered.text).with("Copy");
            all([
                div("machine-code__head").with((name, copy)),
                listing.with(code("").with(lowered.text)),
            ])
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::matrix;

    const SPLIT: &str = "launch waves=2\nkernel { arrive wg; wait wg }\n";

    #[test]
    fn the_newest_generation_is_listed_first() {
        let names = names();
        let headings: Vec<&str> = names.iter().map(|(heading, _)| &**heading).collect();
        assert_eq!(headings[..2], ["Specification only", "GFX12"]);
        assert_eq!(headings[headings.len() - 2..], ["NVIDIA", "OpenCL C++"]);
    }

    #[test]
    fn every_target_is_offered_once() {
        let mut offered: Vec<String> = names().into_iter().flat_map(|(_, names)| names).collect();
        let mut all: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        offered.sort();
        all.sort();
        assert_eq!(offered, all);
    }

    #[test]
    fn cells_show_the_matrix() {
        let matrix = matrix(SPLIT, &Terms::default(), &mut |_| true).expect("a matrix");
        let page = format!("{:?}", cells(&matrix, "gfx900", false).parts);
        for row in &matrix.rows {
            assert!(page.contains(&format!("{:?}", row.label)), "{}: {page}", row.label);
        }
        assert!(page.contains("sm_") && page.contains("opencl"), "{page}");
    }

    #[test]
    fn cells_mark_the_current_target() {
        let matrix = matrix(SPLIT, &Terms::default(), &mut |_| true).expect("a matrix");
        let page = format!("{:?}", cells(&matrix, "gfx900", false).parts);
        assert!(page.contains("\"aria-pressed\"") && page.contains("\"gfx900\""), "{page}");
    }

    #[test]
    fn no_target_is_defined_without_a_launch_size() {
        let text = "kernel { arrive wg; wait wg }\n";
        let matrix = matrix(text, &Terms::default(), &mut |_| true).expect("a matrix");
        let description = cells(&matrix, "gfx1250", crate::judge::is_alone(text)).text();
        assert!(
            description.contains("No launch size") && !description.contains("Defined"),
            "{description}"
        );
        assert!(!crate::judge::is_alone(SPLIT));
    }

    #[test]
    fn missing_machine_code_has_a_reason() {
        let terms = Terms { target: Some("gfx1250".into()), ..Terms::default() };
        assert!(machine_code(SPLIT, &terms).text().contains("s_barrier_signal"));
        let none = "target sm_90\nlaunch warps=1\nwarp 0 { bar.sync 0 }\n";
        assert!(!machine_code(none, &Terms::default()).text().contains("Copy"));
    }
}
