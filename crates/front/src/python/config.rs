//! Values of constants that the file gives outside of the kernel: `triton.Config`, and calls that launch the kernel.

use super::Reader;
use super::expression::number;
use super::lexer::Kind as Is;
use super::value::Value;
use alloc::collections::BTreeMap;
use alloc::string::String;
use core::ops::Range;

/// The maximum number of definitions on the way from a decorator to a configuration.
const DEEPEST: usize = 4;

impl<'t> Reader<'_, 't> {
    /// The constants of the first `triton.Config` of the kernel whose parameters begin at a token.
    pub(super) fn configured(&mut self, start: usize) -> BTreeMap<&'t str, Value> {
        let definition = start.saturating_sub(2);
        let mut first = definition;
        while first > 0 {
            let is_end = |&at: &usize| matches!(self.tokens[at].kind, Is::Line | Is::Close);
            let line = (0..first - 1).rev().find(is_end).map_or(0, |at| at + 1);
            if self.tokens[line].text != "@" {
                break;
            }
            first = line;
        }
        let at = self.at;
        let found = self.configuration(first..definition, 0);
        let values = found.map_or_else(BTreeMap::new, |(open, scope)| self.constants(open, scope));
        self.at = at;
        values
    }

    /// The bracket after `Config` in a range or in a definition that it names, and the range with it.
    fn configuration(
        &mut self,
        range: Range<usize>,
        depth: usize,
    ) -> Option<(usize, Range<usize>)> {
        let is = |at: usize, text: &str| self.tokens.get(at).is_some_and(|it| it.text == text);
        if let Some(at) = range.clone().find(|&at| is(at, "Config") && is(at + 1, "(")) {
            return Some((at + 1, range));
        }
        for at in range {
            let token = self.tokens[at];
            if depth < DEEPEST
                && token.kind == Is::Name
                && let Some(inner) = self.definition(token.text)
                && let Some(found) = self.configuration(inner, depth + 1)
            {
                return Some(found);
            }
        }
        None
    }

    /// The tokens that define a name outside of functions.
    fn definition(&mut self, name: &str) -> Option<Range<usize>> {
        let mut depth = 0_i32;
        for (at, token) in self.tokens.iter().enumerate() {
            depth += i32::from(token.kind == Is::Open) - i32::from(token.kind == Is::Close);
            let next = self.tokens.get(at + 1)?;
            let begins = at == 0 || matches!(self.tokens[at - 1].kind, Is::Line | Is::Close);
            if depth != 0 || !begins {
                continue;
            }
            if token.text == "def" && next.text == name {
                self.at = at;
                self.skip_block();
                return Some(at + 2..self.at);
            }
            if token.text == name && matches!(next.text, "=" | ":") {
                let rest = self.tokens.get(at + 2..)?;
                let length = rest.iter().position(|one| one.kind == Is::Line)?;
                return Some(at + 2..at + 2 + length);
            }
        }
        None
    }

    /// The constants of a configuration. Variables of loops and comprehensions around it have their first values.
    fn constants(&mut self, open: usize, scope: Range<usize>) -> BTreeMap<&'t str, Value> {
        let mut found = BTreeMap::new();
        // What the values compute is not code of the kernel.
        let current = self.builder.current();
        let aside = self.builder.block();
        self.builder.go_to(aside);
        let variables = core::mem::take(&mut self.variables);
        for at in scope.clone() {
            if self.tokens[at].text != "for" || self.tokens[at].kind != Is::Name {
                continue;
            }
            let inside = scope.clone().find(|one| *one > at && self.tokens[*one].text == "in");
            let Some(inside) = inside else { continue };
            let names = self.targets(at + 1..inside);
            self.at = inside + 1;
            if let Ok(Value::List(values)) = self.either()
                && let Some(first) = values.into_iter().next()
            {
                match &names[..] {
                    [name] => self.assign(name, first),
                    names => self.assign_all(names, &first),
                }
            }
        }
        self.at = open + 1;
        if self.text() == "kwargs" {
            self.at += 2;
        }
        if self.eat("dict") {
            let given = self.arguments().unwrap_or_default();
            found.extend(given.into_iter().filter_map(|(name, value)| Some((name?, value))));
        } else if self.eat("{") {
            while let Some(token) = self.token().filter(|token| token.kind == Is::Text) {
                self.at += 1;
                let name = token.text.trim_matches(['"', '\'']);
                if !self.eat(":") {
                    break;
                }
                let Ok(value) = self.expression() else { break };
                found.insert(name, value);
                if !self.eat(",") {
                    break;
                }
            }
            self.eat("}");
        }
        while self.eat(",") && self.is(Is::Name) && self.ahead(1) == "=" {
            let name = self.text();
            self.at += 2;
            let Ok(value) = self.expression() else { break };
            if name == "num_warps" {
                found.insert(name, value);
            }
        }
        found.retain(|_, value| !matches!(value, Value::Data | Value::Mixed | Value::Number(_)));
        self.variables = variables;
        self.builder.go_to(current);
        found
    }

    /// Literals that calls of the file pass for the parameters of a kernel: `NAME[GRID](…, PARAMETER=LITERAL)`.
    pub(super) fn launched(&mut self, kernel: &str) -> BTreeMap<&'t str, Value> {
        let own = self.at;
        let mut found = BTreeMap::new();
        for at in 0..self.tokens.len() {
            if self.tokens[at].text != kernel {
                continue;
            }
            self.at = at + 1;
            if self.eat(".") {
                self.at += 1;
            }
            if self.text() != "[" {
                continue;
            }
            self.skip();
            if !self.eat("(") {
                continue;
            }
            while self.token().is_some() && self.text() != ")" {
                let name = self.text();
                let value = match self.ahead(2) {
                    "True" => Some(1),
                    "False" => Some(0),
                    text => number(text),
                };
                if self.is(Is::Name)
                    && self.ahead(1) == "="
                    && matches!(self.ahead(3), "," | ")")
                    && let Some(value) = value
                {
                    found.entry(name).or_insert(Value::Int(value));
                }
                self.skip();
            }
        }
        self.at = own;
        found
    }

    /// Adds literals that the file gives to variables and parameters outside of kernels.
    pub(super) fn elsewhere(&mut self, found: &mut BTreeMap<&'t str, Value>) {
        let own = self.at;
        self.at = 0;
        while self.token().is_some() {
            if self.functions.values().any(|start| *start == self.at) {
                self.skip_block();
                continue;
            }
            let ends = self
                .tokens
                .get(self.at + 3)
                .is_some_and(|it| matches!(it.text, "," | ")") || it.kind == Is::Line);
            if self.is(Is::Name)
                && self.ahead(1) == "="
                && ends
                && let Some(value) = number(self.ahead(2))
            {
                found.entry(self.text()).or_insert(Value::Int(value));
            }
            self.at += 1;
        }
        self.at = own;
    }

    /// What to add for the constants that have no value.
    pub(super) fn missing(&self) -> String {
        let name = |name: &&str| alloc::format!("`argument {name}=VALUE`");
        let all: alloc::vec::Vec<String> = self.constants.iter().map(name).collect();
        let (last, rest) = all.split_last().map_or(("", &[][..]), |(last, rest)| (&last[..], rest));
        match rest {
            [] => alloc::format!("add the line {last} above the code"),
            _ => alloc::format!("add the lines {} and {last} above the code", rest.join(", ")),
        }
    }
}
