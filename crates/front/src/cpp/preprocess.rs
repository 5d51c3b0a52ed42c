//! The preprocessor: macros, conditions and headers.

use super::kit::HEADERS;
use super::lexer::{self, At, Hidden, Kind, OPERATORS, Token};
use super::{Parsed, Problem};
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_lang::launching::Header;
use tidegate_lang::vocabulary::opencl::is_usual_extension;
use tidegate_model::ordered::{OrderedMap, OrderedSet};

/// The maximum number of tokens after the expansion of macros.
const MOST: usize = 400_000;
/// Deepest nesting of a condition.
const DEEPEST: u32 = 50;
/// The maximum number of inclusions of headers.
const MOST_HEADERS: usize = 200;

/// A macro.
#[derive(Clone, Debug)]
struct Macro {
    /// The parameters; `None` for a macro without a parameter list.
    parameters: Option<Vec<Rc<str>>>,
    body: Vec<Token>,
}

/// A header that was read.
#[derive(Clone, Debug)]
pub(super) struct Included {
    pub(super) name: Rc<str>,
    /// Where the text includes it.
    pub(super) at: At,
}

/// The state that texts share: macros and headers.
#[derive(Debug, Default)]
pub(super) struct Preprocessor<'a> {
    macros: OrderedMap<Rc<str>, Macro>,
    /// Headers that can be read.
    pub(super) available: &'a [Header],
    pub(super) included: Vec<Included>,
    /// Headers that are read only once.
    once: OrderedSet<Rc<str>>,
    /// Headers in quotes that were not found.
    pub(super) missing: Vec<Rc<str>>,
    /// Open conditions: whether the current lines are kept, and whether a branch has been kept.
    conditions: Vec<(bool, bool)>,
    spent: usize,
}

impl<'a> Preprocessor<'a> {
    pub(super) fn new(available: &'a [Header]) -> Self {
        Self { available, ..Self::default() }
    }

    /// The tokens of a text after macros and conditions.
    pub(super) fn run(&mut self, tokens: Vec<Token>) -> Parsed<Vec<Token>> {
        let mut input: Vec<Token> = tokens.into_iter().rev().collect();
        let mut output = Vec::new();
        while let Some(token) = input.pop() {
            self.spend(&token)?;
            if token.kind == Kind::End {
                output.push(token);
                break;
            }
            if token.first && token.is("#") && token.hidden.is_none() {
                self.directive(&mut input)?;
            } else if self.counts() && !self.expand(&token, &mut input)? {
                output.push(token);
            }
        }
        Ok(output)
    }

    fn spend(&mut self, token: &Token) -> Parsed<()> {
        self.spent += 1;
        if self.spent > MOST {
            return Err(Problem::at(token, "the text is too long after the expansion of macros"));
        }
        Ok(())
    }

    fn counts(&self) -> bool {
        self.conditions.iter().all(|(counts, _)| *counts)
    }

    fn directive(&mut self, input: &mut Vec<Token>) -> Parsed<()> {
        let mut line = Vec::new();
        while input.last().is_some_and(|next| !next.first && next.kind != Kind::End) {
            line.extend(input.pop());
        }
        let Some((word, rest)) = line.split_first() else { return Ok(()) };
        let counts = self.counts();
        match &*word.text {
            "if" => {
                let holds = counts && self.holds(rest, word)?;
                self.conditions.push((holds, holds));
            }
            "ifdef" | "ifndef" => {
                let known = rest.first().is_some_and(|name| self.is_defined(&name.text));
                let holds = counts && known == word.is("ifdef");
                self.conditions.push((holds, holds));
            }
            "elif" | "else" => {
                let Some((_, done)) = self.conditions.pop() else {
                    return Err(Problem::at(word, "`#if` is missing before this line"));
                };
                let holds =
                    !done && self.counts() && (word.is("else") || self.holds(rest, word)?);
                self.conditions.push((holds, done || holds));
            }
            "endif" if self.conditions.pop().is_none() => {
                return Err(Problem::at(word, "`#if` is missing before this line"));
            }
            "define" if counts => self.define(rest),
            "undef" if counts => {
                rest.first().map(|name| self.macros.remove(&name.text));
            }
            "include" if counts => {
                if let Some(name) = rest.first().filter(|name| name.kind == Kind::Text) {
                    self.include(name, input)?;
                } else if let Some(open) = rest.first().filter(|open| open.is("<")) {
                    let parts = rest.iter().skip(1).take_while(|part| !part.is(">"));
                    let name: String = parts.map(|part| &*part.text).collect();
                    self.include_known(&name, open, input)?;
                }
            }
            "pragma" if counts && rest.first().is_some_and(|word| word.is("once")) => {
                let header = word.at.header.checked_sub(1);
                let header = header.and_then(|header| self.included.get(usize::from(header)));
                self.once.extend(header.map(|header| header.name.clone()));
            }
            "error" if counts => {
                let words: Vec<&str> = rest.iter().map(|token| &*token.text).collect();
                return Err(Problem::at(word, format!("#error: {}", words.join(" "))));
            }
            _ => {}
        }
        Ok(())
    }

    /// Puts the tokens of a header before the rest of the input.
    fn include(&mut self, name: &Token, input: &mut Vec<Token>) -> Parsed<()> {
        let available = self.available.iter().find(|header| *header.name == *name.text);
        let Some(header) = available else {
            if !self.include_known(&name.text, name, input)? {
                self.missing.push(name.text.clone());
            }
            return Ok(());
        };
        self.read_header(name.text.clone(), &header.text, name, input)
    }

    /// Includes a header of the kit from any folder. Returns whether there is such a header.
    fn include_known(&mut self, name: &str, token: &Token, input: &mut Vec<Token>) -> Parsed<bool> {
        let file = |known: &str| {
            name.strip_suffix(known)
                .is_some_and(|folder| folder.is_empty() || folder.ends_with('/'))
        };
        let Some((name, text)) = HEADERS.iter().find(|(known, _)| file(known)) else {
            return Ok(false);
        };
        self.read_header((*name).into(), text, token, input)?;
        Ok(true)
    }

    fn read_header(
        &mut self,
        name: Rc<str>,
        text: &str,
        token: &Token,
        input: &mut Vec<Token>,
    ) -> Parsed<()> {
        if self.once.contains(&name) {
            return Ok(());
        }
        if self.included.len() >= MOST_HEADERS {
            return Err(Problem::at(token, format!("the headers include `{name}` too often")));
        }
        if HEADERS.iter().any(|(known, _)| **known == *name) {
            self.once.insert(name.clone());
        }
        let at = self.in_text(token.at);
        self.included.push(Included { name, at });
        let mut tokens = lexer::tokens(text, self.included.len() as u16);
        tokens.pop();
        input.extend(tokens.into_iter().rev());
        Ok(())
    }

    /// The position in the text: for a position in a header, that of its `#include`.
    pub(super) fn in_text(&self, at: At) -> At {
        let header = at.header.checked_sub(1).and_then(|at| self.included.get(usize::from(at)));
        header.map_or(at, |header| header.at)
    }

    fn is_defined(&self, name: &str) -> bool {
        self.macros.contains_key(name) || is_usual_extension(name)
    }

    fn define(&mut self, line: &[Token]) {
        let Some((name, mut rest)) = line.split_first() else { return };
        let mut parameters = None;
        if rest.first().is_some_and(|open| open.is("(") && open.glued) {
            let end = rest.iter().position(|token| token.is(")")).unwrap_or(rest.len());
            let list = rest.get(1..end).unwrap_or_default();
            let names = list.iter().filter(|token| !token.is(","));
            parameters = Some(names.map(|token| token.text.clone()).collect());
            rest = rest.get(end + 1..).unwrap_or_default();
        }
        self.macros.insert(name.text.clone(), Macro { parameters, body: rest.to_vec() });
    }

    /// Expands a macro into the input, if the token names one. Returns whether it does.
    fn expand(&mut self, token: &Token, input: &mut Vec<Token>) -> Parsed<bool> {
        if token.kind != Kind::Word || is_hidden(token) {
            return Ok(false);
        }
        let Some(found) = self.macros.get(&token.text) else { return Ok(false) };
        let found = found.clone();
        let mut arguments = Vec::new();
        if let Some(parameters) = &found.parameters {
            if !input.last().is_some_and(|next| next.is("(")) {
                return Ok(false);
            }
            let variadic = parameters.last().is_some_and(|last| &**last == "...");
            arguments = self.arguments(token, input, parameters.len(), variadic)?;
        }
        let hidden = Rc::new(Hidden { name: token.text.clone(), next: token.hidden.clone() });
        let body = self.replaced(&found, &arguments, token)?;
        for mut one in body.into_iter().rev() {
            self.spend(token)?;
            let next = one.hidden.take().map_or_else(|| hidden.clone(), |own| both(&own, &hidden));
            one.hidden = Some(next);
            one.first = false;
            input.push(one);
        }
        Ok(true)
    }

    /// The arguments of a macro, up to the closing parenthesis.
    fn arguments(
        &mut self,
        token: &Token,
        input: &mut Vec<Token>,
        count: usize,
        variadic: bool,
    ) -> Parsed<Vec<Vec<Token>>> {
        input.pop();
        let (mut all, mut depth) = (alloc::vec![Vec::new()], 0_u32);
        loop {
            let Some(next) = input.pop().filter(|next| next.kind != Kind::End) else {
                let message = format!("`)` is missing after the arguments of `{}`", token.text);
                return Err(Problem::at(token, message));
            };
            self.spend(&next)?;
            match &*next.text {
                _ if !matches!(next.kind, Kind::Mark) => {}
                ")" if depth == 0 => return Ok(all),
                "," if depth == 0 && !(variadic && all.len() >= count) => {
                    all.push(Vec::new());
                    continue;
                }
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            if let Some(last) = all.last_mut() {
                last.push(next);
            }
        }
    }

    /// The body of a macro with its arguments.
    fn replaced(
        &mut self,
        one: &Macro,
        arguments: &[Vec<Token>],
        by: &Token,
    ) -> Parsed<Vec<Token>> {
        let parameters = one.parameters.as_deref().unwrap_or_default();
        let argument = |token: &Token| {
            let variadic = |name: &Rc<str>| &**name == "..." && token.is("__VA_ARGS__");
            let at = parameters.iter().position(|name| *name == token.text || variadic(name))?;
            Some(arguments.get(at).map_or(&[][..], Vec::as_slice))
        };
        let mut output: Vec<Token> = Vec::new();
        let mut at = 0;
        while let Some(token) = one.body.get(at) {
            let next = one.body.get(at + 1);
            at += 1;
            if token.is("##") && !output.is_empty() {
                at += 1;
                let Some(next) = next else { break };
                let joined =
                    argument(next).map_or_else(|| alloc::vec![next.clone()], <[_]>::to_vec);
                paste(&mut output, joined);
            } else if let Some(text) =
                next.filter(|_| token.is("#") && one.parameters.is_some()).and_then(argument)
            {
                at += 1;
                let words: Vec<&str> = text.iter().map(|token| &*token.text).collect();
                let text = Rc::from(words.join(" "));
                output.push(Token { kind: Kind::Text, text, at: by.at, ..by.clone() });
            } else if let Some(tokens) = argument(token) {
                if next.is_some_and(|next| next.is("##")) {
                    output.extend(tokens.iter().cloned());
                } else {
                    output.extend(self.expanded(tokens)?);
                }
            } else {
                let hidden = None;
                output.push(Token { at: by.at, hidden, ..token.clone() });
            }
            if output.len() > MOST {
                return Err(Problem::at(by, "the expansion of this macro is too long"));
            }
        }
        Ok(output)
    }

    /// The tokens of an argument after their own expansion.
    fn expanded(&mut self, tokens: &[Token]) -> Parsed<Vec<Token>> {
        let mut input: Vec<Token> = tokens.iter().rev().cloned().collect();
        let mut output = Vec::new();
        while let Some(token) = input.pop() {
            self.spend(&token)?;
            if !self.expand(&token, &mut input)? {
                output.push(token);
            }
        }
        Ok(output)
    }

    /// Whether the condition of `#if` holds.
    fn holds(&mut self, line: &[Token], word: &Token) -> Parsed<bool> {
        let mut known = Vec::new();
        let mut at = 0;
        while let Some(token) = line.get(at) {
            at += 1;
            if !token.is("defined") && !token.is("__has_include") {
                known.push(token.clone());
                continue;
            }
            let open = usize::from(line.get(at).is_some_and(|next| next.is("(")));
            let name = line.get(at + open).map(|name| name.text.clone()).unwrap_or_default();
            let value = token.is("defined") && self.is_defined(&name);
            at += 1 + open;
            if open == 1 {
                while line.get(at).is_some_and(|next| !next.is(")")) {
                    at += 1;
                }
                at += 1;
            }
            let text = Rc::from(if value { "1" } else { "0" });
            known.push(Token { kind: Kind::Number, text, ..token.clone() });
        }
        let tokens = self.expanded(&known)?;
        let mut condition = Condition { tokens: &tokens, at: 0, depth: 0, word };
        let value = condition.ternary()?;
        Ok(value != 0)
    }
}

fn is_hidden(token: &Token) -> bool {
    let mut next = &token.hidden;
    while let Some(hidden) = next {
        if hidden.name == token.text {
            return true;
        }
        next = &hidden.next;
    }
    false
}

/// The macros of both lists.
fn both(own: &Rc<Hidden>, more: &Rc<Hidden>) -> Rc<Hidden> {
    Rc::new(Hidden { name: more.name.clone(), next: Some(own.clone()) })
}

/// Joins the last token with the first of the following ones.
fn paste(output: &mut Vec<Token>, more: Vec<Token>) {
    let mut more = more.into_iter();
    let Some(last) = output.last_mut() else { return output.extend(more) };
    if let Some(first) = more.next() {
        let text: String = [&*last.text, &*first.text].concat();
        last.text = text.into();
        last.hidden = None;
    }
    output.extend(more);
}

/// The condition of `#if`, whose names are expanded.
struct Condition<'a> {
    tokens: &'a [Token],
    at: usize,
    depth: u32,
    word: &'a Token,
}

impl Condition<'_> {
    fn is(&self, text: &str) -> bool {
        self.tokens.get(self.at).is_some_and(|token| token.is(text))
    }

    fn ternary(&mut self) -> Parsed<i64> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Problem::at(self.word, "this condition is nested too deeply"));
        }
        let value = self.binary(1)?;
        let value = if self.is("?") {
            self.at += 1;
            let one = self.ternary()?;
            self.at += usize::from(self.is(":"));
            let other = self.ternary()?;
            if value != 0 { one } else { other }
        } else {
            value
        };
        self.depth -= 1;
        Ok(value)
    }

    fn binary(&mut self, least: u8) -> Parsed<i64> {
        let mut one = self.unary()?;
        loop {
            let shift = self.is(">")
                && self.tokens.get(self.at + 1).is_some_and(|next| next.is(">") && next.glued);
            let found = OPERATORS.iter().find(|(text, _)| match *text {
                ">>" => shift,
                ">" => !shift && self.is(">"),
                text => self.is(text),
            });
            let Some(&(text, strength)) = found.filter(|(_, strength)| *strength >= least) else {
                return Ok(one);
            };
            self.at += 1 + usize::from(shift);
            let other = self.binary(strength + 1)?;
            one = calculated(text, one, other);
        }
    }

    fn unary(&mut self) -> Parsed<i64> {
        let Some(token) = self.tokens.get(self.at) else {
            return Err(Problem::at(self.word, "this condition has no end"));
        };
        self.at += 1;
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Problem::at(self.word, "this condition is nested too deeply"));
        }
        let value = match &*token.text {
            "(" => {
                let value = self.ternary()?;
                self.at += usize::from(self.is(")"));
                value
            }
            "!" => i64::from(self.unary()? == 0),
            "-" => self.unary()?.wrapping_neg(),
            "+" => self.unary()?,
            "~" => !self.unary()?,
            "true" => 1,
            text if token.kind == Kind::Number => {
                super::number::integer(text).map_or(0, |one| one.0)
            }
            _ => {
                // A name that is not defined is 0. Its arguments are skipped.
                if self.is("(") {
                    while self.at < self.tokens.len() && !self.is(")") {
                        self.at += 1;
                    }
                    self.at += 1;
                }
                0
            }
        };
        self.depth -= 1;
        Ok(value)
    }
}

fn calculated(operator: &str, one: i64, other: i64) -> i64 {
    match operator {
        "||" => i64::from(one != 0 || other != 0),
        "&&" => i64::from(one != 0 && other != 0),
        "|" => one | other,
        "^" => one ^ other,
        "&" => one & other,
        "==" => i64::from(one == other),
        "!=" => i64::from(one != other),
        "<=" => i64::from(one <= other),
        ">=" => i64::from(one >= other),
        "<" => i64::from(one < other),
        ">" => i64::from(one > other),
        "<<" => one.wrapping_shl(other as u32),
        ">>" => one.wrapping_shr(other as u32),
        "+" => one.wrapping_add(other),
        "-" => one.wrapping_sub(other),
        "*" => one.wrapping_mul(other),
        "/" => one.checked_div(other).unwrap_or(0),
        "%" => one.checked_rem(other).unwrap_or(0),
        _ => 0,
    }
}
