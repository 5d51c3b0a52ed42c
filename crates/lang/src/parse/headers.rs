//! `title`, `note`, `lesson`, `target`, `launch`, `reading`.

use super::cursor::{Parsed, Parser};
use crate::diagnostic::{Diagnostic, Severity, Span};
use crate::lexer::{self, Kind};
use crate::scenario::Scenario;
use crate::suggest;
use crate::tree::Tree;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::reading::{READINGS, ReadingId};
use tidegate_model::target::{TARGETS, TargetId};

/// Namespaces of readings that belong to vocabularies of later versions.
const LATER: [&str; 2] = ["async.", "opencl."];

/// Keys of `launch`, with the place among clusters, workgroups, waves and lanes that each stands for.
const LAUNCH: [(&str, usize); 10] = [
    ("clusters", 0),
    ("workgroups", 1),
    ("ctas", 1),
    ("groups", 1),
    ("waves", 2),
    ("warps", 2),
    ("subgroups", 2),
    ("lanes", 3),
    ("threads", 3),
    ("items", 3),
];

impl Parser<'_> {
    pub(super) fn header(&mut self, scenario: &mut Scenario) -> Parsed<()> {
        let (word, span) = (self.word(), self.advance());
        match word {
            "title" => {
                let title = self.string()?;
                self.once(scenario.title.is_some(), word, span)?;
                scenario.title = Some(title);
            }
            "note" => scenario.notes.push(self.string()?),
            "lesson" => scenario.lesson = true,
            "target" => {
                let target = self.target()?;
                self.once(scenario.target.is_some(), word, span)?;
                scenario.target = Some(target);
            }
            "launch" => {
                self.once(scenario.tree.launch_span.line != 0, word, span)?;
                scenario.tree.launch_span = span;
                let mut shapes = Vec::new();
                while !self.at_end() {
                    self.launch_key(&mut scenario.tree, &mut shapes)?;
                }
                self.take_shapes(&shapes, &mut scenario.tree, span)?;
            }
            _ => scenario.readings.extend(self.reading()?),
        }
        Ok(())
    }

    fn once(&mut self, twice: bool, word: &str, span: Span) -> Parsed<()> {
        if twice {
            return self.error(
                "duplicate-header",
                span,
                format!("duplicate `{word}`: a scenario has only one"),
            );
        }
        Ok(())
    }

    fn string(&mut self) -> Parsed<String> {
        let (word, here) = (self.word(), self.here());
        match self.kind() {
            Some(Kind::Text) => {
                self.advance();
                Ok(lexer::unquote(word))
            }
            Some(Kind::OpenText) => {
                self.advance();
                self.error("open-string", here, "missing closing quotation mark on this line")
            }
            _ => {
                let found = self.described();
                self.error(
                    "expected-string",
                    here,
                    format!("expected a string in quotation marks, found {found}"),
                )
            }
        }
    }

    fn target(&mut self) -> Parsed<TargetId> {
        let name = self.run(|joiner| matches!(joiner, "-" | "."));
        TargetId::from_name(&name.text).map_or_else(
            || {
                let suggestion =
                    suggest::numbered(&name.text, TARGETS.iter().map(|target| target.name));
                let message = match tidegate_model::target_set::expand(&name.text) {
                    Some(_) => {
                        format!("expected one target, found `{}`, a set of targets", name.text)
                    }
                    None => format!("unknown target `{}`", name.text),
                };
                self.suggest("unknown-target", name.span, message, suggestion)
            },
            Ok,
        )
    }

    fn launch_key(&mut self, tree: &mut Tree, shapes: &mut Vec<(usize, [i64; 3])>) -> Parsed<()> {
        let key = self.name("a key such as `waves=2`")?;
        let Some(&(_, place)) = LAUNCH.iter().find(|(name, _)| *name == key.text) else {
            let suggestion = suggest::instead(&key.text, LAUNCH.map(|(name, _)| name));
            return self.suggest(
                "unknown-key",
                key.span,
                format!("unknown key `{}` of `launch`", key.text),
                suggestion,
            );
        };
        self.expect("=")?;
        let span = self.here();
        let shape = shape(self.word());
        let count = match shape {
            Some(sizes) if matches!(place, 1 | 3) => {
                self.dimensions = self.dimensions.max(self.word().split('x').count() as i64);
                self.advance();
                shapes.push((place, sizes));
                sizes.iter().fold(1_i64, |all, &size| all.saturating_mul(size))
            }
            _ => self.count(tree)?,
        };
        if tree.launch[place].replace((count, span)).is_some() {
            return self.error("duplicate-key", key.span, format!("`{}` is given twice", key.text));
        }
        Ok(())
    }

    /// Takes how many work-groups and work-items the launch has in each dimension.
    fn take_shapes(
        &mut self,
        shapes: &[(usize, [i64; 3])],
        tree: &mut Tree,
        span: Span,
    ) -> Parsed<()> {
        if shapes.is_empty() {
            return Ok(());
        }
        let of = |place| shapes.iter().find(|(known, _)| *known == place).map(|(_, sizes)| *sizes);
        let count = |place: usize| tree.launch[place].map_or(1, |(count, _)| count);
        if !tree.agents.is_empty() {
            let message = "a launch with several dimensions must precede the kernel";
            return self.error("launch-order", span, message);
        }
        if of(3).is_some() && tree.launch[2].is_some() {
            let message = "`items` with several dimensions gives the size of a work-group: remove `subgroups`, or write the items of one sub-group as one number";
            return self.error("launch-shape", span, message);
        }
        self.groups = Some(of(1).unwrap_or([count(1), 1, 1]));
        self.sizes = Some(of(3).unwrap_or([count(2).saturating_mul(count(3)), 1, 1]));
        Ok(())
    }

    /// A reading chosen; none where it is of a vocabulary that is not judged yet.
    fn reading(&mut self) -> Parsed<Option<(ReadingId, u8, Span)>> {
        let name = self.run(|joiner| matches!(joiner, "-" | "."));
        let later = LATER.iter().any(|space| name.text.starts_with(space));
        let Some(id) = ReadingId::from_name(&name.text) else {
            if later {
                self.push(Diagnostic {
                    code: "not-yet",
                    severity: Severity::Warning,
                    span: name.span,
                    message: format!("the reading `{}` has no effect yet", name.text),
                    suggestion: None,
                });
                while !self.at_end() {
                    self.advance_by(1);
                }
                return Ok(None);
            }
            let suggestion =
                suggest::numbered(&name.text, READINGS.iter().map(|reading| reading.name));
            let message = format!("unknown reading `{}`", name.text);
            return self.suggest("unknown-reading", name.span, message, suggestion);
        };
        self.expect("=")?;
        let option = self.run(|joiner| matches!(joiner, "-" | "."));
        let Some(choice) = id.choice(&option.text) else {
            let choices = id.get().choices.map(|choice| choice.name);
            let message = format!("{} is `{}` or `{}`", name.text, choices[0], choices[1]);
            return self.suggest(
                "unknown-option",
                option.span,
                message,
                suggest::instead(&option.text, choices),
            );
        };
        let length = option.span.start + option.span.length - name.span.start;
        Ok(Some((id, choice, Span { length, ..name.span })))
    }
}

/// `AxB` or `AxBxC`.
fn shape(word: &str) -> Option<[i64; 3]> {
    let mut sizes = [1; 3];
    let mut parts = word.split('x');
    for size in &mut sizes {
        let Some(part) = parts.next() else { continue };
        *size = part.parse().ok()?;
    }
    (word.contains('x') && !word.starts_with("0x") && parts.next().is_none()).then_some(sizes)
}
