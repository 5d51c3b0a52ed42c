//! Data of a pasted kernel: arrays, floating-point variables, and what is computed with them.
//!
//! What memory holds no scenario says. So of a statement that computes with it the accesses are read, in order, and its
//! value is not known: where something is decided by it that is an error at its place, unless both ways reach the same
//! barriers, and then the accesses of both are taken.

use super::cursor::{Parsed, Parser};
use super::decide::behind_accesses;
use super::values::negated;
use crate::diagnostic::Span;
use crate::expression::{Atom, Binary, Expression};
use crate::lexer::Kind;
use crate::lower::code::MOST_LOCAL;
use crate::scenario::Need;
use crate::tree::{
    Access, Block, Count, Declaration, DeclarationKind, Input, Name, Statement, StatementKind,
    Switch,
};
use crate::vocabulary::Effect;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::vec::Vec;
use tidegate_model::mem::operation::Space;

/// An array of a kernel, or one variable in local memory.
#[derive(Clone, Debug)]
pub(crate) struct Array {
    space: Space,
    /// Bytes of an element, and of what it is a vector of.
    pub(super) element: u32,
    pub(super) scalar: u32,
    /// How many elements there are in each dimension; one that is not known, of what the host passes.
    pub(super) sizes: Vec<Option<Expression>>,
    /// Whether nothing writes it: then it does not matter which element is read.
    pub(super) constant: bool,
    span: Span,
}

/// The bytes that an array of the host is taken to have.
const fn of_host(space: Space) -> i64 {
    match space {
        Space::Local => MOST_LOCAL,
        Space::Global => 1 << 31,
    }
}

/// Words that assign.
const ASSIGNS: [&str; 13] =
    ["=", "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", "<<=", ">>=", "++", "--"];

/// The bytes of a type, if it is one of numbers or of vectors of them; and those of one number.
pub(super) fn bytes_of(word: &str) -> Option<(u32, u32)> {
    let scalar = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let bytes = match scalar {
        "char" | "uchar" | "bool" => 1,
        "short" | "ushort" | "half" => 2,
        "int" | "uint" | "float" | "unsigned" => 4,
        "long" | "ulong" | "double" | "size_t" => 8,
        _ => return None,
    };
    let count = match &word[scalar.len()..] {
        "" => 1,
        "2" => 2,
        "3" | "4" => 4,
        "8" => 8,
        "16" => 16,
        _ => return None,
    };
    Some((bytes * count, bytes))
}

/// Whether values of a type are no whole numbers.
fn is_data_type(word: &str) -> bool {
    bytes_of(word).is_some()
        && (matches!(word, "float" | "double" | "half")
            || word.ends_with(|c: char| c.is_ascii_digit()))
}

impl Parser<'_> {
    /// An array that the host passes, of elements of so many bytes.
    pub(super) fn array_of_host(
        &mut self,
        name: &Name,
        (space, constant): (Space, bool),
        (element, scalar): (u32, u32),
    ) {
        let sizes = alloc::vec![None];
        let array = Array { space, element, scalar, sizes, constant, span: name.span };
        self.arrays.insert(name.text.clone(), array);
    }

    /// An argument of a kernel; one that is no whole number is data.
    pub(super) fn host_passes(&mut self, name: &Name, whole: bool) {
        if !whole {
            self.data.insert(name.text.clone());
        }
    }

    /// A statement that declares memory or computes with what it holds.
    pub(super) fn data(&mut self, before: &mut Vec<Statement>) -> Option<Parsed<StatementKind>> {
        if matches!(self.word(), "__local" | "local") && self.word_ahead(1) != "<" {
            return Some(self.local_arrays());
        }
        if self.is("if") && self.word_ahead(1) == "(" && self.is_data(2, true) {
            return Some(self.either_way());
        }
        if self.is("while") && self.word_ahead(1) == "(" && self.is_data(2, true) {
            return Some(self.while_data());
        }
        if let Some(length) = self.data_type() {
            return Some(self.data_variables(length, before));
        }
        if self.is("*") && self.arrays.contains_key(self.word_ahead(1)) {
            return Some(self.stored());
        }
        if !self.is_word() {
            return None;
        }
        let word = self.word();
        let next = self.word_ahead(1);
        let is_array = self.arrays.contains_key(word);
        if is_array && (matches!(next, "[" | ".") || ASSIGNS.contains(&next)) {
            return Some(self.stored());
        }
        let assigns = ASSIGNS.contains(&next) || matches!(next, "[" | ".");
        let known = self.data.contains(word) && assigns && !self.word_ahead(2).starts_with("wait");
        let computed = ASSIGNS.contains(&next) && self.is_data(2, false);
        (known || computed).then(|| self.computed())
    }

    /// Whether data stands between here and the end of the statement, or the closing parenthesis.
    pub(super) fn is_data(&self, from: usize, in_parentheses: bool) -> bool {
        let mut open = 0_u32;
        for ahead in from..from + 400 {
            let Some(token) = self.peek(ahead) else { return false };
            let word = self.text_of(ahead).unwrap_or_default();
            let before = ahead.checked_sub(1).and_then(|before| self.text_of(before));
            let cast = before == Some("(") && self.text_of(ahead + 1) == Some(")");
            let point = token.kind == Kind::Number && self.text_of(ahead + 1) == Some(".");
            match word {
                _ if token.kind == Kind::Newline && open == 0 && !in_parentheses => return false,
                ";" | "{" | "}" => return false,
                "(" | "[" => open += 1,
                ")" | "]" if open == 0 => return false,
                ")" | "]" => open -= 1,
                _ if point || cast && is_data_type(word) => return true,
                _ if token.kind == Kind::Word && self.holds_data(word) => return true,
                _ => {}
            }
        }
        false
    }

    pub(super) fn holds_data(&self, word: &str) -> bool {
        self.arrays.contains_key(word) || self.data.contains(word)
    }

    /// How many tokens the type has of variables that hold data, if it begins here.
    pub(super) fn data_type(&self) -> Option<usize> {
        let skipped = ["const", "volatile", "__private", "private"];
        let mut at = (0..8).find(|&at| !skipped.contains(&self.word_ahead(at)))?;
        let type_name = self.word_ahead(at);
        bytes_of(type_name).or_else(|| self.is_number_type(type_name).then_some((8, 8)))?;
        at += 1;
        at += usize::from(matches!(self.word_ahead(at), "int" | "long" | "const"));
        let named = self.peek(at).is_some_and(|token| token.kind == Kind::Word);
        let behind = self.word_ahead(at + 1);
        let data = is_data_type(type_name) || behind == "[" || self.is_data(at + 1, false);
        (named && data && matches!(behind, "" | "[" | "=" | "," | ";")).then_some(at)
    }

    /// `TYPE NAME = VALUE, NAME[N], …`, whose type has so many tokens.
    pub(super) fn data_variables(
        &mut self,
        length: usize,
        before: &mut Vec<Statement>,
    ) -> Parsed<StatementKind> {
        self.advance_by(length);
        let mut accesses = Vec::new();
        loop {
            let name = self.name("the name of a variable")?;
            let array = self.is("[");
            while self.is("[") {
                self.skip_brackets();
            }
            let mut term = None;
            if self.eat("=") {
                let start = self.here();
                self.begin_term();
                self.value(&mut accesses, false)?;
                term = Some(self.end_term(start)).filter(|_| !array);
            }
            self.data.insert(name.text.clone());
            let declares = StatementKind::Declare(name.clone());
            before.push(Statement { span: name.span, kind: declares });
            let read = core::mem::take(&mut accesses);
            let known = term.map_or_else(Vec::new, |term| alloc::vec![(name.clone(), term)]);
            let (names, mut terms): (Vec<_>, Vec<_>) = known.into_iter().unzip();
            let unknown = if array { alloc::vec![name] } else { names };
            let kind = StatementKind::Data(read, unknown, terms.pop());
            if !self.eat(",") {
                return Ok(kind);
            }
            before.push(Statement { span: self.here(), kind });
        }
    }

    /// `local TYPE NAME[N][M], …`
    fn local_arrays(&mut self) -> Parsed<StatementKind> {
        self.advance();
        while matches!(self.word(), "const" | "volatile") {
            self.advance();
        }
        let (word, here) = (self.word(), self.advance());
        let Some(bytes) = bytes_of(word) else {
            let message = format!(
                "arrays in local memory are of numbers or vectors of them, and this is `{word}`; `lds NAME[BYTES]` at the top declares memory"
            );
            return self.error("unknown-type", here, message);
        };
        loop {
            let name = self.name("the name of an array")?;
            let mut sizes = Vec::new();
            while self.eat("[") {
                sizes.push(Some(self.expression()?));
                self.expect("]")?;
            }
            let space = Space::Local;
            let (element, scalar) = bytes;
            let array = Array { space, element, scalar, sizes, constant: false, span: name.span };
            self.arrays.insert(name.text, array);
            if !self.eat(",") {
                return Ok(StatementKind::Data(Vec::new(), Vec::new(), None));
            }
        }
    }

    /// `ARRAY[INDEX] = VALUE` and its like.
    fn stored(&mut self) -> Parsed<StatementKind> {
        let (mut accesses, elements) = self.elements()?;
        let (operator, here) = (self.word(), self.here());
        if !ASSIGNS.contains(&operator) {
            let found = self.described();
            return self.error(
                "expected-token",
                here,
                format!("expected an assignment, found {found}"),
            );
        }
        self.advance();
        if operator != "=" {
            accesses.extend(elements.iter().cloned());
        }
        self.values(&mut accesses, false)?;
        accesses.extend(elements.into_iter().map(|access| Access { writes: true, ..access }));
        Ok(StatementKind::Data(accesses, Vec::new(), None))
    }

    /// `NAME = VALUE`, `NAME++` in the head of a loop, if it computes data.
    pub(super) fn step_of_data(&mut self) -> Option<Parsed<StatementKind>> {
        let data = ASSIGNS.contains(&self.word_ahead(1))
            && (self.data.contains(self.word()) || self.is_data(2, false));
        data.then(|| self.computed_by(Self::value))
    }

    /// `NAME = VALUE`, the value being data.
    fn computed(&mut self) -> Parsed<StatementKind> {
        self.computed_by(Self::values)
    }

    fn computed_by(
        &mut self,
        read: impl Fn(&mut Self, &mut Vec<Access>, bool) -> Parsed<()>,
    ) -> Parsed<StatementKind> {
        let name = self.name("a variable")?;
        let mut accesses = Vec::new();
        let (start, operator) = (self.here(), self.word());
        self.begin_term();
        read(self, &mut accesses, false)?;
        let mut term = self.end_term(start);
        if operator != "=" {
            term.inputs.push(Input::Variable(name.clone(), true));
        }
        let term = Some(term).filter(|_| ASSIGNS.contains(&operator));
        self.data.insert(name.text.clone());
        Ok(StatementKind::Data(accesses, alloc::vec![name], term))
    }

    /// Declares an array that is accessed, once.
    pub(super) fn declare_array(&mut self, name: &Name, array: &Array) {
        if !self.declared_arrays.insert(name.text.clone()) {
            return;
        }
        let span = array.span;
        let mut code = alloc::vec![(Atom::Int(i64::from(array.element)), span)];
        for size in &array.sizes {
            match size {
                Some(size) => {
                    code.extend(size.code.iter().copied());
                    code.push((Atom::Binary(Binary::Multiply), span));
                }
                None => code = alloc::vec![(Atom::Int(of_host(array.space)), span)],
            }
        }
        let kind = DeclarationKind::Memory(array.space, false, Expression { code, span });
        let name = Name { text: name.text.clone(), span };
        self.implicit.push(Declaration { name, kind });
    }

    /// Whether a statement begins behind the parentheses here that could go on with the condition: `*ARRAY = …`, `++NAME`.
    pub(super) fn statement_follows(&self) -> bool {
        let mut open = 0_u32;
        for ahead in 0..400 {
            open += u32::from(self.word_ahead(ahead) == "(");
            open = open.saturating_sub(u32::from(self.word_ahead(ahead) == ")"));
            if open == 0 {
                let name = self.word_ahead(ahead + 2);
                return match self.word_ahead(ahead + 1) {
                    "*" => self.arrays.contains_key(name),
                    "++" | "--" => self.word_ahead(ahead + 3) == ";",
                    _ => false,
                };
            }
        }
        false
    }

    pub(super) fn skip_brackets(&mut self) {
        let mut open = 0_u32;
        while !self.at_end() {
            open += u32::from(self.is("["));
            open = open.saturating_sub(u32::from(self.is("]")));
            self.advance();
            if open == 0 {
                return;
            }
        }
    }

    /// `if (DATA) … else …`: the accesses of both ways; what they assign has no value behind them.
    fn either_way(&mut self) -> Parsed<StatementKind> {
        let start = self.advance();
        self.advance();
        let foreseen = self.foreseen();
        let guard = self.guard();
        let mut accesses = Vec::new();
        let (from, certain) = (self.here(), self.certain());
        self.values(&mut accesses, true)?;
        let asked = self.need(self.since(from), None);
        self.expect(")")?;
        let condition = self.since(start);
        let mut blocks = alloc::vec![self.body(true)?];
        if self.continues_with("else") || self.else_behind_semicolon() {
            blocks.push(self.body(true)?);
        }
        if blocks.iter().any(decides) {
            let Some((accesses, decision)) = foreseen else {
                return self.undecided(condition);
            };
            let mut blocks = blocks.into_iter();
            let then = blocks.next().unwrap_or_default();
            let kind = StatementKind::Decide(decision, then, blocks.next());
            return Ok(always(behind_accesses(accesses, kind, start)));
        }
        let mut assigned = Vec::new();
        blocks.iter().for_each(|block| assigned_in(block, &mut assigned));
        self.data.extend(assigned.iter().map(|name| name.text.clone()));
        let close = blocks.last().map(|block| block.close).unwrap_or_default();
        let otherwise = blocks.get(1).cloned();
        let mut kinds = alloc::vec![StatementKind::Data(accesses, Vec::new(), None)];
        let (must, may) = certain.unzip();
        let maybe = |(block, holds): (Block, bool)| {
            let need = Need { holds: Some(holds), ..asked.clone() };
            let (must, not) = match holds {
                true => (must.clone(), may.clone().map(negated)),
                false => (may.clone().map(negated), must.clone()),
            };
            let Some((must, not)) = must.zip(not) else { return StatementKind::Maybe(need, block) };
            let inner = StatementKind::Maybe(need, block.clone());
            let close = block.close;
            let of =
                |kind| Block { statements: alloc::vec![Statement { span: close, kind }], close };
            let maybe = of(StatementKind::If(negated(not), of(inner), None));
            StatementKind::If(must, block, Some(maybe))
        };
        kinds.extend(blocks.into_iter().zip([true, false]).map(maybe));
        let forget = StatementKind::Data(Vec::new(), assigned, None);
        let block = |kinds: Vec<StatementKind>| {
            let statements = kinds.into_iter().map(|kind| Statement { span: condition, kind });
            Block { statements: statements.collect(), close }
        };
        let Some(guard) = guard else {
            kinds.push(forget);
            return Ok(always(block(kinds)));
        };
        let guarded = StatementKind::If(guard, block(kinds), otherwise);
        Ok(always(block(alloc::vec![guarded, forget])))
    }

    /// That a name stands for data, where a number is needed.
    pub(super) fn unknown_data(&mut self, word: &str, span: Span) -> Parsed<()> {
        let message = format!(
            "`{word}` holds data, and what that is no scenario says: where it decides write `choose {{ … }} or {{ … }}`, or give a variable a value with `let`"
        );
        self.error("unknown-data", span, message)
    }

    /// Names with whole numbers from here on.
    pub(super) fn is_no_data(&mut self, name: &str) {
        self.data.remove(name);
        self.arrays.remove(name);
    }
}

/// A block that everybody enters.
pub(super) fn always(block: Block) -> StatementKind {
    let span = block.close;
    let condition = Expression { code: alloc::vec![(Atom::Int(1), span)], span };
    StatementKind::If(condition, block, None)
}

/// A loop as accesses and what has no value behind it, where it reads nothing that is written and changes no number but
/// its own.
pub(super) fn without_rounds(count: &Count) -> Option<StatementKind> {
    let (mut accesses, mut changed) = (Vec::new(), Vec::new());
    let body = &count.body;
    let silent = count.next.iter().all(|(name, _)| is_own(count, name))
        && !decides(body)
        && reads_constants(body, &mut accesses, &mut changed);
    silent.then_some(StatementKind::Data(accesses, changed, None))
}

/// Whether a loop declares the variable.
fn is_own(count: &Count, name: &Name) -> bool {
    count.first.iter().any(|first| match &first.kind {
        StatementKind::Let(known, _) | StatementKind::Copy(known, _) => known.text == name.text,
        _ => false,
    })
}

/// The same where data decide how often it goes round: its beginning, and behind it all that it may read.
pub(super) fn without_decision(count: &Count, condition: &[Access]) -> Option<StatementKind> {
    let (mut accesses, mut changed) = (condition.to_vec(), Vec::new());
    let body = &count.body;
    let silent = condition.iter().all(|access| access.first.is_none() && !access.writes)
        && count.next.iter().all(|(name, _)| is_own(count, name))
        && !decides(body)
        && reads_constants(body, &mut accesses, &mut changed);
    let mut statements = count.first.clone();
    let kind = StatementKind::Data(accesses, changed, None);
    statements.push(Statement { span: body.close, kind });
    silent.then(|| always(Block { statements, close: body.close }))
}

/// One of two blocks, or what both read where it does not matter which is taken.
pub(super) fn either(
    condition: Expression,
    then: Block,
    otherwise: Option<Block>,
) -> StatementKind {
    let (mut reads, mut changed) = (Vec::new(), Vec::new());
    let silent = [Some(&then), otherwise.as_ref()]
        .into_iter()
        .flatten()
        .all(|block| !decides(block) && reads_constants(block, &mut reads, &mut changed));
    match silent && !reads.is_empty() {
        true => StatementKind::Data(reads, changed, None),
        false => StatementKind::If(condition, then, otherwise),
    }
}

/// Whether a block reads nothing that is written and changes no number but its own; what it reads and computes.
fn reads_constants(block: &Block, reads: &mut Vec<Access>, changed: &mut Vec<Name>) -> bool {
    block.statements.iter().all(|statement| match &statement.kind {
        StatementKind::Let(..) | StatementKind::Copy(..) | StatementKind::Declare(_) => true,
        StatementKind::Data(accesses, unknown, _) => {
            for access in accesses {
                if reads.iter().all(|known| known.name.text != access.name.text) {
                    reads.push(Access { guard: None, ..access.clone() });
                }
            }
            changed.extend(unknown.iter().cloned());
            accesses.iter().all(|access| access.first.is_none() && !access.writes)
        }
        StatementKind::Maybe(_, body) => reads_constants(body, reads, changed),
        StatementKind::If(_, then, otherwise) => {
            reads_constants(then, reads, changed)
                && otherwise.iter().all(|other| reads_constants(other, reads, changed))
        }
        _ => false,
    })
}

/// Whether a block does more than access memory and compute.
pub(super) fn decides(block: &Block) -> bool {
    block.statements.iter().any(|statement| match &statement.kind {
        StatementKind::Let(..)
        | StatementKind::Copy(..)
        | StatementKind::Declare(_)
        | StatementKind::Assign(..)
        | StatementKind::Data(..) => false,
        StatementKind::Instruction(instruction) => {
            !matches!(instruction.row.effect, Effect::Load | Effect::Store)
        }
        StatementKind::If(_, then, otherwise) => {
            decides(then) || otherwise.as_ref().is_some_and(decides)
        }
        StatementKind::For(_, _, _, body)
        | StatementKind::Repeat(_, body)
        | StatementKind::Maybe(_, body)
        | StatementKind::Switch(Switch { body, .. })
        | StatementKind::Count(Count { body, .. }) => decides(body),
        _ => true,
    })
}

/// What a block assigns to.
fn assigned_in(block: &Block, names: &mut Vec<Name>) {
    let mut own: BTreeSet<&str> = BTreeSet::new();
    for statement in &block.statements {
        match &statement.kind {
            StatementKind::Let(name, _)
            | StatementKind::Copy(name, _)
            | StatementKind::Declare(name) => own.extend([name.text.as_str()]),
            StatementKind::Assign(name, _) if !own.contains(name.text.as_str()) => {
                names.push(name.clone());
            }
            StatementKind::Data(_, assigned, _) => {
                let others = assigned.iter().filter(|name| !own.contains(name.text.as_str()));
                names.extend(others.cloned());
            }
            StatementKind::If(_, then, otherwise) | StatementKind::Decide(_, then, otherwise) => {
                assigned_in(then, names);
                otherwise.iter().for_each(|other| assigned_in(other, names));
            }
            StatementKind::For(_, _, _, body)
            | StatementKind::Repeat(_, body)
            | StatementKind::Maybe(_, body)
            | StatementKind::Switch(Switch { body, .. })
            | StatementKind::Count(Count { body, .. }) => assigned_in(body, names),
            _ => {}
        }
    }
}
