//! OpenCL C++: barrier calls, declarations of named barriers, and the restrictions on their type.

use super::c::is_name;
use super::ctypes::Alias;
use super::cursor::{Parsed, Parser};
use super::instruction::folded;
use crate::diagnostic::Span;
use crate::expression::types;
use crate::expression::{Atom, Expression};
use crate::lexer::{self, Kind};
use crate::tree::{
    Construct, Instruction, Name, Operand, Restriction, Statement, StatementKind, Tree,
};
use crate::vocabulary::Row;
use crate::vocabulary::opencl::{self, CALLS, CLASSES, POINTERS, STORAGE, TYPE};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Largest number of tokens to search for the type of a declaration.
const LOOK_AHEAD: usize = 16;

impl Parser<'_> {
    /// The OpenCL operation that starts with this head, if it is one.
    pub(super) fn opencl(&mut self, head: &Name, start: Span) -> Option<Parsed<StatementKind>> {
        let name = head.text.strip_prefix("cl::").unwrap_or(&head.text);
        if self.is("(") {
            if let Some(row) = CALLS.iter().find(|row| row.name == name) {
                return Some(self.barrier(row, head.span, Vec::new(), start));
            }
            let object = name.strip_suffix(".wait").filter(|object| is_name(object))?;
            return Some(self.wait(object, head.span, start));
        }
        // An element of an array, which named barriers must not be.
        if self.is("[") && is_name(name) {
            let closing = (1..LOOK_AHEAD).find(|&ahead| self.word_ahead(ahead) == "]")?;
            let following = [".", "wait", "("];
            let waits =
                (1..).zip(following).all(|(by, word)| self.word_ahead(closing + by) == word);
            if waits {
                self.advance_by(closing + 3);
                return Some(self.wait(name, head.span, start));
            }
        }
        None
    }

    fn wait(&mut self, object: &str, head: Span, start: Span) -> Parsed<StatementKind> {
        let span = Span { length: object.len() as u32, ..head };
        let object = Expression { code: alloc::vec![(Atom::Name, span)], span };
        self.barrier(&opencl::WAIT, head, alloc::vec![Operand::Value(object)], start)
    }

    /// `(FLAGS [, SCOPE])`
    fn barrier(
        &mut self,
        row: &'static Row,
        head: Span,
        mut operands: Vec<Operand>,
        start: Span,
    ) -> Parsed<StatementKind> {
        let before = operands.len();
        let arguments = self.arguments()?;
        operands.extend(arguments.into_iter().map(Operand::Value));
        if !(1..=2).contains(&(operands.len() - before)) {
            let span = self.since(head);
            let message = "expected flags and an optional scope, such as `(mem_fence::local, memory_scope_work_group)`";
            return self.error("argument-count", span, message);
        }
        Ok(StatementKind::Instruction(Instruction {
            row,
            head,
            operands,
            result: None,
            declares: false,
            text: folded(lexer::slice(self.text, self.since(start))),
            nvidia: None,
        }))
    }

    /// Expressions between parentheses.
    pub(super) fn arguments(&mut self) -> Parsed<Vec<Expression>> {
        self.expect("(")?;
        let mut arguments = Vec::new();
        self.skip_newlines();
        while !self.eat(")") {
            if !arguments.is_empty() {
                self.expect(",")?;
                self.skip_newlines();
            }
            arguments.push(self.expression()?);
            self.skip_newlines();
        }
        Ok(arguments)
    }

    /// Whether a declaration of named barriers, or of a type with members, starts here.
    pub(super) fn begins_declaration(&self) -> bool {
        let mut at = (0..).find(|&at| !QUALIFIERS.contains(&self.word_ahead(at))).unwrap_or(0);
        at += if self.word_ahead(at) == "cl" && self.word_ahead(at + 1) == "::" { 2 } else { 0 };
        let word = self.word_ahead(at);
        let alias = self.alias(word).filter(|_| self.word_ahead(at + 1) != "(");
        word == TYPE
            || matches!(alias, Some(Alias::Barrier { .. } | Alias::Forbidden(_)))
            || (STORAGE.contains(&word) || POINTERS.contains(&word))
                && self.word_ahead(at + 1) == "<"
            || CLASSES.contains(&word)
                && self.peek(at + 1).is_some_and(|token| token.kind == Kind::Word)
                && (self.structure(self.word_ahead(at + 1)).is_none()
                    || self.word_ahead(at + 2) == "{")
    }

    /// A declaration in a block.
    pub(super) fn declared(&mut self, before: &mut Vec<Statement>) -> Parsed<StatementKind> {
        let start = self.here();
        if let Some(nameless) = self.nameless() {
            return Ok(nameless);
        }
        if CLASSES.contains(&self.word()) {
            return self.class().map(StatementKind::Restricted);
        }
        let class = self.class_of_barrier()?;
        loop {
            let at = if before.is_empty() { start } else { self.here() };
            let mut declared = self.construct(&class, at)?;
            declared.text = folded(lexer::slice(self.text, self.since(at)));
            let kind = StatementKind::Construct(declared);
            if !self.eat(",") {
                return Ok(kind);
            }
            before.push(Statement { span: self.since(at), kind });
        }
    }

    /// A declaration at the top level: a variable at program scope, a type with members, or a function that returns one.
    pub(super) fn program_scope(&mut self, tree: &mut Tree) -> Parsed<()> {
        let start = self.here();
        if CLASSES.contains(&self.word()) {
            let faults = self.class()?;
            tree.restrictions.extend(faults);
            return Ok(());
        }
        if let Some(length) = self.returns() {
            self.advance_by(length);
            tree.restrictions.push((Restriction::Return, self.since(start)));
            return self.function_behind(tree);
        }
        let class = self.class_of_barrier()?;
        loop {
            let declared = self.construct(&class, start)?;
            tree.restrictions.extend(declared.faults);
            tree.restrictions.push((Restriction::Program, self.since(start)));
            tree.program_scope.push(declared.name);
            if !self.eat(",") {
                return Ok(());
            }
        }
    }

    /// Number of tokens of the type before `NAME(…) {`, if that is next.
    fn returns(&self) -> Option<usize> {
        let opening = (1..LOOK_AHEAD).find(|&ahead| self.word_ahead(ahead) == "(")?;
        let closing = (opening..64).find(|&ahead| self.word_ahead(ahead) == ")")?;
        let following = self.text_of(closing + 1) == Some("{")
            || self.word_ahead(closing + 1).is_empty() && self.text_of(closing + 2) == Some("{");
        (following && opening >= 2).then_some(opening - 1)
    }

    /// `new TYPE(COUNT)` as the value of a variable: a pointer.
    pub(super) fn dynamic(&mut self, name: Name) -> Parsed<StatementKind> {
        let start = self.advance();
        let mut faults = Vec::new();
        self.type_name(&mut faults)?;
        faults.push((Restriction::Pointer, self.since(start)));
        let count = self.initialiser()?.pop();
        let text = folded(lexer::slice(self.text, self.since(name.span)));
        Ok(StatementKind::Construct(Construct { name, count, by_reference: false, faults, text }))
    }

    /// `TYPE(COUNT)` as the value of a variable: a private variable of the work-item.
    pub(super) fn plain_construction(&mut self, name: &Name) -> Option<Parsed<StatementKind>> {
        let at = if self.is("cl") && self.word_ahead(1) == "::" { 2 } else { 0 };
        let known = |word: &str| word == TYPE || self.alias(word).is_some_and(Alias::is_barrier);
        let begins = known(self.word_ahead(at)) && matches!(self.word_ahead(at + 1), "(" | "{");
        begins.then(|| {
            let start = self.here();
            self.advance_by(at + 1);
            let count = self.initialiser()?.pop();
            let faults = alloc::vec![(Restriction::Storage, self.since(start))];
            let text = folded(lexer::slice(self.text, self.since(name.span)));
            let (name, by_reference) = (name.clone(), false);
            Ok(StatementKind::Construct(Construct { name, count, by_reference, faults, text }))
        })
    }

    /// `struct NAME { … }`, parsed only to find named barriers among its members.
    fn class(&mut self) -> Parsed<Vec<(Restriction, Span)>> {
        let start = self.advance();
        let name = self.name("the name of a type")?;
        self.classes.push(name.text);
        let (mut faults, mut named) = (Vec::new(), false);
        self.skip_newlines();
        self.expect("{")?;
        let (mut open, mut lists) = (1_u32, 0_u32);
        while open > 0 && self.peek(0).is_some() {
            match self.word() {
                "{" => open += 1,
                "}" => open -= 1,
                "(" => lists += 1,
                ")" => lists = lists.saturating_sub(1),
                // A parameter of a member function is not a member.
                TYPE if lists > 0 => named = true,
                TYPE => faults.push((Restriction::Member, self.here())),
                word if lists == 0 && self.alias(word).is_some_and(Alias::is_barrier) => {
                    faults.push((Restriction::Member, self.here()));
                }
                _ => {}
            }
            self.advance();
        }
        if open > 0 {
            return self.error("expected-token", start, "missing closing brace of this type");
        }
        if faults.is_empty() && !named {
            let message = "only types with named barriers are supported, and this type has none";
            return self.error("unknown-statement", start, message);
        }
        Ok(faults)
    }

    /// `[STORAGE<]work_group_named_barrier[>]`: the violations of its restrictions, and whether it is in local memory.
    fn class_of_barrier(&mut self) -> Parsed<(Vec<(Restriction, Span)>, bool)> {
        let mut faults = Vec::new();
        while QUALIFIERS.contains(&self.word()) {
            self.advance();
        }
        self.namespace();
        let storage = STORAGE.into_iter().chain(POINTERS).find(|&word| self.is(word));
        if let Some(storage) = storage {
            let span = self.advance();
            if POINTERS.contains(&storage) {
                faults.push((Restriction::Pointer, span));
            } else if storage != "local" {
                faults.push((Restriction::Storage, span));
            }
            self.expect("<")?;
        }
        let alias = self.alias(self.word());
        match alias {
            Some(Alias::Forbidden(restriction)) => faults.push((restriction, self.advance())),
            Some(Alias::Barrier { .. }) => drop(self.advance()),
            _ => self.type_name(&mut faults)?,
        }
        let in_local = storage.is_some()
            || matches!(alias, Some(Alias::Barrier { storage, reference }) if storage || reference);
        if storage.is_some() {
            self.behind_type(&mut faults);
        }
        while self.eat("const") {}
        Ok((faults, in_local))
    }

    /// `NAME(COUNT)` after its class.
    fn construct(
        &mut self,
        (faults, in_local): &(Vec<(Restriction, Span)>, bool),
        start: Span,
    ) -> Parsed<Construct> {
        let mut faults = faults.clone();
        let by_reference = self.eat("&") || self.eat("&&");
        while self.is("*") {
            faults.push((Restriction::Pointer, self.advance()));
        }
        let name = self.name("the name of a named barrier")?;
        if !*in_local && !by_reference && faults.is_empty() {
            faults.push((Restriction::Storage, self.since(start)));
        }
        while self.is("[") {
            let at = self.advance();
            if !self.is("]") {
                self.expression()?;
            }
            self.expect("]")?;
            faults.push((Restriction::Array, self.since(at)));
        }
        if faults.iter().any(|(restriction, _)| *restriction == Restriction::Array) {
            // The initial values of its elements.
            self.skip_operands();
            return Ok(Construct { name, count: None, by_reference, faults, text: String::new() });
        }
        let mut arguments = self.initialiser()?;
        if arguments.len() > 1 {
            let message =
                "a named barrier takes one argument, the number of sub-groups that wait on it";
            return self.error("argument-count", self.since(start), message);
        }
        if arguments.is_empty() && faults.is_empty() {
            faults.push((Restriction::Default, name.span));
        }
        let count = (!arguments.is_empty()).then(|| arguments.swap_remove(0));
        Ok(Construct { name, count, by_reference, faults, text: String::new() })
    }

    fn namespace(&mut self) {
        if self.is("cl") && self.word_ahead(1) == "::" {
            self.advance_by(2);
        }
    }

    /// The type itself; as a template argument, it is the element of an array.
    fn type_name(&mut self, faults: &mut Vec<(Restriction, Span)>) -> Parsed<()> {
        self.namespace();
        if !self.is(TYPE) {
            let (word, here) = (self.word(), self.here());
            let inside = (1..LOOK_AHEAD).any(|ahead| self.word_ahead(ahead) == TYPE);
            if !inside {
                let message = format!(
                    "expected `{TYPE}`, found `{word}`; declare memory as `lds NAME[BYTES]` or `global NAME[BYTES]`"
                );
                return self.error("unknown-type", here, message);
            }
            faults.push((Restriction::Array, here));
            while !self.is(TYPE) && !self.at_end() {
                self.advance();
            }
        }
        self.expect(TYPE).map(drop)
    }

    /// The tokens between the type and the closing bracket of its storage class.
    fn behind_type(&mut self, faults: &mut Vec<(Restriction, Span)>) {
        while !self.at_end() && !self.is(">") && !self.is(">>") {
            match self.word() {
                "*" => faults.push((Restriction::Pointer, self.here())),
                "[" => faults.push((Restriction::Array, self.here())),
                _ => {}
            }
            self.advance();
        }
        while self.eat(">") || self.eat(">>") {}
    }

    /// `(A, …)`, `{A, …}`, `= A`, or nothing.
    fn initialiser(&mut self) -> Parsed<Vec<Expression>> {
        if self.is("(") {
            return self.arguments();
        }
        if self.eat("=") {
            self.namespace();
            // The type repeated as the constructor.
            let again =
                self.is(TYPE) || matches!(self.alias(self.word()), Some(Alias::Barrier { .. }));
            if again && matches!(self.word_ahead(1), "(" | "{") {
                self.advance();
                return self.initialiser();
            }
            if !self.is("{") {
                return Ok(alloc::vec![self.expression()?]);
            }
        }
        let mut arguments = Vec::new();
        if self.eat("{") {
            while !self.eat("}") {
                if !arguments.is_empty() {
                    self.expect(",")?;
                }
                arguments.push(self.expression()?);
            }
        }
        Ok(arguments)
    }

    /// The type of a parameter, if given: a named barrier, by reference or by value, or a number. Returns whether it is
    /// a named barrier.
    pub(super) fn parameter_type(&mut self, tree: &mut Tree) -> bool {
        while self.is("const") && self.word_ahead(1) != "," && self.word_ahead(1) != ")" {
            self.advance();
        }
        self.namespace();
        let storage = STORAGE.into_iter().any(|word| self.is(word)) && self.word_ahead(1) == "<";
        if storage {
            self.advance_by(2);
            self.namespace();
        }
        let alias = self.alias(self.word());
        let mut faults = Vec::new();
        if let Some(Alias::Forbidden(restriction)) = alias {
            faults.push((restriction, self.here()));
        }
        if matches!(alias, Some(Alias::Barrier { .. } | Alias::Forbidden(_))) || self.is(TYPE) {
            self.advance();
            if storage {
                self.behind_type(&mut faults);
            }
            let start = self.here();
            let mut same = alias.is_some_and(Alias::is_reference);
            loop {
                match self.word() {
                    "&" | "&&" => same = true,
                    "*" => faults.push((Restriction::Pointer, self.here())),
                    "const" => {}
                    _ => break,
                }
                self.advance();
            }
            if !same && faults.is_empty() && self.word_ahead(1) != "[" {
                faults.push((Restriction::Passed, start));
            }
            tree.restrictions.extend(faults);
            return true;
        }
        if let Some((length, of, points)) = self.type_at(0)
            && (points || of == Some(types::Type::Data) || self.word_ahead(length + 1) == "[")
            && self.peek(length).is_some_and(|token| token.kind == Kind::Word)
        {
            let words: Vec<&str> = (0..length).map(|at| self.word_ahead(at)).collect();
            self.advance_by(length);
            let name = Name { text: String::from(self.word()), span: self.here() };
            self.is_no_data(&name.text);
            if points || self.word_ahead(1) == "[" {
                let constant = words.iter().any(|word| word.ends_with("constant"));
                self.array_of(&name, (None, constant), &words);
            } else {
                self.types.extend(of.map(|of| (name.span.start, of)));
            }
            return false;
        }
        self.is_no_data(self.word_ahead(1));
        let typed = self.is_number_type(self.word());
        let of = types::Type::of([self.word()].into_iter());
        let name = self.peek(1).filter(|_| typed && is_name(self.word_ahead(1)));
        self.types.extend(of.zip(name).map(|(of, name)| (name.span.start, of)));
        if typed && is_name(self.word_ahead(1)) {
            self.advance();
        } else if typed && self.word_ahead(1) == "&" && is_name(self.word_ahead(2)) {
            let span = self.advance();
            self.advance();
            self.not_followed(span, "the effect of this call on numbers passed by reference");
        }
        false
    }

    /// `[N]` after the name of a parameter: an array is a pointer there.
    pub(super) fn parameter_bounds(&mut self, tree: &mut Tree, array: bool) -> Parsed<()> {
        while self.is("[") {
            let at = self.advance();
            if !self.is("]") {
                self.expression()?;
            }
            self.expect("]")?;
            if !array {
                tree.restrictions.push((Restriction::Array, self.since(at)));
            }
        }
        Ok(())
    }

    /// `-> TYPE` after the parameters of a function.
    pub(super) fn return_type(&mut self, tree: &mut Tree) {
        if self.is("-") && self.word_ahead(1) == ">" {
            self.advance_by(2);
            self.namespace();
            let at = self.here();
            if self.eat(TYPE) {
                tree.restrictions.push((Restriction::Return, at));
            }
        }
    }
}

/// Qualifiers before the declaration of a named barrier.
const QUALIFIERS: [&str; 3] = ["const", "static", "constexpr"];
