//! The difference of two scenarios, line by line.

use crate::html::escaped;
use crate::judge::without_expectations;
use similar::{ChangeTag, TextDiff};

/// Returns the lines of both texts as HTML.
pub(crate) fn diff(before: &str, after: &str) -> String {
    let lines = TextDiff::from_lines(before, after);
    let mut out =
        String::from("<pre class=\"code diff\" tabindex=\"0\" aria-label=\"Difference\">");
    for change in lines.iter_all_changes() {
        let text = escaped(change.value().trim_end());
        out.push_str(&match change.tag() {
            ChangeTag::Equal => format!("  {text}\n"),
            ChangeTag::Delete => format!("<del>- {text}</del>\n"),
            ChangeTag::Insert => format!("<ins>+ {text}</ins>\n"),
        });
    }
    out + "</pre>\n"
}

/// Returns the text without its title, notes and expectations.
pub(crate) fn program(text: &str) -> String {
    let text = without_expectations(text);
    let kept =
        text.lines().filter(|line| !line.starts_with("title ") && !line.starts_with("note "));
    kept.map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_marks_lines() {
        let (before, after) = ("title \"A\"\narrive a\nwait <b>\n", "arrive a\njoin b\n");
        let shown = diff(&program(before), &program(after));
        assert!(shown.contains("  arrive a\n<del>- wait &lt;b&gt;</del>\n<ins>+ join b</ins>\n"));
        assert!(!shown.contains("title"), "{shown}");
    }
}
