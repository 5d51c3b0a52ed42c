//! Constants of C outside functions: `enum`, and variables in constant memory.
//!
//! An integer with an initial value is a constant of the text. Other variables are memory that no work-item writes, whose
//! contents are not followed.

use super::ctypes::bytes_of;
use super::cursor::{Parsed, Parser};
use crate::expression::types::Type;
use crate::expression::{Atom, Binary, Expression};
use crate::lexer::{self, Kind};
use crate::tree::{Declaration, DeclarationKind, Name, Tree};
use alloc::vec::Vec;
use tidegate_model::mem::operation::Space;

/// The words for constant memory.
const CONSTANT: [&str; 2] = ["constant", "__constant"];

/// The assumed number of elements of a dimension that the initial values determine.
const UNCOUNTED: i64 = 1 << 16;

impl Parser<'_> {
    /// Whether an enumeration of C starts here; its name is omitted.
    pub(super) fn begins_enumeration(&self) -> bool {
        self.is("enum") && self.word_ahead(1) == "{"
    }

    /// `enum { NAME, NAME = VALUE, … }`
    pub(super) fn enumeration(&mut self) -> Parsed<()> {
        self.of_c = true;
        self.advance_by(2);
        let mut before: Option<Name> = None;
        loop {
            self.skip_newlines();
            if self.eat("}") {
                break;
            }
            if before.is_some() {
                self.expect(",")?;
                self.skip_newlines();
                if self.eat("}") {
                    break;
                }
            }
            let name = self.name("the name of a constant")?;
            let mut value = match self.eat("=") {
                true => self.expression()?,
                false => following(before.as_ref(), &name),
            };
            value.code.push((Atom::Convert(Type::Int), value.span));
            self.is_no_data(&name.text);
            self.define(name.clone(), value);
            before = Some(name);
        }
        // The name of a `typedef`, which stands for the type.
        self.eat("enum");
        Ok(())
    }

    fn define(&mut self, name: Name, value: Expression) {
        self.implicit.push(Declaration { name, kind: DeclarationKind::Constant(value) });
    }

    /// Whether a variable in constant memory is declared here.
    pub(super) fn begins_constant(&self) -> bool {
        let at = usize::from(self.is("static"));
        let word = self.word_ahead(at);
        let typed = |(length, ..): (usize, _, _)| {
            self.peek(at + length).is_some_and(|token| token.kind == Kind::Word)
        };
        CONSTANT.contains(&word) && self.word_ahead(at + 1) != "<"
            || word == "const" && self.type_at(at).is_some_and(typed)
    }

    /// `constant TYPE NAME[N] = { … }, …`
    pub(super) fn constants(&mut self, tree: &mut Tree) -> Parsed<()> {
        let mut words = Vec::new();
        while self.is("*") || self.is_word() && !ends_name(self.word_ahead(1)) {
            words.push(self.word());
            self.advance();
        }
        loop {
            self.skip_newlines();
            let name = self.name("the name of a constant")?;
            let mut sizes = Vec::new();
            while self.eat("[") {
                let size = if self.is("]") { None } else { Some(self.expression()?) };
                sizes.push(size.unwrap_or_else(|| number(UNCOUNTED, &name)));
                self.expect("]")?;
            }
            if !self.is_known(&name, &words, &sizes) {
                self.constant_memory(&name, &words, sizes);
                tree.given.insert(name.text);
                if self.eat("=") {
                    self.skip_initial_values();
                }
            }
            if !self.eat(",") {
                return Ok(());
            }
        }
    }

    /// Defines an integer whose initial value is a number of the text.
    fn is_known(&mut self, name: &Name, words: &[&str], sizes: &[Expression]) -> bool {
        let is_integer = || super::ctypes::range_of(words.iter().copied()).is_some();
        if !sizes.is_empty() || words.contains(&"*") || !self.is("=") || !is_integer() {
            return false;
        }
        let value = self.attempted(|parser| {
            parser.advance();
            let value = parser.expression()?;
            let known = |(atom, span): &(Atom, _)| {
                let text = lexer::slice(parser.text, *span);
                *atom != Atom::Name || parser.implicit.iter().any(|one| one.name.text == text)
            };
            let is_number = value.code.iter().all(known) && matches!(parser.word(), "," | ";");
            if is_number { Ok(value) } else { Err(super::cursor::Failed) }
        });
        let Some(mut value) = value else { return false };
        let of = Type::of(words.iter().copied());
        value.code.extend(of.map(|of| (Atom::Convert(of), value.span)));
        self.define(name.clone(), value);
        true
    }

    fn constant_memory(&mut self, name: &Name, words: &[&str], sizes: Vec<Expression>) {
        let known = |word: &&str| bytes_of(word).is_some() || self.structure(word).is_some();
        let typed = words.iter().any(known) && !words.contains(&"*");
        // The contents of other types, such as samplers, are data too.
        let of: &[&str] = if typed { words } else { &["ulong"] };
        self.array_of(name, (Some(Space::Global), true), of);
        if let Some(array) = self.arrays.get_mut(&name.text) {
            array.sizes = sizes.into_iter().map(Some).collect();
        }
    }

    /// Skips an initial value up to the next comma or the end.
    fn skip_initial_values(&mut self) {
        let mut open = 0_u32;
        while self.peek(0).is_some() {
            match self.word() {
                "," | ";" if open == 0 => return,
                "(" | "[" | "{" => open += 1,
                ")" | "]" | "}" => open = open.saturating_sub(1),
                _ => {}
            }
            self.advance();
        }
    }
}

/// Whether a word follows the name of a declared variable.
fn ends_name(word: &str) -> bool {
    matches!(word, "[" | "=" | "," | ";" | "")
}

/// The value of a constant without one: one more than the constant before it.
fn following(before: Option<&Name>, name: &Name) -> Expression {
    let Some(before) = before else { return number(0, name) };
    let code = alloc::vec![
        (Atom::Name, before.span),
        (Atom::Literal(1, Type::Int), name.span),
        (Atom::Binary(Binary::Add), name.span)
    ];
    Expression { code, span: name.span }
}

fn number(number: i64, name: &Name) -> Expression {
    let code = alloc::vec![(Atom::Literal(number, Type::Int), name.span)];
    Expression { code, span: name.span }
}
