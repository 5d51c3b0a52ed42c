//! PTX kernels and functions: their heads and parameters, blocks with local registers, and calls.
//!
//! PTX ISA 9.1, "Kernel and Function Directives", "Parameter State Space". The values that the host passes are unknown:
//! a pointer is the address of a separate memory, a number is an argument of the kernel. A parameter of many bytes,
//! such as a tensor map, is a memory whose address the kernel takes.

use super::cursor::{Parsed, Parser};
use super::stack::Stack;
use crate::diagnostic::Span;
use crate::expression::{Atom, Expression};
use crate::lexer::{self, Kind};
use crate::lower::code::MOST_TRIED;
use crate::tree::{
    AgentBlock, Argument, Block, Declaration, DeclarationKind, Function, Name, StatementKind, Tree,
};
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::mem::operation::Space;
use tidegate_model::ordered::OrderedMap;

/// The current kernel or function.
#[derive(Debug, Default)]
pub(crate) struct Entry {
    /// For each parameter declared as a pointer, the state space it points to; `None` for other parameters.
    parameters: OrderedMap<String, Option<Space>>,
    /// The names of the parameters in their order.
    positions: Vec<String>,
    /// Numbers that the host passes.
    arguments: Vec<Argument>,
    /// Registers and call parameters that the innermost block declares.
    declared: Vec<Name>,
    /// Whether it is a function, which others call.
    function: bool,
    /// The variables of a thread.
    pub(super) stack: Stack,
}

/// Instructions whose operand is a number and not an address, by prefix.
const COUNTING: [&str; 12] = [
    "setp.", "mul.", "mad.", "shl.", "shr.", "div.", "rem.", "min.", "max.", "cvt.", "neg.", "not.",
];

/// Largest number of registers of one declaration.
const MOST_REGISTERS: usize = 256;

impl Parser<'_> {
    /// `.entry NAME(…)` with its directives and its body, which every thread of the grid performs.
    pub(super) fn entry(&mut self, tree: &mut Tree) -> Parsed<()> {
        let start = self.here();
        self.advance_by(2);
        let name = self.name("the name of the kernel")?;
        let span = self.since(start);
        if self.passes_over(&name) {
            self.skip_kernel();
            return Ok(());
        }
        self.entry = Some(Entry::default());
        tree.of_ptx = true;
        let names = self.parameters();
        if let Some(entry) = &mut self.entry {
            entry.positions = names.iter().map(|name| name.text.clone()).collect();
        }
        self.directives(tree);
        self.begin_stack();
        let body = self.block();
        let Entry { arguments, parameters, positions, .. } = self.entry.take().unwrap_or_default();
        let is_number = |name: &String| !matches!(parameters.get(name), Some(Some(_)));
        self.parameters.extend(positions.into_iter().map(|name| {
            let number = is_number(&name);
            (name, number)
        }));
        let more = arguments.iter().map(|one| (one.name.text.clone(), true));
        self.parameters.extend(more);
        let block = AgentBlock::of_all(span, body?);
        tree.agents.push(AgentBlock { arguments, ..block });
        Ok(())
    }

    /// `.func (RESULT) NAME(…)` with its body; a prototype ends after its parameters.
    pub(super) fn function_of_ptx(&mut self, tree: &mut Tree) -> Parsed<()> {
        self.advance_by(2);
        self.entry = Some(Entry { function: true, ..Entry::default() });
        self.parameters();
        self.skip_newlines();
        if let Some(entry) = &mut self.entry {
            entry.parameters.clear();
        }
        let name = self.name("the function's name")?;
        let parameters = self.parameters();
        while self.peek(0).is_some() && !self.is("{") && !self.is(";") {
            self.advance();
        }
        if self.is("{") {
            self.begin_stack();
            let body = self.block();
            let barriers = alloc::vec![false; parameters.len()];
            tree.functions.push(Function { name, result: None, parameters, barriers, body: body? });
        }
        self.entry = None;
        Ok(())
    }

    fn begin_stack(&mut self) {
        let stack = self.stack_ahead();
        if let Some(entry) = &mut self.entry {
            entry.stack = stack;
        }
    }

    /// The parameters between parentheses, if there are any.
    fn parameters(&mut self) -> Vec<Name> {
        self.skip_newlines();
        let mut names = Vec::new();
        let (mut last, mut words) = (None, Vec::new());
        if !self.eat("(") {
            return names;
        }
        while let Some(token) = self.peek(0) {
            let word = self.text_of(0).unwrap_or_default();
            self.advance();
            let ends = matches!(word, "," | ")");
            if let Some(name) = last.take_if(|_| ends) {
                self.parameter_of_entry(&name, &words);
                names.push(name);
            }
            match word {
                ")" => break,
                "," => words.clear(),
                _ => words.push(word),
            }
            if token.kind == Kind::Word && !words.contains(&"[") {
                last = Some(Name { text: word.into(), span: token.span });
            }
        }
        names
    }

    fn parameter_of_entry(&mut self, name: &Name, words: &[&str]) {
        let has = |wanted: &str| words.contains(&wanted);
        let space = if has("shared") { Space::Local } else { Space::Global };
        let Some(entry) = &mut self.entry else { return };
        entry.parameters.insert(name.text.clone(), has("ptr").then_some(space));
        if has("[") && !entry.function {
            self.memory_of_host(name.clone(), Space::Global);
        }
    }

    /// A memory whose size only the host knows.
    fn memory_of_host(&mut self, name: Name, space: Space) {
        let most = if space == Space::Local { super::ptx::MOST_SHARED } else { u32::MAX.into() };
        let size = super::ptx::number(most, name.span);
        self.implicit.push(Declaration { name, kind: DeclarationKind::Memory(space, false, size) });
    }

    /// The directives between the parameters of a kernel and its body: its numbers of threads and CTAs.
    fn directives(&mut self, tree: &mut Tree) {
        let written = tree.launch_span.line > 0;
        self.threads_of_launch(tree);
        let launched = self.launched(tree);
        while self.peek(0).is_some() && !self.is("{") {
            let word = self.word_ahead(1);
            let asks = matches!(word, "reqntid" | "maxntid" | "reqnctapercluster");
            if !self.is(".") || !asks {
                self.advance();
                continue;
            }
            let at = self.peek(2).map_or(self.here(), |size| size.span);
            self.advance_by(2);
            let sizes = self.sizes_of_directive();
            let all = sizes.iter().fold(1_i64, |all, &size| all.saturating_mul(size));
            if all < 1 {
                continue;
            }
            if !written {
                tree.launch_span = at;
            }
            match word {
                "reqnctapercluster" => self.required_cluster(all, at, tree),
                "reqntid" => self.required_threads(sizes, (all, at), launched, tree),
                // A maximum number of threads is used as the number.
                _ if launched.is_none() => self.take_threads(sizes, (all, at), tree),
                _ => {}
            }
        }
    }

    /// Up to three numbers between commas.
    fn sizes_of_directive(&mut self) -> [i64; 3] {
        let mut sizes = [1_i64; 3];
        for size in &mut sizes {
            let Ok(number) = self.word().parse::<u32>() else { break };
            *size = number.into();
            self.advance();
            if !self.eat(",") {
                break;
            }
        }
        sizes
    }

    /// The warps that the launch gives, and its threads where it gives these.
    fn launched(&self, tree: &Tree) -> Option<(i64, Option<i64>)> {
        let (warps, lanes) = (tree.launch[2], tree.launch[3]);
        warps.or(lanes)?;
        Some((warps.map_or(1, |(warps, _)| warps), tree.threads.map(i64::from)))
    }

    /// `.reqntid`: the launch wins, with a warning, if it contradicts.
    fn required_threads(
        &mut self,
        sizes: [i64; 3],
        (all, at): (i64, Span),
        launched: Option<(i64, Option<i64>)>,
        tree: &mut Tree,
    ) {
        let Some((warps, threads)) = launched else {
            return self.take_threads(sizes, (all, at), tree);
        };
        let fits = threads.map_or((all + 31) / 32 == warps, |threads| threads == all);
        if !fits {
            let launched = match threads {
                Some(threads) => alloc::format!("{threads} threads in each"),
                None if warps == 1 => String::from("one warp in each"),
                None => alloc::format!("{warps} warps in each"),
            };
            let required = alloc::format!("CTAs of {all} threads");
            return self.launch_differs(&required, &launched, at);
        }
        tree.threads = u32::try_from(all).ok().or(Some(u32::MAX));
        if !self.shapes_group() {
            self.sizes = Some(sizes);
        }
    }

    fn take_threads(&mut self, sizes: [i64; 3], (all, at): (i64, Span), tree: &mut Tree) {
        tree.threads = u32::try_from(all).ok().or(Some(u32::MAX));
        self.sizes = Some(sizes);
        tree.launch[2] = Some(((all + 31) / 32, at));
    }

    /// `.reqnctapercluster`: the launch wins, with a warning, if it contradicts.
    fn required_cluster(&mut self, all: i64, at: Span, tree: &mut Tree) {
        let groups = tree.launch[1].map_or(all, |(groups, _)| groups);
        let launched = match (tree.cluster, tree.launch[0]) {
            (Some((size, _)), _) => Some(size),
            (None, Some((clusters, _))) => Some(groups / clusters.max(1)),
            _ => None,
        };
        match launched {
            Some(size) if size != all => {
                let required = alloc::format!("clusters of {all} CTAs");
                self.launch_differs(&required, &alloc::format!("{size} in each"), at);
            }
            Some(_) => {}
            None => tree.cluster = Some((all, at)),
        }
    }

    /// Converts the threads of a launch from those of a warp to those of a CTA.
    fn threads_of_launch(&mut self, tree: &mut Tree) {
        let Some((all, span)) = tree.launch[3].filter(|_| tree.launch[2].is_none()) else { return };
        if all > 32 || self.sizes.is_some() || self.launching.threads.is_some() {
            tree.threads = u32::try_from(all).ok().or(Some(u32::MAX));
            self.sizes.get_or_insert([all, 1, 1]);
            tree.launch[2] = Some(((all + 31) / 32, span));
            tree.launch[3] = None;
        }
    }

    /// A block of a body, with local registers.
    pub(super) fn scope_of_ptx(&mut self) -> Parsed<StatementKind> {
        let declared = |parser: &mut Self, with: Vec<Name>| match &mut parser.entry {
            Some(entry) => core::mem::replace(&mut entry.declared, with),
            None => Vec::new(),
        };
        let outer = declared(self, Vec::new());
        let block: Parsed<Block> = self.block();
        let own = declared(self, outer);
        Ok(StatementKind::Scope(own, block?))
    }

    /// `.reg .pred %p, %q<4>`, `.param .b32 param0`: declarations of a block.
    pub(super) fn declared_in_scope(&mut self) {
        self.advance_by(2);
        let mut names = Vec::new();
        while !self.at_end() {
            if self.is(".") {
                self.advance_by(2);
                continue;
            }
            if self.is_word() {
                let name = Name { text: self.word().into(), span: self.here() };
                let count: usize = match self.word_ahead(1) {
                    "<" => self.word_ahead(2).parse().unwrap_or(0),
                    _ => 0,
                };
                let numbered =
                    |at: usize| Name { text: alloc::format!("{}{at}", name.text), span: name.span };
                names.extend((0..count.min(MOST_REGISTERS)).map(numbered));
                names.extend((count == 0).then_some(name));
            }
            self.advance();
        }
        if let Some(entry) = &mut self.entry {
            entry.declared.extend(names);
        }
    }

    /// `ld.param.u64 %rd1, [NAME+8]`, after the results, if it reads one parameter of the kernel or function.
    pub(super) fn parameter_read(
        &mut self,
        results: &[Name],
        (bytes, signed): (i64, bool),
    ) -> Option<Expression> {
        let (open, base) = (self.here(), String::from(self.word_ahead(1)));
        while !self.at_end() && !self.is("]") {
            self.advance();
        }
        let span = Span {
            start: open.start + 1,
            column: open.column + 1,
            length: self.here().start.saturating_sub(open.start + 1),
            ..open
        };
        self.eat("]");
        let key = lexer::slice(self.text, span);
        let entry = self.entry.as_ref()?;
        let said = *entry.parameters.get(&base)?;
        let [result] = results else { return None };
        if key.contains(char::is_whitespace) || entry.function && key != base {
            return None;
        }
        let name = Name { text: key.into(), span };
        if !entry.function {
            let position = self.position_of(key);
            let given = self.launching.value(key, position).is_some();
            let points = bytes == 8 && (said.is_some() || !given && self.is_pointer(&result.text));
            let range = match (bytes, signed) {
                (1, false) => (0, 0xff),
                (2, false) => (0, 0xffff),
                (1 | 2 | 4, _) => (-1 << (8 * bytes - 1), (1 << (8 * bytes - 1)) - 1),
                _ => (-MOST_TRIED, MOST_TRIED),
            };
            if points {
                self.memory_of_host(name, said.unwrap_or(Space::Global));
            } else if self.is_new_argument(key) {
                let value = self.value_passed(&name, position, range);
                let (range, barrier) = (Some(range), false);
                if let Some(entry) = &mut self.entry {
                    entry.arguments.push(Argument { name, range, value, barrier });
                }
            }
        }
        Some(Expression { code: alloc::vec![(Atom::Name, span)], span })
    }

    /// The position of a parameter of the kernel.
    fn position_of(&self, key: &str) -> Option<usize> {
        self.entry.as_ref()?.positions.iter().position(|name| name == key)
    }

    /// Whether no read of the kernel named that parameter before.
    fn is_new_argument(&self, key: &str) -> bool {
        let entry = self.entry.as_ref();
        entry.is_some_and(|entry| entry.arguments.iter().all(|one| one.name.text != key))
    }

    /// Whether the text uses a register as an address: an address conversion names it, or no instruction computes
    /// numbers with it.
    fn is_pointer(&self, register: &str) -> bool {
        let uses = || {
            let statements = self.text.split(['\n', ';']);
            statements.filter(|one| super::ptx::stands_in(one, register)).map(str::trim_start)
        };
        uses().any(|one| one.starts_with("cvta."))
            || !uses().any(|one| COUNTING.iter().any(|head| one.starts_with(head)))
    }

    /// `st.param.b32 [param0], %r1`: an argument of the next call; results of functions are not tracked.
    pub(super) fn parameter_written(&mut self, head: &Name, start: Span) -> Parsed<StatementKind> {
        let plain = self.word_ahead(2) == "]" && self.word_ahead(3) == ",";
        let name = Name { text: self.word_ahead(1).into(), span: self.here() };
        let known = self
            .entry
            .as_ref()
            .is_some_and(|entry| entry.declared.iter().any(|one| one.text == name.text));
        if !plain || !known {
            self.skip_operands();
            let names = if known { alloc::vec![name] } else { Vec::new() };
            return Ok(StatementKind::Forget(names));
        }
        self.advance_by(4);
        if self.is("{") {
            self.skip_operands();
            return Ok(StatementKind::Forget(alloc::vec![name]));
        }
        let value = self.register_or_value()?;
        Ok(self.sum_made(head, Some(name), value, start))
    }

    /// `call.uni (retval0), NAME, (param0, param1);`
    pub(super) fn call_of_ptx(&mut self) -> Parsed<StatementKind> {
        self.run(|joiner| matches!(joiner, "." | "::"));
        if self.eat("(") {
            while !self.at_end() && !self.eat(")") {
                self.advance();
            }
            self.eat(",");
        }
        let name = self.name("a function")?;
        let mut arguments = Vec::new();
        if self.eat(",") && self.is("(") {
            self.listed("(", |parser| {
                arguments.push(parser.register_or_value()?);
                Ok(())
            })?;
        }
        self.skip_operands();
        Ok(StatementKind::Call(name, arguments))
    }
}
