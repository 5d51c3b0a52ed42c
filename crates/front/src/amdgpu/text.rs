//! Assembly text to statements: labels, directives and instructions, each with its place.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_lang::diagnostic::Span;

/// What a statement is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind<'a> {
    /// A label, without its colon.
    Label(&'a str),
    /// A directive with its dot, and the text after it.
    Directive(&'a str, &'a str),
    /// A mnemonic, and the text after it.
    Instruction(&'a str, &'a str),
    /// A line between `.amdgpu_metadata` and `.end_amdgpu_metadata`, as written.
    Metadata(&'a str),
}

/// A statement of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Statement<'a> {
    /// Where it stands.
    pub(super) span: Span,
    /// What it is.
    pub(super) kind: Kind<'a>,
}

/// The text without comments, each replaced by as many blanks, so that places stay.
///
/// Comments begin with `;` or `//`, or stand between `/*` and `*/`. Strings have no comments. LLVM writes the whole number of
/// a register above v255 in a comment after its low eight bits (`v0 /*v256*/`): there the comment stays and the word goes.
pub(super) fn without_comments(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    if !bytes.iter().any(|byte| matches!(byte, b';' | b'/')) {
        return Cow::Borrowed(text);
    }
    let mut kept: Vec<u8> = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let end = match (byte, bytes.get(at + 1)) {
            (b'"', _) => {
                let end = end_of_string(bytes, at);
                kept.extend_from_slice(&bytes[at..end]);
                at = end;
                continue;
            }
            (b';', _) | (b'/', Some(b'/')) => line_end(bytes, at),
            (b'/', Some(b'*')) => match find(bytes, at + 2, b"*/") {
                Some(found) => {
                    if is_register(&bytes[at + 2..found]) {
                        let before = kept.iter().rev().take_while(|byte| **byte == b' ').count();
                        let until = kept.len() - before;
                        let word = |byte: &&mut u8| !matches!(**byte, b' ' | b',' | b'\t' | b'\n');
                        kept[..until].iter_mut().rev().take_while(word).for_each(|b| *b = b' ');
                        kept.extend_from_slice(b"  ");
                        kept.extend_from_slice(&bytes[at + 2..found]);
                        at = found;
                    }
                    found + 2
                }
                None => bytes.len(),
            },
            _ => {
                kept.push(byte);
                at += 1;
                continue;
            }
        };
        let blank = |&byte: &u8| if byte == b'\n' { b'\n' } else { b' ' };
        kept.extend(bytes[at..end].iter().map(blank));
        at = end;
    }
    // Only whole comments are replaced, so what is left are whole characters.
    String::from_utf8(kept).map_or(Cow::Borrowed(""), Cow::Owned)
}

/// Whether a comment is a vector register or a range of them.
fn is_register(comment: &[u8]) -> bool {
    let all = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'[' | b':' | b']');
    comment
        .split_first()
        .is_some_and(|(first, rest)| *first == b'v' && !rest.is_empty() && rest.iter().all(all))
}

fn line_end(bytes: &[u8], from: usize) -> usize {
    bytes[from..].iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |found| from + found)
}

/// The end of a string that begins at a quotation mark: after its second one, or the line's end.
fn end_of_string(bytes: &[u8], from: usize) -> usize {
    let mut at = from + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\n' => return at,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn find(bytes: &[u8], from: usize, what: &[u8]) -> Option<usize> {
    let rest = bytes.get(from..)?;
    rest.windows(what.len()).position(|window| window == what).map(|found| from + found)
}

/// Calls `visit` with each statement of a text of less than 4 GiB and without comments, in order.
pub(super) fn statements<'a>(plain: &'a str, mut visit: impl FnMut(Statement<'a>)) {
    let mut in_metadata = false;
    let mut start = 0;
    for (line, whole) in (1..).zip(plain.split_inclusive('\n')) {
        let content = whole.trim_end();
        let mut rest = content;
        if in_metadata {
            in_metadata = content.trim_start() != ".end_amdgpu_metadata";
            let kind = match in_metadata {
                true => Kind::Metadata(content),
                false => Kind::Directive(".end_amdgpu_metadata", ""),
            };
            let span = Span { start, length: content.len() as u32, line, column: 1 };
            visit(Statement { span, kind });
            rest = "";
        }
        loop {
            let trimmed = rest.trim_start();
            if trimmed.is_empty() {
                break;
            }
            let offset = content.len() - trimmed.len();
            let (kind, length) = statement(trimmed);
            let column =
                content.get(..offset).map_or(0, |before| before.chars().count()) as u32 + 1;
            let span = Span { start: start + offset as u32, length: length as u32, line, column };
            in_metadata |= matches!(kind, Kind::Directive(".amdgpu_metadata", _));
            visit(Statement { span, kind });
            if !matches!(kind, Kind::Label(_)) {
                break;
            }
            rest = trimmed.get(length..).unwrap_or("");
        }
        start += whole.len() as u32;
    }
}

/// The first statement of a line that is not blank, and its length in bytes.
fn statement(text: &str) -> (Kind<'_>, usize) {
    if text.starts_with('"')
        && let Some(close) = text.get(1..).and_then(|rest| rest.find('"'))
        && text.get(close + 2..).is_some_and(|rest| rest.starts_with(':'))
    {
        return (Kind::Label(text.get(1..close + 1).unwrap_or("")), close + 3);
    }
    let end = text.find(|c: char| !is_name(c)).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    if rest.starts_with(':') && !rest.starts_with("::") && !name.is_empty() {
        return (Kind::Label(name), end + 1);
    }
    // A line that does not begin with a name is shown as an instruction that no table has.
    let (name, rest) = match name.is_empty() {
        true => text.split_at(text.find(char::is_whitespace).unwrap_or(text.len())),
        false => (name, rest),
    };
    let rest = rest.trim();
    match name.starts_with('.') {
        true => (Kind::Directive(name, rest), text.len()),
        false => (Kind::Instruction(name, rest), text.len()),
    }
}

/// Whether a character can stand in a symbol.
pub(super) const fn is_name(c: char) -> bool {
    !c.is_ascii() || c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$' | '@')
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::vec;

    fn shown(text: &str) -> Vec<String> {
        let mut all = Vec::new();
        let plain = without_comments(text);
        statements(&plain, |found| {
            let place = (found.span.line, found.span.column);
            let kind = match found.kind {
                Kind::Label(name) => format!("label {name}"),
                Kind::Directive(name, rest) => format!("directive {name}|{rest}"),
                Kind::Instruction(name, rest) => format!("instruction {name}|{rest}"),
                Kind::Metadata(line) => format!("metadata {line}"),
            };
            all.push(format!("{}:{} {kind}", place.0, place.1));
        });
        all
    }

    #[test]
    fn a_line_has_labels_and_one_statement() {
        let text = "a: .LBB0_1:  s_nop 0 ; x: y\n\t.text\n// s_endpgm\n\"q r\": /* s_barrier\n */ s_endpgm";
        assert_eq!(
            shown(text),
            vec![
                "1:1 label a",
                "1:4 label .LBB0_1",
                "1:14 instruction s_nop|0",
                "2:2 directive .text|",
                "4:1 label q r",
                "5:5 instruction s_endpgm|",
            ]
        );
    }

    #[test]
    fn high_registers_are_in_comments() {
        assert_eq!(
            shown(" v_mov_b32_e32 v0 /*v256*/, v1 /* x */"),
            vec!["1:2 instruction v_mov_b32_e32|v256  , v1"]
        );
    }

    #[test]
    fn strings_have_no_comments() {
        assert_eq!(
            shown("\t.section \"a;b//c\",\"x\" ; d"),
            vec!["1:2 directive .section|\"a;b//c\",\"x\""]
        );
    }

    #[test]
    fn metadata_stay_as_written() {
        let text = "\t.amdgpu_metadata\n---\n  - .name: k\n\t.end_amdgpu_metadata\n s_nop 0";
        assert_eq!(
            shown(text),
            vec![
                "1:2 directive .amdgpu_metadata|",
                "2:1 metadata ---",
                "3:1 metadata   - .name: k",
                "4:1 directive .end_amdgpu_metadata|",
                "5:2 instruction s_nop|0",
            ]
        );
    }

    #[test]
    fn no_text_is_lost_or_panics() {
        for text in ["\"", "\"\\", "/*", "é: ü", "@\n::", ";", "\u{7f}x\\", "\"é\":x"] {
            let _ = shown(text);
        }
        assert_eq!(shown("?? a"), vec!["1:1 instruction ??|a"]);
    }
}
