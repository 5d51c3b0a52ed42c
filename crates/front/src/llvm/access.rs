//! Memory accesses and fences.

use super::around::Triple;
use super::cursor::{Cursor, Parsed};
use super::types::{self, Scalar, Type};
use super::unit::Unit;
use alloc::vec::Vec;
use tidegate_kernel::ir::{Access, Kind, Operand, Reg, Space};
use tidegate_model::mem::operation::{Fence, Scope, Spaces};

/// The memory orders of a fence.
const ORDERS: [&str; 4] = ["acquire", "release", "acq_rel", "seq_cst"];

/// The bytes of a scalar.
const fn width(scalar: &Scalar) -> u32 {
    match scalar {
        Scalar::Followed(bits) => bits.div_ceil(8) as u32,
        Scalar::Data(bytes) => *bytes,
    }
}

/// The unused bytes before each of some scalars.
fn gaps(scalars: &[(u64, Scalar)]) -> impl Iterator<Item = u8> + '_ {
    let ends = scalars.iter().map(|(offset, one)| offset + u64::from(width(one)));
    let starts = scalars.iter().map(|(offset, _)| *offset);
    let ends = core::iter::once(0).chain(ends);
    starts.zip(ends).map(|(start, end)| start.saturating_sub(end).min(8) as u8)
}

/// The scope that `syncscope` gives, and whether each address space is ordered separately. `singlethread` is none.
fn sync_scope(cursor: &mut Cursor<'_, '_>) -> (Option<Scope>, bool) {
    if !cursor.eat("syncscope") {
        return (Some(Scope::System), false);
    }
    let scope = cursor.ahead(1).text;
    cursor.skip_group();
    let (name, one_as) = match scope.strip_suffix("one-as") {
        Some(name) => (name.trim_end_matches('-'), true),
        None => (scope, false),
    };
    let scope = match name {
        "singlethread" => None,
        "wavefront" => Some(Scope::Wavefront),
        "workgroup" | "block" => Some(Scope::Workgroup),
        "cluster" => Some(Scope::Cluster),
        "agent" | "device" => Some(Scope::Agent),
        _ => Some(Scope::System),
    };
    (scope, one_as)
}

impl<'a> Unit<'_, 'a> {
    /// An address operand: its value and its address space.
    pub(super) fn pointer(&mut self, cursor: &mut Cursor<'_, 'a>) -> Parsed<(Operand, Space)> {
        let (of, value) = self.typed(cursor)?;
        let space = match self.around.module.types.resolve(&of) {
            Type::Pointer(space) => self.around.space(*space),
            _ => Space::Generic,
        };
        Ok((value.first().copied().unwrap_or(Operand::Data), space))
    }

    /// Whether a load or store is atomic, and whether it is volatile.
    fn manner(cursor: &mut Cursor<'_, 'a>) -> (bool, bool) {
        let atomic = cursor.eat("atomic");
        (atomic, cursor.eat("volatile"))
    }

    /// The scope of a load or store, of which the rest of the line follows, if it is atomic. A volatile one is strong on NVIDIA,
    /// like a relaxed access at system scope.
    fn scope_of(&self, cursor: &mut Cursor<'_, 'a>, manner: (bool, bool)) -> Option<Scope> {
        let scope = sync_scope(cursor).0;
        match manner {
            (_, true) if self.around.triple == Triple::Nvidia => Some(Scope::System),
            (true, _) => scope,
            (false, _) => None,
        }
    }

    /// Reads into a value of a type: an access for each run of scalars.
    pub(super) fn read_from(
        &mut self,
        address: (Operand, Space),
        of: &Type,
        name: Option<&'a str>,
        atomic: Option<Scope>,
    ) {
        let scalars = self.around.module.types.scalars(of);
        let registers = name.map(|name| self.registers(name, of)).unwrap_or_default();
        let bytes = self.around.module.types.size(of).0.min(1 << 20) as u32;
        let mut to = Vec::new();
        for (gap, register) in gaps(&scalars).zip(registers.iter().copied()) {
            to.extend((gap > 0).then(|| self.code.register(gap * 8)));
            to.extend(register);
        }
        let plain =
            scalars.iter().all(|(_, one)| matches!(one, Scalar::Followed(8 | 16 | 32 | 64)));
        let mut access =
            Access::load(address.0, address.1, bytes, if plain { to.clone() } else { Vec::new() });
        access.atomic = atomic;
        if !plain {
            self.pieces(address, &scalars, &registers);
        }
        self.code.access(access);
    }

    /// Scalars that are not next to each other are data, except in private memory, where each is read by itself.
    fn pieces(
        &mut self,
        (address, space): (Operand, Space),
        scalars: &[(u64, Scalar)],
        registers: &[Option<Reg>],
    ) {
        for ((offset, _), register) in scalars.iter().zip(registers) {
            let Some(to) = *register else { continue };
            if scalars.len() > 1 && space != Space::Private {
                self.code.push(Kind::Opaque { to: alloc::vec![to] });
                continue;
            }
            let bytes = match scalars.first() {
                Some((_, Scalar::Followed(bits))) => u32::from(bits.div_ceil(8)),
                _ => 8,
            };
            let mut access = Access::load(address, space, bytes, alloc::vec![to]);
            access.offset = *offset as i64;
            self.code.access(access);
        }
    }

    pub(super) fn load(
        &mut self,
        cursor: &mut Cursor<'_, 'a>,
        name: Option<&'a str>,
    ) -> Parsed<()> {
        let manner = Self::manner(cursor);
        let of = types::read(cursor)?;
        cursor.expect(",")?;
        let address = self.pointer(cursor)?;
        let atomic = self.scope_of(cursor, manner);
        self.read_from(address, &of, name, atomic);
        Ok(())
    }

    pub(super) fn store(&mut self, cursor: &mut Cursor<'_, 'a>) -> Parsed<()> {
        let manner = Self::manner(cursor);
        let (of, stored) = self.typed(cursor)?;
        cursor.expect(",")?;
        let (address, space) = self.pointer(cursor)?;
        let scalars = self.around.module.types.scalars(&of);
        let bytes = self.around.module.types.size(&of).0.min(1 << 20) as u32;
        let mut values = Vec::new();
        for ((gap, scalar), value) in gaps(&scalars).zip(&scalars).zip(stored) {
            values.extend((gap > 0).then_some((Operand::Data, gap)));
            values.push((value, width(&scalar.1).min(255) as u8));
        }
        let mut access = Access::store(address, space, bytes, values);
        access.atomic = self.scope_of(cursor, manner);
        self.code.access(access);
        Ok(())
    }

    pub(super) fn atomic(
        &mut self,
        cursor: &mut Cursor<'_, 'a>,
        name: Option<&'a str>,
    ) -> Parsed<()> {
        cursor.eat("volatile");
        cursor.at += 1;
        let (address, space) = self.pointer(cursor)?;
        cursor.expect(",")?;
        let (of, _) = self.typed(cursor)?;
        let to = self.target(name, &of).into_iter().collect();
        let bytes = self.around.module.types.size(&of).0.min(64) as u32;
        let access = Access::atomic(address, space, bytes, to);
        self.code.access(Access { atomic: sync_scope(cursor).0, ..access });
        Ok(())
    }

    pub(super) fn exchange(
        &mut self,
        cursor: &mut Cursor<'_, 'a>,
        name: Option<&'a str>,
    ) -> Parsed<()> {
        cursor.eat("weak");
        cursor.eat("volatile");
        let (address, space) = self.pointer(cursor)?;
        cursor.expect(",")?;
        let (of, _) = self.typed(cursor)?;
        cursor.expect(",")?;
        self.typed(cursor)?;
        let bytes = self.around.module.types.size(&of).0.min(64) as u32;
        let result = Type::Struct(alloc::vec![of, Type::Int(1)], false);
        self.define(name, &result, &[]);
        let access = Access::atomic(address, space, bytes, Vec::new());
        self.code.access(Access { atomic: sync_scope(cursor).0, ..access });
        Ok(())
    }

    pub(super) fn fence(&mut self, cursor: &mut Cursor<'_, 'a>) -> Parsed<()> {
        let (scope, one_as) = sync_scope(cursor);
        let order = cursor.peek().text;
        if !ORDERS.contains(&order) {
            return Err(cursor.unexpected("`acquire`, `release`, `acq_rel` or `seq_cst`"));
        }
        cursor.at += 1;
        if !cursor.at_line_end() && !cursor.is(",") {
            return Err(cursor.unexpected("`,` or the end of the line"));
        }
        let mut spaces = Spaces::ALL;
        while !cursor.at_line_end() {
            if cursor.take().text == "mmra" {
                let node = cursor.take().text;
                spaces = self.synchronized(node, 0);
            }
        }
        let release = matches!(order, "release" | "acq_rel" | "seq_cst");
        let acquire = matches!(order, "acquire" | "acq_rel" | "seq_cst");
        let Some(scope) = scope else { return Ok(()) };
        let fence = Fence { release, acquire, scope, one_as, spaces };
        self.fence_of(fence);
        Ok(())
    }

    /// The address spaces that an MMRA names: `!{!"amdgpu-synchronize-as", !"local"}`, or a list of such nodes.
    fn synchronized(&self, node: &str, depth: u32) -> Spaces {
        use tidegate_model::mem::operation::Space as Of;
        let (_, texts) = self.around.module.node(self.tokens, node);
        if texts.first() == Some(&"amdgpu-synchronize-as") {
            return match texts.get(1) {
                Some(&"local") => Spaces::default().with(Of::Local),
                Some(&"global") => Spaces::default().with(Of::Global),
                _ => Spaces::ALL,
            };
        }
        let mut spaces = Spaces::default();
        for inner in texts.into_iter().filter(|_| depth < 3) {
            let more = self.synchronized(inner, depth + 1);
            for space in [Of::Local, Of::Global] {
                if more.contains(space) {
                    spaces = spaces.with(space);
                }
            }
        }
        if spaces.is_empty() { Spaces::ALL } else { spaces }
    }
}
