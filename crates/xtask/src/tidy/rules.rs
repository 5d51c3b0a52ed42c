//! A rule is in the module whose path is its identifier, begins with its statement, and is in the catalogue.

use super::{at, parts, tree::File};

const SOURCE: &str = "crates/model/src/";
const CATALOGUE: &str = "crates/model/src/rule.rs";

/// Returns the rules in the wrong module.
pub(super) fn check(files: &[File]) -> Vec<String> {
    let catalogue =
        files.iter().find(|file| file.path == CATALOGUE).map_or("", |file| file.text.as_str());
    files.iter().filter(|file| is_rule(file)).flat_map(|file| problems(file, catalogue)).collect()
}

fn is_rule(file: &File) -> bool {
    file.path.starts_with(SOURCE) && file.text.contains("pub const RULE: Rule")
}

fn problems(file: &File, catalogue: &str) -> Vec<String> {
    let Some(id) = identifier(&file.text) else {
        return vec![at(&file.path, "contains a rule without an identifier")];
    };
    let mut problems = Vec::new();
    if module(&file.path) != id.replace('-', "_").replace('.', "::") {
        problems.push(at(
            &file.path,
            &format!("contains the rule {id}, which belongs in another module"),
        ));
    }
    if !file.text.starts_with(&format!("//! `{id}`: ")) {
        problems.push(at(
            &file.path,
            &format!("does not begin with the rule's statement: //! `{id}`: …"),
        ));
    }
    // A module can have the name of a keyword.
    if !catalogue.replace("r#", "").contains(&format!("&crate::{}::RULE,", module(&file.path))) {
        problems.push(at(&file.path, &format!("{id} is not in the catalogue")));
    }
    problems
}

/// The identifier in the declaration of the rule.
fn identifier(text: &str) -> Option<&str> {
    let (_, declaration) = text.split_once("pub const RULE: Rule")?;
    let (_, rest) = declaration.split_once("id: \"")?;
    rest.split_once('"').map(|(id, _)| id)
}

/// The path of the module in a file.
fn module(path: &str) -> String {
    let below = path.strip_prefix(SOURCE).unwrap_or(path);
    let below =
        below.strip_suffix("/mod.rs").or_else(|| below.strip_suffix(".rs")).unwrap_or(below);
    parts(below).join("::")
}

#[cfg(test)]
mod tests {
    use super::super::file;
    use super::*;

    const CATALOGUED: &str = "[&crate::amd::join::before_wait::RULE,]";

    fn problems_of(path: &str, id: &str, first: &str, catalogue: &str) -> usize {
        let text = format!("//! {first}\npub const RULE: Rule = Rule {{\n    id: \"{id}\",\n}};\n");
        check(&[file(path, &text), file(CATALOGUE, catalogue)]).len()
    }

    #[test]
    fn a_rule_in_its_module_passes() {
        let path = "crates/model/src/amd/join/before_wait.rs";
        let id = "amd.join.before-wait";
        assert_eq!(problems_of(path, id, "`amd.join.before-wait`: Join first.", CATALOGUED), 0);
        assert_eq!(problems_of(path, id, "`amd.join.before-drop`: Join first.", CATALOGUED), 1);
        assert_eq!(problems_of(path, id, "`amd.join.before-wait`: Join first.", "[]"), 1);
    }

    #[test]
    fn a_rule_in_another_module_is_named() {
        let path = "crates/model/src/amd/join/before_drop.rs";
        let catalogue = "[&crate::amd::join::before_drop::RULE,]";
        assert_eq!(
            problems_of(path, "amd.join.before-wait", "`amd.join.before-wait`: Join.", catalogue),
            1
        );
    }

    #[test]
    fn a_rule_without_an_identifier_is_named() {
        let text = "pub const RULE: Rule = other();\n";
        assert_eq!(check(&[file("crates/model/src/amd/a.rs", text)]).len(), 1);
    }
}
