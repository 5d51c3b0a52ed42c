//! Memory instructions: which operand is the address, the base, the result.

use super::super::operand::{Arguments, Bank, Operand, Registers, Scalar};
use super::super::table::access::{Access, Does, Path, access};
use super::{Operation, Source, registers, scope, source, written};
use tidegate_model::mem::operation::Scope;

/// An access of each lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Memory<'a> {
    pub(in super::super) access: Access,
    /// Registers that get data; none of stores and copies.
    pub(in super::super) result: Option<Registers>,
    /// The address of each lane: 32 or 64 bits, or an offset to `base`; none where there is none.
    pub(in super::super) address: Option<Source<'a>>,
    /// A scalar base of 64 bits, or a resource of 128.
    pub(in super::super) base: Option<Source<'a>>,
    /// A scalar offset of 32 bits.
    pub(in super::super) offset: Option<Source<'a>>,
    /// The address in LDS of a copy; none where m0 has it.
    pub(in super::super) local: Option<Source<'a>>,
    /// Constant offsets: two for an instruction with two addresses.
    pub(in super::super) constants: [i64; 2],
    /// Whether the offset of each lane counts elements.
    pub(in super::super) scaled: bool,
    /// Whether the lane's address register is an index to the elements of a resource (`idxen`), or its second half is an offset.
    pub(in super::super) indexed: bool,
    /// What a store or an atomic operation writes.
    pub(in super::super) data: [Option<Source<'a>>; 2],
    /// How far a scope modifier reaches, or a cache policy that stands for one.
    pub(in super::super) scope: Option<Scope>,
}

/// Reads a memory instruction.
pub(super) fn memory<'a>(name: &str, arguments: &Arguments<'a>) -> Option<Operation<'a>> {
    let mut found = access(name)?;
    if found.does == Does::Hint {
        return Some(Operation::Nothing);
    }
    if found.does == Does::Exchange {
        return Some(Operation::Data(written(name, arguments)));
    }
    if found.path == Path::Buffer && found.does == Does::Load && arguments.has("lds") {
        found.does = Does::CopyIn;
    }
    if let Does::Atomic { result } = &mut found.does {
        let returns = ["glc", "sc0"].iter().any(|word| arguments.has(word))
            || arguments.modifier("th").is_some_and(|th| th.contains("RETURN"));
        *result |= found.path != Path::Ds && returns;
    }
    // Up to GFX11, loads of other scopes than the wave bypass the first cache.
    let bypasses = found.does == Does::Load && arguments.has("glc");
    let mut operands = Operands { arguments, next: 0 };
    let mut memory = Memory {
        access: found,
        result: None,
        address: None,
        base: None,
        offset: None,
        local: None,
        constants: [
            arguments.number("offset").or_else(|| arguments.number("offset0")).unwrap_or(0),
            arguments.number("offset1").unwrap_or(0),
        ],
        scaled: arguments.has("scale_offset"),
        indexed: arguments.has("idxen"),
        data: [None, None],
        scope: scope(arguments).or(bypasses.then_some(Scope::Agent)),
    };
    match found.path {
        Path::Scalar | Path::ScalarBuffer => {
            memory.result = operands.registers();
            memory.base = operands.next();
            memory.offset = operands.next();
        }
        Path::Ds => memory.ds(&mut operands),
        Path::Buffer => memory.buffer(&mut operands, arguments.has("offen"))?,
        _ => memory.vector(&mut operands),
    }
    Some(Operation::Memory(memory))
}

/// Operands in order.
struct Operands<'a, 'b> {
    arguments: &'b Arguments<'a>,
    next: usize,
}

impl<'a> Operands<'a, '_> {
    /// The next operand, if it is a value: `off` and `null` are none.
    fn next(&mut self) -> Option<Source<'a>> {
        let found = self.arguments.operands.get(self.next)?;
        self.next += 1;
        match found.operand {
            Operand::Registers(Registers { bank: Bank::Scalar, first: Scalar::NULL, .. })
            | Operand::Word(_)
            | Operand::Symbol { name: "off", .. } => None,
            _ => Some(source(found)),
        }
    }

    fn registers(&mut self) -> Option<Registers> {
        let found = self.arguments.operands.get(self.next)?;
        self.next += 1;
        registers(found)
    }
}

impl<'a> Memory<'a> {
    fn gives(&self) -> bool {
        matches!(
            self.access.does,
            Does::Load | Does::Atomic { result: true } | Does::Arrive { result: true }
        )
    }

    fn writes(&self) -> bool {
        matches!(self.access.does, Does::Store | Does::Atomic { .. } | Does::Arrive { .. })
    }

    fn ds(&mut self, operands: &mut Operands<'a, '_>) {
        if self.gives() {
            self.result = operands.registers();
        }
        self.address = operands.next();
        if self.writes() {
            self.data = [operands.next(), operands.next()];
        }
    }

    /// `global_*`, `flat_*` and `scratch_*`: a load names its result first, a store its address.
    fn vector(&mut self, operands: &mut Operands<'a, '_>) {
        match self.access.does {
            Does::CopyIn if self.access.asynchronous => {
                self.local = operands.next();
                self.address = operands.next();
            }
            Does::CopyOut => {
                self.address = operands.next();
                self.local = operands.next();
            }
            _ => {
                if self.gives() {
                    self.result = operands.registers();
                }
                self.address = operands.next();
                if self.writes() {
                    self.data[0] = operands.next();
                }
            }
        }
        self.base = operands.next();
    }

    /// `buffer_*`: data, offset of the lane, resource, scalar offset.
    fn buffer(&mut self, operands: &mut Operands<'a, '_>, offen: bool) -> Option<()> {
        if self.access.does != Does::CopyIn {
            let data = operands.arguments.operands.first()?;
            operands.next = 1;
            if self.gives() {
                self.result = registers(data);
            }
            if self.writes() {
                self.data[0] = Some(source(data));
            }
        }
        self.address = operands.next().filter(|_| offen || self.indexed);
        self.base = Some(operands.next()?);
        self.offset = operands.next();
        Some(())
    }
}
