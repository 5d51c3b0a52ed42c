//! A lesson: its parts, and the check of a text against its task.

use crate::judge;
use crate::mutant::{contains, mutants, probed, statements};
use serde::Serialize;

/// A lesson of the course.
#[derive(Debug, Default)]
pub(crate) struct Lesson {
    /// The number at the start of its file's name.
    pub(crate) number: String,
    /// The name of its file without the ending.
    pub(crate) name: String,
    /// Its title.
    pub(crate) title: String,
    /// What it teaches, in a sentence.
    pub(crate) summary: String,
    /// The lesson itself.
    pub(crate) blocks: Vec<Block>,
    /// The answers.
    pub(crate) answer: Vec<Block>,
}

/// A part of a lesson.
#[derive(Debug)]
pub(crate) enum Block {
    /// Text in Markdown.
    Text(String),
    /// A scenario with its expectations.
    Scenario(String),
    /// A question about the scenario before it.
    Predict(Predict),
    /// A task to write a scenario.
    Task(Task),
}

impl Block {
    /// Returns its scenario; `None` for another part.
    pub(crate) fn scenario(&self) -> Option<&str> {
        match self {
            Self::Scenario(text) => Some(text),
            _ => None,
        }
    }
}

/// A question with choices.
#[derive(Debug, Default)]
pub(crate) struct Predict {
    /// The question.
    pub(crate) question: String,
    /// The choices. One of them is right.
    pub(crate) choices: Vec<Choice>,
}

/// A choice.
#[derive(Debug)]
pub(crate) struct Choice {
    /// A verdict's word, or any text.
    pub(crate) label: String,
    /// Whether it is right.
    pub(crate) right: bool,
    /// Why it is right or wrong.
    pub(crate) why: String,
}

impl Predict {
    /// Returns the index of the right choice.
    pub(crate) fn right(&self) -> usize {
        self.choices.iter().position(|choice| choice.right).unwrap_or_default()
    }
}

/// A task to write a scenario. Each condition is a pair of a text and the sentence that a learner sees if it fails.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Task {
    /// The task in Markdown.
    #[serde(skip)]
    pub(crate) prose: String,
    /// The text at the start.
    #[serde(skip)]
    pub(crate) start: String,
    /// Texts that a statement must contain.
    pub(crate) needs: Vec<(String, String)>,
    /// Lines `expect …` that must hold.
    pub(crate) expects: Vec<(String, String)>,
    /// Patterns: without any one statement that contains it, an `expect` line must fail.
    pub(crate) mutants: Vec<(String, String)>,
    /// Texts, and a statement for each: with the statement before every one that contains the text, an `expect` line must
    /// fail. So an agent that the statement names executes the text.
    pub(crate) reaches: Vec<(String, String, String)>,
}

impl Task {
    /// Returns the sentences of the conditions that a text does not meet.
    pub(crate) fn failures(&self, text: &str) -> Vec<String> {
        let text = judge::without_expectations(text);
        let all = statements(&text);
        // A text that is needed twice needs two statements.
        let missing = self.needs.iter().enumerate().filter(|(at, (need, _))| {
            let wanted = self.needs[..=*at].iter().filter(|(other, _)| other == need).count();
            all.iter().filter(|it| contains(it, need)).count() < wanted
        });
        let mut failures: Vec<String> = missing.map(|(_, (_, says))| says.clone()).collect();
        for (expect, says) in &self.expects {
            let outcomes = judge::outcomes(&format!("{text}{expect}\n"));
            if outcomes.is_empty() || outcomes.iter().any(|outcome| !outcome.passed) {
                let got = outcomes.first().map_or("invalid", |outcome| &outcome.got);
                failures.push(format!("{says} ({expect}: {got})"));
            }
        }
        for (pattern, says) in &self.mutants {
            if !self.detects(&text, pattern) {
                failures.push(format!("{says} ({pattern})"));
            }
        }
        for (pattern, probe, says) in &self.reaches {
            if self.breaks(&probed(&text, pattern, probe)) != Some(true) {
                failures.push(format!("{says} ({pattern})"));
            }
        }
        failures
    }

    /// Whether an expectation fails for a text; `None` if the text is invalid.
    fn breaks(&self, text: &str) -> Option<bool> {
        let expects: String = self.expects.iter().map(|(line, _)| format!("{line}\n")).collect();
        let outcomes = judge::outcomes(&format!("{text}{expects}"));
        let invalid = outcomes.is_empty() || outcomes.iter().any(|it| it.got == "invalid");
        let certain = |got: &str| !got.contains("unknown");
        (!invalid).then(|| outcomes.iter().any(|it| !it.passed && certain(&it.got)))
    }

    /// Whether every valid mutant of a text breaks an expectation, and there is one.
    fn detects(&self, text: &str, pattern: &str) -> bool {
        let mutants = mutants(text, pattern).into_iter();
        let wrong: Vec<bool> = mutants.filter_map(|(_, mutant)| self.breaks(&mutant)).collect();
        !wrong.is_empty() && wrong.iter().all(|it| *it)
    }
}

impl Lesson {
    /// Returns its question; `None` if it has none.
    pub(crate) fn predict(&self) -> Option<&Predict> {
        self.blocks.iter().find_map(|block| match block {
            Block::Predict(predict) => Some(predict),
            _ => None,
        })
    }

    /// Returns the scenario that its question is about.
    pub(crate) fn asked(&self) -> Option<&str> {
        let pairs = self.blocks.iter().zip(self.blocks.iter().skip(1));
        pairs.into_iter().find_map(|pair| match pair {
            (Block::Scenario(text), Block::Predict(_)) => Some(text.as_str()),
            _ => None,
        })
    }

    /// Returns its task; `None` if it has none.
    pub(crate) fn task(&self) -> Option<&Task> {
        self.blocks.iter().find_map(|block| match block {
            Block::Task(task) => Some(task),
            _ => None,
        })
    }
}

/// Checks of a lesson.
impl Lesson {
    /// Returns what is wrong with the lesson: expectations that fail, a question without the right verdict, an answer that
    /// does not solve the task.
    pub(crate) fn problems(&self) -> Vec<String> {
        let all = self.blocks.iter().chain(&self.answer).filter_map(Block::scenario);
        let mut problems: Vec<String> = all.flat_map(expectations).collect();
        problems.extend(self.problems_of_question());
        problems.extend(self.problems_of_task());
        problems
    }

    fn problems_of_question(&self) -> Vec<String> {
        let (Some(predict), Some(text)) = (self.predict(), self.asked()) else {
            return vec!["has no question after a scenario".to_owned()];
        };
        let right: Vec<&Choice> = predict.choices.iter().filter(|choice| choice.right).collect();
        let verdict = judge::report(text).verdict;
        let is_verdict = |label: &str| judge::face(label).word != "Inconclusive";
        match right[..] {
            [right] if is_verdict(&right.label) && right.label != verdict => {
                vec![format!("the question says `{}`, the verdict is `{verdict}`", right.label)]
            }
            [_] => Vec::new(),
            _ => vec!["the question does not have one right choice".to_owned()],
        }
    }

    fn problems_of_task(&self) -> Vec<String> {
        let answer = self.answer.iter().find_map(Block::scenario);
        let (Some(task), Some(answer)) = (self.task(), answer) else {
            return vec!["has no task with an answer".to_owned()];
        };
        let failures = task.failures(answer).into_iter();
        let mut problems: Vec<String> =
            failures.map(|failure| format!("the answer fails: {failure}")).collect();
        if task.mutants.is_empty() {
            problems.push("the task has no mutant".to_owned());
        }
        if task.failures(&task.start).is_empty() {
            problems.push("the text at the start solves the task".to_owned());
        }
        problems
    }
}

/// Returns the expectations of a scenario that fail.
fn expectations(text: &str) -> Vec<String> {
    let outcomes = judge::outcomes(text);
    if outcomes.is_empty() {
        return vec![format!("a scenario has no expectation:\n{text}")];
    }
    let failed = outcomes.into_iter().filter(|outcome| !outcome.passed);
    failed.map(|it| format!("expected `{}`, found `{}`:\n{text}", it.wanted, it.got)).collect()
}
