//! Facts about tokens before they are read: the kind of a declaration, and the variables whose address is taken.

use super::lexer::Kind;
use super::symbol::{Parameter, Shape, Symbol};
use super::types::Type;
use super::unit::Unit;
use alloc::rc::Rc;
use tidegate_model::ordered::OrderedSet;

/// Words before `(` that do not declare a function.
const WITH_ARGUMENTS: [&str; 13] = [
    "__attribute__",
    "__attribute",
    "__launch_bounds__",
    "__align__",
    "alignas",
    "__cluster_dims__",
    "__block_size__",
    "__maxnreg__",
    "decltype",
    "__declspec",
    "noexcept",
    "explicit",
    "static_assert",
];

impl Unit {
    /// The kind of the declaration at this position.
    pub(super) fn shape(&self) -> Shape {
        if self.is("typedef") {
            return Shape::Other;
        }
        let (mut at, mut device) = (self.at, self.opencl);
        while let Some(token) = self.tokens.get(at) {
            let next = |by: usize| self.tokens.get(at + by);
            let word = &*token.text;
            match word {
                "__device__" | "__global__" | "constexpr" | "device" | "global" => device = true,
                "(" => {
                    let before = at.checked_sub(1).and_then(|before| self.tokens.get(before));
                    let inside = self.tokens.get(at..self.partner(at)).unwrap_or_default();
                    if before.is_some_and(|before| WITH_ARGUMENTS.contains(&&*before.text)) {
                        let marks = |token: &super::lexer::Token| {
                            token.is("device") || token.is("global") || token.is("__device__")
                        };
                        device |= inside.iter().any(marks);
                        at = self.partner(at);
                    } else if before.is_some_and(|before| before.kind == Kind::Word)
                        && !next(1).is_some_and(|next| next.is("*"))
                        || before.is_some_and(|before| before.is(")") || before.is("]"))
                    {
                        let end = self.after_head(self.partner(at) + 1);
                        return if device { Shape::Function } else { Shape::Host(end) };
                    } else {
                        at = self.partner(at);
                    }
                }
                "operator" => {
                    let open = (at..self.tokens.len()).find(|at| self.tokens[*at].is("("));
                    let mut close = self.partner(open.unwrap_or(at));
                    // The operator may be `()`.
                    if open == Some(at + 1) {
                        close = self.partner(close + 1);
                    }
                    let converts = next(1).is_some_and(|next| next.kind == Kind::Word);
                    let head = self.tokens.get(self.at..at).unwrap_or_default();
                    let friend = head.iter().any(|token| token.is("friend"));
                    return match device && !converts && !friend {
                        true => Shape::Function,
                        false => Shape::Host(self.after_head(close + 1)),
                    };
                }
                "[" => at = self.partner(at),
                ";" | "{" | "=" => return Shape::Other,
                _ if token.kind == Kind::End => return Shape::Other,
                _ => {}
            }
            at += 1;
        }
        Shape::Other
    }

    /// The position after the rest of a function: its body, or `;`.
    fn after_head(&self, at: usize) -> usize {
        let mut at = at;
        while let Some(token) = self.tokens.get(at) {
            match &*token.text {
                ";" => return at + 1,
                // The initialiser of a member: `x{1}`.
                "{" if self.tokens[at - 1].kind == Kind::Word
                    && self
                        .tokens
                        .get(self.partner(at) + 1)
                        .is_some_and(|next| next.is(",") || next.is("{")) =>
                {
                    at = self.partner(at);
                }
                "{" => return self.partner(at) + 1,
                "(" => at = self.partner(at),
                _ if token.kind == Kind::End => return at,
                _ => {}
            }
            at += 1;
        }
        at
    }

    /// The variables of a body whose address is taken, or to which a reference is bound.
    pub(super) fn addressed(&self, body: usize) -> OrderedSet<Rc<str>> {
        let end = self.partner(body);
        let mut names = OrderedSet::new();
        for at in body..end {
            let token = &self.tokens[at];
            if token.is("&") {
                let mut next = at + 1;
                while self.tokens.get(next).is_some_and(|next| next.is("(")) {
                    next += 1;
                }
                let name = self.tokens.get(next).filter(|name| name.kind == Kind::Word);
                names.extend(name.map(|name| name.text.clone()));
            }
            if token.is("(") && self.may_take_references(at) {
                let list = at + 1..self.partner(at);
                let single = |at: usize| {
                    self.tokens[at].kind == Kind::Word
                        && (self.tokens[at - 1].is("(") || self.tokens[at - 1].is(","))
                        && (self.tokens[at + 1].is(")") || self.tokens[at + 1].is(","))
                };
                names.extend(list.filter(|at| single(*at)).map(|at| self.tokens[at].text.clone()));
            }
        }
        names
    }

    /// Whether this parenthesis may begin a call of a function with reference parameters.
    fn may_take_references(&self, open: usize) -> bool {
        let Some(before) = open.checked_sub(1).and_then(|at| self.tokens.get(at)) else {
            return false;
        };
        if before.is(">") {
            return true;
        }
        let reference = |at: &usize| {
            let function = &self.functions[*at];
            let by_reference = |one: &Parameter| matches!(one.of, Type::Reference(..));
            function.template.is_some() || function.parameters.iter().any(by_reference)
        };
        match self.scopes[0].get(&before.text) {
            Some(Symbol::Functions(all)) => all.iter().any(reference),
            Some(_) => false,
            // A member.
            None => open >= 2 && (self.tokens[open - 2].is(".") || self.tokens[open - 2].is("->")),
        }
    }
}
