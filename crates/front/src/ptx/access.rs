//! Loads, stores and atomic operations.
//!
//! PTX ISA 9.1, "Memory Consistency Model: Operation Types, Strong Operations". Strong accesses whose scopes include each
//! other do not race. What they order depends on the value that is read, which is data: what follows a branch on it is
//! possible, not certain.

use super::function::Lowering;
use super::tree::{Line, Operand as Written};
use super::types::Type;
use alloc::vec::Vec;
use tidegate_kernel::ir::{Access, Comparison, Guard, Kind, Op, Operand, Reg, Space, Special};
use tidegate_model::mem::operation::Scope;

/// The elements of a vector.
fn elements(head: &str) -> u32 {
    let has = |part: &str| head.split('.').any(|one| one == part);
    match () {
        () if has("v2") => 2,
        () if has("v4") => 4,
        () if has("v8") => 8,
        () => 1,
    }
}

/// The address space of an access.
pub(super) fn space(head: &str) -> Space {
    let of = |part: &str| match part {
        "global" => Some(Space::Global),
        "shared" | "shared::cta" | "shared::cluster" => Some(Space::Local),
        "const" => Some(Space::Constant),
        "local" => Some(Space::Private),
        _ => None,
    };
    head.split('.').find_map(of).unwrap_or(Space::Generic)
}

/// The scope of a strong access; volatile ones have that of the system.
fn scope(head: &str) -> Scope {
    let of = |part: &str| match part {
        "cta" => Some(Scope::Workgroup),
        "cluster" => Some(Scope::Cluster),
        _ => None,
    };
    head.split('.').find_map(of).unwrap_or(Scope::System)
}

impl<'t> Lowering<'_, '_, 't> {
    /// An instruction that accesses memory; `false` if it is none.
    pub(super) fn access(&mut self, stem: &str, line: &Line<'t>) -> bool {
        match stem {
            "ld" | "ldu" | "st" => return self.access_in(line, space(line.head)),
            "atom" | "red" => self.atomic(line),
            "ldmatrix" | "stmatrix" => self.matrix(stem, line),
            "wmma" if line.head.contains(".load") || line.head.contains(".store") => {
                self.fragment(line)
            }
            "multimem" => self.multicast_access(line),
            "tensormap" if line.head.contains(".replace") => self.map_written(line),
            _ => return false,
        }
        true
    }

    /// A load or store in an address space; `false` where the instruction has another form.
    pub(super) fn access_in(&mut self, line: &Line<'t>, space: Space) -> bool {
        if line.head.starts_with("st.bulk") {
            return self.bulk_store(line, space);
        }
        let kind = Type::last(line.head);
        let bytes = kind.bytes() * elements(line.head);
        let strong = ["relaxed", "acquire", "release", "volatile", "mmio"];
        let is_strong = line.head.split('.').any(|part| strong.contains(&part));
        let atomic = is_strong.then(|| scope(line.head));
        let writes = line.head.starts_with("st");
        let [first, second, ..] = &line.operands[..] else { return false };
        let (address, value) = if writes { (first, second) } else { (second, first) };
        if !matches!(address, Written::Address(..)) {
            return false;
        }
        let (base, offset) = self.address(address);
        let mut access = match writes {
            true => {
                let values = self.parts(value, kind);
                Access::store(base, space, bytes, values)
            }
            false => Access::load(base, space, bytes, Vec::new()),
        };
        (access.offset, access.atomic) = (offset, atomic);
        if writes {
            self.builder.access(access);
        } else {
            self.load(value, kind, access);
        }
        true
    }

    /// The values that a store writes.
    fn parts(&mut self, value: &Written<'t>, kind: Type) -> Vec<(Operand, u8)> {
        if kind.bits > 64 {
            return Vec::new();
        }
        let bytes = kind.bytes() as u8;
        match value {
            Written::Vector(parts) => parts.iter().map(|part| (self.value(part), bytes)).collect(),
            one => alloc::vec![(self.value(one), bytes)],
        }
    }

    /// A load into a register or a vector of them.
    fn load(&mut self, target: &Written<'t>, kind: Type, mut access: Access) {
        let targets = match target {
            Written::Vector(parts) => &parts[..],
            one => core::slice::from_ref(one),
        };
        if kind.bits > 64 {
            self.builder.access(access);
            let to = targets.iter().filter_map(|one| match one {
                Written::Register(register) => Some(*register),
                _ => None,
            });
            let to = to.collect();
            self.builder.push(Kind::Opaque { to });
            return;
        }
        let mut widen: Vec<(Reg, Reg)> = Vec::new();
        for one in targets {
            match one {
                Written::Register(to) if self.width(*to) == kind.bits => access.to.push(*to),
                Written::Register(to) => {
                    let read = self.builder.register(kind.bits);
                    access.to.push(read);
                    widen.push((*to, read));
                }
                _ => access.to.push(self.builder.register(kind.bits)),
            }
        }
        self.builder.access(access);
        for (to, read) in widen {
            self.widened(to, kind, Operand::Register(read));
        }
    }

    fn atomic(&mut self, line: &Line<'t>) {
        let space = space(line.head);
        let bytes = Type::last(line.head).bytes() * elements(line.head);
        let Some(address) = line.operands.iter().find(|it| matches!(it, Written::Address(..)))
        else {
            return self.opaque(line);
        };
        let to = match line.operands.first() {
            Some(Written::Address(..)) => Vec::new(),
            _ => self.written_registers(line),
        };
        let (base, offset) = self.address(address);
        let atomic = Some(scope(line.head));
        let access = Access { offset, atomic, ..Access::atomic(base, space, bytes, Vec::new()) };
        self.builder.access(access);
        if !to.is_empty() {
            self.builder.push(Kind::Opaque { to });
        }
    }

    /// `ldmatrix.sync.aligned.m8n8.x4.shared.b16 {a, b, c, d}, [row]`: each of the first lanes names a row of 16 bytes.
    fn matrix(&mut self, stem: &str, line: &Line<'t>) {
        let has = |part: &str| line.head.split('.').any(|one| one == part);
        let lanes = match () {
            () if has("x4") => 32,
            () if has("x2") => 16,
            () => 8,
        };
        let Some(address) = line.operands.iter().find(|it| matches!(it, Written::Address(..)))
        else {
            return self.opaque(line);
        };
        let (base, offset) = self.address(address);
        if lanes < 32 {
            let compare = Op::Compare(Comparison::Ult, 32);
            let of = [Operand::Special(Special::Lane), Operand::Int(lanes)];
            let names = self.builder.compute(1, compare, &of);
            self.also_guarded(line, names);
        }
        let access = match stem {
            "ldmatrix" => Access::load(base, space(line.head), 16, Vec::new()),
            _ => Access::store(base, space(line.head), 16, Vec::new()),
        };
        self.builder.access(Access { offset, ..access });
        self.guarded(line);
        if stem == "ldmatrix" {
            self.opaque(line);
        }
    }

    /// The guard of a line.
    pub(super) fn guarded(&mut self, line: &Line<'t>) {
        let guard =
            line.predicate.map(|(register, is)| Guard::Bit(Operand::Register(register), is));
        self.builder.guard(guard);
    }

    /// The guard of a line, together with another condition.
    pub(super) fn also_guarded(&mut self, line: &Line<'t>, condition: Operand) {
        self.builder.guard(None);
        let both = match line.predicate {
            None => condition,
            Some((register, true)) => {
                self.builder.compute(1, Op::And, &[condition, Operand::Register(register)])
            }
            Some((register, false)) => {
                let not = self.builder.compute(1, Op::Not, &[Operand::Register(register)]);
                self.builder.compute(1, Op::And, &[condition, not])
            }
        };
        self.builder.guard(Some(Guard::Bit(both, true)));
    }

    /// `wmma.load`, `wmma.store`: rows whose distance an operand says; which bytes a lane touches is not stated.
    fn fragment(&mut self, line: &Line<'t>) {
        self.somewhere(line, line.head.contains(".store"), None);
    }

    /// `multimem.ld_reduce`, `multimem.st`, `multimem.red`
    fn multicast_access(&mut self, line: &Line<'t>) {
        self.somewhere(line, !line.head.contains(".ld_reduce"), Some(scope(line.head)));
    }

    /// An access to unknown bytes of an object.
    fn somewhere(&mut self, line: &Line<'t>, writes: bool, atomic: Option<Scope>) {
        let Some(address) = line.operands.iter().find(|it| matches!(it, Written::Address(..)))
        else {
            return self.opaque(line);
        };
        let (base, offset) = self.address(address);
        let access = match writes {
            true => Access::store(base, space(line.head), 1, Vec::new()),
            false => Access::load(base, space(line.head), 1, Vec::new()),
        };
        self.builder.access(Access { offset, atomic, anywhere: true, ..access });
        if !writes {
            self.opaque(line);
        }
    }

    /// `st.bulk.shared::cta [a], size, 0`
    fn bulk_store(&mut self, line: &Line<'t>, space: Space) -> bool {
        let [address, size, ..] = &line.operands[..] else { return false };
        let (base, offset) = self.address(address);
        let bytes = match size {
            Written::Number(number) => u32::try_from(*number).ok(),
            _ => None,
        };
        let access = Access::store(base, space, bytes.unwrap_or(1), Vec::new());
        self.builder.access(Access { offset, anywhere: bytes.is_none(), ..access });
        true
    }

    /// `tensormap.replace`: writes a field of a tensor map.
    fn map_written(&mut self, line: &Line<'t>) {
        let Some(address) = line.operands.first() else { return };
        let (base, offset) = self.address(address);
        let access = Access::store(base, space(line.head), 128, Vec::new());
        self.builder.access(Access { offset, ..access });
    }
}
