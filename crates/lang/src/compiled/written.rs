//! The text from which a compiler made the code that is read. Positions of the code are reported as positions of this text.

use super::debug::{DebugLines, file_of};
use crate::diagnostic::Span;
use alloc::string::String;
use alloc::vec::Vec;

/// The source of the code, and which of its lines each line of the code comes from.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Written {
    text: String,
    lines: DebugLines,
}

impl Written {
    /// A source, and the lines from which those of the code come.
    #[must_use]
    pub fn new(text: &str, lines: DebugLines) -> Self {
        Self { text: text.into(), lines }
    }

    /// The source.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The line of the source from which a line of the code comes, if it is known.
    pub fn line_of(&self, of_code: u32) -> Option<u32> {
        self.lines.near(of_code).map(|(line, _)| line)
    }

    /// The statement of the source from which a line of the code comes. For code of another file, the line that includes it;
    /// the first line if neither is known.
    pub fn statement(&self, of_code: u32) -> Span {
        let Some((line, column)) = self.lines.near(of_code) else {
            return self.line(self.including(of_code).unwrap_or(1));
        };
        let lines = self.text.split_inclusive('\n');
        let begin: usize = lines.take(line.saturating_sub(1) as usize).map(str::len).sum();
        let whole = self.text[begin..].lines().next().unwrap_or("");
        let places = whole.char_indices().map(|(at, _)| at).chain([whole.len()]);
        let at = places.take(column.max(1) as usize).last().unwrap_or(0);
        let start = begin_of_statement(&whole[..at]);
        let start = start + whole[start..].len() - whole[start..].trim_start().len();
        let following = at + end_of_statement(&whole[at..]);
        let length = whole[start.min(following)..following].trim_end().len();
        Span {
            start: (begin + start) as u32,
            length: length as u32,
            line,
            column: whole[..start].chars().count() as u32 + 1,
        }
    }

    /// What a statement is called: its words, or its file and line if it is in another file.
    pub fn words_of(&self, of_code: u32) -> String {
        let known = self.lines.near(of_code).is_some() || self.including(of_code).is_none();
        match self.lines.at(of_code).filter(|_| !known) {
            Some(from) => {
                alloc::format!("{}:{}", file_of(from.file), from.line)
            }
            None => self.words(self.statement(of_code)),
        }
    }

    /// The line of the source that includes the file from which a line of the code comes.
    fn including(&self, of_code: u32) -> Option<u32> {
        let file = file_of(self.lines.at(of_code)?.file);
        fn includes(line: &str) -> Option<&str> {
            let path = line.trim().strip_prefix('#')?.trim_start().strip_prefix("include")?;
            Some(file_of(path.trim().trim_matches(['"', '<', '>'])))
        }
        let mut lines = (1..).zip(self.text.lines());
        lines.find(|(_, line)| includes(line) == Some(file)).map(|(number, _)| number)
    }

    /// A whole line of the source.
    pub fn line(&self, line: u32) -> Span {
        let lines = self.text.split_inclusive('\n');
        let begin: usize = lines.take(line.saturating_sub(1) as usize).map(str::len).sum();
        let whole = self.text[begin..].lines().next().unwrap_or("");
        let start = whole.len() - whole.trim_start().len();
        Span {
            start: (begin + start) as u32,
            length: whole.trim().len() as u32,
            line,
            column: whole[..start].chars().count() as u32 + 1,
        }
    }

    /// The text of a span, with white space folded. Inline assembly is shown as its instruction.
    pub fn words(&self, span: Span) -> String {
        let range = span.start as usize..(span.start + span.length) as usize;
        let text = self.text.get(range).unwrap_or("");
        if let Some(instruction) = assembly_of(text) {
            return alloc::format!("asm(\"{instruction}\")");
        }
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// Where the statement begins whose line starts with these letters: after the last separator, or after the parentheses of a
/// `for`, `if` or `while`.
fn begin_of_statement(before: &str) -> usize {
    let mut open = 0_u32;
    for (at, letter) in before.char_indices().rev() {
        match letter {
            ')' => open += 1,
            '(' => open = open.saturating_sub(1),
            ';' | '{' | '}' if open == 0 => return at + 1,
            _ => {}
        }
    }
    let head = before.trim_start();
    let heads = ["for", "if", "while"];
    if !heads
        .iter()
        .any(|word| head.strip_prefix(word).is_some_and(|rest| rest.trim_start().starts_with('(')))
    {
        return 0;
    }
    let mut depth = 0_u32;
    for (at, letter) in before.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' if depth == 1 => return at + 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    0
}

/// The instruction of a statement of inline assembly: the first that synchronises, otherwise the first.
fn assembly_of(statement: &str) -> Option<String> {
    const SYNCHRONISES: [&str; 6] = ["bar", "fence", "wait", "cp.", "arrive", "mma"];
    let rest = ["asm", "__asm__", "__asm"].iter().find_map(|word| statement.strip_prefix(word))?;
    if rest.starts_with(|letter: char| letter.is_ascii_alphanumeric() || letter == '_') {
        return None;
    }
    // The template: adjacent strings before the first colon.
    let (mut template, mut rest) = (String::new(), rest);
    while let Some((before, following)) = rest.split_once('"') {
        if before.contains(':') {
            break;
        }
        let (string, following) = following.split_at_checked(end_of_string(following))?;
        template += string;
        rest = following.strip_prefix('"').unwrap_or("");
    }
    let template = template.replace("\\n", ";").replace("\\t", " ");
    let parts = template.split([';', '{', '}']).map(str::trim);
    let mut all = parts.filter(|part| {
        !part.is_empty()
            && !part.starts_with('.')
            && !part.ends_with(':')
            && !part.starts_with("//")
    });
    let first = all.clone().next()?;
    let chosen = all.find(|part| SYNCHRONISES.iter().any(|word| part.contains(word)));
    Some(chosen.unwrap_or(first).split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Where a string ends that begins before these letters.
fn end_of_string(following: &str) -> usize {
    let mut escaped = false;
    let ends = |letter| {
        let ends = letter == '"' && !escaped;
        escaped = letter == '\\' && !escaped;
        ends
    };
    following.find(ends).unwrap_or(following.len())
}

/// Where a statement ends that continues with these letters: at a separator outside strings.
fn end_of_statement(following: &str) -> usize {
    let (mut quoted, mut escaped) = (false, false);
    let ends = |letter| {
        let separates = !quoted && matches!(letter, ';' | '{' | '}');
        quoted ^= letter == '"' && !escaped;
        escaped = letter == '\\' && !escaped;
        separates
    };
    following.find(ends).unwrap_or(following.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::borrow::ToOwned;

    #[test]
    fn the_head_of_a_loop_is_no_part_of_its_statement() {
        let from = |before: &str| before[begin_of_statement(before)..].trim_start().to_owned();
        assert_eq!(from("  for (int j = 0; j < 16; ++j) acc += f(a) * "), "acc += f(a) * ");
        assert_eq!(from("  for (int j = 0; j < "), "j < ");
        assert_eq!(from("  if (t < (d + 1)) s[t] += "), "s[t] += ");
        assert_eq!(from("  x(); y(1, "), "y(1, ");
    }

    #[test]
    fn inline_assembly_is_shown_as_its_instruction() {
        let wait = "asm volatile(\"{\\n\\t.reg .pred p;\\n\\tmbarrier.try_wait.parity.b64 p, [%1], %2;\\n\\t\"\n\
            \"selp.u32 %0, 1, 0, p;\\n\\t}\" : \"=r\"(done) : \"r\"(bar))";
        let shown = |text| assembly_of(text);
        assert_eq!(shown(wait).as_deref(), Some("mbarrier.try_wait.parity.b64 p, [%1], %2"));
        assert_eq!(shown("asm(\"mov.u32 %0, 1;\" : \"=r\"(x))").as_deref(), Some("mov.u32 %0, 1"));
        assert_eq!(shown("__asm__ (\"s_barrier\")").as_deref(), Some("s_barrier"));
        assert_eq!(
            [shown("asm(\"\")"), shown("asmx(\"a\")"), shown("asm(\"a\\")],
            [None, None, Some("a\\".into())]
        );
    }

    #[test]
    fn separators_in_strings_end_no_statement() {
        let end = |text: &str| text[..end_of_statement(text)].to_owned();
        assert_eq!(end("a = \"x;\\\";{\"; b"), "a = \"x;\\\";{\"");
        assert_eq!(end("if (a) { b"), "if (a) ");
        assert_eq!(end("a"), "a");
    }

    #[test]
    fn a_place_in_a_statement_stands_for_the_statement() {
        let code = "define void @k() !dbg !4 {\n call void @a(), !dbg !6\n call void @b(), !dbg !7\n\
            !0 = distinct !DICompileUnit(file: !1)\n!1 = !DIFile(filename: \"k.cl\")\n\
            !4 = distinct !DISubprogram(scope: !1, file: !1, line: 1)\n\
            !6 = !DILocation(line: 2, column: 20, scope: !4)\n\
            !7 = !DILocation(line: 9, column: 1, scope: !4)\n";
        let text = "kernel void k() {\n  int é = 1;  out[i]  = in[i]; // copy\n}";
        let written = Written::new(text, DebugLines::read(code));
        let words = |line| written.words_of(line);
        assert_eq!(words(1), "kernel void k()");
        assert_eq!(words(2), "out[i] = in[i]");
        assert_eq!((written.statement(2).line, written.statement(2).column), (2, 15));
        assert_eq!(words(3), "", "a line that the text does not have");
    }
    #[test]
    fn code_of_another_file_is_at_the_line_that_includes_it() {
        let code = "define void @k() !dbg !4 {\n call void @a(), !dbg !6\n\
            !0 = distinct !DICompileUnit(file: !1)\n!1 = !DIFile(filename: \"k.cu\")\n\
            !2 = !DIFile(filename: \"./inc/k.cuh\")\n\
            !4 = distinct !DISubprogram(scope: !2, file: !2, line: 1)\n\
            !6 = !DILocation(line: 7, column: 3, scope: !4)\n";
        let text = "#include <cmath>\n# include \"inc/k.cuh\"\n";
        let written = Written::new(text, DebugLines::read(code));
        assert_eq!(written.statement(2).line, 2);
        assert_eq!(written.words_of(2), "k.cuh:7");
    }
}
