//! Mutants: a scenario without one of its statements. `web/public/course-judging.js` makes the same mutants of a
//! learner's text.

/// The first words of lines that are no statements of an agent.
const HEADERS: [&str; 5] = ["title ", "note ", "target ", "launch ", "expect "];

/// Returns the scenario with one statement on each line and without comments.
pub(crate) fn statements(text: &str) -> Vec<String> {
    text.lines()
        .flat_map(|line| if is_header(line) { vec![line.to_owned()] } else { parts(line) })
        .collect()
}

fn is_header(line: &str) -> bool {
    HEADERS.iter().any(|word| line.trim_start().starts_with(word))
}

/// Splits a line after `;` outside parentheses and after `{`, and before `}`. A brace beside a letter belongs to an operand.
fn parts(line: &str) -> Vec<String> {
    let code = code(line);
    let (mut depth, mut before) = (0_i32, ' ');
    let mut parts = vec![String::new()];
    for (at, letter) in code.char_indices() {
        let after = code[at + letter.len_utf8()..].chars().next().unwrap_or(' ');
        depth += i32::from(letter == '(') - i32::from(letter == ')');
        match letter {
            ';' if depth == 0 => parts.push(String::new()),
            '}' if before == ' ' => parts.push("}".to_owned()),
            other => {
                parts.last_mut().expect("there is a first part").push(other);
                if other == '{' && before == ' ' && after == ' ' {
                    parts.push(String::new());
                }
            }
        }
        before = letter;
    }
    let parts = parts.iter().map(|part| part.trim().to_owned());
    parts.filter(|part| !part.is_empty()).collect()
}

/// Returns the part of a line before its comment.
fn code(line: &str) -> &str {
    let slashes = line.find("//").unwrap_or(line.len());
    let hash = line.find('#').unwrap_or(line.len());
    line[..slashes.min(hash)].trim_end()
}

/// Whether a statement contains a text. Blanks beside punctuation have no meaning, and a name matches whole at its end.
pub(crate) fn contains(statement: &str, text: &str) -> bool {
    let (statement, text) = (plain(statement), plain(text));
    let after = |at: usize| statement[at + text.len()..].chars().next();
    let ends_in_name = text.chars().next_back().is_some_and(is_of_name);
    statement
        .match_indices(&text)
        .any(|(at, _)| !ends_in_name || !after(at).is_some_and(is_of_name))
}

fn is_of_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// Removes blanks beside punctuation, and repeated ones.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut letters = text.trim().chars().peekable();
    while let Some(letter) = letters.next() {
        let before = out.chars().next_back();
        let after = letters.peek().copied();
        let joins = |side: Option<char>| side.is_some_and(is_of_name);
        match letter.is_whitespace() {
            true if joins(before) && joins(after) => out.push(' '),
            true => {}
            false => out.push(letter),
        }
    }
    out
}

/// Returns, for each statement that contains a pattern, the statement and the scenario without it.
pub(crate) fn mutants(text: &str, pattern: &str) -> Vec<(String, String)> {
    let all = statements(text);
    let without = |at: usize| {
        let kept = all.iter().enumerate().filter(|(other, _)| *other != at);
        kept.map(|(_, statement)| format!("{statement}\n")).collect::<String>()
    };
    let found = all.iter().enumerate();
    let found =
        found.filter(|(_, statement)| contains(statement, pattern) && !is_header(statement));
    found.map(|(at, statement)| (statement.clone(), without(at))).collect()
}

/// Returns the scenario with a statement before each one that contains a pattern.
pub(crate) fn probed(text: &str, pattern: &str, probe: &str) -> String {
    let all = statements(text);
    let found = |statement: &str| contains(statement, pattern) && !is_header(statement);
    let lines = all.iter().flat_map(|it| [found(it).then_some(probe), Some(it.as_str())]);
    lines.flatten().map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_statement_on_each_line() {
        let text = "title \"a; b\"\nwave * { arrive wg; wait wg } // c; d\nx [dst, {X, Y}], f(a; b)\n} else {\n";
        let wanted = [
            "title \"a; b\"",
            "wave * {",
            "arrive wg",
            "wait wg",
            "}",
            "x [dst, {X, Y}], f(a; b)",
            "} else {",
        ];
        assert_eq!(statements(text), wanted);
    }

    #[test]
    fn a_statement_contains_names_as_wholes() {
        assert!(contains("bar.sync  1,64", "bar.sync 1, 64"));
        assert!(contains("fence release workgroup", "fence"));
        assert!(contains("store a[0..4]", "store a") && !contains("store ab", "store a"));
        assert!(!contains("launch waves=40", "launch waves=4"));
        assert!(contains("first.wait( x )", ".wait("));
    }

    #[test]
    fn a_mutant_has_one_statement_less() {
        let found = mutants("wave 0 { arrive a; arrive b }\n", "arrive");
        assert_eq!(found.len(), 2);
        assert_eq!(found[0], ("arrive a".to_owned(), "wave 0 {\narrive b\n}\n".to_owned()));
    }

    #[test]
    fn a_probe_is_before_each_place() {
        let text = "wave 0 { arrive a; wait a; arrive a }\n";
        let wanted = "wave 0 {\nexit\narrive a\nwait a\nexit\narrive a\n}\n";
        assert_eq!(probed(text, "arrive a", "exit"), wanted);
    }
}
