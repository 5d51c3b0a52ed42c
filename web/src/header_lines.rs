//! Header lines that a warning asks for, such as `argument n=4`, as edits of the text.

use tidegate_check::report::{Edit, Fix, ReportDiagnostic};

/// Words that begin a header line.
const HEADERS: [&str; 9] =
    ["title", "note", "lesson", "target", "reading", "expect", "launch", "argument", "entry"];
/// How a message begins that names a line: whether the line completes a known one or replaces it.
const VERBS: [(&str, bool); 3] = [("add ", true), ("with ", true), ("write ", false)];

/// Returns the edit that makes the line of a diagnostic; `None` if it names none, or has an edit of its own.
pub(crate) fn fix(text: &str, found: &ReportDiagnostic) -> Option<Fix> {
    let line = |says: &str| {
        let (line, adds) = named(says)?;
        Some(Fix { message: line.to_owned(), edits: vec![edit(text, line, adds)] })
    };
    match &found.replacement {
        Some(_) => None,
        None => found.suggestion.as_deref().and_then(line).or_else(|| line(&found.message)),
    }
}

/// Returns the header line that a message names, and whether it completes a known one.
fn named(says: &str) -> Option<(&str, bool)> {
    let mut parts = says.split('`');
    while let (Some(before), Some(line)) = (parts.next(), parts.next()) {
        let is_line = line.starts_with("argument ") || line.starts_with("launch ");
        let verb = VERBS.iter().find(|(verb, _)| before.ends_with(verb));
        if let Some((_, adds)) = verb.filter(|_| is_line && !line.ends_with("VALUE")) {
            return Some((line, *adds));
        }
    }
    None
}

/// Returns the edit that writes a header line: into the known `launch`, otherwise after the last header line.
fn edit(text: &str, line: &str, adds: bool) -> Edit {
    let words = line.strip_prefix("launch ");
    let (mut end, mut row, mut after) = (0, 0, 1);
    for (number, whole) in (1..).zip(text.split_inclusive('\n')) {
        let known = whole.trim();
        let word = known.split_whitespace().next().unwrap_or_default();
        let is_comment = word.starts_with('#') || word.starts_with("//") || word.starts_with(';');
        // LLVM IR has lines `target triple = …`.
        let is_header = HEADERS.contains(&word) && !(word == "target" && known.contains('='));
        if is_header {
            if let (Some(words), Some(given)) = (words, known.strip_prefix("launch ")) {
                let kept = if adds { completed(given, words) } else { words.to_owned() };
                let offset = end + whole.find(known).unwrap_or_default();
                let replacement = ["launch ", &kept].concat();
                return Edit {
                    offset: offset as u32,
                    length: known.len() as u32,
                    line: number,
                    column: (offset - end + 1) as u32,
                    replacement,
                };
            }
            (row, after) = (end + whole.len(), number + 1);
        } else if !word.is_empty() && !is_comment {
            break;
        }
        end += whole.len();
    }
    let begins = if text[..row].ends_with('\n') || row == 0 { "" } else { "\n" };
    let replacement = [begins, line, "\n"].concat();
    Edit { offset: row as u32, length: 0, line: after, column: 1, replacement }
}

/// Returns the words of a launch with others, which replace those with the same key.
fn completed(given: &str, words: &str) -> String {
    let mut all = String::new();
    for word in given.split(' ') {
        let key = word.find('=').map_or(word, |end| &word[..=end]);
        if !words.split(' ').any(|other| other.starts_with(key)) {
            all += word;
            all.push(' ');
        }
    }
    all + words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(text: &str, message: &str) -> Option<String> {
        let found = ReportDiagnostic {
            code: "launch-size".into(),
            severity: "warning".into(),
            line: 1,
            column: 1,
            length: 0,
            offset: 0,
            message: message.into(),
            suggestion: None,
            replacement: None,
        };
        let fix = fix(text, &found)?;
        Some(tidegate_check::apply(text, &fix))
    }

    #[test]
    fn an_argument_follows_the_last_header_line() {
        let asks = "argument `n` has no known value: add `argument n=4`";
        let text = "title \"A\"\ntarget opencl\n\n# The kernel.\nkernel void f(int n) {}\n";
        let wanted = text.replace("opencl\n", "opencl\nargument n=4\n");
        assert_eq!(applied(text, asks), Some(wanted));
        let kernel = "\t.text\nf:\n\ts_endpgm\nargument x\n";
        assert_eq!(applied(kernel, asks), Some(format!("argument n=4\n{kernel}")));
        let ir = "target triple = \"amdgcn-amd-amdhsa\"\ndefine void @f() {\n";
        assert_eq!(applied(ir, asks), Some(format!("argument n=4\n{ir}")));
        assert_eq!(
            applied("target opencl", asks).as_deref(),
            Some("target opencl\nargument n=4\n")
        );
    }

    #[test]
    fn a_launch_completes_or_replaces_the_known_one() {
        let text = "target sm_90\n  launch threads=64 ctas=1\nx\n";
        let adds = applied(text, "one CTA: add `launch ctas=2` to check races").expect("an edit");
        assert_eq!(adds, "target sm_90\n  launch threads=64 ctas=2\nx\n");
        let replaces = applied(text, "write `launch items=64`").expect("an edit");
        assert_eq!(replaces, "target sm_90\n  launch items=64\nx\n");
        assert_eq!(applied("x\n", "add `launch ctas=2`").as_deref(), Some("launch ctas=2\nx\n"));
    }

    #[test]
    fn an_example_or_a_placeholder_is_no_edit() {
        for says in ["as in `launch items=8x8`", "add `argument n=VALUE`", "missing `launch`", ""] {
            assert_eq!(applied("x\n", says), None, "{says}");
        }
    }
}
