//! `expect [TARGETS:] VERDICT [RULE …]` and its other forms.

use super::cursor::{Parsed, Parser};
use crate::diagnostic::{Diagnostic, Severity};
use crate::scenario::{Expectation, Expected, Oracle, Scenario};
use crate::suggest;
use crate::tree::Name;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::reading::READINGS;
use tidegate_model::rule::RULES;
use tidegate_model::target::{TARGETS, TargetId};
use tidegate_model::target_set;
use tidegate_model::verdict::{Schedules, Verdict};

/// Prefixes of identifiers of this program; other identifiers are probably misspelled.
const NAMESPACES: [&str; 6] = ["amd.", "mem.", "async.", "ptx.", "tlx.", "opencl."];

/// Words after `expect` that are not verdicts.
const FORMS: [&str; 5] = ["machine", "compiler", "ambiguous", "participates-in", "schedules"];

/// Possible results of a compiler.
const COMPILER: [&str; 4] = ["ok", "unsupported", "crash", "external-call"];

impl Parser<'_> {
    pub(super) fn expectation(&mut self, scenario: &mut Scenario) -> Parsed<()> {
        let start = self.advance();
        let targets = if self.has_targets() { self.targets()? } else { Vec::new() };
        let expected = self.expected()?;
        scenario.expectations.push(Expectation { span: self.since(start), targets, expected });
        Ok(())
    }

    /// Whether a colon follows in this statement.
    fn has_targets(&self) -> bool {
        let statement = (0..)
            .map_while(|i| self.text_of(i))
            .take_while(|word| !matches!(*word, "\n" | ";" | "}"));
        statement.into_iter().any(|word| word == ":")
    }

    fn targets(&mut self) -> Parsed<Vec<TargetId>> {
        let mut targets = Vec::new();
        loop {
            let name = self.run(|joiner| matches!(joiner, "-" | "."));
            let Some(found) = target_set::expand(&name.text) else {
                let suggestion =
                    suggest::numbered(&name.text, TARGETS.iter().map(|target| target.name));
                let message = format!(
                    "expected a target, version or range of targets, found `{}`",
                    name.text
                );
                return self.suggest("unknown-target", name.span, message, suggestion);
            };
            targets
                .extend(found.into_iter().filter(|id| !targets.contains(id)).collect::<Vec<_>>());
            if self.eat(":") {
                return Ok(targets);
            }
            self.expect(",")?;
        }
    }

    fn expected(&mut self) -> Parsed<Expected> {
        let name = self.identifier();
        match name.text.as_str() {
            "machine" => self.verdict(Oracle::Machine, None),
            "compiler" => self.one_of(&COMPILER).map(Expected::Compiler),
            "ambiguous" => self.ambiguous(),
            "participates-in" => {
                let word = self.one_of(&["unique", "multiple"])?;
                Ok(Expected::ParticipatesIn { unique: word == "unique" })
            }
            "schedules" => {
                let word = self.one_of(&["all", "some"])?;
                Ok(Expected::Schedules(if word == "all" {
                    Schedules::All
                } else {
                    Schedules::Some
                }))
            }
            _ => self.verdict(Oracle::Spec, Some(name)),
        }
    }

    fn verdict(&mut self, oracle: Oracle, name: Option<Name>) -> Parsed<Expected> {
        let name = name.unwrap_or_else(|| self.identifier());
        let Some(verdict) = Verdict::from_word(&name.text) else {
            if ["hazard", "lint"].contains(&&*name.text) {
                let message = format!("a {} leaves the verdict `ok`", name.text);
                let instead = Some(suggest::replace("ok"));
                return self.suggest("unknown-verdict", name.span, message, instead);
            }
            let words = Verdict::ALL.iter().map(|verdict| verdict.word());
            let suggestion = suggest::instead(&name.text, words.chain(FORMS));
            let message =
                "expected a verdict: ok, unsupported, ub, violation, race, deadlock or unknown";
            return self.suggest("unknown-verdict", name.span, message, suggestion);
        };
        let mut rules = Vec::new();
        while !self.at_end() {
            let rule = self.identifier();
            if rule.text.is_empty() {
                break;
            }
            self.check_identifier(&rule, "rule", RULES.iter().map(|rule| rule.id));
            rules.push(rule.text);
        }
        Ok(Expected::Verdict { oracle, verdict, rules })
    }

    fn ambiguous(&mut self) -> Parsed<Expected> {
        let id = self.identifier();
        if id.text.is_empty() {
            return self.error(
                "expected-token",
                id.span,
                "expected the identifier of a reading, such as `amd.A3`",
            );
        }
        self.check_identifier(&id, "reading", READINGS.iter().map(|reading| reading.name));
        Ok(Expected::Ambiguous(id.text))
    }

    /// Warns of an unknown identifier: one in an unknown namespace, or one letter away from a known one.
    fn check_identifier(
        &mut self,
        id: &Name,
        what: &str,
        known: impl Iterator<Item = &'static str> + Clone,
    ) {
        if known.clone().any(|name| name == id.text) {
            return;
        }
        let suggestion = suggest::instead(&id.text, known);
        let foreign = !NAMESPACES.iter().any(|space| id.text.starts_with(space));
        if foreign || (suggestion.is_some() && what == "rule") {
            let message = format!("unknown {what} `{}`", id.text);
            let code = if what == "rule" { "unknown-rule" } else { "unknown-reading" };
            self.push(Diagnostic {
                code,
                severity: Severity::Warning,
                span: id.span,
                message,
                suggestion,
            });
        }
    }

    fn identifier(&mut self) -> Name {
        self.run(|joiner| matches!(joiner, "-" | "."))
    }

    fn one_of(&mut self, words: &[&'static str]) -> Parsed<String> {
        let name = self.identifier();
        if words.contains(&name.text.as_str()) {
            return Ok(name.text);
        }
        let suggestion = suggest::instead(&name.text, words.iter().copied());
        self.suggest(
            "expected-token",
            name.span,
            format!("expected `{}`", words.join("` or `")),
            suggestion,
        )
    }
}
