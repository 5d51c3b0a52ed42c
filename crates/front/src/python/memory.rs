//! Allocations, and views of buffers and barriers.

use super::value::{ELEMENT, Storage, Value, View};
use super::{Done, Reader};
use alloc::boxed::Box;
use alloc::format;
use tidegate_kernel::ir::{NvidiaKind, Op, Operand, Place, Space};
use tidegate_model::ptx::action::Spelling;

/// Bytes of an mbarrier object.
const OBJECT: i64 = 8;
/// The maximum number of bytes of an allocation.
const MOST_BYTES: i64 = 1 << 20;

impl Reader<'_, '_> {
    pub(super) fn barriers(
        &mut self,
        name: &str,
        values: &[Value],
        token: usize,
        place: Place,
    ) -> Done<Value> {
        let count = self.size(&values[0], place, "`num_barriers`")?;
        let number = |reader: &Self, at: usize| match values.get(at) {
            None | Some(Value::None) => Ok(1),
            Some(value) => reader.size(value, place, "the arrival count"),
        };
        let mut arrivals = number(self, 1)?;
        let storage = match name {
            "alloc_warp_barrier" => {
                arrivals = arrivals.saturating_mul(32).saturating_mul(number(self, 2)?);
                Storage::WarpBarriers
            }
            _ => Storage::Barriers,
        };
        if !(1..=128).contains(&count) {
            return Err((place, "the number of barriers must be 1 to 128".into()));
        }
        let made = self.allocated(count, OBJECT, storage, token, place)?;
        if let (true, Value::View(view)) = (self.active(), &made) {
            for at in 0..count {
                let operands = alloc::vec![
                    Operand::Object(view.object, at * OBJECT),
                    Operand::Int(arrivals as u64)
                ];
                self.nvidia(NvidiaKind::Init, operands, Spelling::Tlx);
            }
        }
        Ok(made)
    }

    pub(super) fn buffers(&mut self, values: &[Value], token: usize, place: Place) -> Done<Value> {
        let what = "the shape of `tlx.local_alloc`";
        let mut stage = match values[1] {
            Value::Type(bytes) => bytes,
            _ => ELEMENT,
        };
        let shape = match &values[0] {
            Value::List(sizes) => &sizes[..],
            one => core::slice::from_ref(one),
        };
        let mut sizes = alloc::vec::Vec::new();
        for size in shape {
            let size = self.size(size, place, what)?;
            stage = stage.saturating_mul(size);
            sizes.push(size);
        }
        let shape = match sizes[..] {
            [rows] => [rows, 1],
            [rows, columns] => [rows, columns],
            _ => [0; 2],
        };
        let count = match &values[2] {
            Value::None => 1,
            value => self.size(value, place, "`num`")?,
        };
        let tensor = values[3] == Value::Text("tmem".into());
        match &values[4] {
            Value::None => {}
            // Buffers in the memory of other ones.
            Value::View(view)
                if view.rank.is_none() && !view.part && view.index == Value::Int(0) =>
            {
                let room = view.stage.saturating_mul(view.count.unwrap_or(1));
                if stage < 1 || count < 1 || stage.saturating_mul(count) > room {
                    return Err((place, "these buffers do not fit in those of `reuse`".into()));
                }
                let (count, pitch) = (Some(count), stage);
                let made = View { stage, pitch, count, shape, ..(**view).clone() };
                return Ok(Value::View(Box::new(made)));
            }
            _ => self.unknown("the memory that this allocation reuses is not modelled"),
        }
        let storage = if tensor { Storage::Tensor } else { Storage::Shared };
        let made = self.allocated(count, stage, storage, token, place)?;
        let Value::View(view) = made else { return Ok(made) };
        Ok(Value::View(Box::new(View { shape, ..*view })))
    }

    /// Rows and columns of a view, with their offsets and sizes: a range of bytes if whole rows of shared memory or whole
    /// columns of tensor memory are chosen.
    pub(super) fn slice(&self, of: &Value, offsets: [&Value; 2], sizes: [&Value; 2]) -> Value {
        let Value::View(view) = of else { return Value::Mixed };
        let known = |values: [&Value; 2]| Some([values[0].int()?, values[1].int()?]);
        let own = usize::from(view.storage == Storage::Tensor);
        let mut part = View { part: true, ..(**view).clone() };
        if let (Some(offset), Some(size)) = (known(offsets), known(sizes))
            && view.count.is_none()
            && offset[1 - own] == 0
            && size[1 - own] == view.shape[1 - own]
            && offset[own] >= 0
            && size[own] > 0
            && offset[own].saturating_add(size[own]) <= view.shape[own]
        {
            let each = view.stage / view.shape[own];
            part.part = view.part;
            part.start += offset[own] * each;
            part.stage = size[own] * each;
            part.shape[own] = size[own];
        }
        Value::View(Box::new(part))
    }

    pub(super) fn allocated(
        &mut self,
        count: i64,
        stage: i64,
        storage: Storage,
        token: usize,
        place: Place,
    ) -> Done<Value> {
        let bytes = stage.saturating_mul(count);
        if count < 1 || !(1..=MOST_BYTES).contains(&bytes) {
            return Err((place, format!("this allocation must have 1 to {MOST_BYTES} bytes")));
        }
        let mut key = self.path.clone();
        key.push(token);
        if let Some(known) = self.allocations.get(&key) {
            return Ok(known.clone());
        }
        // The name that the statement assigns.
        let before = self.tokens[..token].iter().rev().position(|it| it.text == "=").unwrap_or(0);
        let name = (before < 6).then(|| token.checked_sub(before + 2)).flatten();
        let name = name.and_then(|at| self.tokens.get(at)).map_or("memory", |it| it.text);
        let object = self.module.object(name, place, Space::Local, Some(bytes as u64));
        let (index, rank, part, shape) = (Value::Int(0), None, false, [0; 2]);
        let (pitch, start, all, count) = (stage, 0, 0, Some(count));
        let view =
            View { object, storage, count, index, stage, pitch, start, shape, all, rank, part };
        let made = Value::View(Box::new(view));
        self.allocations.insert(key, made.clone());
        Ok(made)
    }

    /// `VALUE[INDEX]`
    pub(super) fn indexed(&mut self, of: Value, index: &Value, place: Place) -> Done<Value> {
        Ok(match (of, index) {
            (Value::List(values), Value::Int(at)) => {
                let length = values.len() as i64;
                let at = if *at < 0 { at + length } else { *at };
                match usize::try_from(at).ok().and_then(|at| values.into_iter().nth(at)) {
                    Some(value) => value,
                    None => {
                        return Err((
                            place,
                            format!("this index is out of range: there are {length} values"),
                        ));
                    }
                }
            }
            (Value::View(view), _) if view.count.is_some() => {
                let count = view.count.unwrap_or(1);
                if index.int().is_some_and(|at| !(0..count).contains(&at)) {
                    return Err((
                        place,
                        format!(
                            "this buffer is out of range: valid buffers are 0 to {}",
                            count - 1
                        ),
                    ));
                }
                let index = match self.operand(index) {
                    Operand::Int(_) => index.clone(),
                    Operand::Data => return Ok(Value::Mixed),
                    of => Value::Number(self.builder.compute(32, Op::Copy, &[of])),
                };
                Value::View(Box::new(View { index, count: None, ..*view }))
            }
            (Value::List(_) | Value::View(_), _) => Value::Mixed,
            _ => Value::Data,
        })
    }

    pub(super) fn remote(&mut self, of: &Value, rank: &Value) -> Value {
        let Value::View(view) = of else { return Value::Mixed };
        let rank = match self.operand(rank) {
            Operand::Register(register) => {
                self.builder.compute(32, Op::Copy, &[Operand::Register(register)])
            }
            other => other,
        };
        Value::View(Box::new(View { rank: Some(rank), ..(**view).clone() }))
    }

    /// The address of the buffer or object that a view shows, and its bytes. Without one, the verdict is unknown.
    pub(super) fn address(&mut self, of: &Value, barriers: bool) -> Option<(Operand, View)> {
        let mut view = match of {
            Value::View(view) => (**view).clone(),
            _ => {
                self.unknown("the buffer or barrier of this operation is not known");
                return None;
            }
        };
        if view.all > 0 && view.count.is_some() {
            (view.stage, view.count) = (view.all, None);
        }
        let is_barrier = matches!(view.storage, Storage::Barriers | Storage::WarpBarriers);
        if is_barrier != barriers || view.count.is_some_and(|count| count > 1) {
            self.unknown("this operation needs one buffer or barrier: choose it by its index");
            return None;
        }
        let local = match &view.index {
            Value::Int(at) => Operand::Object(view.object, at * view.pitch + view.start),
            index => {
                let index = self.operand(index);
                let wide = self.builder.compute(64, Op::SignExtend(32), &[index]);
                let distance =
                    self.builder.compute(64, Op::Mul, &[wide, Operand::Int(view.pitch as u64)]);
                let first = Operand::Object(view.object, view.start);
                self.builder.compute(64, Op::Add, &[first, distance])
            }
        };
        let address = match view.rank {
            None => local,
            Some(rank) => {
                let high = self.builder.compute(64, Op::Shl, &[rank, Operand::Int(24)]);
                let both = self.builder.compute(64, Op::Or, &[high, local]);
                self.builder.compute(64, Op::Or, &[both, Operand::Int(1 << 31)])
            }
        };
        Some((address, view))
    }
}
