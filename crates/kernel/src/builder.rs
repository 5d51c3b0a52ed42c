//! Builds modules: assigns base addresses, registers and blocks.

use crate::compute::identify;
use crate::ir::{
    Access, Argument, ArgumentId, Block, BlockId, Comparison, Content, Edge, End, Function,
    FunctionId, Guard, Instruction, Kernel, Kind, Machine, Module, Nvidia, NvidiaKind, Object,
    ObjectId, Op, Operand, Passed, Place, Reg, Space, Special, Style,
};
use crate::{exchanges, idle, polled, switches};
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::ptx::action::{Order, Spelling};

/// The distance between the bases of two global objects, as a power of two. Offsets in kernels are smaller.
const APART: u32 = 40;
/// The distance in bytes between the bases of two private objects of unknown size.
const STACK: u64 = 1 << 16;

/// Whether the result of an operation, or its comparisons with arguments, depend on the lanes that perform it.
const fn depends_on_lanes(op: Op) -> bool {
    use Op::{Ballot, Compare, Elect, Exchange, ReadFirst, ReadLane, Shuffle, WriteLane};
    use Op::{MaxSigned, MaxUnsigned, MinSigned, MinUnsigned};
    matches!(
        op,
        Ballot
            | Compare(..)
            | Elect
            | Exchange(_)
            | ReadFirst
            | ReadLane
            | Shuffle
            | WriteLane
            | MaxSigned
            | MaxUnsigned
            | MinSigned
            | MinUnsigned
    )
}

/// How the lane of a shuffle is chosen (NVIDIA).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shuffled {
    /// By the number of the lane in the segment.
    Index,
    /// By the distance to a lower lane.
    Up,
    /// By the distance to a higher lane.
    Down,
    /// By the bits in which the numbers of the two lanes differ.
    Butterfly,
}

/// Builds a [`Module`].
#[derive(Debug)]
pub struct Builder {
    module: Module,
    /// The next free address of local and of private memory, in bytes.
    next: [u64; 2],
}

impl Builder {
    /// An empty module.
    #[must_use]
    pub const fn new(machine: Machine, style: Style) -> Self {
        let module = Module {
            machine,
            style,
            target: None,
            hexadecimal: false,
            objects: Vec::new(),
            arguments: Vec::new(),
            functions: Vec::new(),
            kernels: Vec::new(),
            unmarked: Vec::new(),
            fences_proxies: false,
            ignored: Vec::new(),
            ignored_at: Vec::new(),
        };
        // Address 0 is null.
        Self { module, next: [0x400, 0x400] }
    }

    /// The module so far.
    pub const fn module(&mut self) -> &mut Module {
        &mut self.module
    }

    /// The finished module. Branches replace switches, and jumps replace branches without effect.
    #[must_use]
    pub fn finish(mut self) -> Module {
        switches::replace(&mut self.module);
        idle::skip(&mut self.module);
        polled::mark(&mut self.module);
        exchanges::mark(&mut self.module);
        self.module
    }

    /// Adds an object at a free address, aligned to 16 bytes at least.
    pub fn object(
        &mut self,
        name: &str,
        place: Place,
        space: Space,
        size: Option<u64>,
    ) -> ObjectId {
        let id = self.module.objects.len() as ObjectId;
        let bytes = size.unwrap_or(STACK).clamp(1, 1 << 32).next_multiple_of(256);
        let base = match space {
            Space::Local | Space::Private => {
                let next = &mut self.next[usize::from(space == Space::Private)];
                core::mem::replace(next, *next + bytes)
            }
            _ => (u64::from(id) + 1) << APART,
        };
        self.object_at(name, place, space, base, size)
    }

    /// Adds an object at an address that the text gives. The caller ensures that objects of one space do not overlap.
    pub fn object_at(
        &mut self,
        name: &str,
        place: Place,
        space: Space,
        base: u64,
        size: Option<u64>,
    ) -> ObjectId {
        let plain = plain_name(name);
        let is_free = self.module.objects.iter().all(|object| object.name != plain);
        self.module.objects.push(Object {
            name: String::from(if is_free { plain } else { name }),
            place,
            space,
            base,
            size,
            element: None,
            content: Content::Data,
            read_only: false,
            image: false,
            barrier: None,
        });
        self.module.objects.len() as ObjectId - 1
    }

    /// Adds an argument.
    pub fn argument(&mut self, name: &str, place: Place, width: u8, passed: Passed) -> ArgumentId {
        self.module.arguments.push(Argument { name: String::from(name), place, width, passed });
        self.module.arguments.len() as ArgumentId - 1
    }

    /// Adds an argument that is the address of a new object.
    pub fn pointer(&mut self, name: &str, place: Place, width: u8, space: Space) -> ArgumentId {
        let object = self.object(name, place, space, None);
        self.argument(name, place, width, Passed::Object(object))
    }

    /// Adds a function. A function that is called before it is built needs a number first, so add an empty one: see
    /// [`Builder::replace`].
    pub fn function(&mut self, function: Function) -> FunctionId {
        self.module.functions.push(function);
        self.module.functions.len() as FunctionId - 1
    }

    /// Replaces a function.
    pub fn replace(&mut self, id: FunctionId, function: Function) {
        if let Some(old) = self.module.functions.get_mut(id as usize) {
            *old = function;
        }
    }

    /// Adds a kernel.
    pub fn kernel(&mut self, kernel: Kernel) {
        self.module.kernels.push(kernel);
    }

    /// Lists an instruction as ignored: its name once, and each place.
    pub fn ignore(&mut self, name: &str, place: Place) {
        self.module.ignored_at.push(place);
        if !self.module.ignored.iter().any(|(known, _)| known == name) {
            self.module.ignored.push((String::from(name), place));
        }
    }
}

/// Builds a [`Function`], block by block.
#[derive(Debug, Default)]
pub struct FunctionBuilder {
    function: Function,
    current: BlockId,
    place: Place,
    guard: Option<Guard>,
}

impl FunctionBuilder {
    /// A function with an empty first block.
    #[must_use]
    pub fn new(name: &str, place: Place) -> Self {
        let function = Function { name: String::from(name), place, ..Function::default() };
        let mut builder = Self { function, place, ..Self::default() };
        builder.block();
        builder
    }

    /// A new register of 1 to 64 bits.
    pub fn register(&mut self, width: u8) -> Reg {
        self.function.widths.push(width.clamp(1, 64));
        self.function.widths.len() as Reg - 1
    }

    /// A new register that receives the next parameter.
    pub fn parameter(&mut self, width: u8) -> Reg {
        let register = self.register(width);
        self.function.parameters.push(register);
        register
    }

    /// Adds a block whose end is unreachable until [`FunctionBuilder::end`] changes it. It does not become the current one.
    pub fn block(&mut self) -> BlockId {
        let block = Block { instructions: Vec::new(), end: End::Unreachable, place: self.place };
        self.function.blocks.push(block);
        self.function.blocks.len() as BlockId - 1
    }

    /// Continues to build this block.
    pub const fn go_to(&mut self, block: BlockId) {
        self.current = block;
    }

    /// The block that is built.
    #[must_use]
    pub const fn current(&self) -> BlockId {
        self.current
    }

    /// Sets the place of the following instructions.
    pub const fn at(&mut self, place: Place) {
        self.place = place;
    }

    /// Starts an instruction of the text, which may add nothing to the function.
    pub fn read(&mut self, place: Place) {
        self.at(place);
        self.function.read.push(place);
    }

    /// The place of the following instructions.
    #[must_use]
    pub const fn place(&self) -> Place {
        self.place
    }

    /// Sets the guard of the following instructions.
    pub const fn guard(&mut self, guard: Option<Guard>) {
        self.guard = guard;
    }

    /// Adds an instruction.
    pub fn push(&mut self, kind: Kind) {
        let instruction = Instruction { place: self.place, guard: self.guard, kind };
        if let Some(block) = self.function.blocks.get_mut(self.current as usize) {
            block.instructions.push(instruction);
        }
    }

    /// Computes into a register.
    pub fn compute_to(&mut self, to: Reg, op: Op, of: &[Operand]) {
        self.push(Kind::Compute { to, op, of: of.into() });
    }

    /// Computes into a new register.
    pub fn compute(&mut self, width: u8, op: Op, of: &[Operand]) -> Operand {
        #[cfg(feature = "proofs")]
        if let (Op::Logic(table), &[a, b, c]) = (op, of)
            && let Some(value) = self.logic(width, table, [a, b, c])
        {
            return value;
        }
        let to = self.register(width);
        // No instruction reads a new register where the guard does not hold, so the computation needs no guard.
        let guard = if depends_on_lanes(op) { None } else { self.guard.take() };
        self.compute_to(to, op, of);
        self.guard = self.guard.or(guard);
        Operand::Register(to)
    }

    /// Computes a function of the operands that is not modelled. `what` identifies the function. If it is symmetric, the order
    /// of the two operands does not matter.
    pub fn function_to(&mut self, to: Reg, what: &str, symmetric: bool, of: &[Operand]) {
        self.compute_to(to, Op::Function(identify(what) as u32, symmetric), of);
    }

    /// The lane from which each lane reads in a shuffle (NVIDIA), and whether that lane is in the segment. `limits` contain the
    /// bounds of a segment.
    pub fn shuffle_source(
        &mut self,
        way: Shuffled,
        by: Operand,
        limits: Operand,
    ) -> (Operand, Operand) {
        let (lane, int) = (Operand::Special(Special::Lane), Operand::Int);
        let mut word = |op, of: &[Operand]| self.compute(32, op, of);
        let high = word(Op::ShrUnsigned, &[limits, int(8)]);
        let segment = word(Op::And, &[high, int(31)]);
        let clamp = word(Op::And, &[limits, int(31)]);
        let others = word(Op::Not, &[segment]);
        let least = word(Op::And, &[lane, segment]);
        let within = word(Op::And, &[clamp, others]);
        let most = word(Op::Or, &[least, within]);
        let (source, compare) = match way {
            Shuffled::Index => {
                let within = word(Op::And, &[by, others]);
                (word(Op::Or, &[least, within]), Comparison::Sle)
            }
            Shuffled::Up => (word(Op::Sub, &[lane, by]), Comparison::Sge),
            Shuffled::Down => (word(Op::Add, &[lane, by]), Comparison::Sle),
            Shuffled::Butterfly => (word(Op::Xor, &[lane, by]), Comparison::Sle),
        };
        let holds = self.compute(1, Op::Compare(compare, 32), &[source, most]);
        let source = self.compute(32, Op::Select, &[holds, source, lane]);
        (self.compute(32, Op::And, &[source, int(31)]), holds)
    }

    /// Accesses memory.
    pub fn access(&mut self, access: Access) {
        self.push(Kind::Access(access));
    }

    /// Arrives at a barrier in LDS (AMDGPU): with a count, or without one when the asynchronous copies of the wave are
    /// complete.
    pub fn arrive_in_lds(&mut self, address: Operand, count: Option<Operand>) {
        let (drop, no_complete, expects, order) = (false, false, false, Order::Cta);
        let (kind, second) = match count {
            Some(count) => (NvidiaKind::Arrive { drop, no_complete, expects, order }, count),
            None => {
                let (no_increment, of_copies) = (true, true);
                (NvidiaKind::CopyArrive { no_increment, of_copies }, Operand::Int(0))
            }
        };
        self.in_lds(kind, alloc::vec![address, second]);
    }

    fn in_lds(&mut self, kind: NvidiaKind, operands: Vec<Operand>) {
        let (results, spelling) = (Vec::new(), Spelling::Lds);
        self.push(Kind::Nvidia(Nvidia { kind, operands, results, spelling }));
    }

    /// Copies a tile between global memory and LDS (AMDGPU). The operands are words of its descriptor: the address in LDS, the
    /// first five words of the second group, and the words that are zero for a tile of up to three dimensions.
    pub fn copy_tile(
        &mut self,
        to_local: bool,
        address: Operand,
        words: [Operand; 5],
        zeros: &[Operand],
    ) {
        let int = Operand::Int;
        let mut bits = |word, first, count| {
            self.compute(32, Op::ExtractUnsigned, &[word, int(first), int(count)])
        };
        let [size, arrives] = [(16, 2), (18, 1)].map(|(first, count)| bits(words[0], first, count));
        let barrier = bits(words[1], 0, 16);
        let sides = [(3, 16), (4, 0), (4, 16)].map(|(at, first)| bits(words[at], first, 16));
        // With multicast, several tiles or padding, the bytes are not known.
        let mut special = self.compute(32, Op::And, &[words[0], int(0x18_ffff)]);
        for &zero in zeros {
            special = self.compute(32, Op::Or, &[special, zero]);
        }
        let mut bytes = sides[0];
        for side in &sides[1..] {
            let side = self.compute(32, Op::MaxUnsigned, &[*side, int(1)]);
            bytes = self.compute(32, Op::Mul, &[bytes, side]);
        }
        bytes = self.compute(32, Op::Shl, &[bytes, size]);
        let plain = self.compute(1, Op::Compare(Comparison::Eq, 32), &[special, int(0)]);
        let bytes = self.compute(32, Op::Select, &[plain, bytes, int(0)]);
        let barrier = self.compute(32, Op::Shl, &[barrier, int(3)]);
        let operands = alloc::vec![address, bytes, arrives, barrier];
        self.in_lds(NvidiaKind::CopyTile { to_local }, operands);
    }

    /// Sets the end of the current block.
    pub fn end(&mut self, end: End) {
        let place = self.place;
        if let Some(block) = self.function.blocks.get_mut(self.current as usize) {
            (block.end, block.place) = (end, place);
        }
    }

    /// Ends the current block with a jump.
    pub fn jump(&mut self, to: BlockId) {
        self.end(End::Jump(Edge { to, moves: Vec::new() }));
    }

    /// The finished function.
    #[must_use]
    pub fn finish(self) -> Function {
        self.function
    }
}

/// The last identifier of a mangled name of C++; other names as they are.
fn plain_name(name: &str) -> &str {
    let Some(mangled) = name.strip_prefix("_Z") else { return name };
    let mangled = mangled.strip_suffix('E').unwrap_or(mangled);
    let digits = mangled.char_indices().filter(|(_, letter)| letter.is_ascii_digit());
    let part = |(at, _): (usize, char)| {
        let rest = &mangled[at..];
        let end = rest.find(|letter: char| !letter.is_ascii_digit())?;
        let length: usize = rest[..end].parse().ok()?;
        (rest.len() == end + length).then(|| &rest[end..])
    };
    digits.filter_map(part).next_back().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_of_one_space_are_apart() {
        let mut builder = Builder::new(Machine::Amdgpu, Style::Lanes);
        for space in [Space::Local, Space::Private, Space::Global] {
            for size in [Some(300), None, Some(4)] {
                builder.object("a", Place::default(), space, size);
            }
        }
        let module = builder.finish();
        for (at, one) in module.objects.iter().enumerate() {
            for other in module.objects[at + 1..].iter().filter(|other| other.space == one.space) {
                assert!(one.base + one.size.unwrap_or(STACK) <= other.base);
            }
        }
    }

    #[test]
    fn instructions_go_into_the_current_block() {
        let mut builder = FunctionBuilder::new("f", Place::default());
        let next = builder.block();
        builder.jump(next);
        builder.go_to(next);
        let sum = builder.compute(32, Op::Add, &[Operand::Int(1), Operand::Int(2)]);
        builder.end(End::Return(alloc::vec![sum]));
        let function = builder.finish();
        assert!(function.blocks[0].instructions.is_empty());
        assert_eq!(function.blocks[1].instructions.len(), 1);
        assert_eq!(function.blocks[1].end, End::Return(alloc::vec![sum]));
    }

    #[test]
    fn mangled_names_are_shown_by_their_last_identifier() {
        for (mangled, plain) in [
            ("_ZZ3nmmE2tb", "tb"),
            ("_ZL1s", "s"),
            ("_ZN2ns4tileE", "tile"),
            ("_ZZ3nmmE2tb_0", "_ZZ3nmmE2tb_0"),
            ("_Z", "_Z"),
            ("tile", "tile"),
        ] {
            assert_eq!(plain_name(mangled), plain);
        }
    }
}
