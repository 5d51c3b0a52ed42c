//! Private variables of a PTX thread: `.local` memory addressed by a constant register, as compilers print it without
//! optimisation.
//!
//! PTX ISA 9.1, "Local State Space". Only the thread itself accesses them. A word that is always accessed as a whole is
//! tracked like a register; everything else on the stack is data.

use super::cursor::{Parsed, Parser};
use super::ptx::bytes_of;
use crate::diagnostic::Span;
use crate::expression::machine::{Does, Typed};
use crate::expression::{Atom, Binary};
use crate::lexer::{self, Kind};
use crate::tree::{Name, StatementKind};
use alloc::string::String;
use alloc::vec::Vec;

/// The variables of a kernel or function.
#[derive(Debug, Default)]
pub(super) struct Stack {
    /// Names in the local state space.
    names: Vec<String>,
    /// Registers that hold the stack address.
    registers: Vec<String>,
    /// The tracked words, as the text names them.
    words: Vec<String>,
    /// Whether the words were declared.
    declared: bool,
}

/// Largest number of variables and registers of a stack, and of words; beyond it nothing is tracked.
const MOST_NAMES: usize = 16;
const MOST_WORDS: usize = 512;

/// An access: its first byte, its size, and its text.
type Access<'a> = (i64, i64, &'a str);

/// The size of a load or store from the words of its head.
pub(super) fn bytes_of_access<'a>(head: impl Iterator<Item = &'a str> + Clone) -> i64 {
    let element = head.clone().filter_map(bytes_of).last().unwrap_or(1);
    let count = head.filter_map(|word| match word {
        "v2" => Some(2),
        "v4" => Some(4),
        "v8" => Some(8),
        _ => None,
    });
    element * count.last().unwrap_or(1)
}

/// Words that are always accessed in the same way.
fn words(accesses: &[Access]) -> Vec<String> {
    let alone = |&&one: &&Access| {
        let (first, bytes, _) = one;
        accesses.iter().all(|&other| {
            let (start, count, _) = other;
            one == other || start + count <= first || first + bytes <= start
        })
    };
    let mut words: Vec<String> =
        accesses.iter().filter(alone).map(|&(_, _, text)| String::from(text)).collect();
    words.sort_unstable();
    words.dedup();
    words
}

impl<'a> Parser<'a> {
    /// The variables of the body in braces that starts here.
    pub(super) fn stack_ahead(&self) -> Stack {
        let mut stack = Stack::default();
        let mut accesses: Vec<Access<'a>> = Vec::new();
        let (mut depth, mut at, mut only) = (0_u32, 0, true);
        while let Some(token) = self.peek(at) {
            let word = self.text_of(at).unwrap_or_default();
            if token.kind == Kind::Newline || matches!(word, ";" | "{" | "}") {
                at += 1;
                match word {
                    "{" => depth += 1,
                    "}" if depth < 2 => break,
                    "}" => depth -= 1,
                    _ => {}
                }
                continue;
            }
            let end = self.statement_end(at);
            if self.text_of(at) == Some(".") && self.text_of(at + 1) == Some("local") {
                let name = (at..end).take_while(|&at| self.text_of(at) != Some("[")).last();
                let name = name.filter(|_| stack.names.len() <= MOST_NAMES);
                stack.names.extend(name.and_then(|at| self.text_of(at)).map(String::from));
            } else if only && !stack.names.is_empty() && !self.text_is(at, ".") {
                only &= self.uses_of_stack(at, end, &mut stack, &mut accesses);
            }
            at = end;
        }
        only &= stack.names.len() <= MOST_NAMES && accesses.len() <= MOST_WORDS;
        if only {
            stack.words = words(&accesses);
        } else {
            // A register may also hold another address.
            stack.registers.clear();
        }
        stack
    }

    fn text_is(&self, at: usize, word: &str) -> bool {
        self.text_of(at) == Some(word)
    }

    /// The end of the statement at an offset.
    fn statement_end(&self, at: usize) -> usize {
        let ends = |at: &usize| {
            self.peek(*at).is_none_or(|token| token.kind == Kind::Newline)
                || self.text_is(*at, ";")
                || self.text_is(*at, ":")
        };
        let end = (at + 1..).find(ends).unwrap_or(at + 1);
        if self.text_is(end, ":") { end + 1 } else { end }
    }

    /// Records the uses of the stack in a statement; returns whether it only moves the address or accesses a fixed
    /// position.
    fn uses_of_stack(
        &self,
        at: usize,
        end: usize,
        stack: &mut Stack,
        accesses: &mut Vec<Access<'a>>,
    ) -> bool {
        let word = |at: usize| self.text_of(at).unwrap_or_default();
        let of_stack = |word: &str| {
            stack.names.iter().chain(&stack.registers).any(|known| known.as_str() == word)
        };
        let mut uses = (at..end).filter(|&at| of_stack(word(at)));
        let Some(first) = uses.next() else { return true };
        if uses.next().is_some() {
            return false;
        }
        // `@%p` precedes the head.
        let head = if word(at) == "@" { (at..end).find(|&at| word(at) == "%") } else { None };
        let head = head.map_or(at, |at| at + 2);
        if matches!(word(head), "mov" | "cvta") && first + 1 == end && head == at {
            let register = (head..end).find(|&at| word(at) == ",").map(|at| word(at - 1));
            stack.registers.extend(register.map(String::from));
            return stack.registers.len() <= MOST_NAMES;
        }
        let Some((offset, text)) = self.place_on_stack(first) else { return false };
        let open = (head..end).find(|&at| word(at) == "[").unwrap_or(head);
        let bytes = bytes_of_access((head..open).map(word));
        // All accesses use one base register.
        let one = accesses.first().is_none_or(|(_, _, known)| {
            let base = |text: &'a str| text.split_once('+').map_or(text, |(base, _)| base);
            base(known) == base(text)
        });
        if !accesses.contains(&(offset, bytes, text)) {
            accesses.push((offset, bytes, text));
        }
        let one = one && accesses.len() <= MOST_WORDS;
        one && matches!(word(head), "ld" | "st") && open + 2 == first
    }

    /// The offset and the text of `%SP+8` at an offset, if it is in brackets.
    fn place_on_stack(&self, at: usize) -> Option<(i64, &'a str)> {
        let (first, register) = (self.peek(at.checked_sub(1)?)?.span, self.peek(at)?.span);
        let (offset, last) = match self.text_of(at + 1)? {
            "]" => (0, register),
            "+" if self.text_is(at + 3, "]") => {
                let number = lexer::number(self.text_of(at + 2)?)??;
                (i64::try_from(number).ok()?, self.peek(at + 2)?.span)
            }
            _ => return None,
        };
        let length = (last.start + last.length).checked_sub(first.start)?;
        let text = lexer::slice(self.text, Span { length, ..first });
        let whole = text.starts_with('%') && !text.contains(char::is_whitespace);
        (whole && self.text_is(at.checked_sub(2)?, "[")).then_some((offset, text))
    }

    /// The declaration of a variable: the words of the stack become unknown.
    pub(super) fn local_variable(&mut self) -> StatementKind {
        let span = self.here();
        self.skip_operands();
        let Some(entry) = &mut self.entry else { return StatementKind::Forget(Vec::new()) };
        let words = match core::mem::replace(&mut entry.stack.declared, true) {
            false => entry.stack.words.clone(),
            true => Vec::new(),
        };
        StatementKind::Forget(words.into_iter().map(|text| Name { text, span }).collect())
    }

    fn stack(&self) -> Option<&Stack> {
        Some(&self.entry.as_ref()?.stack)
    }

    /// Whether the next instruction moves the address of a variable to a register.
    pub(super) fn moves_stack(&self) -> bool {
        let Some(stack) = self.stack().filter(|stack| !stack.names.is_empty()) else {
            return false;
        };
        let end = self.statement_end(0);
        let last = end.checked_sub(1).and_then(|at| self.text_of(at)).unwrap_or_default();
        let moves = matches!(self.word(), "mov" | "cvta");
        moves && stack.names.iter().chain(&stack.registers).any(|known| known == last)
    }

    /// A load or a store of a word on the stack, if that is next.
    pub(super) fn word_of_stack(&mut self) -> Option<Parsed<StatementKind>> {
        let stack = self.stack().filter(|stack| !stack.registers.is_empty())?;
        let end = self.statement_end(0);
        let at = (0..end).find(|&at| self.text_is(at, "["))?;
        let register = self.text_of(at + 2)?;
        let on_stack =
            self.text_is(at + 1, "%") && stack.registers.iter().any(|known| known == register);
        on_stack.then(|| self.stack_accessed())
    }

    fn stack_accessed(&mut self) -> Parsed<StatementKind> {
        let start = self.here();
        let writes = self.is("st");
        let head = self.instruction_head();
        let results = match writes {
            true => Vec::new(),
            false => {
                let results = self.unknown_results()?;
                self.expect(",")?;
                results
            }
        };
        let place = self.place_on_stack(2).map(|(_, text)| text);
        self.expect("[")?;
        let open = self.here();
        while !self.at_end() && !self.eat("]") {
            self.advance();
        }
        let followed = |text: &&str| {
            self.stack().is_some_and(|stack| stack.words.iter().any(|known| known == text))
        };
        let word = place.filter(followed).map(|text| {
            let span = Span { length: text.len() as u32, ..open };
            Name { text: text.into(), span }
        });
        if writes {
            self.expect(",")?;
            if self.is("{") || word.is_none() {
                self.skip_operands();
                return Ok(StatementKind::Forget(word.into_iter().collect()));
            }
            let value = self.register_or_value()?;
            return Ok(self.sum_made(&head, word, value, start));
        }
        self.skip_operands();
        let (Some(word), [_]) = (word, &results[..]) else {
            return Ok(StatementKind::Forget(results));
        };
        let of = head.text.rsplit('.').next().unwrap_or_default();
        let bits = 8 * bytes_of(of).unwrap_or(8).min(8) as u8;
        let typed = Typed { does: Does::Plain(Binary::Add), bits, signed: of.starts_with('s') };
        let span = word.span;
        let code =
            alloc::vec![(Atom::Name, span), (Atom::Int(0), span), (Atom::Machine(typed), span)];
        let value = crate::expression::Expression { code, span };
        Ok(self.sum_made(&head, results.into_iter().next(), value, start))
    }
}
