//! The body of a kernel or function: blocks, branches and calls.

use super::names::{Local, Names, place};
use super::parameters::Cells;
use super::pointers;
use super::tree::{Base, Function, Line, Operand as Written, Register, Symbol, Variable};
use super::types::Type;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_kernel::builder::{Builder, FunctionBuilder};
use tidegate_kernel::ir::{
    self, ArgumentId, BlockId, Content, Edge, End, Guard, Kind, ObjectId, Op, Operand, Passed, Reg,
    Space, window,
};
use tidegate_model::ordered::{OrderedMap, OrderedSet};

/// Functions of the runtime that neither access memory of the kernel nor synchronise.
const HARMLESS: [&str; 3] = ["vprintf", "__nv_printf", "cudaGetLastError"];
/// Functions that do not return.
const ENDING: [&str; 3] = ["__assertfail", "__assert_fail", "abort"];

/// The address of the first parameter in memory, and the distance of two.
const PARAMETERS: u64 = 0x10_0000;
const PARAMETER: u64 = 0x1_0000;

/// A function that is lowered.
pub(super) struct Lowering<'a, 'm, 't> {
    pub(super) module: &'a mut Builder,
    pub(super) names: &'a Names<'t>,
    pub(super) function: &'m Function<'t>,
    pub(super) builder: FunctionBuilder,
    locals: Vec<Local>,
    /// Parameters and results of a function that others call.
    own: OrderedMap<&'t str, Cells>,
    /// Arguments of a kernel by parameter, offset and bytes.
    arguments: OrderedMap<(&'t str, i64, u32), ArgumentId>,
    /// Parameters of a kernel whose address it takes.
    memories: OrderedMap<&'t str, ObjectId>,
    pointers: OrderedSet<pointers::Read<'t>>,
    /// Registers that hold addresses of parameters.
    named: OrderedMap<Register, &'t str>,
    /// The carry of `.cc`.
    pub(super) carry: Reg,
    /// The block that starts at each label.
    blocks: Vec<BlockId>,
}

impl<'a, 'm, 't> Lowering<'a, 'm, 't> {
    pub(super) fn new(
        module: &'a mut Builder,
        names: &'a Names<'t>,
        function: &'m Function<'t>,
        objects: Vec<Option<ObjectId>>,
    ) -> Self {
        let mut builder = FunctionBuilder::new(function.name, place(function.span));
        for &width in &function.registers {
            builder.register(width.min(64));
        }
        let carry = builder.register(1);
        let cells = |builder: &mut FunctionBuilder, one: &Variable<'_>| {
            Cells::new(one.bytes, one.element.is_some(), |bits| builder.register(bits))
        };
        let mut own = OrderedMap::new();
        if !function.entry {
            for one in &function.parameters {
                let made =
                    Cells::new(one.bytes, one.element.is_some(), |bits| builder.parameter(bits));
                own.insert(one.name, made);
            }
            for one in &function.results {
                own.insert(one.name, cells(&mut builder, one));
            }
        }
        let locals = function.locals.iter().zip(objects).map(|(variable, object)| match object {
            Some(object) => Local::Object(object),
            None => Local::Cells(cells(&mut builder, variable)),
        });
        let locals = locals.collect();
        let (mut named, mut pointers) = (OrderedMap::new(), OrderedSet::new());
        if function.entry {
            named = pointers::named(function);
            pointers = pointers::find(function, &named);
        }
        Self {
            module,
            names,
            function,
            builder,
            locals,
            own,
            arguments: OrderedMap::new(),
            memories: OrderedMap::new(),
            pointers,
            named,
            carry,
            blocks: Vec::new(),
        }
    }

    /// The function of the IR.
    pub(super) fn lower(mut self) -> ir::Function {
        let lines = self.function.body.as_deref().unwrap_or(&[]);
        self.blocks = self.function.labels.iter().map(|_| self.builder.block()).collect();
        let mut labels: Vec<(u32, BlockId)> =
            self.function.labels.iter().copied().zip(self.blocks.iter().copied()).collect();
        labels.sort_unstable();
        let mut next = labels.into_iter().peekable();
        for (at, line) in (0_u32..).zip(lines) {
            while let Some((_, block)) = next.next_if(|(before, _)| *before <= at) {
                self.continue_in(block);
            }
            self.builder.at(place(line.span));
            self.line(line);
        }
        for (_, block) in next {
            self.continue_in(block);
        }
        self.builder.at(place(self.function.end));
        self.end(Self::returned);
        self.pieces();
        self.builder.finish()
    }

    /// Ends the current block with a jump to this one, which becomes the current one.
    fn continue_in(&mut self, block: BlockId) {
        self.builder.jump(block);
        self.builder.go_to(block);
    }

    fn line(&mut self, line: &Line<'t>) {
        let stem = line.head.split('.').next().unwrap_or("");
        match stem {
            "bra" => self.branch(line),
            "brx" => self.branch_by_table(line),
            "ret" => self.leave(line, Self::returned),
            "exit" => self.leave(line, |_| End::Exit),
            "trap" => self.leave(line, |_| End::Unreachable),
            _ => {
                let guard = line
                    .predicate
                    .map(|(register, is)| Guard::Bit(Operand::Register(register), is));
                self.builder.guard(guard);
                match stem {
                    "call" => self.call(line),
                    _ => self.instruction(stem, line),
                }
                self.builder.guard(None);
            }
        }
    }

    fn instruction(&mut self, stem: &str, line: &Line<'t>) {
        match stem {
            "ld" | "ldu" if line.head.contains(".param") => self.parameter_read(line),
            "st" if line.head.contains(".param") => self.parameter_written(line),
            _ if self.synchronise(line) || self.access(stem, line) || self.compute(stem, line) => {}
            _ => self.unknown(line),
        }
    }

    /// An instruction that is not known: it may matter if it names memory or writes no register.
    fn unknown(&mut self, line: &Line<'t>) {
        let to = self.written_registers(line);
        let memory = |operand: &Written<'_>| matches!(operand, Written::Address(..));
        if to.is_empty() || line.operands.iter().any(memory) || line.head.contains(".sync") {
            let why =
                format!("`{}` may access memory or synchronise, and is not modelled", line.head);
            self.builder.push(Kind::Unknown { why, to });
        } else {
            self.module.ignore(line.head, place(line.span));
            self.builder.push(Kind::Opaque { to });
        }
    }

    /// The registers that the first operand names.
    pub(super) fn written_registers(&self, line: &Line<'_>) -> Vec<Reg> {
        fn all(operand: &Written<'_>) -> Vec<Reg> {
            match operand {
                Written::Register(register) => alloc::vec![*register],
                Written::Pair(first, second) => first.iter().chain(second).copied().collect(),
                Written::Vector(parts) => parts.iter().flat_map(all).collect(),
                _ => Vec::new(),
            }
        }
        line.operands.first().map_or_else(Vec::new, all)
    }

    /// Results that are data.
    pub(super) fn opaque(&mut self, line: &Line<'_>) {
        let to = self.written_registers(line);
        if !to.is_empty() {
            self.builder.push(Kind::Opaque { to });
        }
    }

    fn edge(to: BlockId) -> Edge {
        Edge { to, moves: Vec::new() }
    }

    fn branch(&mut self, line: &Line<'t>) {
        let [Written::Label(label)] = line.operands[..] else {
            return self
                .end(|_| End::Unknown(String::from("the target of this branch is not known")));
        };
        let target = self.blocks[label as usize];
        let rest = self.builder.block();
        self.branch_or(line, target, rest);
        self.builder.go_to(rest);
    }

    /// Ends the block with a branch by the predicate of a line.
    fn branch_or(&mut self, line: &Line<'t>, target: BlockId, rest: BlockId) {
        let end = match line.predicate {
            None => End::Jump(Self::edge(target)),
            Some((register, is)) => {
                let (then, other) = if is { (target, rest) } else { (rest, target) };
                let (then, other) = (Self::edge(then), Self::edge(other));
                End::Branch { on: Operand::Register(register), then, other }
            }
        };
        self.builder.end(end);
    }

    fn branch_by_table(&mut self, line: &Line<'t>) {
        let table = match line.operands.get(1) {
            Some(Written::Name(Symbol::Outer(name), _)) => {
                self.function.tables.iter().find(|(known, _)| known == name)
            }
            _ => None,
        };
        let on = line.operands.first().map_or(Operand::Data, |index| self.value(index));
        let cases = table.map(|(_, labels)| {
            let edges = labels.iter().map(|&label| Self::edge(self.blocks[label as usize]));
            (0..).zip(edges).collect::<Vec<_>>()
        });
        let end = move |builder: &mut FunctionBuilder| match cases {
            Some(cases) => {
                let default = Self::edge(builder.block());
                End::Switch { on, cases, default }
            }
            None => End::Unknown(String::from("the targets of this branch are not known")),
        };
        self.leave(line, |lowering| end(&mut lowering.builder));
    }

    /// Ends the block if the predicate holds; what follows goes into a new one.
    fn leave(&mut self, line: &Line<'t>, end: impl FnOnce(&mut Self) -> End) {
        let rest = self.builder.block();
        if line.predicate.is_some() {
            let target = self.builder.block();
            self.branch_or(line, target, rest);
            self.builder.go_to(target);
        }
        self.end(end);
        self.builder.go_to(rest);
    }

    fn end(&mut self, end: impl FnOnce(&mut Self) -> End) {
        let end = end(self);
        self.builder.end(end);
    }

    fn returned(&mut self) -> End {
        let results = if self.function.entry { &[][..] } else { &self.function.results[..] };
        let registers = results.iter().filter_map(|one| self.own.get(one.name));
        End::Return(
            registers.flat_map(|cells| &cells.registers).map(|&it| Operand::Register(it)).collect(),
        )
    }

    /// `call (retval0), NAME, (param0, param1)`
    fn call(&mut self, line: &Line<'t>) {
        let (results, rest) = match &line.operands[..] {
            [Written::List(results), rest @ ..] => (&results[..], rest),
            rest => (&[][..], rest),
        };
        let name = match rest.first() {
            Some(Written::Name(Symbol::Outer(name), _)) => *name,
            _ => "",
        };
        let to: Vec<Reg> = results.iter().flat_map(|one| self.cells_of(one)).collect();
        let callee = self.names.functions.get(name);
        if let Some(&(_, Some(function))) = callee {
            let passed = match rest.get(1) {
                Some(Written::List(passed)) => &passed[..],
                _ => &[],
            };
            let mut arguments = Vec::new();
            for one in passed {
                match self.cells_of(one) {
                    cells if cells.is_empty() => arguments.push(self.value(one)),
                    cells => arguments.extend(cells.into_iter().map(Operand::Register)),
                }
            }
            self.builder.push(Kind::Call { function, arguments, results: to });
        } else if HARMLESS.contains(&name) {
            self.builder.push(Kind::Opaque { to });
        } else if ENDING.contains(&name) {
            self.builder.guard(None);
            self.leave(line, |_| End::Unreachable);
        } else {
            let why = match callee {
                Some(_) => format!(
                    "`{name}` is defined in another text: it may access memory or synchronise"
                ),
                None => String::from(
                    "the called function is not known: it may access memory or synchronise",
                ),
            };
            self.builder.push(Kind::Unknown { why, to });
        }
    }

    /// The registers of a parameter of a call.
    fn cells_of(&self, operand: &Written<'t>) -> Vec<Reg> {
        match operand {
            Written::Register(register) => alloc::vec![*register],
            Written::Name(Symbol::Local(local), _) => match &self.locals[*local as usize] {
                Local::Cells(cells) => cells.registers.clone(),
                Local::Object(_) => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    /// The parameter that an address names, with the offset.
    fn parameter<'o>(&self, operand: Option<&'o Written<'t>>) -> Option<(Symbol<'t>, i64)> {
        match operand {
            Some(Written::Address(Base::Name(symbol), offset, _)) => Some((*symbol, *offset)),
            Some(Written::Address(Base::Register(register), offset, _)) => {
                self.named.get(register).map(|name| (Symbol::Outer(name), *offset))
            }
            _ => None,
        }
    }

    fn cells(&self, symbol: Symbol<'t>) -> Option<Cells> {
        match symbol {
            Symbol::Local(local) => match &self.locals[local as usize] {
                Local::Cells(cells) => Some(cells.clone()),
                Local::Object(_) => None,
            },
            Symbol::Outer(name) => self.own.get(name).cloned(),
        }
    }

    /// `ld.param.b32 %r1, [NAME+4]`
    fn parameter_read(&mut self, line: &Line<'t>) {
        let Some((symbol, mut offset)) = self.parameter(line.operands.get(1)) else {
            return self.load_of_parameter(line);
        };
        let kind = Type::last(line.head);
        let targets: Vec<Option<Register>> = match line.operands.first() {
            Some(Written::Register(register)) => alloc::vec![Some(*register)],
            Some(Written::Vector(parts)) => parts
                .iter()
                .map(|part| if let Written::Register(it) = part { Some(*it) } else { None })
                .collect(),
            _ => Vec::new(),
        };
        let bytes = u32::from(kind.bits) / 8;
        for target in targets {
            let value = match (self.cells(symbol), symbol) {
                (Some(cells), _) => cells.read(&mut self.builder, offset, bytes),
                (None, Symbol::Outer(name)) if self.function.entry => {
                    self.argument(name, offset, bytes)
                }
                _ => Operand::Data,
            };
            if let Some(target) = target {
                self.widened(target, kind, value);
            }
            offset += i64::from(bytes);
        }
    }

    /// A read of a parameter through a register, as of a structure.
    fn load_of_parameter(&mut self, line: &Line<'t>) {
        let _ = self.access_in(line, Space::Constant);
    }

    fn parameter_written(&mut self, line: &Line<'t>) {
        let kind = Type::last(line.head);
        let bytes = u32::from(kind.bits) / 8;
        let Some((symbol, mut offset)) = self.parameter(line.operands.first()) else { return };
        let Some(cells) = self.cells(symbol) else { return };
        let single = line.operands.get(1).map(core::slice::from_ref).unwrap_or(&[]);
        let values = match single {
            [Written::Vector(parts)] => &parts[..],
            other => other,
        };
        for value in values {
            let value = self.value(value);
            cells.write(&mut self.builder, offset, bytes, value);
            offset += i64::from(bytes);
        }
    }

    /// The argument that the host passes in these bytes of a parameter.
    fn argument(&mut self, name: &'t str, offset: i64, bytes: u32) -> Operand {
        let Some(parameter) = self.function.parameters.iter().find(|one| one.name == name) else {
            return Operand::Data;
        };
        let key = (name, offset, bytes);
        if let Some(&known) = self.arguments.get(&key) {
            return Operand::Argument(known);
        }
        let shown = if offset == 0 { String::from(name) } else { format!("{name}+{offset}") };
        let at = place(parameter.span);
        let is_pointer =
            bytes == 8 && (parameter.points.is_some() || self.pointers.contains(&(name, offset)));
        let argument = match is_pointer {
            true => {
                let space = match parameter.points {
                    Some(space @ (Space::Local | Space::Constant)) => space,
                    _ => Space::Global,
                };
                self.module.pointer(&shown, at, 64, space)
            }
            false => self.module.argument(&shown, at, 8 * bytes as u8, Passed::Integer),
        };
        self.arguments.insert(key, argument);
        Operand::Argument(argument)
    }

    /// The memory of a parameter whose address is taken.
    fn memory_of(&mut self, name: &'t str) -> Option<ObjectId> {
        if let Some(&known) = self.memories.get(name) {
            return Some(known);
        }
        let parameter = self.function.parameters.iter().find(|one| one.name == name)?;
        let (at, size) = (place(parameter.span), Some(parameter.bytes));
        // Code keeps addresses of parameters in 32 bits.
        let base = PARAMETERS + (self.memories.len() as u64 * PARAMETER);
        let object = self.module.object_at(name, at, Space::Constant, base, size);
        self.memories.insert(name, object);
        Some(object)
    }

    /// What is known of the bytes of parameters whose addresses are taken.
    fn pieces(&mut self) {
        for (name, &object) in &self.memories {
            let of = self.arguments.iter().filter(|((of, ..), _)| of == name);
            let pieces: Vec<(u32, u8, Operand)> = of
                .map(|(&(_, at, bytes), &id)| (at as u32, bytes as u8, Operand::Argument(id)))
                .collect();
            if !pieces.is_empty() {
                self.module.module().objects[object as usize].content = Content::Pieces(pieces);
            }
        }
    }

    /// The address of a variable, in its own address space.
    pub(super) fn address_of(&mut self, symbol: Symbol<'t>, offset: i64) -> Operand {
        let object = match symbol {
            Symbol::Local(local) => match self.locals[local as usize] {
                Local::Object(object) => Some(object),
                Local::Cells(_) => None,
            },
            Symbol::Outer(name) => match self.names.objects.get(name) {
                Some(&object) => Some(object),
                None if self.function.entry => self.memory_of(name),
                None => None,
            },
        };
        // A variable of shared memory without a size, which a body declares.
        let object = object.or_else(|| match symbol {
            Symbol::Local(local) => {
                let shared = self.function.locals[local as usize].space == Some(Space::Local);
                self.names.dynamic.filter(|_| shared)
            }
            Symbol::Outer(_) => None,
        });
        object.map_or(Operand::Data, |object| Operand::Object(object, offset))
    }

    /// The value of an operand.
    pub(super) fn value(&mut self, operand: &Written<'t>) -> Operand {
        match operand {
            Written::Register(register) => Operand::Register(*register),
            Written::Number(number) => Operand::Int(*number as u64),
            Written::Name(symbol, offset) => self.address_of(*symbol, *offset),
            Written::Special(name) => self.special(name),
            Written::Not(register) => {
                self.builder.compute(1, Op::Not, &[Operand::Register(*register)])
            }
            Written::Vector(parts) if parts.len() == 1 => self.value(&parts[0]),
            _ => Operand::Data,
        }
    }

    /// The address of a memory operand, with the offset apart.
    pub(super) fn address(&mut self, operand: &Written<'t>) -> (Operand, i64) {
        match operand {
            Written::Address(Base::Register(register), offset, _) => {
                (Operand::Register(*register), *offset)
            }
            Written::Address(Base::Name(symbol), offset, _) => {
                (self.address_of(*symbol, *offset), 0)
            }
            Written::Address(Base::Absolute, offset, _) => (Operand::Int(*offset as u64), 0),
            _ => (Operand::Data, 0),
        }
    }

    /// The address of a memory operand as one value of 64 bits.
    pub(super) fn whole_address(&mut self, operand: &Written<'t>) -> Operand {
        match self.address(operand) {
            (base, 0) => base,
            (base, offset) => {
                self.builder.compute(64, Op::Add, &[base, Operand::Int(offset as u64)])
            }
        }
    }

    /// `cvta`: between an address space and the generic addresses.
    pub(super) fn convert_address(&mut self, line: &Line<'t>) {
        let (Some(Written::Register(to)), Some(from)) =
            (line.operands.first(), line.operands.get(1))
        else {
            return self.unknown(line);
        };
        let has = |part: &str| line.head.split('.').any(|one| one == part);
        let space = match () {
            () if line.head.contains(".shared") => Space::Local,
            () if has("local") => Space::Private,
            () => Space::Global,
        };
        let op = if has("to") { Op::Sub } else { Op::Add };
        let value = self.value(from);
        match window(space) {
            0 => self.builder.compute_to(*to, Op::Copy, &[value]),
            base => self.builder.compute_to(*to, op, &[value, Operand::Int(base)]),
        }
    }
}
