//! Reads the text of a lesson.

use crate::lesson::{Block, Choice, Lesson, Predict, Task};
use anyhow::{Context as _, Result, bail};
use std::fs;
use std::path::Path;

/// The blocks of code that are parts of a lesson. Others are text.
const FENCES: [&str; 4] = ["```tide", "```predict", "```task", "```start"];

/// Reads the lessons of a folder in the order of their names.
pub(crate) fn read(folder: &Path) -> Result<Vec<Lesson>> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?;
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "md") {
            paths.push(path);
        }
    }
    paths.sort();
    let lessons = paths.iter().map(|path| {
        let text = fs::read_to_string(path)?.replace("\r\n", "\n");
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        lesson(&name, &text).with_context(|| format!("cannot read {}", path.display()))
    });
    let lessons: Vec<Lesson> = lessons.collect::<Result<_>>()?;
    if lessons.is_empty() {
        bail!("{} has no lessons", folder.display());
    }
    Ok(lessons)
}

/// Reads a lesson. `name` is the name of its file without the ending.
fn lesson(name: &str, text: &str) -> Result<Lesson> {
    let (number, _) =
        name.split_once('-').context("the name of the file does not begin with a number")?;
    let mut lesson =
        Lesson { number: number.to_owned(), name: name.to_owned(), ..Lesson::default() };
    let mut in_answer = false;
    let mut prose = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(title) = line.strip_prefix("# ").filter(|_| lesson.title.is_empty()) {
            lesson.title = title.to_owned();
        } else if let Some(summary) = line.strip_prefix("> ").filter(|_| lesson.summary.is_empty())
        {
            lesson.summary = summary.to_owned();
        } else if line == "## Answer" {
            flush(&mut prose, blocks(&mut lesson, in_answer));
            in_answer = true;
        } else if FENCES.contains(&line) {
            flush(&mut prose, blocks(&mut lesson, in_answer));
            let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            fenced(&line[3..], &body, blocks(&mut lesson, in_answer))?;
        } else {
            prose.push_str(line);
            prose.push('\n');
        }
    }
    flush(&mut prose, blocks(&mut lesson, in_answer));
    if lesson.title.is_empty() || lesson.summary.is_empty() {
        bail!("a lesson needs a line `# TITLE` and a line `> SUMMARY`");
    }
    Ok(lesson)
}

fn blocks(lesson: &mut Lesson, in_answer: bool) -> &mut Vec<Block> {
    if in_answer { &mut lesson.answer } else { &mut lesson.blocks }
}

fn flush(prose: &mut String, blocks: &mut Vec<Block>) {
    let text = std::mem::take(prose);
    if !text.trim().is_empty() {
        blocks.push(Block::Text(text));
    }
}

fn fenced(kind: &str, body: &[&str], blocks: &mut Vec<Block>) -> Result<()> {
    let text: String = body.iter().map(|line| format!("{line}\n")).collect();
    match kind {
        "predict" => blocks.push(Block::Predict(predict(body)?)),
        "task" => blocks.push(Block::Task(task(body)?)),
        "start" => match blocks.last_mut() {
            Some(Block::Task(task)) => task.start = text,
            _ => bail!("a block `start` follows a block `task`"),
        },
        _ => blocks.push(Block::Scenario(text)),
    }
    Ok(())
}

/// Splits `TEXT | SENTENCE`.
fn pair(line: &str) -> Result<(String, String)> {
    let (text, sentence) =
        line.split_once(" | ").with_context(|| format!("`{line}` has no ` | SENTENCE`"))?;
    Ok((text.trim().to_owned(), sentence.trim().to_owned()))
}

/// Reads a question: its text, then a line `[x] CHOICE | SENTENCE` for the right choice and `[ ] …` for each other.
fn predict(body: &[&str]) -> Result<Predict> {
    let mut predict = Predict::default();
    for line in body {
        let right = line.starts_with("[x] ");
        match line.strip_prefix("[x] ").or_else(|| line.strip_prefix("[ ] ")) {
            Some(choice) => {
                let (label, why) = pair(choice)?;
                predict.choices.push(Choice { label, right, why });
            }
            None => predict.question += &format!("{line}\n"),
        }
    }
    Ok(predict)
}

/// Reads a task: its text, then lines `need TEXT | SENTENCE`, `expect … | SENTENCE`, `mutant TEXT | SENTENCE` and
/// `reach TEXT => STATEMENT | SENTENCE`.
fn task(body: &[&str]) -> Result<Task> {
    let mut task = Task::default();
    for line in body {
        match line.split_once(' ') {
            Some(("need", rest)) => task.needs.push(pair(rest)?),
            Some(("mutant", rest)) => task.mutants.push(pair(rest)?),
            Some(("expect", _)) => task.expects.push(pair(line)?),
            Some(("reach", rest)) => {
                let (place, says) = pair(rest)?;
                let parts = place.split_once(" => ");
                let (text, probe) = parts.with_context(|| format!("no `=>`: {line}"))?;
                task.reaches.push((text.to_owned(), probe.to_owned(), says));
            }
            _ => task.prose += &format!("{line}\n"),
        }
    }
    Ok(task)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Name\n\n> What it teaches.\n\nSome *text*.\n\n```tide\nexpect ok\n```\n```predict\nWhich?\n[ ] ok | No.\n\
[x] ub | Yes.\n```\n```task\nWrite one.\nneed join | Use it.\nexpect gfx1250: ok | It is wrong.\nmutant join | Too many.\n```\n\
```start\nlaunch waves=2\n```\n## Answer\n\nThis.\n```tide\nexpect ok\n```\n";

    #[test]
    fn a_lesson_has_its_parts() {
        let lesson = lesson("01-name", TEXT).expect("a lesson");
        assert_eq!((&*lesson.number, &*lesson.title), ("01", "Name"));
        assert_eq!((lesson.blocks.len(), lesson.answer.len()), (4, 2));
        assert_eq!(lesson.predict().map(Predict::right), Some(1));
        assert_eq!(lesson.asked(), Some("expect ok\n"));
        let task = lesson.task().expect("a task");
        assert_eq!(task.expects, [("expect gfx1250: ok".to_owned(), "It is wrong.".to_owned())]);
        assert_eq!(
            (task.needs.len(), task.mutants.len(), &*task.start),
            (1, 1, "launch waves=2\n")
        );
    }

    #[test]
    fn a_lesson_with_a_missing_part_is_an_error() {
        for (part, without) in [("# Name", ""), ("> What it teaches.", ""), (" | Use it.", "")] {
            assert!(lesson("01-name", &TEXT.replace(part, without)).is_err(), "{part}");
        }
        assert!(lesson("name", TEXT).is_err());
    }

    fn lessons() -> Vec<Lesson> {
        read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../course")).expect("the lessons")
    }

    #[test]
    fn every_lesson_is_correct() {
        for lesson in lessons() {
            assert_eq!(lesson.problems(), Vec::<String>::new(), "{}", lesson.name);
        }
    }

    #[test]
    fn a_task_asks_each_agent() {
        let lessons = lessons();
        let failures = |number: &str, from: &str, to: &str| {
            let lesson = lessons.iter().find(|it| it.number == number).expect("the lesson");
            let answer = lesson.answer.iter().find_map(Block::scenario).expect("an answer");
            assert!(answer.contains(from), "{answer}");
            lesson.task().expect("a task").failures(&answer.replacen(from, to, 1))
        };
        let one = failures("03", "wait ready", "if wave_id == 1 { wait ready }");
        assert_eq!(one, ["Wave 2 waits on `ready`. (wait ready)"]);
        let one = failures("11", "load tile", "if warp_id == 2 { load tile }");
        assert_eq!(one, ["Warp 1 reads the tile. (load tile)"]);
    }

    #[test]
    fn a_wrong_lesson_has_problems() {
        let mut lesson = lessons().remove(0);
        let wrong = "target gfx1250\nlaunch waves=2\nwave * { arrive wg }\nexpect deadlock\n";
        lesson.answer.insert(0, Block::Scenario(wrong.to_owned()));
        let problems = lesson.problems();
        assert!(problems.iter().any(|it| it.starts_with("expected `deadlock`")), "{problems:#?}");
        assert!(problems.iter().any(|it| it.starts_with("the answer fails")), "{problems:#?}");
    }
}
