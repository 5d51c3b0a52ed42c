//! Control flow: blocks at addresses and labels, branches, calls and returns.

use super::listing::{Facts, Line, Listing, Section};
use super::operand::{Change, Guard, Operand as Written, Predicate, Register};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_kernel::builder::{Builder, FunctionBuilder};
use tidegate_kernel::ir::{
    self, ArgumentId, BlockId, Edge, End, Guard as Lanes, Kind, Machine, NvidiaKind, ObjectId, Op,
    Operand, Place, Reg, Space, Style,
};
use tidegate_lang::diagnostic::{Diagnostic, Span};
use tidegate_model::ordered::{OrderedMap, OrderedSet};

/// The maximum shared memory of a CTA in bytes, including the part that the system reserves.
const MOST_SHARED: u64 = 233_472;
/// The size of the stack of a thread, in bytes.
const STACK: u64 = 1 << 16;

const UNIFORM: Reg = 255;
const PREDICATES: Reg = UNIFORM + 128;
const UNIFORM_PREDICATES: Reg = PREDICATES + 8;
/// The result of the last reduction of a barrier.
pub(super) const REDUCED: Reg = UNIFORM_PREDICATES + 8;

/// A position in the listing: the index of a section, and of a line in it.
type At = (usize, usize);

/// Lowers a listing.
///
/// # Errors
///
/// A branch to a label that the listing does not have.
pub(super) fn lower(listing: &Listing<'_>) -> Result<ir::Module, Diagnostic> {
    all_defined(listing)?;
    let mut builder = Builder::new(Machine::Nvidia, Style::Lanes);
    builder.module().hexadecimal = true;
    builder.module().unmarked = alloc::vec![Space::Local];
    let exact = tidegate_model::target::TargetId::from_name;
    builder.module().target = listing.target.and_then(|(name, _)| {
        exact(name)
            .or_else(|| exact(name.trim_end_matches(|last: char| last.is_ascii_alphabetic())))
    });
    builder.object_at("shared", Place::default(), Space::Local, 0, Some(MOST_SHARED));
    let kernels: Vec<usize> =
        (0..listing.sections.len()).filter(|&at| listing.sections[at].entry).collect();
    for kernel in kernels {
        let section = &listing.sections[kernel];
        let facts = listing.facts.get(section.name).copied().unwrap_or_default();
        let function = Lowering::new(&mut builder, listing, kernel).lower();
        let id = builder.function(function);
        let (name, place) = (String::from(section.name), place(section.span));
        builder.kernel(ir::Kernel {
            name,
            place,
            function: id,
            facts: launch(facts),
            unnamed: true,
            ..ir::Kernel::default()
        });
    }
    Ok(builder.finish())
}

/// Checks that the listing has each label to which an instruction branches.
fn all_defined(listing: &Listing<'_>) -> Result<(), Diagnostic> {
    let known = |name: &str| {
        listing
            .sections
            .iter()
            .any(|section| section.name == name || section.labels.contains_key(name))
    };
    for line in listing.sections.iter().flat_map(|section| &section.lines) {
        let branches = ["BRA", "JMP"].contains(&line.head.split('.').next().unwrap_or(""));
        let missing = line.operands.iter().find_map(|operand| match operand {
            Written::Label(name) if !known(bare(name)) => Some(bare(name)),
            _ => None,
        });
        if let Some(name) = missing.filter(|_| branches) {
            let message = format!("the label `{name}` is not defined");
            return Err(Diagnostic::error("unknown-name", line.span, message));
        }
    }
    Ok(())
}

/// `($k$fn)` names a label of a function in the text of another.
fn bare(name: &str) -> &str {
    name.trim_matches(['(', ')', ' '])
}

fn launch(facts: Facts) -> ir::Facts {
    let all = |sizes: [u32; 3]| sizes.iter().fold(1_u32, |all, &size| all.saturating_mul(size));
    ir::Facts {
        threads: facts.threads,
        most_threads: facts.most.map(all),
        cluster: facts.cluster,
        lanes: Some(32),
        dynamic_local: 0,
    }
}

/// A span as a place of the IR.
pub(super) const fn place(span: Span) -> Place {
    Place { start: span.start, end: span.start + span.length }
}

/// A kernel that is lowered, with the functions that it can call.
pub(super) struct Lowering<'a, 't> {
    pub(super) module: &'a mut Builder,
    pub(super) listing: &'a Listing<'t>,
    pub(super) kernel: usize,
    pub(super) builder: FunctionBuilder,
    /// Memory of parameters and stack, made where the code needs them.
    pub(super) parameters: Option<ObjectId>,
    pub(super) stack: Option<ObjectId>,
    /// Arguments by their offset in the constant bank.
    pub(super) arguments: OrderedMap<(i64, u8), ArgumentId>,
    /// Offsets of arguments that are addresses.
    pub(super) pointers: OrderedSet<i64>,
    /// Blocks by the line where they start.
    blocks: OrderedMap<At, BlockId>,
    /// Blocks after calls, by the address.
    returns: Vec<(u64, BlockId)>,
    /// Queues of which `DEPBAR` can be a wait.
    pub(super) copies: bool,
    pub(super) bulk_copies: bool,
    /// The predicate of the current line.
    guard: Option<Guard>,
}

impl<'a, 't> Lowering<'a, 't> {
    fn new(module: &'a mut Builder, listing: &'a Listing<'t>, kernel: usize) -> Self {
        let section = &listing.sections[kernel];
        let mut builder = FunctionBuilder::new(section.name, place(section.span));
        for _ in 0..PREDICATES {
            builder.register(32);
        }
        for _ in PREDICATES..REDUCED {
            builder.register(1);
        }
        builder.register(32);
        let mut lowering = Self {
            module,
            listing,
            kernel,
            builder,
            parameters: None,
            stack: None,
            arguments: OrderedMap::new(),
            pointers: OrderedSet::new(),
            blocks: OrderedMap::new(),
            returns: Vec::new(),
            copies: false,
            bulk_copies: false,
            guard: None,
        };
        let heads = |wanted: &str| {
            let mut lines = lowering.sections().flat_map(|(_, section)| &section.lines);
            lines.any(|line| line.head.starts_with(wanted))
        };
        (lowering.copies, lowering.bulk_copies) = (heads("LDGDEPBAR"), heads("UTMACMDFLUSH"));
        lowering.pointers = lowering.addresses();
        lowering
    }

    /// The section of the kernel and those of functions.
    pub(super) fn sections(&self) -> impl Iterator<Item = (usize, &'a Section<'t>)> + use<'a, 't> {
        let kernel = self.kernel;
        let listing: &'a Listing<'t> = self.listing;
        let all = listing.sections.iter().enumerate();
        let own = all.clone().filter(move |(at, _)| *at == kernel);
        own.chain(all.filter(move |(at, section)| *at != kernel && !section.entry))
    }

    fn lower(mut self) -> ir::Function {
        let stack = self.stack_object();
        self.builder.compute_to(1, Op::Copy, &[Operand::Object(stack, STACK as i64)]);
        self.starts();
        for (index, section) in self.sections() {
            for (at, line) in section.lines.iter().enumerate() {
                if let Some(&block) = self.blocks.get(&(index, at)) {
                    self.builder.jump(block);
                    self.builder.go_to(block);
                }
                self.builder.at(place(line.span));
                self.line((index, at), line);
            }
            // Nothing after the last instruction is code.
            self.builder.end(End::Unreachable);
            let nowhere = self.builder.block();
            self.builder.go_to(nowhere);
        }
        self.builder.finish()
    }

    pub(super) fn stack_object(&mut self) -> ObjectId {
        let module = &mut self.module;
        *self.stack.get_or_insert_with(|| {
            module.object("stack", Place::default(), Space::Private, Some(STACK))
        })
    }

    /// Makes a block for each label that is used, each target and each place after a call.
    fn starts(&mut self) {
        let mut starts: OrderedSet<At> = OrderedSet::new();
        let mut returns = Vec::new();
        for (index, section) in self.sections() {
            starts.extend(section.labels.values().map(|&line| (index, line)));
            for (at, line) in section.lines.iter().enumerate() {
                if ["BRA", "CALL", "JMP"].iter().any(|head| line.head.starts_with(head)) {
                    starts.extend(self.target(index, line));
                }
                if line.head.starts_with("CALL") {
                    starts.insert((index, at + 1));
                    returns.extend(
                        section.lines.get(at + 1).map(|next| (next.address, (index, at + 1))),
                    );
                }
            }
        }
        for at in starts {
            let block = self.builder.block();
            self.blocks.insert(at, block);
        }
        let block = |(address, at)| Some((address, *self.blocks.get(&at)?));
        self.returns = returns.into_iter().filter_map(block).collect();
        self.returns.sort_unstable();
        self.returns.dedup_by_key(|(address, _)| *address);
    }

    /// The line that a branch names.
    fn target(&self, index: usize, line: &Line<'t>) -> Option<At> {
        let last = line.operands.iter().rev();
        last.into_iter().find_map(|operand| match operand {
            Written::Label(name) => self.labelled(index, name),
            Written::Number(address) => {
                let section = &self.listing.sections[index];
                let address = u64::try_from(*address).ok()?;
                let found = section.lines.iter().position(|line| line.address >= address)?;
                (section.lines[found].address == address).then_some((index, found))
            }
            Written::Word(name) => self.labelled(index, name),
            _ => None,
        })
    }

    fn labelled(&self, index: usize, name: &str) -> Option<At> {
        let name = bare(name);
        let own = |index: usize| {
            let section = self.listing.sections.get(index)?;
            let begins = (section.name == name).then_some(0);
            section.labels.get(name).copied().or(begins).map(|line| (index, line))
        };
        own(index).or_else(|| self.sections().find_map(|(index, _)| own(index)))
    }

    fn line(&mut self, at: At, line: &Line<'t>) {
        let head = line.head.split('.').next().unwrap_or("");
        self.guard = line.guard;
        if line.guard.is_some_and(|guard| guard.number.is_none() && guard.not) {
            return;
        }
        match head {
            "BRA" if line.head.starts_with("BRA.DIV") => {
                if line.guard.is_none() {
                    self.divergent(at, line);
                }
            }
            "BRA" | "JMP" => self.branch(at.0, line),
            "NOP" if line.guard.is_none() => self.together(at),
            "EXIT" => self.leave(End::Exit),
            "BPT" | "KILL" => self.leave(End::Unreachable),
            "CALL" => self.call(at.0, line),
            "RET" => self.returned(line),
            "BRX" | "BRXU" | "JMX" | "JMXU" => {
                let why = String::from("the targets of this branch are not known");
                self.leave(End::Unknown(why));
            }
            _ => {
                self.builder.guard(self.lanes());
                self.instruction(head, line);
                self.builder.guard(None);
            }
        }
    }

    fn instruction(&mut self, head: &str, line: &Line<'t>) {
        if self.synchronise(head, line) || self.access(head, line) || self.compute(head, line) {
            return;
        }
        let memory = |operand: &Written<'_>| matches!(operand, Written::Address(..));
        let result = |operand: &&Written<'_>| {
            matches!(operand, Written::Register(..) | Written::Predicate(..))
        };
        let to = self.results(line);
        let computes = line.operands.first().filter(result).is_some();
        if !computes || line.operands.iter().any(memory) {
            let why =
                format!("`{}` may access memory or synchronise, and is not modelled", line.head);
            self.builder.push(Kind::Unknown { why, to });
        } else {
            self.module.ignore(line.head, place(line.span));
            self.builder.push(Kind::Opaque { to });
        }
    }

    /// The lanes of the predicate of the current line.
    pub(super) fn lanes(&self) -> Option<Lanes> {
        let guard = self.guard.filter(|guard| guard.number.is_some())?;
        let register = self.predicate_register(guard)?;
        Some(Lanes::Bit(Operand::Register(register), !guard.not))
    }

    /// Whether the predicate of the current line is one of the uniform datapath.
    pub(super) fn is_uniform(&self) -> bool {
        self.guard.is_some_and(|guard| guard.uniform)
    }

    /// The lanes of the predicate of the current line for which a condition holds, too.
    pub(super) fn lanes_and(&mut self, condition: Operand) {
        let both =
            match self.guard.and_then(|guard| Some((self.predicate_register(guard)?, guard.not))) {
                None => condition,
                Some((register, not)) => {
                    let mut holds = Operand::Register(register);
                    if not {
                        holds = self.builder.compute(1, Op::Not, &[holds]);
                    }
                    self.builder.compute(1, Op::And, &[holds, condition])
                }
            };
        self.builder.guard(Some(Lanes::Bit(both, true)));
    }

    /// The predicate of the current line as a value.
    pub(super) fn holds(&mut self) -> Operand {
        self.guard.map_or(Operand::Int(1), |guard| self.truth(guard))
    }

    fn edge(to: BlockId) -> Edge {
        Edge { to, moves: Vec::new() }
    }

    /// `BRA.DIV UR4, …` leaves for a slower way if threads of the mask are elsewhere. Both ways perform one instruction for all of
    /// them. Without such an instruction (`NOP`), it is `bar.warp.sync`.
    fn divergent(&mut self, (section, at): At, line: &Line<'t>) {
        let next = self.listing.sections[section].lines.get(at + 1);
        if let (Some(mask), Some("NOP")) = (line.operands.first(), next.map(|next| next.head)) {
            let mask = self.value(mask);
            self.push(NvidiaKind::WarpSync { orders: true }, alloc::vec![mask], Vec::new());
        }
    }

    /// A `NOP` among other instructions is `bar.warp.sync` of threads that `ptxas` knows to be together. After a `WARPSYNC`
    /// and `BRA.DIV`, these wait; after other jumps, it fills the space.
    fn together(&mut self, (section, at): At) {
        let before = at.checked_sub(1).map(|before| &self.listing.sections[section].lines[before]);
        let stem = |head: &'t str| head.split('.').next();
        let apart = ["NOP", "WARPSYNC", "BRA", "CALL", "RET", "EXIT"];
        let alone = before.and_then(|line| stem(line.head)).is_some_and(|it| !apart.contains(&it));
        if alone {
            let mask = self.builder.compute(32, Op::Ballot, &[Operand::Int(1)]);
            self.push(NvidiaKind::WarpSync { orders: true }, alloc::vec![mask], Vec::new());
        }
    }

    fn branch(&mut self, index: usize, line: &Line<'t>) {
        let mut on = line.guard.map(|guard| self.truth(guard));
        // `BRA.U !UP0, …`
        let also = line.operands.iter().find_map(|operand| match operand {
            Written::Predicate(predicate) => Some(*predicate),
            _ => None,
        });
        if let Some(also) = also {
            let also = self.truth(also);
            on = Some(match on {
                Some(on) => self.builder.compute(1, Op::And, &[on, also]),
                None => also,
            });
        }
        let target = self.target(index, line).and_then(|at| self.blocks.get(&at).copied());
        let target = target.unwrap_or_else(|| {
            let block = self.builder.block();
            let current = self.builder.current();
            self.builder.go_to(block);
            let why = String::from("the target of this branch is not in the listing");
            self.builder.end(End::Unknown(why));
            self.builder.go_to(current);
            block
        });
        let rest = self.builder.block();
        self.builder.end(match on {
            None => End::Jump(Self::edge(target)),
            Some(on) => End::Branch { on, then: Self::edge(target), other: Self::edge(rest) },
        });
        self.builder.go_to(rest);
    }

    /// Ends the block for the threads whose predicate holds.
    fn leave(&mut self, end: End) {
        let rest = self.builder.block();
        if let Some(guard) = self.guard.filter(|guard| guard.number.is_some()) {
            let target = self.builder.block();
            let on = self.truth(guard);
            self.builder.end(End::Branch { on, then: Self::edge(target), other: Self::edge(rest) });
            self.builder.go_to(target);
        }
        self.builder.end(end);
        self.builder.go_to(rest);
    }

    /// A call is a jump: the code puts the return address into registers itself.
    fn call(&mut self, index: usize, line: &Line<'t>) {
        match self.target(index, line).and_then(|at| self.blocks.get(&at).copied()) {
            Some(target) => self.leave(End::Jump(Self::edge(target))),
            None => {
                let why = String::from("the called function is not in the listing");
                self.leave(End::Unknown(why));
            }
        }
    }

    fn returned(&mut self, line: &Line<'t>) {
        let on = line.operands.first().map_or(Operand::Data, |operand| self.value(operand));
        let unknown = self.builder.block();
        let current = self.builder.current();
        self.builder.go_to(unknown);
        self.builder.end(End::Unknown(String::from("this return has no known address")));
        self.builder.go_to(current);
        let cases = self.returns.iter().map(|&(address, block)| (address, Self::edge(block)));
        let cases = cases.collect();
        self.leave(End::Switch { on, cases, default: Self::edge(unknown) });
    }

    pub(super) fn register(&self, register: Register) -> Option<Reg> {
        let number = Reg::from(register.number?);
        Some(if register.uniform { UNIFORM + number } else { number })
    }

    pub(super) fn predicate_register(&self, predicate: Predicate) -> Option<Reg> {
        let number = Reg::from(predicate.number?);
        Some(if predicate.uniform { UNIFORM_PREDICATES + number } else { PREDICATES + number })
    }

    /// The value of a predicate.
    pub(super) fn truth(&mut self, predicate: Predicate) -> Operand {
        match (self.predicate_register(predicate), predicate.not) {
            (None, not) => Operand::Int(u64::from(!not)),
            (Some(register), false) => Operand::Register(register),
            (Some(register), true) => {
                self.builder.compute(1, Op::Not, &[Operand::Register(register)])
            }
        }
    }

    /// The register after another one.
    pub(super) fn after(register: Register, by: u8) -> Register {
        Register { number: register.number.map(|number| number.saturating_add(by)), ..register }
    }

    /// The value of a register of 32 bits.
    pub(super) fn word(&self, register: Register) -> Operand {
        self.register(register).map_or(Operand::Int(0), Operand::Register)
    }

    /// The value of a pair of registers.
    pub(super) fn pair(&mut self, register: Register) -> Operand {
        if register.number.is_none() {
            return Operand::Int(0);
        }
        let of = [self.word(register), self.word(Self::after(register, 1))];
        self.builder.compute(64, Op::Concat, &of)
    }

    /// The value of an operand of 32 bits.
    pub(super) fn value(&mut self, operand: &Written<'t>) -> Operand {
        let (value, change) = match operand {
            Written::Register(register, change) => (self.word(*register), *change),
            Written::Number(number) => return Operand::Int(*number as u64 & 0xffff_ffff),
            Written::Constant(bank, base, offset, change) => {
                (self.constant(*bank, *base, *offset, 32), *change)
            }
            Written::Predicate(predicate) => return self.truth(*predicate),
            Written::Word(name) => return self.named_address(name),
            _ => return Operand::Data,
        };
        self.changed(value, change, 32)
    }

    /// `32@lo((k + .L_x_1@srel))`: the address of a label.
    fn named_address(&self, name: &str) -> Operand {
        let Some(rest) = name.strip_prefix("32@lo(") else {
            return if name.starts_with("32@hi(") { Operand::Int(0) } else { Operand::Data };
        };
        let label = rest.find(".L").map(|at| {
            let label = &rest[at..];
            label.find([' ', '(', ')', '@', '+']).map_or(label, |end| &label[..end])
        });
        let at = label.and_then(|label| self.labelled(self.kernel, label));
        let line = at.and_then(|(index, line)| self.listing.sections[index].lines.get(line));
        line.map_or(Operand::Data, |line| Operand::Int(line.address))
    }

    /// The value of an operand of 64 bits.
    pub(super) fn wide_value(&mut self, operand: &Written<'t>) -> Operand {
        let (value, change) = match operand {
            Written::Register(register, change) => (self.pair(*register), *change),
            Written::Number(number) => return Operand::Int(*number as u64),
            Written::Constant(bank, base, offset, change) => {
                (self.constant(*bank, *base, *offset, 64), *change)
            }
            _ => return Operand::Data,
        };
        self.changed(value, change, 64)
    }

    fn changed(&mut self, value: Operand, change: Change, width: u8) -> Operand {
        if change.absolute {
            return Operand::Data;
        }
        let value = match change.not {
            true => self.builder.compute(width, Op::Not, &[value]),
            false => value,
        };
        match change.minus {
            true => self.builder.compute(width, Op::Sub, &[Operand::Int(0), value]),
            false => value,
        }
    }

    /// Puts a value of 32 bits into a register.
    pub(super) fn set(&mut self, register: Register, value: Operand) {
        if let Some(to) = self.register(register) {
            self.builder.compute_to(to, Op::Copy, &[value]);
        }
    }

    /// Puts a value of 64 bits into a pair.
    pub(super) fn set_pair(&mut self, register: Register, value: Operand) {
        let high = self.builder.compute(64, Op::ShrUnsigned, &[value, Operand::Int(32)]);
        let low = self.builder.compute(32, Op::Copy, &[value]);
        self.set(register, low);
        self.set(Self::after(register, 1), high);
    }

    pub(super) fn set_predicate(&mut self, predicate: Predicate, value: Operand) {
        if let Some(to) = self.predicate_register(predicate) {
            self.builder.compute_to(to, Op::Copy, &[value]);
        }
    }

    /// The registers and predicates that an unknown instruction may write: the first operands.
    pub(super) fn results(&self, line: &Line<'t>) -> Vec<Reg> {
        let mut found = Vec::new();
        let wide =
            ["64", "WIDE", "128"].iter().any(|part| line.head.split('.').any(|it| it == *part));
        for operand in line.operands.iter().take(2) {
            match operand {
                Written::Register(register, _) if found.is_empty() => {
                    let count = if wide { 4 } else { 1 };
                    found.extend(
                        (0..count).filter_map(|by| self.register(Self::after(*register, by))),
                    );
                    found.retain(|register| *register < PREDICATES);
                }
                Written::Predicate(predicate) => found.extend(self.predicate_register(*predicate)),
                _ => {}
            }
        }
        found
    }
}
