//! Inlines a call: replaces the statement that calls a function with the body of the function.

use crate::lexer::{self, Kind, Token};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Why a call cannot be inlined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The line has no call of a function.
    NoCall,
    /// The scenario does not define the called function.
    NoFunction(String),
    /// Number of arguments and of parameters.
    Arguments(usize, usize),
    /// The function calls itself, so that its body still has a call of it.
    Recursive(String),
}

struct Text<'a> {
    text: &'a str,
    /// The tokens without comments and line ends.
    tokens: Vec<Token>,
}

/// A half-open range of tokens.
type Part = core::ops::Range<usize>;

impl<'a> Text<'a> {
    fn new(text: &'a str) -> Self {
        let mut tokens = lexer::lex(text);
        tokens.retain(|token| !matches!(token.kind, Kind::Comment | Kind::Newline));
        Self { text, tokens }
    }

    fn word(&self, at: usize) -> &'a str {
        lexer::word(self.text, &self.tokens, at)
    }

    /// The tokens between an opening bracket at `at` and its closing bracket.
    fn between(&self, at: usize) -> Option<Part> {
        let mut depth = 0;
        for index in at..self.tokens.len() {
            match self.word(index) {
                "(" | "{" | "[" => depth += 1,
                ")" | "}" | "]" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return (index > at).then_some(at + 1..index);
            }
        }
        None
    }

    /// The parts of a list between its commas.
    fn list(&self, part: Part) -> Vec<Part> {
        let (mut parts, mut depth, mut start) = (Vec::new(), 0, part.start);
        for index in part.clone() {
            match self.word(index) {
                "(" | "{" | "[" => depth += 1,
                ")" | "}" | "]" => depth -= 1,
                "," if depth == 0 => {
                    parts.push(start..index);
                    start = index + 1;
                }
                _ => {}
            }
        }
        if start < part.end {
            parts.push(start..part.end);
        }
        parts
    }

    /// The text of a part.
    fn slice(&self, part: &Part) -> &'a str {
        let (Some(first), Some(last)) = (
            self.tokens.get(part.start),
            part.end.checked_sub(1).and_then(|at| self.tokens.get(at)),
        ) else {
            return "";
        };
        let end = last.span.start + last.span.length;
        self.text.get(first.span.start as usize..end as usize).unwrap_or("")
    }

    /// The token `call` of the first call of a defined function on a line.
    fn call(&self, line: u32) -> Option<usize> {
        let on_line = |at: &usize| self.tokens[*at].span.line == line;
        (0..self.tokens.len()).filter(on_line).find(|&at| {
            self.word(at) == "call"
                && self.tokens.get(at + 1).is_some_and(|token| token.kind == Kind::Word)
                && self.word(at + 2) == "("
        })
    }

    /// The parameters and the body of a function.
    fn function(&self, name: &str) -> Option<(Part, Part)> {
        let at = (0..self.tokens.len())
            .find(|&at| self.word(at) == "func" && self.word(at + 1) == name)?;
        let parameters = self
            .between(at + 2)
            .or_else(|| (self.word(at + 3) == ")").then_some(at + 3..at + 3))?;
        let body = self.between(parameters.end + 1)?;
        Some((parameters, body))
    }
}

/// Replaces the first call on a line with the body of the called function.
///
/// # Errors
///
/// If the line has no such call, or the call cannot be inlined.
pub fn inline(text: &str, line: u32) -> Result<String, Refusal> {
    let read = Text::new(text);
    let call = read.call(line).ok_or(Refusal::NoCall)?;
    let name = read.word(call + 1).to_string();
    let arguments = read.between(call + 2).unwrap_or(call + 3..call + 3);
    let end = arguments.end;
    let arguments = read.list(arguments);
    let (parameters, body) =
        read.function(&name).ok_or_else(|| Refusal::NoFunction(name.clone()))?;
    let parameters = read.list(parameters);
    if arguments.len() != parameters.len() {
        return Err(Refusal::Arguments(arguments.len(), parameters.len()));
    }
    if (body.clone()).any(|at| read.word(at) == "call" && read.word(at + 1) == name) {
        return Err(Refusal::Recursive(name));
    }
    let span = read.tokens[call].span;
    let last = read.tokens[end].span;
    let before = text.get(..span.start as usize).unwrap_or("");
    let after = text.get((last.start + last.length) as usize..).unwrap_or("");
    let indent: String = before
        .rsplit('\n')
        .next()
        .unwrap_or("")
        .chars()
        .take_while(|c| c.is_whitespace())
        .collect();
    let mut lines = bound(&read, &parameters, &arguments);
    let declares = !lines.is_empty() || body.clone().any(|at| read.word(at) == "let");
    lines.extend(dedented(read.slice(&body)));
    // Declarations of the body stay in its scope.
    let inner = if declares { format!("{indent}  ") } else { indent.clone() };
    let mut made = String::new();
    if declares {
        made.push_str("if 1 {\n");
    }
    for (index, line) in lines.iter().enumerate() {
        let margin = if index == 0 && !declares { "" } else { inner.as_str() };
        let margin = if line.is_empty() { "" } else { margin };
        made.push_str(&format!("{}{margin}{line}", if index == 0 { "" } else { "\n" }));
    }
    if declares {
        made.push_str(&format!("\n{indent}}}"));
    }
    Ok(format!("{before}{made}{after}"))
}

/// Statements that assign the parameters, through temporary names if an argument uses a parameter.
fn bound(read: &Text<'_>, parameters: &[Part], arguments: &[Part]) -> Vec<String> {
    let names: Vec<&str> = parameters.iter().map(|part| read.slice(part)).collect();
    let looks = |part: &Part| part.clone().any(|at| names.contains(&read.word(at)));
    let pairs = || names.iter().zip(arguments);
    if !arguments.iter().any(looks) {
        return pairs()
            .map(|(name, argument)| format!("let {name} = {}", read.slice(argument)))
            .collect();
    }
    let first =
        pairs().map(|(name, argument)| format!("let {name}_given = {}", read.slice(argument)));
    first.chain(names.iter().map(|name| format!("let {name} = {name}_given"))).collect()
}

/// The lines of a body without their common indentation.
fn dedented(body: &str) -> Vec<String> {
    let lines: Vec<&str> = body.lines().collect();
    let margin = |line: &&str| line.len() - line.trim_start().len();
    let shared =
        lines.iter().skip(1).filter(|line| !line.trim().is_empty()).map(margin).min().unwrap_or(0);
    let cut = |(index, line): (usize, &&str)| {
        if index == 0 { line.trim() } else { line.get(shared..).unwrap_or("").trim_end() }
            .to_string()
    };
    lines.iter().enumerate().map(cut).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_body_replaces_the_call() {
        let text = "func foo() {\n  asyncmark  // A\n  arrive wg\n}\nwave 0 {\n  asyncmark\n  call foo()\n  wait wg\n}\n";
        let wanted = "func foo() {\n  asyncmark  // A\n  arrive wg\n}\nwave 0 {\n  asyncmark\n  asyncmark  // A\n  arrive wg\n  wait wg\n}\n";
        assert_eq!(inline(text, 7).as_deref(), Ok(wanted));
        assert_eq!(inline(text, 6), Err(Refusal::NoCall));
    }

    #[test]
    fn arguments_are_evaluated_before_parameters_are_assigned() {
        let text = "func f(a, b) { arrive a; x = b }\nwave 0 { let a = 1; call f(wg, a) }\n";
        let made = inline(text, 2).unwrap();
        assert!(made.contains("let a_given = wg\n  let b_given = a\n  let a = a_given\n  let b = b_given\n  arrive a; x = b\n}"), "{made}");
    }

    #[test]
    fn invalid_calls_are_refused() {
        assert_eq!(inline("wave 0 {\ncall g()\n}", 2), Err(Refusal::NoFunction("g".into())));
        let text = "func f(a) { call f(a) }\nwave 0 { call f(1) }\nwave 1 { call f() }";
        assert_eq!(inline(text, 2), Err(Refusal::Recursive("f".into())));
        assert_eq!(inline(text, 3), Err(Refusal::Arguments(0, 1)));
    }
}
