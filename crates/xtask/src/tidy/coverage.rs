//! One scenario keeps each rule and another breaks it.
//!
//! A scenario breaks a rule if one of its expectations names the rule. A rule that constrains executions cannot be
//! broken by a program; its `breaks-NAME.tide` counts the remaining relations, so that dropping the rule would change
//! the count. A scenario keeps a rule if it is `holds-NAME.tide`, expects `ok`, names the rule in no expectation, and
//! performs an operation of the scenario that breaks the rule. Otherwise the rule would not apply to it.

use super::tree::{File, at};
use std::collections::BTreeSet;

const TABLE: &str = "crates/model/src/rule/table.rs";
const CONFORMANCE: &str = "tests/conformance/";

/// A rule, by its row in the table.
#[derive(Debug)]
struct Rule {
    id: String,
    constrains: bool,
}

impl Rule {
    /// The path of the scenario with that prefix for the rule: `tests/conformance/amd/holds-join-before-wait.tide`.
    fn scenario(&self, name: &str) -> String {
        let (group, rest) = self.id.split_once('.').unwrap_or((&self.id, ""));
        format!("{CONFORMANCE}{group}/{name}-{}.tide", rest.replace('.', "-"))
    }
}

/// Returns the missing scenarios, rule by rule.
pub(super) fn check(files: &[File]) -> Vec<String> {
    let scenarios: Vec<&File> = files.iter().filter(|file| is_scenario(file)).collect();
    rules(files).iter().flat_map(|rule| missing(rule, &scenarios)).collect()
}

/// Returns the number of rules, for the report.
pub(super) fn count(files: &[File]) -> usize {
    rules(files).len()
}

fn is_scenario(file: &File) -> bool {
    let place = file.path.starts_with(CONFORMANCE) || file.path.starts_with("examples/");
    place && file.path.ends_with(".tide")
}

fn rules(files: &[File]) -> Vec<Rule> {
    let table = files.iter().find(|file| file.path == TABLE).map_or("", |file| &file.text);
    table.lines().filter_map(rule).collect()
}

/// The rule of a row's first line: `Name "identifier": Force Class;`.
fn rule(line: &str) -> Option<Rule> {
    let (name, rest) = line.trim().split_once(" \"")?;
    let (id, rest) = rest.split_once("\": ")?;
    let named = name.chars().all(char::is_alphanumeric);
    (named && rest.ends_with(';'))
        .then(|| Rule { id: id.into(), constrains: !rest.starts_with("Requires") })
}

fn missing(rule: &Rule, scenarios: &[&File]) -> Vec<String> {
    let find = |path: &str| scenarios.iter().find(|file| file.path == path);
    let mut problems = Vec::new();
    let (breaks, holds) = (rule.scenario("breaks"), rule.scenario("holds"));
    let broken = if rule.constrains {
        find(&breaks).is_some_and(|file| expects(file, "participates-in"))
    } else {
        scenarios.iter().any(|file| expects(file, &rule.id))
    };
    if !broken {
        let wanted = if rule.constrains { "participates-in" } else { &rule.id };
        problems.push(at(
            &breaks,
            &format!("is missing or does not expect {wanted}: no scenario breaks {}", rule.id),
        ));
    }
    let Some(keeper) = find(&holds) else {
        problems.push(at(&holds, &format!("is missing: no scenario keeps {}", rule.id)));
        return problems;
    };
    if !expects(keeper, "ok") || expects(keeper, &rule.id) {
        problems.push(at(&holds, &format!("does not expect ok, or expects {}", rule.id)));
    }
    if let Some(breaker) = find(&breaks)
        && operations(keeper).is_disjoint(&operations(breaker))
    {
        problems.push(at(&holds, &format!("performs no operation that could break {}", rule.id)));
    }
    problems
}

/// Whether an expectation of the scenario contains that word.
fn expects(file: &File, word: &str) -> bool {
    let mut lines = file.text.lines().map(str::trim);
    lines.any(|line| line.starts_with("expect ") && line.split_whitespace().any(|one| one == word))
}

/// Returns the first words of lines that are not headers, declarations or structure.
fn operations(file: &File) -> BTreeSet<&str> {
    const NONE: [&str; 27] = [
        "title",
        "note",
        "target",
        "launch",
        "reading",
        "expect",
        "barrier",
        "mbarrier",
        "lds",
        "shared",
        "local",
        "global",
        "const",
        "wave",
        "warp",
        "subgroup",
        "workgroup",
        "kernel",
        "func",
        "let",
        "if",
        "else",
        "for",
        "repeat",
        "while",
        "loop",
        "choose",
    ];
    let statements = file.text.split(['\n', ';', '{', '}']).map(str::trim);
    let words = statements.filter_map(|statement| {
        let mut words = statement.split([' ', '(', '\t']);
        let first = words.next()?;
        // `x = arrive.isfirst wg`: the operation follows the equals sign.
        if words.next() == Some("=") { words.next() } else { Some(first) }
    });
    words
        .filter(|word| !word.is_empty() && !NONE.contains(word) && !word.starts_with(['/', '#']))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tree::file;

    const RULE: &str = "    AmdJoinBeforeWait \"amd.join.before-wait\": Requires Some(Ub);\n        AMDGPU, \"Join\";";
    const HOLDS: &str = "tests/conformance/amd/holds-join-before-wait.tide";
    const BREAKS: &str = "tests/conformance/amd/breaks-join-before-wait.tide";
    const KEPT: &str = "wave 0 {\n  join n\n  wait n\n}\nexpect ok\n";
    const BROKEN: &str = "wave 0 {\n  wait n\n}\nexpect ub amd.join.before-wait\n";

    fn problems(rule: &str, scenarios: &[(&str, &str)]) -> Vec<String> {
        let mut files = vec![file(TABLE, rule)];
        files.extend(scenarios.iter().map(|(path, text)| file(path, text)));
        check(&files)
    }

    #[test]
    fn a_rule_with_both_scenarios_passes() {
        assert!(problems(RULE, &[(HOLDS, KEPT), (BREAKS, BROKEN)]).is_empty());
        let elsewhere = ("examples/other.tide", BROKEN);
        assert!(problems(RULE, &[(HOLDS, KEPT), elsewhere]).is_empty());
    }

    #[test]
    fn missing_scenarios_are_named() {
        let none = problems(RULE, &[]);
        assert_eq!(none.len(), 2, "{none:?}");
        assert!(none[0].starts_with(BREAKS) && none[1].starts_with(HOLDS));
        assert_eq!(problems(RULE, &[(HOLDS, KEPT)]).len(), 1);
        assert_eq!(problems(RULE, &[(BREAKS, BROKEN)]).len(), 1);
        let elsewhere = "tests/other/holds-join-before-wait.tide";
        assert_eq!(problems(RULE, &[(elsewhere, KEPT), (BREAKS, BROKEN)]).len(), 1);
    }

    #[test]
    fn scenarios_without_effect_are_named() {
        let without = BROKEN.replace("amd.join.before-wait", "");
        assert_eq!(problems(RULE, &[(HOLDS, KEPT), (BREAKS, &without)]).len(), 1);
        let in_a_note = format!("note \"expect amd.join.before-wait\"\n{without}");
        assert_eq!(problems(RULE, &[(HOLDS, KEPT), (BREAKS, &in_a_note)]).len(), 1);
        for kept in ["wave 0 {\n  wait n\n}\nexpect ub\n", BROKEN] {
            assert_eq!(problems(RULE, &[(HOLDS, kept), (BREAKS, BROKEN)]).len(), 1, "{kept}");
        }
        let idle = "wave 0 {\n  arrive wg\n}\nexpect ok\n";
        assert_eq!(problems(RULE, &[(HOLDS, idle), (BREAKS, BROKEN)]).len(), 1);
    }

    #[test]
    fn a_constraining_rule_counts_the_remaining_relations() {
        let rule = RULE.replace("Requires", "Constrains");
        let counted = "wave 0 {\n  wait n\n}\nexpect ok\nexpect participates-in unique\n";
        assert!(problems(&rule, &[(HOLDS, KEPT), (BREAKS, counted)]).is_empty());
        assert_eq!(problems(&rule, &[(HOLDS, KEPT), (BREAKS, BROKEN)]).len(), 1);
    }

    #[test]
    fn operations_are_the_performed_statements() {
        let text = "title \"a\"\nwave 0 {\n  x = arrive.isfirst wg; wait wg // so\n  if x { drop n }\n  s_barrier\n}\n";
        let scenario = file("a.tide", text);
        let found: Vec<_> = operations(&scenario).into_iter().collect();
        assert_eq!(found, ["arrive.isfirst", "drop", "s_barrier", "wait"]);
    }
}
