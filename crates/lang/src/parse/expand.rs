//! The expansion of macros, as C defines it: arguments first, then the result again without the macro itself.

use super::item::{EMPTY, Hidden, Item};
use super::macros::{Macro, Reader};
use crate::diagnostic::Diagnostic;
use crate::lexer::{Kind, Token};
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

/// The tokens that are not expanded yet: those of expansions, the next one last, then those of the text.
struct Input<'t> {
    made: Vec<Item>,
    text: &'t [Token],
    /// Number of tokens of the text that are taken.
    taken: usize,
}

impl Input<'_> {
    fn next(&mut self) -> Option<Item> {
        self.made.pop().or_else(|| {
            let token = self.text.get(self.taken).copied()?;
            self.taken += 1;
            Some(token.into())
        })
    }
}

/// Line ends and comments separate tokens.
fn is_blank(token: Token) -> bool {
    matches!(token.kind, Kind::Newline | Kind::Comment)
}

impl Reader<'_> {
    /// Adds a token or its expansion; returns the number of tokens after it that are its arguments.
    pub(super) fn put(&mut self, token: Token, following: &[Token]) -> usize {
        if !self.names_macro(token) {
            self.all.push(token);
            return 0;
        }
        self.origin = token.span;
        let made_before = self.scratch.count();
        let mut input = Input { made: alloc::vec![token.into()], text: following, taken: 0 };
        let made = self.run(&mut input);
        self.all.extend(made.into_iter().map(|item| item.token));
        if let Some(&last) = input.taken.checked_sub(1).and_then(|at| following.get(at)) {
            self.scratch.extend(made_before, last);
        }
        input.taken
    }

    fn names_macro(&self, token: Token) -> bool {
        let word = self.scratch.word(token);
        let is_line = self.of_c && word == "__LINE__";
        token.kind == Kind::Word && (is_line || self.defined.contains_key(word))
    }

    /// The expansion of tokens by themselves.
    pub(super) fn listed(&mut self, items: &[Item]) -> Vec<Item> {
        let made = items.iter().rev().cloned().collect();
        self.run(&mut Input { made, text: &[], taken: 0 })
    }

    /// Expands the tokens of expansions until none is left.
    fn run(&mut self, input: &mut Input<'_>) -> Vec<Item> {
        let mut list = Vec::new();
        while let Some(item) = input.made.pop() {
            if !self.expand(&item, input) {
                list.push(item);
            }
        }
        list
    }

    /// Expands a macro into the input, if the token names one.
    fn expand(&mut self, item: &Item, input: &mut Input<'_>) -> bool {
        let token = item.token;
        let name = String::from(self.scratch.word(token));
        if token.kind != Kind::Word || Hidden::has(&item.hidden, &name) {
            return false;
        }
        let Some(known) = self.defined.get(name.as_str()).cloned() else {
            return self.is_line(&name, input);
        };
        let arguments = match &known.parameters {
            None => Vec::new(),
            Some(_) if !self.is_open(input) => return false,
            Some(parameters) => {
                let Some(given) = self.arguments(input, &known, token) else { return true };
                let (wanted, found) = (parameters.len(), given.len());
                let none = wanted == 0 && matches!(&given[..], [only] if only.is_empty());
                if wanted != found && !none {
                    let message = format!("`{name}` takes {wanted} arguments, found {found}");
                    self.fault(token, message);
                    return true;
                }
                given
            }
        };
        let replaced = self.replaced(&known, &arguments, token);
        if replaced.len() > self.left {
            let message = format!("the expansion of `{name}` is too long");
            self.fault(token, message);
            return true;
        }
        self.left -= replaced.len();
        for mut one in replaced.into_iter().rev() {
            let next = one.hidden.take().or_else(|| item.hidden.clone());
            one.hidden = Some(Rc::new(Hidden { name: name.clone(), next }));
            input.made.push(one);
        }
        true
    }

    /// Replaces `__LINE__`.
    fn is_line(&mut self, name: &str, input: &mut Input<'_>) -> bool {
        let is_line = self.of_c && name == "__LINE__";
        if is_line {
            let line = format!("{}", self.origin.line);
            input.made.extend(self.scratch.token(&line, self.origin).map(Item::from));
        }
        is_line
    }

    /// Whether `(` is the next token.
    fn is_open(&self, input: &Input<'_>) -> bool {
        let made = input.made.iter().rev().map(|item| item.token);
        let text = input.text.iter().skip(input.taken).copied();
        let next = made.chain(text).find(|token| !is_blank(*token));
        next.is_some_and(|token| self.scratch.word(token) == "(")
    }

    /// The arguments of a macro, up to the closing parenthesis.
    fn arguments(
        &mut self,
        input: &mut Input<'_>,
        known: &Macro<'_>,
        token: Token,
    ) -> Option<Vec<Vec<Item>>> {
        let count = known.parameters.as_ref().map_or(0, Vec::len);
        let (mut all, mut open) = (alloc::vec![Vec::new()], 0_u32);
        while input.next().is_some_and(|item| is_blank(item.token)) {}
        while let Some(item) = input.next() {
            match self.scratch.word(item.token) {
                _ if is_blank(item.token) => continue,
                ")" if open == 0 => {
                    // `F(x)` gives an empty argument to `...`.
                    if known.variadic && all.len() + 1 == count {
                        all.push(Vec::new());
                    }
                    return Some(all);
                }
                "," if open == 0 && !(known.variadic && all.len() == count) => {
                    all.push(Vec::new());
                    continue;
                }
                "(" | "[" | "{" => open += 1,
                ")" | "]" | "}" => open = open.saturating_sub(1),
                _ => {}
            }
            all.last_mut()?.push(item);
        }
        let name = self.scratch.word(token);
        let message = format!("`)` is missing after the arguments of `{name}`");
        self.fault(token, message);
        None
    }

    /// The body of a macro with its arguments.
    fn replaced(&mut self, known: &Macro<'_>, arguments: &[Vec<Item>], by: Token) -> Vec<Item> {
        let parameters = known.parameters.as_deref().unwrap_or_default();
        let (mut list, mut at) = (Vec::new(), 0);
        while let Some(&token) = known.tokens.get(at) {
            let parameter = |reader: &Self, at: usize| {
                let word = reader.scratch.word(*known.tokens.get(at)?);
                parameters.iter().position(|name| *name == word)
            };
            let argument = |index: usize| arguments.get(index).map_or(&[][..], Vec::as_slice);
            let is = |reader: &Self, at: usize, word: &str| {
                known.tokens.get(at).is_some_and(|token| reader.scratch.word(*token) == word)
            };
            at += 1;
            if is(self, at - 1, "##") && at > 1 {
                let right = match (parameter(self, at), known.tokens.get(at)) {
                    (Some(index), _) => argument(index).to_vec(),
                    (None, Some(&token)) => alloc::vec![token.into()],
                    (None, None) => break,
                };
                let last = parameters.len().wrapping_sub(1);
                let rest = known.variadic && parameter(self, at) == Some(last);
                self.paste(&mut list, right, rest, by);
                at += 1;
            } else if known.parameters.is_some()
                && is(self, at - 1, "#")
                && let Some(index) = parameter(self, at)
            {
                let quoted = self.quoted(argument(index));
                list.extend(self.scratch.token(&quoted, self.origin).map(Item::from));
                at += 1;
            } else if let Some(index) = parameter(self, at - 1) {
                match is(self, at, "##") {
                    true if argument(index).is_empty() => list.push(EMPTY),
                    true => list.extend(argument(index).iter().cloned()),
                    false => list.extend(self.listed(argument(index))),
                }
            } else {
                list.push(token.into());
            }
            if list.len() > self.left {
                break;
            }
        }
        list.retain(|item| item.token.span.length > 0);
        list
    }

    /// Joins the last token with the first of some more; `rest` if they are the variable arguments.
    fn paste(&mut self, list: &mut Vec<Item>, right: Vec<Item>, rest: bool, by: Token) {
        let mut right = right.into_iter();
        let Some(left) = list.pop().filter(|item| item.token.span.length > 0) else {
            return list.extend(right);
        };
        // Compilers drop a comma before variable arguments that are missing.
        if rest && self.scratch.word(left.token) == "," {
            if right.len() > 0 {
                list.push(left);
            }
            return list.extend(right);
        }
        let Some(first) = right.next() else { return list.push(left) };
        let [one, other] = [&left, &first].map(|item| self.scratch.word(item.token));
        let word = [one, other].concat();
        match self.scratch.token(&word, self.origin) {
            Some(token) => list.push(token.into()),
            None => self.fault(by, format!("`##` makes `{word}`, which is not one token")),
        }
        list.extend(right);
    }

    /// An argument between quotation marks.
    fn quoted(&self, argument: &[Item]) -> String {
        let mut text = String::from("\"");
        let mut end = None;
        for item in argument {
            let span = item.token.span;
            if end.is_some_and(|end| end != span.start) {
                text.push(' ');
            }
            end = Some(span.start + span.length);
            let literal = item.token.kind == Kind::Text;
            for letter in self.scratch.word(item.token).chars() {
                if literal && matches!(letter, '"' | '\\') {
                    text.push('\\');
                }
                text.push(letter);
            }
        }
        text.push('"');
        text
    }

    fn fault(&mut self, token: Token, message: String) {
        let span = if self.scratch.is_made(token) { self.origin } else { token.span };
        self.found.push(Diagnostic::error("preprocessor", span, message));
    }
}
