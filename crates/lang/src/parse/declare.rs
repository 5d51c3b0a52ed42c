//! Declarations: `barrier`, `mbarrier`, `lds`, `global`, `const`, and allocations by other vocabularies.

use super::cursor::{Parsed, Parser};
use super::ptx::product;
use crate::expression::{Atom, Expression};
use crate::lexer::Kind;
use crate::suggest;
use crate::tree::{Declaration, DeclarationKind, Tree};
use crate::vocabulary::tlx;
use alloc::format;
use alloc::vec::Vec;
use tidegate_model::mem::operation::Space;
use tidegate_model::ptx::tile;

impl Parser<'_> {
    pub(super) fn declaration(&mut self, tree: &mut Tree) -> Parsed<()> {
        let (word, _) = (self.word(), self.advance());
        self.one_declaration(word, tree)?;
        while self.is(",") {
            let comma = self.advance();
            let message = format!("expected the end of the declaration of one `{word}`, found `,`");
            let suggestion = suggest::replace(&format!("; {word}"));
            let _ = self.suggest::<()>("expected-end", comma, message, Some(suggestion));
            self.one_declaration(word, tree)?;
        }
        Ok(())
    }

    /// One declaration without its first word.
    fn one_declaration(&mut self, word: &str, tree: &mut Tree) -> Parsed<()> {
        if word == "mbarrier" && self.kind() == Some(Kind::Number) {
            let (here, address) = (self.here(), self.word());
            let message = format!(
                "expected a name, found {address}: declare `mbarrier NAME`, and objects lie at 0x400, 0x408 and so on in the order of their declarations"
            );
            return self.error("expected-token", here, message);
        }
        let name = self.name("a name")?;
        let kind = match word {
            "barrier" => {
                let count = if self.is("[") { Some(self.bracketed()?) } else { None };
                if self.eat("=") {
                    self.expect("named")?;
                    self.expect("(")?;
                    let id = self.expression()?;
                    self.expect(")")?;
                    DeclarationKind::Named(count, id)
                } else {
                    DeclarationKind::Barrier(count)
                }
            }
            "mbarrier" => {
                DeclarationKind::Mbarrier(if self.is("[") { Some(self.bracketed()?) } else { None })
            }
            "const" => {
                self.expect("=")?;
                let value = self.expression()?;
                if let [(Atom::Int(number), _)] = value.code[..] {
                    tree.counts.insert(name.text.clone(), number);
                }
                DeclarationKind::Constant(value)
            }
            "global" => {
                let size = self.bracketed()?;
                if self.eat("box") {
                    let mut of = Vec::new();
                    self.listed("[", |parser| {
                        of.push(parser.expression()?);
                        Ok(())
                    })?;
                    self.expect("of")?;
                    of.push(self.expression()?);
                    tree.boxes.insert(name.text.clone(), of);
                }
                DeclarationKind::Memory(Space::Global, false, size)
            }
            "image" => DeclarationKind::Memory(Space::Global, true, self.bracketed()?),
            _ => {
                let mut size = self.bracketed()?;
                if self.is("[") {
                    let stage = self.bracketed()?;
                    size = product(size, &stage);
                    tree.stages.insert(name.text.clone(), stage);
                }
                DeclarationKind::Memory(Space::Local, false, size)
            }
        };
        tree.declarations.push(Declaration { name, kind });
        Ok(())
    }

    fn bracketed(&mut self) -> Parsed<Expression> {
        self.expect("[")?;
        let value = self.expression()?;
        self.expect("]")?;
        Ok(value)
    }

    /// `NAME = tl.constexpr(2)` and `NAME: tl.constexpr = 2`.
    fn constant_of_python(&mut self, tree: &mut Tree) -> bool {
        let of = |at: usize| {
            [at, at + 1, at + 2].map(|at| self.word_ahead(at)) == ["tl", ".", "constexpr"]
        };
        let called = self.word_ahead(1) == "=" && of(2) && self.word_ahead(5) == "(";
        let typed = self.word_ahead(1) == ":" && of(2) && self.word_ahead(5) == "=";
        if !called && !typed {
            return false;
        }
        let Ok(name) = self.name("a name") else { return false };
        self.advance_by(5);
        let Ok(value) = self.expression() else { return true };
        if called && self.expect(")").is_err() {
            return true;
        }
        if let [(Atom::Int(number), _)] = value.code[..] {
            tree.counts.insert(name.text.clone(), number);
        }
        tree.declarations.push(Declaration { name, kind: DeclarationKind::Constant(value) });
        true
    }

    /// `NAME = tlx.alloc_barriers(…)` or `NAME = tlx.local_alloc(…)`. Returns whether one is next.
    pub(super) fn allocation(&mut self, tree: &mut Tree) -> bool {
        if self.constant_of_python(tree) {
            return true;
        }
        if self.word_ahead(1) != "=" || self.word_ahead(2) != "tlx" {
            return false;
        }
        let Ok(name) = self.name("a name") else { return false };
        self.advance();
        if self.word_ahead(2) == tlx::LOCAL {
            match self.allocated_memory() {
                Ok((size, stage, shape)) => {
                    if (2..=tile::MOST + 1).contains(&shape.len()) {
                        tree.boxes.insert(name.text.clone(), shape);
                    }
                    tree.stages.insert(name.text.clone(), stage);
                    let kind = DeclarationKind::Memory(Space::Local, false, size);
                    tree.declarations.push(Declaration { name, kind });
                }
                Err(_) => self.skip_operands(),
            }
            return true;
        }
        match self.allocated() {
            Ok([count, arrivals]) => {
                let kind = DeclarationKind::Allocated(count.unwrap_or_default(), arrivals);
                tree.declarations.push(Declaration { name, kind });
            }
            Err(_) => self.skip_operands(),
        }
        true
    }
}
