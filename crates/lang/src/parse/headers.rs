//! `title`, `note`, `lesson`, `target`, `launch`, `reading`.

use super::cursor::{Parsed, Parser};
use crate::diagnostic::{Diagnostic, Severity, Span};
use crate::lexer::{self, Kind};
use crate::scenario::Scenario;
use crate::suggest;
use alloc::format;
use alloc::string::String;
use tidegate_model::reading::{READINGS, ReadingId};
use tidegate_model::target::{TARGETS, TargetId};

/// Namespaces of readings of vocabularies that are not supported yet.
const LATER: [&str; 2] = ["async.", "opencl."];

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
                self.once(self.launch_written, word, span)?;
                self.launch_line(&mut scenario.tree, span)?;
            }
            "argument" => self.argument_line()?,
            "entry" => {
                let entry = self.name("the name of a kernel")?;
                self.precedes_kernels(span)?;
                self.launching.entry.get_or_insert(entry.text);
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
