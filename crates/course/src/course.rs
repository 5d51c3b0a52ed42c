//! The pages of the course: the lessons, their index, the exercise and the teacher's table.

use crate::html::{self, Page, coded, escaped, markdown};
use crate::judge;
use crate::lesson::{Block, Lesson, Predict, Task};

const SUMMARY: &str = "Twelve lessons on GPU barriers, for a class or for one reader: each with a scenario to predict, a \
scenario to write, and a worked answer.";

/// Returns the paths and texts of all pages of the course.
pub(crate) fn pages(lessons: &[Lesson]) -> Vec<(String, String)> {
    let mut pages = vec![
        ("course/index.html".to_owned(), index(lessons)),
        ("course/exercise.html".to_owned(), exercise(lessons)),
        ("course/table.html".to_owned(), table(lessons)),
    ];
    for at in 0..lessons.len() {
        pages.push((format!("course/{}.html", lessons[at].name), lesson(lessons, at)));
    }
    pages
}

fn index(lessons: &[Lesson]) -> String {
    let mut body =
        format!("<h1>Course</h1>\n<p class=\"lead\">{SUMMARY}</p>\n<ol class=\"list\">\n");
    for lesson in lessons {
        body.push_str(&format!(
            "<li data-lesson=\"{}\"><a href=\"{}.html\">{}</a><br><span class=\"quiet\">{}</span></li>\n",
            lesson.number,
            lesson.name,
            coded(&lesson.title),
            coded(&lesson.summary)
        ));
    }
    body.push_str("</ol>\n");
    body.push_str(&markdown(include_str!("index.md")));
    html::page(&Page {
        title: "Course",
        summary: SUMMARY,
        menu: "Course",
        scripts: &["course.js"],
        body,
    })
}

fn lesson(lessons: &[Lesson], at: usize) -> String {
    let lesson = &lessons[at];
    let mut body = format!(
        "<p class=\"where\">Lesson {} of {}</p>\n<h1>{}</h1>\n<p class=\"lead\">{}</p>\n",
        at + 1,
        lessons.len(),
        coded(&lesson.title),
        coded(&lesson.summary)
    );
    for (index, block) in lesson.blocks.iter().enumerate() {
        let asked = matches!(lesson.blocks.get(index + 1), Some(Block::Predict(_)));
        body.push_str(&part(lesson, block, asked));
    }
    body.push_str(&answers(lesson));
    body.push_str("<nav class=\"turn\" aria-label=\"Other lessons\">\n");
    let link = |lesson: &Lesson, word: &str| {
        format!("<a href=\"{}.html\">{word}: {}</a>\n", lesson.name, coded(&lesson.title))
    };
    body.push_str(&at.checked_sub(1).map_or(String::new(), |at| link(&lessons[at], "Previous")));
    body.push_str(&lessons.get(at + 1).map_or(String::new(), |next| link(next, "Next")));
    body.push_str("</nav>\n");
    let (title, summary) = (lesson.title.replace('`', ""), lesson.summary.replace('`', ""));
    html::page(&Page {
        title: &title,
        summary: &summary,
        menu: "Course",
        scripts: &["course.js"],
        body,
    })
}

/// A part of a lesson. A scenario that a question is about shows no verdict.
fn part(lesson: &Lesson, block: &Block, asked: bool) -> String {
    match block {
        Block::Text(text) => markdown(text),
        Block::Scenario(text) if asked => {
            let text = judge::without_expectations(text);
            format!(
                "<div class=\"scenario\" data-asked=\"{}\">\n{}</div>\n",
                lesson.number,
                html::code(&text)
            )
        }
        Block::Scenario(text) => {
            html::live_at_launch(text, &lesson.title, "verdict,text,execution")
        }
        Block::Predict(predict) => question(&lesson.number, predict),
        Block::Task(task) => writing(&lesson.number, task),
    }
}

/// The label of a choice: a verdict's name, or its text.
fn label(text: &str) -> String {
    match judge::face(text).word {
        "Inconclusive" => coded(text),
        word => word.to_owned(),
    }
}

/// The label of a choice without markup.
fn plain_label(text: &str) -> String {
    match judge::face(text).word {
        "Inconclusive" => text.replace('`', ""),
        word => word.to_owned(),
    }
}

fn question(number: &str, predict: &Predict) -> String {
    let mut out = format!(
        "<form class=\"ask\" data-lesson=\"{number}\" data-right=\"{}\">\n<fieldset>\n<legend>Prediction</legend>\n{}",
        predict.right(),
        markdown(&predict.question)
    );
    for (at, choice) in predict.choices.iter().enumerate() {
        out.push_str(&format!(
            "<label class=\"ask__choice\"><input type=\"radio\" name=\"p{number}\" value=\"{at}\" /> <span>{}</span></label>\n",
            label(&choice.label)
        ));
    }
    out.push_str("</fieldset>\n<p class=\"ask__room\">Why?</p>\n");
    out.push_str("<button class=\"button button--main\" type=\"submit\">Answer</button>\n");
    out.push_str("<div class=\"ask__said\" role=\"status\"></div>\n");
    for (at, choice) in predict.choices.iter().enumerate() {
        out.push_str(&format!(
            "<p class=\"ask__why\" data-choice=\"{at}\" hidden><b>{}</b><br>{}</p>\n",
            label(&choice.label),
            coded(&choice.why)
        ));
    }
    out + "</form>\n"
}

fn writing(number: &str, task: &Task) -> String {
    let rows = task.start.lines().count().max(8) + 4;
    format!(
        "<form class=\"task\" data-lesson=\"{number}\" data-task=\"{}\">\n<h2>Task</h2>\n{}\
         <label class=\"task__name\" for=\"t{number}\">Your scenario</label>\n\
         <textarea class=\"task__text\" id=\"t{number}\" rows=\"{rows}\" spellcheck=\"false\" autocapitalize=\"off\" \
         autocomplete=\"off\">{}</textarea>\n<p class=\"task__row\">\
         <button class=\"button button--main\" type=\"submit\">Check</button>\n\
         <button class=\"button\" type=\"reset\">Start again</button>\n\
         <a class=\"task__open\" href=\"../index.html\">Open in Tidegate</a></p>\n\
         <div class=\"task__said\" role=\"status\"></div>\n</form>\n",
        escaped(&data(task)),
        markdown(&task.prose),
        escaped(&task.start)
    )
}

/// The conditions of a task as JSON.
fn data(task: &Task) -> String {
    serde_json::to_string(task).unwrap_or_default()
}

fn answers(lesson: &Lesson) -> String {
    let mut out = String::from(
        "<section class=\"answers\" aria-labelledby=\"answers\">\n<h2 id=\"answers\">Answers</h2>\n\
         <p class=\"answers__ask\"><button class=\"button\" type=\"button\" hidden>Show the answers</button></p>\n\
         <div class=\"answers__body\">\n",
    );
    if let (Some(predict), Some(text)) = (lesson.predict(), lesson.asked()) {
        out.push_str("<h3>Prediction</h3>\n");
        for choice in &predict.choices {
            let mark = if choice.right { "Right" } else { "Wrong" };
            out.push_str(&format!(
                "<p>{mark}: <b>{}</b><br>{}</p>\n",
                label(&choice.label),
                coded(&choice.why)
            ));
        }
        out.push_str(&html::live(
            text,
            &format!("{}: prediction", lesson.title),
            "verdict,text,execution",
        ));
    }
    out.push_str("<h3>Task</h3>\n");
    out.extend(lesson.answer.iter().map(|block| part(lesson, block, false)));
    out + "</div>\n</section>\n"
}

/// The questions and tasks of all lessons. A script shows those of the link.
fn exercise(lessons: &[Lesson]) -> String {
    let mut body = markdown(include_str!("exercise.md"));
    body = body.replace("<h1>", "<h1 id=\"name\">");
    for lesson in lessons {
        body.push_str(&format!(
            "<section class=\"lesson\" data-lesson=\"{0}\" aria-labelledby=\"l{0}\">\n<h2 id=\"l{0}\">{0} {1}</h2>\n\
             <p><a href=\"{2}.html\">The lesson</a></p>\n",
            lesson.number,
            coded(&lesson.title),
            lesson.name
        ));
        for (index, block) in lesson.blocks.iter().enumerate() {
            let asked = matches!(lesson.blocks.get(index + 1), Some(Block::Predict(_)));
            if asked || matches!(block, Block::Predict(_) | Block::Task(_)) {
                body.push_str(&part(lesson, block, asked));
            }
        }
        body.push_str("</section>\n");
    }
    body.push_str(
        "<form class=\"hand\" id=\"hand\">\n<h2>Answer link</h2>\n<label for=\"who\">Your name</label>\n\
         <input class=\"field\" id=\"who\" autocomplete=\"name\" maxlength=\"80\" />\n\
         <button class=\"button button--main\" type=\"submit\">Make the answer link</button>\n\
         <label for=\"link\">Send this link to your teacher</label>\n\
         <textarea class=\"field\" id=\"link\" rows=\"3\" readonly></textarea>\n\
         <button class=\"button\" type=\"button\" id=\"copy\">Copy</button> <span role=\"status\" id=\"copied\"></span>\n</form>\n",
    );
    let summary = "The questions and tasks of the course, and the link with the answers to them.";
    html::page(&Page {
        title: "Exercise",
        summary,
        menu: "Exercise",
        scripts: &["course.js"],
        body,
    })
}

fn table(lessons: &[Lesson]) -> String {
    let mut body = String::from("<h1>Exercises and answers</h1>\n");
    body.push_str(
        "<form class=\"hand\" id=\"make\">\n<h2>Make an exercise</h2>\n<label for=\"title\">Name of the exercise</label>\n\
         <input class=\"field\" id=\"title\" maxlength=\"80\" value=\"Exercise\" />\n<fieldset>\n<legend>Lessons</legend>\n",
    );
    for lesson in lessons {
        body.push_str(&format!(
            "<label class=\"ask__choice\"><input type=\"checkbox\" name=\"lesson\" value=\"{0}\" /> <span>{0} {1}</span></label>\n",
            lesson.number,
            coded(&lesson.title)
        ));
    }
    body.push_str(
        "</fieldset>\n<button class=\"button\" type=\"button\" id=\"all\">Select all</button>\n\
         <button class=\"button button--main\" type=\"submit\">Make the exercise link</button>\n\
         <label for=\"link\">Give this link to the class</label>\n\
         <textarea class=\"field\" id=\"link\" rows=\"2\" readonly></textarea>\n\
         <button class=\"button\" type=\"button\" id=\"copy\">Copy</button> <span role=\"status\" id=\"copied\"></span>\n</form>\n\
         <form class=\"hand\" id=\"judge\">\n<h2>Judge answers</h2>\n<label for=\"answers\">Answer links, in any text</label>\n\
         <textarea class=\"field\" id=\"answers\" rows=\"5\" spellcheck=\"false\"></textarea>\n\
         <button class=\"button button--main\" type=\"submit\">Judge</button>\n\
         <button class=\"button\" type=\"button\" id=\"rows\" hidden>Copy the table</button> <span role=\"status\" id=\"judged\"></span>\n</form>\n\
         <div class=\"wide table\" id=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"Table of answers\"></div>\n",
    );
    body.push_str(&markdown(include_str!("table.md")));
    body.push_str("<div hidden id=\"lessons\">\n");
    for lesson in lessons {
        if let (Some(predict), Some(task)) = (lesson.predict(), lesson.task()) {
            let labels: Vec<String> =
                predict.choices.iter().map(|choice| plain_label(&choice.label)).collect();
            body.push_str(&format!(
                "<p data-lesson=\"{}\" data-title=\"{}\" data-right=\"{}\" data-labels=\"{}\" data-task=\"{}\"></p>\n",
                lesson.number,
                escaped(&lesson.title.replace('`', "")),
                predict.right(),
                escaped(&labels.join("\u{1e}")),
                escaped(&data(task))
            ));
        }
    }
    body.push_str("</div>\n");
    let summary = "Make a link to an exercise, and judge many answer links in the browser.";
    html::page(&Page {
        title: "Exercises and answers",
        summary,
        menu: "For teachers",
        scripts: &["course-table.js"],
        body,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::read;
    use std::path::Path;

    #[test]
    fn a_question_does_not_reveal_its_verdict() {
        let lessons = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../course"));
        let lessons = lessons.expect("the lessons");
        let page = lesson(&lessons, 0);
        let (before, answers) = page.split_once("<section class=\"answers\"").expect("answers");
        let asked = before.split("data-asked").nth(1).expect("a question");
        let asked = asked.split("<form").next().unwrap_or_default();
        assert!(!asked.contains("badge") && !asked.contains("expect"), "{asked}");
        assert!(answers.contains("badge"));
    }

    #[test]
    fn the_exercise_and_the_table_have_every_lesson() {
        let lessons = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../course"));
        let lessons = lessons.expect("the lessons");
        let (exercise, table) = (exercise(&lessons), table(&lessons));
        for lesson in &lessons {
            let marked = format!("data-lesson=\"{}\"", lesson.number);
            assert_eq!(exercise.matches(&marked).count(), 3, "{}", lesson.name);
            assert_eq!(table.matches(&marked).count(), 1, "{}", lesson.name);
        }
        assert!(!exercise.contains("class=\"answers\""));
    }
}
