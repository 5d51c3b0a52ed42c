//! The allowed dependencies among our crates, and the crates that may serialise.

use super::tree::{File, at};
use toml::{Table, Value};

/// Each of our crates and the crates that it may name.
const MAY_NAME: [(&str, &[&str]); 12] = [
    ("tidegate-model", &[]),
    ("tidegate-kernel", &["tidegate-model"]),
    ("tidegate-lang", &["tidegate-model"]),
    ("tidegate-front", &["tidegate-model", "tidegate-kernel", "tidegate-lang"]),
    ("tidegate-explore", &[]),
    ("tidegate-check", &["tidegate-model", "tidegate-lang", "tidegate-front", "tidegate-explore"]),
    ("tidegate", &["tidegate-check"]),
    ("tidegate-wasm", &["tidegate-check"]),
    ("tidegate-web", &["tidegate-check"]),
    ("tidegate-bench", &["tidegate-check"]),
    ("tidegate-course", &["tidegate-check"]),
    ("xtask", &[]),
];
/// Crates without serialisation.
const NO_SERDE: [&str; 3] = ["tidegate-kernel", "tidegate-front", "tidegate-explore"];
/// Crates with serialisation only as an optional feature.
const OPTIONAL_SERDE: [&str; 3] = ["tidegate-model", "tidegate-lang", "tidegate-check"];

/// Returns the problems of every manifest.
pub(super) fn check(files: &[File]) -> Vec<String> {
    files.iter().filter(|file| file.path.ends_with("/Cargo.toml")).flat_map(manifest).collect()
}

fn manifest(file: &File) -> Vec<String> {
    let Ok(table) = toml::from_str::<Table>(&file.text) else {
        return vec![at(&file.path, "is not TOML")];
    };
    let Some(name) =
        table.get("package").and_then(|package| package.get("name")).and_then(Value::as_str)
    else {
        return vec![at(&file.path, "names no package")];
    };
    let Some((_, allowed)) = MAY_NAME.iter().find(|(known, _)| *known == name) else {
        return vec![at(&file.path, &format!("{name} is not in the table of crates"))];
    };
    let mut problems = Vec::new();
    for (dependency, settings) in dependencies(&table) {
        let package = settings.get("package").and_then(Value::as_str).unwrap_or(dependency);
        if is_ours(package) && !allowed.contains(&package) {
            problems.push(at(&file.path, &format!("{name} may not name {package}")));
        }
        if package.starts_with("serde") && NO_SERDE.contains(&name) {
            problems.push(at(&file.path, &format!("{name} may not serialise: {package}")));
        }
        let optional = settings.get("optional").and_then(Value::as_bool).unwrap_or(false);
        if package.starts_with("serde") && OPTIONAL_SERDE.contains(&name) && !optional {
            problems.push(at(&file.path, &format!("{package} must be optional in {name}")));
        }
    }
    if !table
        .get("lints")
        .and_then(|lints| lints.get("workspace"))
        .and_then(Value::as_bool)
        .unwrap_or(false)
    {
        problems.push(at(&file.path, "does not use the lints of the workspace"));
    }
    problems
}

fn is_ours(package: &str) -> bool {
    package == "xtask" || package == "tidegate" || package.starts_with("tidegate-")
}

/// Every dependency that is built into the crate, for any target. The same limits apply to tests, except that tests may
/// serialise.
fn dependencies(table: &Table) -> Vec<(&str, &Value)> {
    let targets = table.get("target").and_then(Value::as_table);
    let places = std::iter::once(table)
        .chain(targets.into_iter().flatten().filter_map(|(_, place)| place.as_table()));
    let mut found = Vec::new();
    for place in places {
        for section in ["dependencies", "build-dependencies", "dev-dependencies"] {
            let entries = place.get(section).and_then(Value::as_table).into_iter().flatten();
            let entries = entries.map(|(name, settings)| (name.as_str(), settings));
            found
                .extend(entries.filter(|(name, _)| section != "dev-dependencies" || is_ours(name)));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tree::file;

    fn problems(name: &str, rest: &str) -> Vec<String> {
        let text = format!("package.name = '{name}'\nlints.workspace = true\n{rest}");
        check(&[file("crates/x/Cargo.toml", &text)])
    }

    #[test]
    fn allowed_dependencies_pass() {
        assert!(
            problems("tidegate-lang", "[dependencies]\ntidegate-model = { workspace = true }")
                .is_empty()
        );
        assert!(
            problems(
                "tidegate-check",
                "[dependencies]\nserde = { workspace = true, optional = true }"
            )
            .is_empty()
        );
        assert!(
            problems("tidegate", "[dependencies]\ntidegate-check.workspace = true\nserde = '1'")
                .is_empty()
        );
        assert!(problems("tidegate-check", "[dev-dependencies]\nserde_json = '1'").is_empty());
    }

    #[test]
    fn forbidden_dependencies_are_named() {
        for (name, rest) in [
            ("tidegate-model", "[dependencies]\ntidegate-lang = { workspace = true }"),
            ("tidegate-explore", "[dependencies]\ntidegate-model = { workspace = true }"),
            ("tidegate-explore", "[dev-dependencies]\ntidegate-model = { workspace = true }"),
            ("tidegate", "[dependencies]\ntidegate-lang.workspace = true"),
            ("tidegate-web", "[target.'cfg(unix)'.dependencies]\ntidegate-model = '0.1'"),
            (
                "tidegate-model",
                "[dependencies]\nother = { package = 'tidegate-check', version = '0.1' }",
            ),
        ] {
            assert_eq!(problems(name, rest).len(), 1, "{name} {rest}");
        }
    }

    #[test]
    fn forbidden_serialisation_is_named() {
        assert_eq!(
            problems(
                "tidegate-kernel",
                "[dependencies]\nserde = { version = '1', optional = true }"
            )
            .len(),
            1
        );
        assert_eq!(problems("tidegate-lang", "[dependencies]\nserde = '1'").len(), 1);
        assert_eq!(problems("tidegate-check", "[dependencies]\nserde = '1'").len(), 1);
        assert_eq!(problems("tidegate-explore", "[build-dependencies]\nserde_json = '1'").len(), 1);
    }

    #[test]
    fn invalid_manifests_are_named() {
        assert_eq!(problems("tidegate-new", "").len(), 1);
        assert_eq!(check(&[file("crates/x/Cargo.toml", "[[[")]).len(), 1);
        assert_eq!(check(&[file("crates/x/Cargo.toml", "[dependencies]")]).len(), 1);
        assert_eq!(
            check(&[file("crates/x/Cargo.toml", "package.name = 'xtask'")]).len(),
            1,
            "no lints"
        );
    }
}
