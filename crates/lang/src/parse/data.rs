//! Data of a pasted kernel: arrays, floating-point variables, and what is computed with them.
//!
//! What memory holds no scenario says. So of a statement that computes with it the accesses are read, in order, and its
//! value is not known: where something is decided by it that is an error at its place, unless both ways reach the same
//! barriers, and then the accesses of both are taken.

use super::cursor::{Parsed, Parser};
use crate::diagnostic::Span;
use crate::expression::{Atom, Binary, Expression, Unary};
use crate::lexer::Kind;
use crate::tree::{
    Access, Block, Count, Declaration, DeclarationKind, Name, Statement, StatementKind, Switch,
};
use crate::vocabulary::Effect;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::mem::operation::Space;

/// An array of a kernel, or one variable in local memory.
#[derive(Clone, Debug)]
pub(crate) struct Array {
    space: Space,
    /// Bytes of an element.
    element: u32,
    /// How many elements there are in each dimension; one that is not known, of what the host passes.
    sizes: Vec<Option<Expression>>,
    /// Whether nothing writes it: then it does not matter which element is read.
    constant: bool,
    span: Span,
}

/// The bytes that an array of the host is taken to have.
const BYTES_OF_HOST: i64 = 1 << 31;

/// How far ahead conditions are looked for.
const LOOK_AHEAD: usize = 100;

/// Words that assign.
const ASSIGNS: [&str; 13] =
    ["=", "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", "<<=", ">>=", "++", "--"];

/// The bytes of a type, if it is one of numbers or of vectors of them.
pub(super) fn bytes_of(word: &str) -> Option<u32> {
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
    Some(bytes * count)
}

/// Whether values of a type are no whole numbers.
fn is_data_type(word: &str) -> bool {
    bytes_of(word).is_some()
        && (matches!(word, "float" | "double" | "half")
            || word.ends_with(|c: char| c.is_ascii_digit()))
}

impl Parser<'_> {
    /// An array that the host passes, of elements of that type.
    pub(super) fn array_of_host(
        &mut self,
        name: &Name,
        (space, constant): (Space, bool),
        element: u32,
    ) {
        let sizes = alloc::vec![None];
        let array = Array { space, element, sizes, constant, span: name.span };
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
    fn is_data(&self, from: usize, in_parentheses: bool) -> bool {
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

    fn holds_data(&self, word: &str) -> bool {
        self.arrays.contains_key(word) || self.data.contains(word)
    }

    /// How many tokens the type has of variables that hold data, if it begins here.
    fn data_type(&self) -> Option<usize> {
        let skipped = ["const", "volatile", "__private", "private"];
        let mut at = (0..8).find(|&at| !skipped.contains(&self.word_ahead(at)))?;
        let type_name = self.word_ahead(at);
        bytes_of(type_name).or_else(|| self.is_number_type(type_name).then_some(8))?;
        at += 1;
        at += usize::from(matches!(self.word_ahead(at), "int" | "long" | "const"));
        let named = self.peek(at).is_some_and(|token| token.kind == Kind::Word);
        let behind = self.word_ahead(at + 1);
        let data = is_data_type(type_name) || behind == "[" || self.is_data(at + 1, false);
        (named && data && matches!(behind, "" | "[" | "=" | "," | ";")).then_some(at)
    }

    /// `TYPE NAME = VALUE, NAME[N], …`, whose type has so many tokens.
    fn data_variables(
        &mut self,
        length: usize,
        before: &mut Vec<Statement>,
    ) -> Parsed<StatementKind> {
        self.advance_by(length);
        let mut accesses = Vec::new();
        loop {
            let name = self.name("the name of a variable")?;
            while self.is("[") {
                self.skip_brackets();
            }
            if self.eat("=") {
                self.value(&mut accesses, true)?;
            }
            self.data.insert(name.text.clone());
            before.push(Statement { span: name.span, kind: StatementKind::Declare(name) });
            if !self.eat(",") {
                return Ok(StatementKind::Data(accesses, Vec::new()));
            }
        }
    }

    /// `local TYPE NAME[N][M], …`
    fn local_arrays(&mut self) -> Parsed<StatementKind> {
        self.advance();
        while matches!(self.word(), "const" | "volatile") {
            self.advance();
        }
        let (word, here) = (self.word(), self.advance());
        let Some(element) = bytes_of(word) else {
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
            let array = Array { space, element, sizes, constant: false, span: name.span };
            self.arrays.insert(name.text, array);
            if !self.eat(",") {
                return Ok(StatementKind::Data(Vec::new(), Vec::new()));
            }
        }
    }

    /// `ARRAY[INDEX] = VALUE` and its like.
    fn stored(&mut self) -> Parsed<StatementKind> {
        let access = self.access()?;
        while self.eat(".") {
            self.advance();
        }
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
        let mut accesses = Vec::new();
        if operator != "=" {
            accesses.push(access.clone());
        }
        self.value(&mut accesses, false)?;
        accesses.push(Access { writes: true, ..access });
        Ok(StatementKind::Data(accesses, Vec::new()))
    }

    /// `NAME = VALUE`, the value being data.
    fn computed(&mut self) -> Parsed<StatementKind> {
        let name = self.name("a variable")?;
        let mut accesses = Vec::new();
        self.value(&mut accesses, false)?;
        self.data.insert(name.text.clone());
        Ok(StatementKind::Data(accesses, alloc::vec![name]))
    }

    /// An element: its bytes, from the name on.
    fn access(&mut self) -> Parsed<Access> {
        let points = self.eat("*");
        let name = self.name("an array")?;
        let Some(array) = self.arrays.get(&name.text).cloned() else {
            return self.error("unknown-name", name.span, "this is no array");
        };
        if array.constant && self.is("[") {
            return self.of_constant(name, &array);
        }
        let mut code = alloc::vec![(Atom::Int(0), name.span)];
        for (at, size) in array.sizes.iter().enumerate() {
            if points && at == 0 {
                continue;
            }
            if !self.is("[") {
                let message = format!(
                    "`{}` as a whole is not followed: an access names an element, as `{}[0]`",
                    name.text, name.text
                );
                return self.error("memory-as-value", name.span, message);
            }
            self.advance();
            let index = self.expression()?;
            self.expect("]")?;
            if let Some(size) = size.as_ref().filter(|_| at > 0) {
                code.extend(size.code.iter().copied());
                code.push((Atom::Binary(Binary::Multiply), name.span));
            }
            code.extend(index.code);
            code.push((Atom::Binary(Binary::Add), name.span));
        }
        code.push((Atom::Int(i64::from(array.element)), name.span));
        code.push((Atom::Binary(Binary::Multiply), name.span));
        self.declare_array(&name, &array);
        let span = self.since(name.span);
        let first = Expression { code, span };
        let text = String::from(crate::lexer::slice(self.text, span));
        let (writes, first, bytes, guard) = (false, Some(first), array.element, None);
        Ok(Access { name, writes, first, bytes, guard, text })
    }

    /// An element of an array that nothing writes, whichever it is; the accesses of its index belong to the same memory
    /// or to other such.
    fn of_constant(&mut self, name: Name, array: &Array) -> Parsed<Access> {
        while self.is("[") {
            self.skip_brackets();
        }
        self.declare_array(&name, array);
        let text = String::from(crate::lexer::slice(self.text, self.since(name.span)));
        let (writes, first, bytes, guard) = (false, None, array.element, None);
        Ok(Access { name, writes, first, bytes, guard, text })
    }

    /// Declares an array that is accessed, once.
    fn declare_array(&mut self, name: &Name, array: &Array) {
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
                None => code = alloc::vec![(Atom::Int(BYTES_OF_HOST), span)],
            }
        }
        let kind = DeclarationKind::Memory(array.space, false, Expression { code, span });
        let name = Name { text: name.text.clone(), span };
        self.implicit.push(Declaration { name, kind });
    }

    /// The accesses of a value; of `CONDITION ? A : B` those of one of the two, where the condition is no data.
    fn value(&mut self, accesses: &mut Vec<Access>, declares: bool) -> Parsed<()> {
        if !self.begins_choice() {
            return self.reads(accesses, declares);
        }
        let start = self.here();
        let mut code = Vec::new();
        self.binary_from(0, &mut code)?;
        let condition = Expression { code, span: self.since(start) };
        self.expect("?")?;
        let (mut first, mut second) = (Vec::new(), Vec::new());
        self.reads(&mut first, declares)?;
        self.expect(":")?;
        self.deeper(|parser| parser.value(&mut second, declares))?;
        let mut otherwise = condition.clone();
        otherwise.code.push((Atom::Unary(Unary::Not), start));
        accesses.extend(first.into_iter().map(|access| access.only_if(&condition)));
        accesses.extend(second.into_iter().map(|access| access.only_if(&otherwise)));
        Ok(())
    }

    /// Whether a condition that is no data stands here, and `?` behind it.
    fn begins_choice(&self) -> bool {
        let mut open = 0_u32;
        for ahead in 0..LOOK_AHEAD {
            let word = self.word_ahead(ahead);
            match word {
                "?" if open == 0 => return true,
                "" | ";" | "{" | "}" => return false,
                "(" | "[" => open += 1,
                ")" | "]" | "," if open == 0 => return false,
                ")" | "]" => open -= 1,
                _ if self.text_of(ahead + 1) == Some(".") || self.holds_data(word) => return false,
                _ => {}
            }
        }
        false
    }

    /// The conditions at the front of `CONDITION && DATA` that are no data.
    fn guard(&mut self) -> Parsed<Option<Expression>> {
        let mut guard: Option<Expression> = None;
        while self.guards() {
            let start = self.here();
            let mut code = Vec::new();
            self.binary_from(3, &mut code)?;
            let condition = Expression { code, span: self.since(start) };
            guard = Some(match guard {
                Some(before) => both(&before, &condition),
                None => condition,
            });
            self.expect("&&")?;
        }
        Ok(guard)
    }

    /// Whether what stands before the next `&&` is no data, and no `||` is in these parentheses.
    fn guards(&self) -> bool {
        let (mut open, mut found) = (0_u32, false);
        for ahead in 0..LOOK_AHEAD {
            let word = self.text_of(ahead).unwrap_or(";");
            match word {
                "&&" if open == 0 => found = true,
                ";" | "{" | "}" => return false,
                "||" | "?" if open == 0 => return false,
                "(" | "[" => open += 1,
                ")" | "]" if open == 0 => return found,
                ")" | "]" => open -= 1,
                _ if found => {}
                _ if self.text_of(ahead + 1) == Some(".") || self.holds_data(word) => return false,
                _ => {}
            }
        }
        false
    }

    /// The accesses of a value, up to its end: of the statement, of the declaration, or of the parentheses.
    fn reads(&mut self, accesses: &mut Vec<Access>, declares: bool) -> Parsed<()> {
        let mut open = 0_u32;
        while self.peek(0).is_some() {
            let newline = self.kind() == Some(Kind::Newline);
            let goes_on = open > 0 || !self.is_behind_value();
            match self.word() {
                _ if newline && goes_on => {}
                ")" | "]" | "}" if open == 0 => return Ok(()),
                "," if open == 0 && declares => return Ok(()),
                ":" if open == 0 => return Ok(()),
                _ if open == 0 && self.at_end() => return Ok(()),
                ";" => return self.expect(")").map(drop),
                "(" | "[" | "{" => open += 1,
                ")" | "]" | "}" => open -= 1,
                word if self.is_word() && self.arrays.contains_key(word) => {
                    let access = self.access()?;
                    accesses.push(access);
                    continue;
                }
                _ => {}
            }
            self.advance();
        }
        Ok(())
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

    fn skip_brackets(&mut self) {
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
        let guard = self.guard()?;
        let mut accesses = Vec::new();
        self.reads(&mut accesses, false)?;
        self.expect(")")?;
        let condition = self.since(start);
        let mut blocks = alloc::vec![self.body(true)?];
        if self.continues_with("else") || self.else_behind_semicolon() {
            blocks.push(self.body(true)?);
        }
        if blocks.iter().any(decides) {
            let message = "what memory holds is not known, and here it decides who goes on to what: write `choose { … } or { … }`, which checks both";
            return self.error("unknown-data", condition, message);
        }
        let mut assigned = Vec::new();
        blocks.iter().for_each(|block| assigned_in(block, &mut assigned));
        self.data.extend(assigned.iter().map(|name| name.text.clone()));
        let close = blocks.last().map(|block| block.close).unwrap_or_default();
        let otherwise = blocks.get(1).cloned();
        let mut kinds = alloc::vec![StatementKind::Data(accesses, Vec::new())];
        kinds.extend(blocks.into_iter().map(always));
        let forget = StatementKind::Data(Vec::new(), assigned);
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

impl Access {
    /// The same access, where a condition holds.
    fn only_if(self, condition: &Expression) -> Self {
        let guard = match &self.guard {
            Some(inner) => both(condition, inner),
            None => condition.clone(),
        };
        Self { guard: Some(guard), ..self }
    }
}

/// `A && B`
fn both(first: &Expression, second: &Expression) -> Expression {
    let span = first.span;
    let mut code = first.code.clone();
    code.push((Atom::And(second.code.len() as u32 + 1), span));
    code.extend(second.code.iter().copied());
    code.push((Atom::Truth, span));
    Expression { code, span }
}

/// A block that everybody enters.
pub(super) fn always(block: Block) -> StatementKind {
    let span = block.close;
    let condition = Expression { code: alloc::vec![(Atom::Int(1), span)], span };
    StatementKind::If(condition, block, None)
}

/// Whether a block does more than access memory and compute.
fn decides(block: &Block) -> bool {
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
            StatementKind::Data(_, assigned) => {
                let others = assigned.iter().filter(|name| !own.contains(name.text.as_str()));
                names.extend(others.cloned());
            }
            StatementKind::If(_, then, otherwise) => {
                assigned_in(then, names);
                otherwise.iter().for_each(|other| assigned_in(other, names));
            }
            StatementKind::For(_, _, _, body)
            | StatementKind::Repeat(_, body)
            | StatementKind::Switch(Switch { body, .. })
            | StatementKind::Count(Count { body, .. }) => assigned_in(body, names),
            _ => {}
        }
    }
}
