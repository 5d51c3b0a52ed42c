//! The arguments of a kernel: `kernel void NAME(…)`.

use super::assumed::sub_groups;
use super::ctypes;
use super::ctypes::Alias;
use super::ctypes::{bytes_of, type_of};
use super::cursor::{Parsed, Parser};
use crate::expression::types;
use crate::lexer::{self, Kind};
use crate::tree::{
    Argument, Array, Element, Name, Restriction, Statement, StatementKind, Tree, Value, ValueKind,
};
use crate::vocabulary::opencl::{POINTERS, TYPE};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::mem::operation::Space;

impl Parser<'_> {
    /// The arguments of a kernel between their parentheses.
    pub(super) fn kernel_arguments(&mut self, tree: &mut Tree) -> Parsed<Vec<Argument>> {
        self.skip_newlines();
        self.expect("(")?;
        let mut arguments = Vec::new();
        loop {
            self.skip_newlines();
            if self.eat(")") {
                let names = arguments.iter().map(|one: &Argument| one.name.text.clone());
                let numbers = arguments.iter().map(|one| one.range.is_some());
                self.parameters.extend(names.zip(numbers));
                return Ok(arguments);
            }
            if !arguments.is_empty() {
                self.expect(",")?;
            }
            let read = self.kernel_argument(tree)?;
            let position = arguments.len();
            arguments.extend(read.map(|argument| {
                Argument {
                    value: argument
                        .range
                        .and_then(|range| self.value_passed(&argument.name, Some(position), range)),
                    ..argument
                }
            }));
        }
    }

    /// One argument up to the next comma or parenthesis; `None` for `void`.
    fn kernel_argument(&mut self, tree: &mut Tree) -> Parsed<Option<Argument>> {
        let (mut words, mut open, mut points) = (Vec::<Name>::new(), 0_u32, false);
        let start = self.here();
        while open > 0 || !matches!(self.word(), "," | ")") {
            if self.peek(0).is_none() || matches!(self.word(), "{" | "}" | ";") {
                return self.expect(")").map(|_| None);
            }
            let word = self.word();
            open += u32::from(matches!(word, "(" | "[" | "<"));
            open = open.saturating_sub(u32::from(matches!(word, ")" | "]" | ">")));
            points |= matches!(word, "*" | "[") || POINTERS.contains(&word);
            let counts = open == 0 || word == TYPE || bytes_of(word).is_some();
            if counts && self.kind() == Some(Kind::Word) {
                words.push(Name { text: String::from(word), span: self.here() });
            }
            self.advance();
        }
        let Some(name) = words.pop() else { return self.name("an argument").map(|_| None) };
        if words.is_empty() && name.text == "void" {
            return Ok(None);
        }
        let barrier = |word: &Name| {
            word.text == TYPE || self.alias(&word.text).is_some_and(Alias::is_barrier)
        };
        let barrier = words.iter().any(barrier);
        if barrier {
            let restriction = if points { Restriction::Pointer } else { Restriction::Argument };
            tree.restrictions.push((restriction, self.since(start)));
        }
        self.is_no_data(&name.text);
        if points {
            let local =
                |word: &Name| matches!(word.text.as_str(), "__local" | "local" | "local_ptr");
            let space = if words.iter().any(local) { Space::Local } else { Space::Global };
            let constant =
                |word: &Name| matches!(word.text.as_str(), "const" | "__constant" | "constant");
            let constant = words.iter().any(constant);
            let of: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
            self.array_of(&name, (Some(space), constant), &of);
            self.moved_argument(&name);
        }
        let number = ctypes::range_of(words.iter().map(|word| lexer::slice(self.text, word.span)));
        let of = type_of(words.iter().map(|word| lexer::slice(self.text, word.span)));
        let whole = words.iter().any(|word| self.structure(&word.text).is_some());
        let of = if whole { Some(types::Type::Data) } else { of };
        self.types.extend(of.filter(|_| !points).map(|of| (name.span.start, of)));
        Ok(Some(Argument { name, range: number.filter(|_| !points), value: None, barrier }))
    }
}

impl Parser<'_> {
    /// An array argument that the kernel assigns is a pointer, which holds the address that the host passes.
    fn moved_argument(&mut self, name: &Name) {
        let Some(array) = self.arrays.get(&name.text).filter(|_| self.is_moved(name)).cloned()
        else {
            return;
        };
        self.declare_array(name, &array);
        self.types.insert(name.span.start, types::Type::Exact);
        let pointer = Array { space: None, constant: false, ..array.clone() };
        self.arrays.insert(name.text.clone(), pointer);
        let span = name.span;
        let (indices, name) = (Vec::new(), name.clone());
        let element = Element { name: name.clone(), array, indices };
        let value = Value { kind: ValueKind::Element(Box::new(element)), span };
        self.moved.push(Statement { span, kind: StatementKind::Variable(name, Some(value)) });
    }

    /// Whether the following body assigns to a name as a whole.
    fn is_moved(&self, name: &Name) -> bool {
        let word = |at: usize| self.text_of(at).unwrap_or_default().trim();
        let (mut depth, mut at) = (0_u32, 0);
        while self.peek(at).is_some() {
            match word(at) {
                "{" => depth += 1,
                "}" if depth < 2 => return false,
                "}" => depth -= 1,
                own if depth > 0 && own == name.text => {
                    let (before, after) = (word(at - 1), word(at + 1));
                    let whole = !matches!(before, "*" | ".") && !matches!(after, "[" | ".");
                    let steps = |word: &str| matches!(word, "++" | "--");
                    let begins = matches!(before, "" | ";" | "{" | "}" | ")" | "(" | ",");
                    let assigns = matches!(after, "+=" | "-=") || after == "=" && begins;
                    if steps(after) || whole && (assigns || steps(before)) {
                        return true;
                    }
                }
                _ => {}
            }
            at += 1;
        }
        false
    }
}

/// Uses the size that a kernel requires as the launch, if the text has none.
pub(super) fn take_size(tree: &mut Tree) {
    let Some((all, span)) = tree.required else { return };
    if tree.launch[2..].iter().any(Option::is_some) || all < 2 {
        return;
    }
    let [waves, lanes] = sub_groups(all);
    tree.launch[2] = Some((waves, span));
    tree.launch[3] = Some((lanes, span));
}
