//! Statements of a pasted kernel: arrays, variables, conditions and loops of C over expressions with effects.

use super::ctypes::{bytes_of, type_of};
use super::cursor::{Parsed, Parser};
use crate::diagnostic::Span;
use crate::expression::types::Type;
use crate::expression::{Atom, Binary, Expression};
use crate::lexer::{self, Kind};
use crate::limits::MOST_LOCAL;
use crate::tree::StructId;
use crate::tree::{
    Array, Block, Declaration, DeclarationKind, Name, Rounds, Shape, Statement, StatementKind,
    Value, ValueKind,
};
use crate::vocabulary::opencl::CALLS;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::mem::operation::Space;

/// The assumed size in bytes of a global memory without a declared size.
pub(crate) const UNSIZED: i64 = 1 << 31;

/// The assumed size in bytes of an array that the host passes.
const fn of_host(space: Space) -> i64 {
    match space {
        Space::Local => MOST_LOCAL,
        Space::Global => UNSIZED,
    }
}

/// The component type of an integer vector, and the number of components.
fn vector_of(word: &str) -> Option<(Type, u32)> {
    let scalar = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let width = word[scalar.len()..].parse().ok()?;
    bytes_of(word)?;
    Some((Type::of([scalar].into_iter())?, width))
}

/// Names of address spaces.
const SPACES: [&str; 8] =
    ["local", "__local", "global", "__global", "constant", "__constant", "private", "__private"];
/// Qualifiers before and after a type.
const QUALIFIERS: [&str; 7] =
    ["const", "volatile", "restrict", "__restrict", "static", "constexpr", "register"];

impl Parser<'_> {
    /// An array that the host passes, or the target of a pointer, with elements of that size.
    pub(super) fn array_of(
        &mut self,
        name: &Name,
        (space, constant): (Option<Space>, bool),
        words: &[&str],
    ) {
        let (structure, whole) = self.whole_structure(words);
        let number = || words.iter().rev().find_map(|word| bytes_of(word));
        let Some((element, scalar)) = whole.or_else(number) else { return };
        let of = type_of(words.iter().copied()).unwrap_or(Type::Data);
        let (sizes, span, private) = (alloc::vec![None], name.span, false);
        let of_pointers = words.iter().filter(|&&word| word == "*").count() > 1;
        let array = Array {
            space,
            element,
            scalar,
            of,
            sizes,
            constant,
            private,
            of_pointers,
            structure,
            span,
        };
        self.arrays.insert(name.text.clone(), array);
    }

    /// The structure that the words of a type name, and the bytes of an element and of a component.
    fn whole_structure(&self, words: &[&str]) -> (Option<StructId>, Option<(u32, u32)>) {
        let structure = words.iter().find_map(|word| self.structure(word));
        let bytes = structure.map(|id| self.bytes_of_structure(id));
        (structure, bytes.map(|bytes| (bytes, bytes)))
    }

    /// Number of tokens of a C type at an offset, the type, and whether it is a pointer.
    pub(super) fn type_at(&self, from: usize) -> Option<(usize, Option<Type>, bool)> {
        let (mut at, mut typed, mut spaces) = (from, 0, false);
        loop {
            let word = self.word_ahead(at);
            let known = bytes_of(word).is_some()
                || self.is_number_type(word)
                || self.structure(word).is_some()
                || word == "struct" && self.structure(self.word_ahead(at + 1)).is_some();
            spaces |= SPACES.contains(&word) && !word.ends_with("private");
            if !known && !QUALIFIERS.contains(&word) && !SPACES.contains(&word) {
                break;
            }
            typed += usize::from(known);
            at += 1;
        }
        let words = (from..at).map(|at| self.word_ahead(at));
        let structure = (from..at).any(|at| self.structure(self.word_ahead(at)).is_some());
        let mut points = false;
        while typed > 0 && matches!(self.word_ahead(at), "*" | "const" | "restrict" | "__restrict")
        {
            points = true;
            at += 1;
        }
        let of = if structure { Some(Type::Data) } else { type_of(words) };
        (typed > 0 && (points || !spaces)).then_some((at - from, of, points))
    }

    /// A C statement that may read or write memory.
    pub(super) fn of_kernel(
        &mut self,
        before: &mut Vec<Statement>,
    ) -> Option<Parsed<StatementKind>> {
        let qualifiers = (0..).take_while(|&at| QUALIFIERS.contains(&self.word_ahead(at))).count();
        if matches!(self.word_ahead(qualifiers), "__local" | "local")
            && self.word_ahead(qualifiers + 1) != "<"
            && self.type_at(0).is_none()
        {
            self.advance_by(qualifiers);
            return Some(self.local_arrays());
        }
        if self.begins_enumeration() {
            return Some(self.enumeration().map(|()| StatementKind::Several(Vec::new())));
        }
        if !self.of_c {
            return None;
        }
        let parenthesis = self.word_ahead(1) == "(";
        match self.word() {
            "if" if parenthesis => return Some(self.if_of_c()),
            "while" if parenthesis => return Some(self.while_of_c()),
            "for" if parenthesis => return Some(self.for_of_c()),
            "do" => return Some(self.do_of_c()),
            "return" if self.word_ahead(1) != ";" => {
                self.advance();
                return Some(match self.at_end() {
                    true => Ok(StatementKind::Return(None)),
                    false => self.value().map(StatementKind::Give),
                });
            }
            _ => {}
        }
        if let Some(length) = self.declares() {
            return Some(self.variables(length, before));
        }
        self.begins_value().then(|| self.statement_of_value())
    }

    /// Number of tokens of the type of variables declared here.
    fn declares(&self) -> Option<usize> {
        let (length, _, _) = self.type_at(0)?;
        let by = usize::from(matches!(self.word_ahead(length), "&" | "&&"));
        let named = self.peek(length + by).is_some_and(|token| token.kind == Kind::Word);
        let following = self.word_ahead(length + by + 1);
        (named && matches!(following, "" | "=" | ";" | "," | "}" | ")" | "["))
            .then_some(length + by)
    }

    /// Whether an expression statement starts here.
    fn begins_value(&self) -> bool {
        let (word, next) = (self.word(), self.word_ahead(1));
        if !self.is_word() {
            return matches!(word, "(" | "*" | "++" | "--" | "!" | "~" | "-" | "+")
                || self.kind() == Some(Kind::Number);
        }
        match next {
            "(" => {
                let barrier = CALLS.iter().any(|row| row.name == word);
                !barrier
                    && !super::c::FENCES.contains(&word)
                    && !super::instruction::KEYWORDS.contains(&word)
                    && !crate::vocabulary::names().any(|name| name == word)
            }
            "." => {
                self.word_ahead(2) != "wait"
                    && (self.arrays.contains_key(word) || self.assigned_behind())
            }
            "=" => !self.begins_instruction_behind(2),
            "-" if self.word_ahead(2) == ">" => self.word_ahead(3) != "wait",
            "[" => self.word_ahead(2) != "]" && !self.waits_behind(),
            ";" => self.arrays.contains_key(word) || self.is_declared(word),
            other => super::value::joins(other),
        }
    }

    /// Whether a C variable has a name with this prefix.
    pub(super) fn is_declared(&self, word: &str) -> bool {
        let declared = |&start: &u32| {
            self.text.get(start as usize..).is_some_and(|text| text.starts_with(word))
        };
        self.types.keys().any(declared)
    }

    /// Whether `NAME.PART` is assigned.
    fn assigned_behind(&self) -> bool {
        let following = self.word_ahead(3);
        super::value::assigns(following).is_some() || matches!(following, "++" | "--")
    }

    /// Whether `NAME[…].wait` is next.
    fn waits_behind(&self) -> bool {
        let close = (1..16).find(|&at| self.word_ahead(at) == "]");
        close.is_some_and(|at| self.word_ahead(at + 1) == "." && self.word_ahead(at + 2) == "wait")
    }

    fn begins_instruction_behind(&self, at: usize) -> bool {
        let word = self.word_ahead(at);
        matches!(word, "call" | "tail" | "tlx" | "new")
            || word == "arrive" && self.word_ahead(at + 1) == "."
    }

    /// `TYPE NAME = VALUE, *NAME, NAME[N] = { … }`, whose type has `length` tokens.
    fn variables(&mut self, length: usize, before: &mut Vec<Statement>) -> Parsed<StatementKind> {
        let words = (0..length).map(|ahead| self.word_ahead(ahead)).collect();
        self.advance_by(length);
        self.variables_of(words, before)
    }

    /// `NAME = VALUE, …` after the words of the type.
    pub(super) fn variables_of(
        &mut self,
        mut words: Vec<&str>,
        before: &mut Vec<Statement>,
    ) -> Parsed<StatementKind> {
        let reference = words.iter().any(|word| matches!(*word, "&" | "&&"));
        let structure = words.iter().any(|word| self.structure(word).is_some());
        let of = if structure { Some(Type::Data) } else { type_of(words.iter().copied()) };
        let constant = |word: &&str| matches!(*word, "constant" | "__constant");
        let constant = words.iter().any(constant);
        let mut points = words.contains(&"*");
        loop {
            let start = self.here();
            let kind = match self.is("=") {
                true => return self.expect(";").map(|_| StatementKind::Several(Vec::new())),
                false => self.one_variable((of, points, reference, constant), &words)?,
            };
            if !self.eat(",") {
                return Ok(kind);
            }
            self.skip_newlines();
            before.push(Statement { span: self.since(start), kind });
            words.retain(|&word| word != "*");
            while self.eat("*") {
                words.push("*");
            }
            points = words.contains(&"*");
        }
    }

    fn one_variable(
        &mut self,
        (of, points, reference, constant): (Option<Type>, bool, bool, bool),
        words: &[&str],
    ) -> Parsed<StatementKind> {
        let name = self.name("the name of a variable")?;
        self.is_no_data(&name.text);
        if points {
            self.array_of(&name, (None, constant), words);
            self.types.insert(name.span.start, Type::Exact);
        } else {
            self.types.extend(of.map(|of| (name.span.start, of)));
        }
        let mut sizes = Vec::new();
        if self.is("[") {
            while self.eat("[") {
                let size = if self.is("]") { None } else { Some(self.expression()?) };
                sizes.push(size);
                self.expect("]")?;
            }
            self.array_of(&name, (None, false), words);
            if let Some(array) = self.arrays.get_mut(&name.text) {
                array.sizes = sizes.clone();
                (array.private, array.of_pointers) = (true, points);
            }
        }
        let vector = words.iter().find_map(|word| vector_of(word));
        let number = of.filter(|&of| of != Type::Data && !sizes.is_empty()).map(|of| (of, 1));
        let pointers = (points && !sizes.is_empty()).then_some((Type::Exact, 1));
        if let Some((of, width)) = vector.or(number).filter(|_| !points).or(pointers) {
            self.shapes.insert(name.span.start, Shape { of, width, sizes });
        }
        if !self.eat("=") {
            return Ok(StatementKind::Variable(name, None));
        }
        if self.begins_instruction() || self.is("new") {
            return self.right_side(name, true);
        }
        if let Some(made) = self.plain_construction(&name) {
            return made;
        }
        let start = self.here();
        let value = if self.eat("{") {
            let mut parts = Vec::new();
            self.values_until("}", &mut parts)?;
            Value { kind: ValueKind::Data(String::from("{}"), parts), span: self.since(start) }
        } else {
            self.assignment_value()?
        };
        let flat = value.plain().filter(|_| !points && of != Some(Type::Data));
        Ok(match flat {
            Some(value) if reference => StatementKind::Let(name, value),
            Some(value) => StatementKind::Copy(name, value),
            None => StatementKind::Variable(name, Some(value)),
        })
    }

    /// `local TYPE NAME[N][M], …`
    fn local_arrays(&mut self) -> Parsed<StatementKind> {
        self.advance();
        while matches!(self.word(), "const" | "volatile") {
            self.advance();
        }
        let start = self.here();
        let known = |word: &str| {
            bytes_of(word).is_some()
                || self.is_number_type(word)
                || word == "struct"
                || self.structure(word).is_some()
        };
        let count = (0..3).take_while(|&at| known(self.word_ahead(at))).count();
        let words: Vec<&str> = (0..count).map(|at| self.word_ahead(at)).collect();
        self.advance_by(count);
        let (structure, whole) = self.whole_structure(&words);
        let number = || words.iter().filter_map(|word| bytes_of(word)).max();
        let Some((element, scalar)) = whole.or_else(number) else {
            let word = self.word();
            let message = format!(
                "expected a number or vector type for an array in local memory, found `{word}`; declare other memory as `lds NAME[BYTES]` at the top"
            );
            return self.error("unknown-type", start, message);
        };
        let of = type_of(words.iter().copied()).unwrap_or(Type::Data);
        loop {
            let name = self.name("the name of an array")?;
            let mut sizes = Vec::new();
            while self.eat("[") {
                sizes.push(Some(self.expression()?));
                self.expect("]")?;
            }
            let (space, constant, private, span) = (Some(Space::Local), false, false, name.span);
            let of_pointers = false;
            let array = Array {
                space,
                element,
                scalar,
                of,
                sizes,
                constant,
                private,
                of_pointers,
                structure,
                span,
            };
            self.arrays.insert(name.text, array);
            if !self.eat(",") {
                return Ok(StatementKind::Several(Vec::new()));
            }
            self.skip_newlines();
        }
    }

    /// Declares an array, once.
    pub(super) fn declare_array(&mut self, name: &Name, array: &Array) {
        let Some(space) = array.space else { return };
        if !self.declared_arrays.insert(name.text.clone()) {
            return;
        }
        let span = array.span;
        let bytes = Atom::Literal(i64::from(array.element), Type::Ulong);
        let mut code = alloc::vec![(bytes, span)];
        for size in &array.sizes {
            match size {
                Some(size) => {
                    code.extend(size.code.iter().copied());
                    code.push((Atom::Binary(Binary::Multiply), span));
                }
                None => code = alloc::vec![(Atom::Int(of_host(space)), span)],
            }
        }
        let kind = DeclarationKind::Memory(space, false, Expression { code, span });
        let name = Name { text: name.text.clone(), span };
        self.implicit.push(Declaration { name, kind });
    }

    fn if_of_c(&mut self) -> Parsed<StatementKind> {
        let start = self.here();
        self.advance();
        self.expect("(")?;
        let mut statements = self.barriers_before()?;
        let condition = self.inner_value(")")?;
        let then = self.body(true)?;
        let mut otherwise = None;
        if self.continues_with("else") || self.else_behind_semicolon() {
            let start = self.here();
            otherwise = Some(if self.is("if") && self.word_ahead(1) == "(" {
                let kind = self.deeper(Self::if_of_c)?;
                let span = self.since(start);
                Block { statements: alloc::vec![Statement { span, kind }], close: span }
            } else {
                self.body(true)?
            });
        }
        let kind = StatementKind::Either(condition, then, otherwise);
        if statements.is_empty() {
            return Ok(kind);
        }
        statements.push(Statement { span: self.since(start), kind });
        Ok(StatementKind::Several(statements))
    }

    fn while_of_c(&mut self) -> Parsed<StatementKind> {
        self.advance();
        self.expect("(")?;
        let before = self.barriers_before()?;
        let condition = Some(self.inner_value(")")?);
        let body = self.body(true)?;
        let (first, next, tests_last) = (Vec::new(), None, false);
        Ok(tested(Rounds { first, condition, next, body, tests_last }, before))
    }

    /// `barrier(…), …` before a condition.
    fn barriers_before(&mut self) -> Parsed<Vec<Statement>> {
        let mut statements = Vec::new();
        loop {
            self.skip_newlines();
            let word = self.word();
            let is_barrier =
                CALLS.iter().any(|row| row.name == word) || super::c::FENCES.contains(&word);
            if !is_barrier || self.word_ahead(1) != "(" {
                return Ok(statements);
            }
            let start = self.here();
            let kind = self.instruction(None)?;
            statements.push(Statement { span: self.since(start), kind });
            self.expect(",")?;
        }
    }

    fn do_of_c(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let body = self.body(true)?;
        self.eat(";");
        if !self.continues_with("while") {
            let (found, here) = (self.described(), self.here());
            let message = format!("expected `while` and a condition after `do`, found {found}");
            return self.error("expected-token", here, message);
        }
        self.expect("(")?;
        let condition = Some(self.inner_value(")")?);
        let (first, next, tests_last) = (Vec::new(), None, true);
        Ok(StatementKind::Rounds(Rounds { first, condition, next, body, tests_last }))
    }

    fn for_of_c(&mut self) -> Parsed<StatementKind> {
        self.advance();
        self.expect("(")?;
        self.skip_newlines();
        let (start, mut first) = (self.here(), Vec::new());
        if !self.is(";") {
            let kind = match self.declares() {
                Some(length) => self.variables(length, &mut first)?,
                None => self.statement_of_value()?,
            };
            first.push(Statement { span: self.since(start), kind });
        }
        self.expect(";")?;
        self.skip_newlines();
        let before = self.barriers_before()?;
        let condition = if self.is(";") { None } else { Some(self.value()?) };
        self.expect(";")?;
        self.skip_newlines();
        let next = match self.eat(")") {
            true => None,
            false => Some(self.inner_value(")")?),
        };
        let (body, tests_last) = (self.body(true)?, false);
        Ok(tested(Rounds { first, condition, next, body, tests_last }, before))
    }

    /// An expression statement; an assignment that only computes stays an assignment.
    fn statement_of_value(&mut self) -> Parsed<StatementKind> {
        let value = self.value()?;
        if let ValueKind::Assign(None, two) = &value.kind
            && let [target, from] = &**two
            && let (ValueKind::Plain(code), Some(from)) = (&target.kind, from.plain())
            && let [(Atom::Name, span)] = code[..]
        {
            let text = String::from(lexer::slice(self.text, span));
            return Ok(StatementKind::Assign(Name { text, span }, from));
        }
        Ok(StatementKind::Value(value))
    }

    /// Reports a name of memory used as a number.
    pub(super) fn unknown_data(&mut self, word: &str, span: Span) -> Parsed<()> {
        let message = format!(
            "the contents of `{word}` are unknown: where control flow depends on them, write `choose {{ … }} or {{ … }}`, or use a variable with a value from `let`"
        );
        self.error("unknown-data", span, message)
    }

    /// Marks a name as an integer variable from here on.
    pub(super) fn is_no_data(&mut self, name: &str) {
        self.arrays.remove(name);
    }
}

/// A loop whose condition performs statements first: the body begins with them and with the test.
fn tested(rounds: Rounds, mut statements: Vec<Statement>) -> StatementKind {
    let Some(condition) = rounds.condition.clone().filter(|_| !statements.is_empty()) else {
        return StatementKind::Rounds(rounds);
    };
    let (span, close) = (condition.span, rounds.body.close);
    let leave = Statement { span, kind: StatementKind::Break };
    let block = |statements| Block { statements, close };
    let otherwise = Some(block(alloc::vec![leave]));
    let kind = StatementKind::Either(condition, block(Vec::new()), otherwise);
    statements.push(Statement { span, kind });
    statements.push(Statement { span: close, kind: always(rounds.body) });
    StatementKind::Rounds(Rounds { condition: None, body: block(statements), ..rounds })
}

/// A block that is always executed.
pub(super) fn always(block: Block) -> StatementKind {
    let span = block.close;
    let condition = Expression::int(1, span);
    StatementKind::If(condition, block, None)
}
