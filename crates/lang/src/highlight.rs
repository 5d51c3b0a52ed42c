//! The kind of each token, for colouring. Works on any text, even if it does not parse.

use crate::diagnostic::Span;
use crate::lexer::{self, Kind, Token};
use crate::lower::code::PREDECLARED;
use crate::parse::{KEYWORDS, LONGEST_TEXT, top_level};
use crate::vocabulary;
use alloc::vec::Vec;
use tidegate_model::ordered::OrderedSet;
use tidegate_model::verdict::Verdict;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TokenKind {
    /// A word of the language.
    Keyword,
    /// Any other name: a variable, a label, a target, the identifier of a rule.
    Name,
    /// A number.
    Number,
    /// A text in quotation marks.
    String,
    /// The name of an operation or instruction.
    Operation,
    /// A barrier object.
    Object,
    /// A comment.
    Comment,
    /// An operator, a bracket or a separator.
    Punctuation,
}

/// Words that are keywords anywhere in a statement that begins with one of [`top_level`].
const INNER: [&str; 7] = ["wave", "warp", "subgroup", "lane", "thread", "item", "named"];

/// The tokens of a text in order, without white space; names with dots are one token. A text longer than 1 MiB has none.
#[must_use]
pub fn tokens(text: &str) -> Vec<(Span, TokenKind)> {
    if text.len() > LONGEST_TEXT {
        return Vec::new();
    }
    let tokens = lexer::lex(text);
    let objects = objects(text, &tokens);
    let mut painter =
        Painter { text, tokens: &tokens, objects, first: "", at: 0, painted: Vec::new() };
    while painter.at < tokens.len() {
        painter.token();
    }
    painter.painted
}

/// Names declared as barriers, wherever they are declared.
fn objects<'a>(text: &'a str, tokens: &[Token]) -> OrderedSet<&'a str> {
    let word = |token: &Token| lexer::slice(text, token.span);
    let declared =
        tokens.windows(2).filter(|pair| matches!(word(&pair[0]), "barrier" | "mbarrier"));
    let declared = declared.filter(|pair| pair[1].kind == Kind::Word).map(|pair| word(&pair[1]));
    declared.chain(PREDECLARED.iter().map(|&(name, _)| name)).collect()
}

struct Painter<'a> {
    text: &'a str,
    tokens: &'a [Token],
    objects: OrderedSet<&'a str>,
    /// The first word of the statement, if it has passed.
    first: &'a str,
    at: usize,
    painted: Vec<(Span, TokenKind)>,
}

impl<'a> Painter<'a> {
    fn word(&self, at: usize) -> &'a str {
        lexer::word(self.text, self.tokens, at)
    }

    fn token(&mut self) {
        let token = self.tokens[self.at];
        let kind = match token.kind {
            Kind::Newline => {
                self.first = "";
                self.at += 1;
                return;
            }
            Kind::Comment => TokenKind::Comment,
            Kind::Number => TokenKind::Number,
            Kind::Text | Kind::OpenText => TokenKind::String,
            Kind::Word => return self.name(),
            Kind::Punctuation | Kind::Bad => {
                let starts = matches!(self.word(self.at), ";" | "{" | "}");
                let label = self.word(self.at) == ":" && self.first == "expect";
                if starts || (self.word(self.at) == ":" && !label) {
                    self.first = "";
                }
                TokenKind::Punctuation
            }
        };
        self.painted.push((token.span, kind));
        self.at += 1;
    }

    /// A word and the tokens joined to it.
    fn name(&mut self) {
        let identifiers = matches!(self.first, "expect" | "reading" | "target");
        let count =
            self.joined(|joiner| matches!(joiner, "." | "::") || identifiers && joiner == "-");
        let (start, last) = (self.tokens[self.at].span, self.tokens[self.at + count - 1].span);
        let span = Span { length: last.start + last.length - start.start, ..start };
        let name = lexer::slice(self.text, span);
        let next = self.word(self.at + count);
        let kind = self.kind_of(name, next);
        let before = self.at.checked_sub(1).map_or("", |before| self.word(before));
        if self.first.is_empty() {
            self.first = name;
        }
        self.painted.push((
            span,
            if before == "@" && name.starts_with("llvm.") { TokenKind::Operation } else { kind },
        ));
        self.at += count;
    }

    /// The number of tokens from here that form one name.
    fn joined(&self, joins: impl Fn(&str) -> bool) -> usize {
        let mut count = 1;
        while let (Some(last), Some(next)) =
            (self.tokens.get(self.at + count - 1), self.tokens.get(self.at + count))
        {
            let adjacent = last.span.start + last.span.length == next.span.start;
            let word = matches!(next.kind, Kind::Word | Kind::Number);
            let joiner = joins(self.word(self.at + count))
                && self.tokens.get(self.at + count + 1).is_some_and(|after| {
                    matches!(after.kind, Kind::Word | Kind::Number)
                        && after.span.start == next.span.start + next.span.length
                });
            if !adjacent || !(word || joiner) {
                break;
            }
            count += 1;
        }
        count
    }

    fn kind_of(&self, name: &str, next: &str) -> TokenKind {
        let operation = vocabulary::find(name).is_some() || vocabulary::is_foreign(name, next);
        let verdict = Verdict::from_word(name).is_some()
            || matches!(
                name,
                "machine" | "ambiguous" | "participates-in" | "schedules" | "unique" | "multiple"
            );
        let keyword = match self.first {
            "" if operation => false,
            "" => {
                top_level().any(|word| word == name) || KEYWORDS.contains(&name) || name == "expect"
            }
            "expect" => verdict,
            "for" => name == "in",
            "call" | "tail" => {
                matches!(name, "void" | "call") || vocabulary::llvm::TYPES.contains(&name)
            }
            first if top_level().any(|word| word == first) => INNER.contains(&name),
            _ => matches!(name, "call" | "tail") || (self.first == "else" && name == "if"),
        };
        let assigned = self.at > 0 && self.word(self.at - 1) == "=";
        if keyword {
            TokenKind::Keyword
        } else if operation && (self.first.is_empty() || assigned) {
            TokenKind::Operation
        } else if self.objects.contains(name) {
            TokenKind::Object
        } else {
            TokenKind::Name
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{TokenKind, tokens};
    use alloc::string::String;

    /// The letter of the kind of each token, and its text.
    fn painted(text: &str) -> String {
        let letter = |kind| match kind {
            TokenKind::Keyword => 'k',
            TokenKind::Name => 'n',
            TokenKind::Number => '1',
            TokenKind::String => 's',
            TokenKind::Operation => 'o',
            TokenKind::Object => 'b',
            TokenKind::Comment => 'c',
            TokenKind::Punctuation => 'p',
        };
        let slice = |start: u32, length: u32| &text[start as usize..(start + length) as usize];
        let all = tokens(text).into_iter().filter(|(_, kind)| *kind != TokenKind::Punctuation);
        all.map(|(span, kind)| {
            alloc::format!("{}:{} ", letter(kind), slice(span.start, span.length))
        })
        .collect()
    }

    #[test]
    fn headers_and_expectations() {
        assert_eq!(painted("title \"x\" # c"), "k:title s:\"x\" c:# c ");
        assert_eq!(painted("launch waves=2"), "k:launch n:waves 1:2 ");
        assert_eq!(painted("workgroup 1 wave *"), "k:workgroup 1:1 k:wave ");
        let expect = "k:expect n:gfx6-gfx11 k:ub n:amd.join.before-wait ";
        assert_eq!(painted("expect gfx6-gfx11: ub amd.join.before-wait"), expect);
    }

    #[test]
    fn statements() {
        assert_eq!(
            painted("barrier r = named(1)\narrive r"),
            "k:barrier b:r k:named 1:1 o:arrive b:r "
        );
        assert_eq!(painted("x = arrive.isfirst wg"), "n:x o:arrive.isfirst b:wg ");
        assert_eq!(painted("L: s_branch L; wait"), "n:L o:s_branch n:L o:wait ");
        assert_eq!(
            painted("for i in 0..2 { bar.sync 0 }"),
            "k:for n:i k:in 1:0 1:2 o:bar.sync 1:0 "
        );
        let call = "k:call k:void o:llvm.amdgcn.s.barrier.signal k:i32 1:1 ";
        assert_eq!(painted("call void @llvm.amdgcn.s.barrier.signal(i32 -1)"), call);
    }
}
