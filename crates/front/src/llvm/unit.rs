//! A function of the module: names, blocks and instructions.

use super::around::Around;
use super::copy_sites::{Copies, Shape};
use super::cursor::{Cursor, Parsed, Problem};
use super::lexer::{Kind as Token, Token as Read};
use super::module::Function;
use super::types::{Scalar, Type};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::vec::Vec;
use tidegate_kernel::builder::FunctionBuilder;
use tidegate_kernel::ir::{self, BlockId, Edge, End, Operand, Reg};
use tidegate_model::ordered::OrderedMap;

/// A value of the function.
struct Name<'a> {
    text: &'a str,
    /// The registers of its scalars once the type is known; none where a scalar is data.
    registers: Option<Vec<Option<Reg>>>,
    /// Whether it is a parameter or a result.
    defined: bool,
    /// Its first use.
    used: Option<ir::Place>,
}

/// A label of the function.
struct Label {
    block: BlockId,
    /// Whether a block begins with it.
    begun: bool,
    /// Its first use.
    used: Option<ir::Place>,
}

/// A function that is being lowered.
pub(super) struct Unit<'u, 'a> {
    pub(super) around: &'u mut Around<'a>,
    pub(super) code: FunctionBuilder,
    pub(super) tokens: &'u [Read<'a>],
    /// A tree: a function can have thousands of values.
    names: Vec<Name<'a>>,
    /// The positions in `names`.
    numbers: BTreeMap<&'a str, u32>,
    blocks: OrderedMap<&'a str, Label>,
    /// By block its phis: by predecessor the values of registers.
    phis: OrderedMap<BlockId, Vec<(&'a str, Reg, Operand)>>,
    ends: OrderedMap<BlockId, End>,
    /// Copies of the work-group in flight.
    pub(super) copies: Copies,
}

/// Lowers a function.
pub(super) fn lower<'a>(
    around: &mut Around<'a>,
    tokens: &[Read<'a>],
    function: usize,
) -> Parsed<ir::Function> {
    let (lowered, copies) = lower_with(around, tokens, function, Vec::new())?;
    match copies.is_empty() {
        true => Ok(lowered),
        false => Ok(lower_with(around, tokens, function, copies)?.0),
    }
}

/// Lowers a function with the copies of the work-group that are known to be in it; and those that were found.
fn lower_with<'a>(
    around: &mut Around<'a>,
    tokens: &[Read<'a>],
    function: usize,
    copies: Vec<Shape>,
) -> Parsed<(ir::Function, Vec<Shape>)> {
    let (name, place, body) = {
        let function = &around.module.functions[function];
        (function.name, function.place, function.body.unwrap_or(0))
    };
    let code = FunctionBuilder::new(name, around.at(place));
    let mut unit = Unit {
        around,
        code,
        tokens,
        names: Vec::new(),
        numbers: BTreeMap::new(),
        blocks: OrderedMap::new(),
        phis: OrderedMap::new(),
        ends: OrderedMap::new(),
        copies: Copies::default(),
    };
    unit.parameters(function);
    unit.copies = Copies::start(copies, &mut unit.code);
    unit.body(body)?;
    unit.all_defined(function)?;
    let found = core::mem::take(&mut unit.copies.found);
    Ok((unit.finish(), found))
}

/// The scalars of parameters: for each whether it is followed, and its width.
pub(super) fn widths(around: &Around<'_>, function: &Function<'_>) -> Vec<Vec<Scalar>> {
    let scalars = |of: &Type| around.module.types.scalars(of).into_iter().map(|(_, one)| one);
    function.parameters.iter().map(|parameter| scalars(&parameter.of).collect()).collect()
}

impl<'a> Unit<'_, 'a> {
    fn parameters(&mut self, function: usize) {
        let mut number = 0;
        let all = widths(self.around, &self.around.module.functions[function]);
        for (at, scalars) in all.into_iter().enumerate() {
            let name = self.around.module.functions[function].parameters[at].name;
            let registers: Vec<Option<Reg>> = scalars
                .iter()
                .map(|scalar| match scalar {
                    Scalar::Followed(bits) => Some(self.code.parameter(*bits)),
                    Scalar::Data(_) => None,
                })
                .collect();
            let name = name.unwrap_or_else(|| self.around.number(number));
            number += u32::from(name.bytes().all(|byte| byte.is_ascii_digit()));
            let name = self.name(name);
            (name.registers, name.defined) = (Some(registers), true);
        }
    }

    fn name(&mut self, text: &'a str) -> &mut Name<'a> {
        let next = self.names.len() as u32;
        let number = *self.numbers.entry(text).or_insert(next);
        if number == next {
            self.names.push(Name { text, registers: None, defined: false, used: None });
        }
        &mut self.names[number as usize]
    }

    /// An instruction gives a name its value.
    pub(super) fn defines(&mut self, name: &'a str) {
        self.name(name).defined = true;
    }

    /// Checks that each value and each label that is used is defined in the function.
    fn all_defined(&self, function: usize) -> Parsed<()> {
        let count = self.around.module.functions[function].parameters.len();
        // Parameters without a name have numbers.
        let is_parameter = |name: &str| name.parse().is_ok_and(|number: usize| number < count);
        let values = self.names.iter().filter(|it| !it.defined && !is_parameter(it.text));
        let labels = self.blocks.iter().filter(|(_, it)| !it.begun);
        let values = values.filter_map(|it| Some((it.used?, "value", it.text)));
        let labels = labels.filter_map(|(name, it)| Some((it.used?, "label", *name)));
        match values.chain(labels).min_by_key(|(place, ..)| place.start) {
            None => Ok(()),
            Some((place, what, name)) => {
                let message = format!("the {what} `%{name}` is not defined in this function");
                Err(Problem::new(place, message))
            }
        }
    }

    /// The registers of a name; they are made when the name is first met.
    pub(super) fn registers(&mut self, name: &'a str, of: &Type) -> Vec<Option<Reg>> {
        if let Some(known) = &self.name(name).registers {
            return known.clone();
        }
        let scalars = self.around.module.types.scalars(of);
        let registers: Vec<Option<Reg>> = scalars
            .iter()
            .map(|(_, scalar)| match scalar {
                Scalar::Followed(bits) => Some(self.code.register(*bits)),
                Scalar::Data(_) => None,
            })
            .collect();
        self.name(name).registers = Some(registers.clone());
        registers
    }

    /// The values of a name.
    pub(super) fn named(&mut self, name: Read<'a>, of: &Type) -> Vec<Operand> {
        self.name(name.text).used.get_or_insert(name.place);
        let registers = self.registers(name.text, of);
        registers.into_iter().map(|one| one.map_or(Operand::Data, Operand::Register)).collect()
    }

    /// The one register of a name of this type, if it is followed.
    pub(super) fn target(&mut self, name: Option<&'a str>, of: &Type) -> Option<Reg> {
        self.registers(name?, of).first().copied().flatten()
    }

    /// Gives a name these values.
    pub(super) fn define(&mut self, name: Option<&'a str>, of: &Type, values: &[Operand]) {
        let Some(name) = name else { return };
        let registers = self.registers(name, of);
        for (at, register) in registers.into_iter().enumerate() {
            let Some(to) = register else { continue };
            match values.get(at) {
                Some(Operand::Data) | None => {
                    self.code.push(ir::Kind::Opaque { to: alloc::vec![to] })
                }
                Some(value) => self.code.compute_to(to, ir::Op::Copy, &[*value]),
            }
        }
    }

    fn labelled(&mut self, label: &'a str) -> &mut Label {
        let make = || Label { block: self.code.block(), begun: false, used: None };
        self.blocks.entry(label).or_insert_with(make)
    }

    fn body(&mut self, at: usize) -> Parsed<()> {
        let tokens = self.tokens;
        let mut cursor = Cursor::new(tokens, at);
        let (mut first, mut open) = (true, true);
        loop {
            cursor.skip_lines();
            let token = cursor.peek();
            if token.kind == Token::End || cursor.is("}") {
                return Ok(());
            }
            self.code.at(self.around.at(token.place));
            if cursor.ahead(1).text == ":" && cursor.ahead(1).kind == Token::Mark {
                cursor.at += 2;
                if first {
                    self.blocks.insert(token.text, Label { block: 0, begun: true, used: None });
                } else {
                    let label = self.labelled(token.text);
                    label.begun = true;
                    let block = label.block;
                    if open {
                        self.code.jump(block);
                    }
                    self.code.go_to(block);
                }
                (first, open) = (false, true);
                continue;
            }
            first = false;
            // Debug records: `#dbg_value(…)`.
            if token.kind == Token::Attributes {
                cursor.skip_line();
                continue;
            }
            // A block without a label, which nothing here leads to.
            if !open {
                let block = self.code.block();
                self.code.go_to(block);
                open = true;
            }
            self.code.read(self.line(&cursor));
            let end = self.instruction(&mut cursor)?;
            if let Some(end) = end {
                self.ends.insert(self.code.current(), end.clone());
                self.code.end(end);
                open = false;
            }
            cursor.skip_line();
        }
    }

    /// The place of an instruction: to the end of its line.
    fn line(&self, cursor: &Cursor<'_, 'a>) -> ir::Place {
        let mut end = *cursor;
        let start = end.peek().place;
        let mut last = start;
        while !end.at_line_end() {
            let token = end.peek();
            if token.kind == Token::Mark && token.text == "[" && last.end == start.end {
                break;
            }
            if matches!(token.kind, Token::Metadata) {
                break;
            }
            last = token.place;
            end.at += 1;
        }
        self.around.at(ir::Place { start: start.start, end: last.end })
    }

    /// A phi of the current block.
    pub(super) fn phi(&mut self, to: &[Option<Reg>], from: &[Operand], label: &'a str) {
        let block = self.code.current();
        let list = self.phis.entry(block).or_default();
        let pairs = to.iter().zip(from).filter_map(|(to, from)| Some(((*to)?, *from)));
        list.extend(pairs.map(|(to, from)| (label, to, from)));
    }

    pub(super) fn edge(&mut self, label: Read<'a>) -> Edge {
        let known = self.labelled(label.text);
        known.used.get_or_insert(label.place);
        Edge { to: known.block, moves: Vec::new() }
    }

    fn finish(self) -> ir::Function {
        let Self { code, blocks, phis, ends, .. } = self;
        let mut function = code.finish();
        for &from in ends.keys() {
            let Some(block) = function.blocks.get_mut(from as usize) else { continue };
            let fill = |edge: &mut Edge| {
                let Some(moves) = phis.get(&edge.to) else { return };
                let comes = |label: &str| blocks.get(label).map_or(0, |known| known.block) == from;
                let wanted = moves.iter().filter(|(label, ..)| comes(label));
                edge.moves = wanted.map(|&(_, to, value)| (to, value)).collect();
                edge.moves.sort_unstable_by_key(|(to, _)| *to);
                edge.moves.dedup_by_key(|(to, _)| *to);
            };
            match &mut block.end {
                End::Jump(edge) => fill(edge),
                End::Branch { then, other, .. } => {
                    fill(then);
                    fill(other);
                }
                End::Switch { cases, default, .. } => {
                    cases.iter_mut().for_each(|(_, edge)| fill(edge));
                    fill(default);
                }
                _ => {}
            }
        }
        function
    }
}
