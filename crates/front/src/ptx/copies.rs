//! Asynchronous copies.

use super::function::Lowering;
use super::tree::{Line, Operand as Written};
use alloc::vec::Vec;
use tidegate_kernel::ir::{Kind, NvidiaKind, Op, Operand};
use tidegate_lang::vocabulary::nvidia::{Flags, Kind as Does};
use tidegate_model::ptx::action::Spelling;

impl<'t> Lowering<'_, '_, 't> {
    /// A copy in one of its forms.
    pub(super) fn copy(
        &mut self,
        line: &Line<'t>,
        name: &str,
        does: Does,
        flags: Flags,
        spelling: Spelling,
    ) -> Option<()> {
        match does {
            Does::CopyOfThread => self.copy_of_thread(line, spelling),
            Does::StoreAsync => self.store_async(line, flags, spelling),
            _ if name.ends_with(".tensor") => self.copy_of_tensor(line, name, flags, spelling),
            _ => self.copy_in_bulk(line, name, flags, spelling),
        }
    }

    /// `cp.async.ca.shared.global [to], [from], 16, 12`
    fn copy_of_thread(&mut self, line: &Line<'t>, spelling: Spelling) -> Option<()> {
        let operands = &line.operands[..];
        let (to, from) = (self.at(operands, 0)?, self.at(operands, 1)?);
        let bytes = self.number(operands, 2)?;
        let read = match operands.get(3) {
            // A predicate that ignores the source.
            Some(Written::Register(register)) if self.width(*register) == 1 => {
                let of = [Operand::Register(*register), Operand::Int(0), bytes];
                self.builder.compute(32, Op::Select, &of)
            }
            Some(Written::Number(_) | Written::Register(_)) => self.number(operands, 3)?,
            _ => bytes,
        };
        self.push(NvidiaKind::CopyAsync, alloc::vec![to, from, bytes, read], Vec::new(), spelling);
        Some(())
    }

    /// `st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [to], value, [object]`
    fn store_async(&mut self, line: &Line<'t>, flags: Flags, spelling: Spelling) -> Option<()> {
        let operands = &line.operands[..];
        let to = self.at(operands, 0)?;
        let object = self.at(operands, 2)?;
        let bytes = if flags.wide { 8 } else { 4 } * u64::from(flags.elements.max(1));
        let reduces = line.head.starts_with("red");
        let values = alloc::vec![to, Operand::Data, Operand::Int(bytes), object, Operand::Int(0)];
        self.push(NvidiaKind::CopyBulk { reduces }, values, Vec::new(), spelling);
        Some(())
    }

    /// The mask of CTAs after the object, with `.multicast`.
    fn mask(&mut self, operands: &[Written<'t>], index: usize, flags: Flags) -> Operand {
        let mask = if flags.multicast { self.number(operands, index) } else { None };
        mask.unwrap_or(Operand::Int(0))
    }

    /// `cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [to], [from], bytes, [object], mask` and
    /// `cp.async.bulk.global.shared::cta.bulk_group [to], [from], bytes`
    fn copy_in_bulk(
        &mut self,
        line: &Line<'t>,
        name: &str,
        flags: Flags,
        spelling: Spelling,
    ) -> Option<()> {
        let operands = &line.operands[..];
        let (to, from) = (self.at(operands, 0)?, self.at(operands, 1)?);
        let bytes = self.number(operands, 2)?;
        let reduces = name.starts_with("cp.reduce");
        let (kind, mut values) =
            (NvidiaKind::CopyBulkOut { reduces }, alloc::vec![to, from, bytes]);
        if flags.bulk_group {
            self.push(kind, values, Vec::new(), spelling);
            return Some(());
        }
        values.push(self.at(operands, 3)?);
        values.push(self.mask(operands, 4, flags));
        self.push(NvidiaKind::CopyBulk { reduces }, values, Vec::new(), spelling);
        Some(())
    }

    /// `cp.async.bulk.tensor.2d.… [to], [map, {x, y}], [object], mask` and `… [map, {x, y}], [from]`
    fn copy_of_tensor(
        &mut self,
        line: &Line<'t>,
        name: &str,
        flags: Flags,
        spelling: Spelling,
    ) -> Option<()> {
        let operands = &line.operands[..];
        let map = operands.iter().position(|it| Self::coordinates(it).is_some())?;
        let coordinates = Self::coordinates(&operands[map])?;
        let near = operands.iter().take(2).position(|it| Self::coordinates(it).is_none())?;
        let (near, tensor) = (self.at(operands, near)?, self.at(operands, map)?);
        let reduces = name.starts_with("cp.reduce");
        let mut values = alloc::vec![near, tensor, Operand::Int(0)];
        let kind = match flags.bulk_group {
            true => NvidiaKind::CopyTensorOut { reduces },
            false => {
                values.push(self.at(operands, 2)?);
                // Offsets of im2col may stand between the object and the mask.
                let vector = matches!(operands.get(3), Some(Written::Vector(_)));
                values.push(self.mask(operands, if vector { 4 } else { 3 }, flags));
                NvidiaKind::CopyTensor { scattered: flags.scattered }
            }
        };
        for coordinate in coordinates {
            let value = self.value(coordinate);
            values.push(value);
        }
        self.push(kind, values, Vec::new(), spelling);
        Some(())
    }

    /// The coordinates of an address of a tensor.
    fn coordinates<'l>(operand: &'l Written<'t>) -> Option<&'l [Written<'t>]> {
        match operand {
            Written::Address(_, _, more) => match &more[..] {
                [Written::Vector(coordinates), ..] => Some(coordinates),
                _ => None,
            },
            _ => None,
        }
    }

    /// `clusterlaunchcontrol.try_cancel.async… [to], [object]`: 16 bytes that arrive at an object.
    pub(super) fn launch_control(&mut self, line: &Line<'t>) {
        let operands = &line.operands[..];
        let both = [self.at(operands, 0), self.at(operands, 1)];
        let ([Some(to), Some(object)], true) = (both, line.head.contains(".try_cancel")) else {
            let to = self.written_registers(line);
            return self.builder.push(Kind::Opaque { to });
        };
        let mask = if line.head.contains("multicast") { Operand::Data } else { Operand::Int(0) };
        let values = alloc::vec![to, Operand::Data, Operand::Int(16), object, mask];
        let kind = NvidiaKind::CopyBulk { reduces: false };
        self.push(kind, values, Vec::new(), Spelling::PtxBetween(100, u16::MAX));
    }
}
