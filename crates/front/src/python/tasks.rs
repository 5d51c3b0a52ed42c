//! Tasks: `with tlx.async_tasks():`.

use super::lexer::Kind as Is;
use super::value::Value;
use super::{Done, Reader, Task};

impl Reader<'_, '_> {
    pub(super) fn with(&mut self) -> Done<()> {
        self.at += 1;
        let mut word = "";
        while self.is(Is::Name) || self.text() == "." {
            word = self.text();
            self.at += 1;
        }
        if self.text() != "(" {
            return self.wrong("expected `tlx.async_tasks()` after `with`");
        }
        match word {
            "async_tasks" => {
                self.arguments()?;
                self.tasks()
            }
            "async_task" => self.wrong("`async_task` is only read directly inside `async_tasks`"),
            // Hints to the compiler.
            "warp_pipeline_stage" | "scope" => {
                self.arguments()?;
                self.block()
            }
            _ => self.wrong("expected `tlx.async_tasks()` after `with`"),
        }
    }

    fn tasks(&mut self) -> Done<()> {
        if self.inside {
            return self.wrong("`async_tasks` inside a task is not read");
        }
        self.gather();
        self.group()?;
        self.gather();
        Ok(())
    }

    /// `:` and the tasks of a block.
    fn group(&mut self) -> Done<()> {
        self.expect(":")?;
        if !self.is(Is::Line)
            || self.tokens.get(self.at + 1).is_none_or(|next| next.kind != Is::Open)
        {
            return self.wrong("expected an indented block");
        }
        self.at += 2;
        while self.token().is_some() && !self.is(Is::Close) {
            let (token, place) = (self.at, self.here());
            match self.text() {
                "pass" | "assert" => {
                    self.skip_line();
                    continue;
                }
                "if" => {
                    self.deeper(Self::optional)?;
                    continue;
                }
                _ => {}
            }
            self.expect("with")?;
            if self.ahead(2) == "async_task" {
                self.at += 2;
            }
            self.expect("async_task")?;
            let given = self.arguments()?;
            let value = |name: &str| {
                given.iter().find(|(key, _)| *key == Some(name)).map(|(_, value)| value.clone())
            };
            let default = given
                .iter()
                .any(|(key, value)| key.is_none() && *value == Value::Text("default".into()));
            let number = |reader: &Self, name: &str, usual| match value(name) {
                None => Ok(usual),
                Some(value) => reader.size(&value, place, name),
            };
            let warps = number(self, "num_warps", self.tasks[0].warps)?;
            let replicas = number(self, "replicate", 1)?;
            if !(1..=32).contains(&warps) || !(1..=16).contains(&replicas) {
                return Err((place, "a task has 1 to 32 warps and 1 to 16 replicas".into()));
            }
            let known = default || self.tasks.iter().any(|task| task.token == Some(token));
            if !known {
                let made = |replica| Task { token: Some(token), replica, warps };
                self.tasks.extend((0..replicas).map(made));
            }
            if self.tasks.len() > super::MOST_TASKS {
                return Err((place, "the kernel has too many tasks".into()));
            }
            let own = self.tasks[self.task].token;
            if if default { own.is_none() } else { own == Some(token) } {
                let variables = self.variables.clone();
                (self.inside, self.warps) = (true, self.tasks[self.task].warps);
                self.block()?;
                (self.inside, self.warps) = (false, self.tasks[0].warps);
                self.variables = variables;
            } else {
                self.at = self.end_of_block();
            }
        }
        self.at += 1;
        Ok(())
    }

    /// Tasks under a condition on constants.
    fn optional(&mut self) -> Done<()> {
        let mut is_read = false;
        while self.text() == "if" || matches!(self.text(), "elif" | "else") && self.is(Is::Name) {
            if self.text() == "if" && is_read {
                break;
            }
            let (is_else, place) = (self.text() == "else", self.here());
            self.at += 1;
            let truth = match (is_else, is_read) {
                (true, _) => !is_read,
                (false, true) => false,
                (false, false) => match self.expression()?.truth() {
                    Some(truth) => truth,
                    None if self.constants.is_empty() => {
                        return Err((
                            place,
                            "a condition of a task must be known before the launch".into(),
                        ));
                    }
                    None => {
                        let message = alloc::format!(
                            "a condition of a task needs a value: {}",
                            self.missing()
                        );
                        return Err((place, message));
                    }
                },
            };
            if truth {
                is_read = true;
                self.group()?;
            } else {
                self.skip_block();
            }
        }
        Ok(())
    }
}
