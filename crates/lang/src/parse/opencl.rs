//! OpenCL C++: calls of barriers, declarations of named barriers, and what their type does not allow.

use super::c::is_number_type;
use super::cursor::{Parsed, Parser};
use super::instruction::folded;
use crate::diagnostic::Span;
use crate::expression::{Atom, Expression};
use crate::lexer::{self, Kind};
use crate::tree::{Construct, Instruction, Name, Operand, Restriction, StatementKind, Tree};
use crate::vocabulary::Row;
use crate::vocabulary::opencl::{self, CALLS, CLASSES, STORAGE, TYPE};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// How far ahead the type of a declaration is looked for.
const LOOK_AHEAD: usize = 16;

impl Parser<'_> {
    /// An operation of OpenCL that begins with this head, if it is one.
    pub(super) fn opencl(&mut self, head: &Name, start: Span) -> Option<Parsed<StatementKind>> {
        let name = head.text.strip_prefix("cl::").unwrap_or(&head.text);
        if self.is("(") {
            if let Some(row) = CALLS.iter().find(|row| row.name == name) {
                return Some(self.barrier(row, head.span, Vec::new(), start));
            }
            let object = name.strip_suffix(".wait").filter(|object| is_name(object))?;
            return Some(self.wait(object, head.span, start));
        }
        // An element of an array, which named barriers cannot be.
        if self.is("[") && is_name(name) {
            let closing = (1..LOOK_AHEAD).find(|&ahead| self.word_ahead(ahead) == "]")?;
            let behind = [".", "wait", "("];
            let waits = (1..).zip(behind).all(|(by, word)| self.word_ahead(closing + by) == word);
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
            let message = "a barrier takes flags, and may be given a scope: `(mem_fence::local, memory_scope_work_group)`";
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
        while !self.eat(")") {
            if !arguments.is_empty() {
                self.expect(",")?;
            }
            arguments.push(self.expression()?);
        }
        Ok(arguments)
    }

    /// Whether a declaration of named barriers, or of a type with members, begins here.
    pub(super) fn begins_declaration(&self) -> bool {
        let mut at = (0..).find(|&at| !QUALIFIERS.contains(&self.word_ahead(at))).unwrap_or(0);
        at += if self.word_ahead(at) == "cl" && self.word_ahead(at + 1) == "::" { 2 } else { 0 };
        let word = self.word_ahead(at);
        word == TYPE
            || (STORAGE.contains(&word) || POINTERS.contains(&word))
                && self.word_ahead(at + 1) == "<"
            || CLASSES.contains(&word)
                && self.peek(at + 1).is_some_and(|token| token.kind == Kind::Word)
    }

    /// A declaration in a block.
    pub(super) fn declared(&mut self) -> Parsed<StatementKind> {
        let start = self.here();
        if CLASSES.contains(&self.word()) {
            return self.class().map(StatementKind::Restricted);
        }
        let mut declared = self.construct(start)?;
        declared.text = folded(lexer::slice(self.text, self.since(start)));
        Ok(StatementKind::Construct(declared))
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
        let declared = self.construct(start)?;
        tree.restrictions.extend(declared.faults);
        tree.restrictions.push((Restriction::Program, self.since(start)));
        tree.program_scope.push(declared.name);
        Ok(())
    }

    /// How many tokens the type has before `NAME(…) {`, where that stands here.
    fn returns(&self) -> Option<usize> {
        let opening = (1..LOOK_AHEAD).find(|&ahead| self.word_ahead(ahead) == "(")?;
        let closing = (opening..64).find(|&ahead| self.word_ahead(ahead) == ")")?;
        let behind = self.text_of(closing + 1) == Some("{")
            || self.word_ahead(closing + 1).is_empty() && self.text_of(closing + 2) == Some("{");
        (behind && opening >= 2).then_some(opening - 1)
    }

    /// `new TYPE(COUNT)`, as the value of a variable: a pointer.
    pub(super) fn dynamic(&mut self, name: Name) -> Parsed<StatementKind> {
        let start = self.advance();
        let mut faults = Vec::new();
        self.type_name(&mut faults)?;
        faults.push((Restriction::Pointer, self.since(start)));
        let count = self.initialiser()?.pop();
        let text = folded(lexer::slice(self.text, self.since(name.span)));
        Ok(StatementKind::Construct(Construct { name, count, by_reference: false, faults, text }))
    }

    /// `struct NAME { … }`, which is read for named barriers among its members alone.
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
                // What a member function takes is no member.
                TYPE if lists > 0 => named = true,
                TYPE => faults.push((Restriction::Member, self.here())),
                _ => {}
            }
            self.advance();
        }
        if open > 0 {
            return self.error("expected-token", start, "the brace of this type is never closed");
        }
        if faults.is_empty() && !named {
            let message = "a type is read for its named barriers alone, and this one has none";
            return self.error("unknown-statement", start, message);
        }
        Ok(faults)
    }

    /// `[STORAGE<]work_group_named_barrier[>] NAME(COUNT)`, with whatever its type does not allow.
    fn construct(&mut self, start: Span) -> Parsed<Construct> {
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
        self.type_name(&mut faults)?;
        if storage.is_some() {
            self.behind_type(&mut faults);
        }
        let by_reference = self.eat("&");
        while self.is("*") {
            faults.push((Restriction::Pointer, self.advance()));
        }
        let name = self.name("the name of a named barrier")?;
        if storage.is_none() && !by_reference && faults.is_empty() {
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
        let mut arguments = self.initialiser()?;
        if arguments.len() > 1 {
            let message = "a named barrier takes one argument: how many sub-groups wait at it";
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

    /// The type itself; one that is another's argument is an array's element.
    fn type_name(&mut self, faults: &mut Vec<(Restriction, Span)>) -> Parsed<()> {
        self.namespace();
        if !self.is(TYPE) {
            let (word, here) = (self.word(), self.here());
            let inside = (1..LOOK_AHEAD).any(|ahead| self.word_ahead(ahead) == TYPE);
            if !inside {
                let message = format!(
                    "only `{TYPE}` is declared so; `lds NAME[BYTES]` and `global NAME[BYTES]` declare memory, and this is `{word}`"
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

    /// What stands between the type and the closing bracket of its storage class.
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
            return Ok(alloc::vec![self.expression()?]);
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

    /// The type of a parameter, where one is written: a named barrier, by reference or not, or a number. Yields whether it
    /// is a named barrier.
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
        if self.eat(TYPE) {
            let mut faults = Vec::new();
            if storage {
                self.behind_type(&mut faults);
            }
            while self.eat("&") || self.eat("const") {}
            while self.is("*") {
                faults.push((Restriction::Pointer, self.advance()));
            }
            tree.restrictions.extend(faults);
            return true;
        }
        if is_number_type(self.word()) && is_name(self.word_ahead(1)) {
            self.advance();
        }
        false
    }

    /// The arguments of a kernel, of which no value is known: they are read for named barriers alone.
    pub(super) fn kernel_arguments(&mut self, tree: &mut Tree) -> Parsed<()> {
        self.expect("(")?;
        let mut open = 1_u32;
        while open > 0 && self.peek(0).is_some() && !self.is("{") {
            let here = self.advance();
            let word = lexer::slice(self.text, here);
            open += u32::from(word == "(");
            open -= u32::from(word == ")");
            if word == TYPE && self.is("*")
                || POINTERS.contains(&word) && self.word_ahead(1) == TYPE
            {
                tree.restrictions.push((Restriction::Pointer, self.here()));
            }
        }
        if open > 0 { self.expect(")").map(drop) } else { Ok(()) }
    }

    /// `[N]` behind the name of a parameter: an array is a pointer there.
    pub(super) fn parameter_bounds(&mut self, tree: &mut Tree) -> Parsed<()> {
        while self.is("[") {
            let at = self.advance();
            if !self.is("]") {
                self.expression()?;
            }
            self.expect("]")?;
            tree.restrictions.push((Restriction::Array, self.since(at)));
        }
        Ok(())
    }

    /// `-> TYPE` behind the parameters of a function.
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

/// Words that may stand before the declaration of a named barrier.
const QUALIFIERS: [&str; 3] = ["const", "static", "constexpr"];

/// The classes of OpenCL C++ that point.
const POINTERS: [&str; 4] = ["local_ptr", "global_ptr", "private_ptr", "constant_ptr"];

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
