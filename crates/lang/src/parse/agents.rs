//! Blocks of agents, `kernel`, functions.

use super::cursor::{Parsed, Parser};
use crate::diagnostic::Suggestion;
use crate::lexer::{self, Kind};
use crate::tree::{AgentBlock, Function, Selection, Tree};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

impl Parser<'_> {
    /// `workgroup W wave V lane L { … }`; only the wave must be named.
    pub(super) fn agent_block(&mut self, tree: &mut Tree) -> Parsed<()> {
        let start = self.here();
        let workgroups = self.selection(&["workgroup", "cta", "group"], tree)?;
        let Some(waves) = self.selection(&["wave", "warp", "subgroup"], tree)? else {
            let (found, here) = (self.described(), self.here());
            return self.error(
                "expected-token",
                here,
                format!("expected `wave` and its index, found {found}"),
            );
        };
        let lanes = self.selection(&["lane", "thread", "item"], tree)?;
        let span = self.since(start);
        let all = Selection::All;
        let body = self.block()?;
        let (workgroups, lanes) = (workgroups.unwrap_or(all), lanes.unwrap_or(all));
        let per_thread = false;
        let block = AgentBlock::of_all(span, body);
        tree.agents.push(AgentBlock { workgroups, waves, lanes, per_thread, ..block });
        Ok(())
    }

    /// A kernel; `of_items` if work-items of OpenCL run it where it is written in C.
    pub(super) fn kernel(&mut self, tree: &mut Tree, of_items: bool) -> Parsed<()> {
        let span = self.advance();
        self.attributes(tree);
        let mut arguments = Vec::new();
        let newlines = self.behind_newlines();
        if self.text_of(newlines) == Some("void") {
            self.of_c = true;
            self.advance_by(newlines + 1);
            self.advance_by(self.behind_newlines());
            self.attributes(tree);
            self.advance_by(self.behind_newlines());
            let name = self.name("the name of the kernel")?;
            if self.passes_over(&name) {
                self.skip_kernel();
                return Ok(());
            }
            arguments = self.kernel_arguments(tree)?;
            let ahead = self.behind_newlines();
            if self.text_of(ahead) == Some("__attribute__") {
                self.advance_by(ahead);
                self.attributes(tree);
            }
        }
        if self.of_c && of_items {
            self.assume_launch(tree);
        }
        let mut body = self.block()?;
        body.statements.splice(..0, core::mem::take(&mut self.moved));
        let of_c = self.of_c;
        tree.agents.push(AgentBlock { arguments, of_c, ..AgentBlock::of_all(span, body) });
        Ok(())
    }

    /// A selecting word and its selection, if one is next.
    fn selection(&mut self, words: &[&str], tree: &Tree) -> Parsed<Option<Selection>> {
        if !words.contains(&self.word()) {
            return Ok(None);
        }
        self.advance();
        if self.eat("*") {
            return Ok(Some(Selection::All));
        }
        let start = self.here();
        let first = self.count(tree)?;
        if self.is("..") {
            let message = "a range of agents must name its first and its last agent";
            let suggestion = Suggestion {
                message: String::from("write `-` between them, as in `wave 0-1`"),
                replacement: Some(String::from("-")),
            };
            return self.suggest("range-of-agents", self.here(), message, Some(suggestion));
        }
        let last = if self.eat("-") { self.count(tree)? } else { first };
        if last < first {
            let span = self.since(start);
            return self.error("empty-range", span, format!("the range {first}-{last} is empty"));
        }
        Ok(Some(Selection::Range(first, last)))
    }

    /// A number, or the name of an earlier constant with a single number.
    pub(super) fn count(&mut self, tree: &Tree) -> Parsed<i64> {
        let (word, here) = (self.word(), self.here());
        let value = match self.kind() {
            Some(Kind::Number) => {
                lexer::number(word).flatten().and_then(|number| i64::try_from(number).ok())
            }
            Some(Kind::Word) => tree.counts.get(word).copied(),
            _ => None,
        };
        let Some(value) = value else {
            let found = self.described();
            return self.error(
                "expected-number",
                here,
                format!("expected a number, found {found}"),
            );
        };
        self.advance();
        Ok(value)
    }

    pub(super) fn function(&mut self, tree: &mut Tree) -> Parsed<()> {
        self.advance();
        self.function_behind(tree)
    }

    /// A function, starting at its name.
    pub(super) fn function_behind(&mut self, tree: &mut Tree) -> Parsed<()> {
        let name = self.name("the name of the function")?;
        let result = self.returned.take();
        self.expect("(")?;
        let (mut parameters, mut barriers) = (Vec::new(), Vec::new());
        self.skip_newlines();
        if self.is("void") && self.word_ahead(1) == ")" {
            self.advance();
        }
        while !self.eat(")") {
            if !parameters.is_empty() {
                self.expect(",")?;
                self.skip_newlines();
            }
            barriers.push(self.parameter_type(tree));
            let parameter = self.name("a parameter")?;
            let array = self.arrays.contains_key(&parameter.text);
            parameters.push(parameter);
            self.parameter_bounds(tree, array)?;
            self.skip_newlines();
        }
        self.return_type(tree);
        let body = self.block()?;
        tree.functions.push(Function { name, result, parameters, barriers, body });
        Ok(())
    }
}
