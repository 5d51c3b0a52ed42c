//! Copies that the work-items of a work-group start together, from their call to the wait for their event.
//!
//! One work-item performs each copy for the work-group, another one for each copy that can be in flight at the same time, so
//! that copies into the same bytes race. What a copy accesses, it may access at its call, and
//! again before each barrier, wait and return that comes before the wait for it has returned. The event of a copy is a number:
//! that of its call and of one of two slots, so that two copies of one call can be in flight, or the number of the event that it
//! is given.

use super::calls::{Call, space_of};
use super::copy_sites::Shape;
use super::types::Scalar;
use super::unit::Unit;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_kernel::builder::FunctionBuilder;
use tidegate_kernel::ir::{Access, Comparison, Guard, Kind, Op, Opencl, Operand, Space, Special};
use tidegate_model::opencl::action::Group;

/// The maximum number of events of one wait that are read.
const MOST_EVENTS: u64 = 16;

impl<'a> Unit<'_, 'a> {
    /// `async_work_group_copy`, and `async_work_group_strided_copy`, whose addresses are not followed.
    pub(super) fn group_copy(&mut self, call: &Call<'a>, types: &str, strided: bool) {
        let spaces = [0, 1].map(|at| match space_of(call.arguments.get(at)) {
            Some(space) => self.around.space(space),
            None => Space::Generic,
        });
        let count = call.constant(2).filter(|_| !strided);
        let bytes = count.unwrap_or(1).saturating_mul(element(types)).min(1 << 30) as u32;
        let scalars = self.around.module.types.scalars(&call.of);
        let followed = matches!(scalars[..], [(_, Scalar::Followed(64))]);
        let counted = count.is_none() && !strided;
        let shape = Shape { spaces, bytes, counted, anywhere: strided, followed };
        let number = self.copies.found.len();
        self.copies.found.push(shape);
        let addresses = [call.value(0), call.value(1)];
        let given = (0..call.arguments.len()).map(|at| call.value(at)).collect();
        self.gather(0, given);
        let site = self.copies.sites.get(number).cloned();
        let turn = site.as_ref().map_or(Operand::Int(0), |site| Operand::Register(site.turn));
        let own = self.code.compute(64, Op::Add, &[turn, Operand::Int(2 * number as u64)]);
        let performs = self.performs(own);
        accesses(&mut self.code, shape, (addresses, call.value(2)), performs);
        let Some(site) = site else { return self.define(call.name, &call.of, &[]) };
        let code = &mut self.code;
        // A copy that is given an event has that event; otherwise one of its own.
        let own = code.compute(64, Op::Add, &[own, Operand::Int(1)]);
        let event = match call.value(3) {
            Operand::Int(0) | Operand::Data => own,
            given => {
                let joins =
                    code.compute(1, Op::Compare(Comparison::Ne, 64), &[given, Operand::Int(0)]);
                code.compute(64, Op::Select, &[joins, given, own])
            }
        };
        for (at, slot) in (0..).zip(site.slots) {
            let equal = [turn, Operand::Int(at)];
            let chosen = code.compute(1, Op::Compare(Comparison::Eq, 1), &equal);
            let twice = code.compute(1, Op::And, &[chosen, Operand::Register(slot.pending)]);
            code.guard(Some(Guard::Bit(twice, true)));
            let why = String::from("more than two copies of this call are in flight");
            code.push(Kind::Unknown { why, to: Vec::new() });
            code.guard(Some(Guard::Bit(chosen, true)));
            for (register, address) in slot.addresses.into_iter().zip(addresses) {
                code.compute_to(register, Op::Copy, &[address]);
            }
            code.compute_to(slot.count, Op::Copy, &[call.value(2)]);
            code.compute_to(slot.event, Op::Copy, &[event]);
            code.compute_to(slot.pending, Op::Copy, &[performs]);
            code.guard(None);
        }
        code.compute_to(site.turn, Op::Xor, &[turn, Operand::Int(1)]);
        self.define(call.name, &call.of, &[event]);
    }

    /// Whether the work-item performs the copy with this number: they take turns in the first dimension.
    fn performs(&mut self, number: Operand) -> Operand {
        let code = &mut self.code;
        let all = Operand::Special(Special::Threads(0));
        let chosen = code.compute(64, Op::RemUnsigned, &[number, all]);
        let is = |code: &mut FunctionBuilder, at, wanted| {
            let thread = Operand::Special(Special::Thread(at));
            code.compute(1, Op::Compare(Comparison::Eq, 64), &[thread, wanted])
        };
        let [one, two, three] = [(0, chosen), (1, Operand::Int(0)), (2, Operand::Int(0))]
            .map(|(at, it)| is(code, at, it));
        let both = code.compute(1, Op::And, &[one, two]);
        code.compute(1, Op::And, &[both, three])
    }

    /// Copies in flight access memory here, too.
    pub(super) fn copies_in_flight(&mut self) {
        for site in self.copies.sites.clone() {
            for slot in site.slots {
                let addresses = slot.addresses.map(Operand::Register);
                let pending = Operand::Register(slot.pending);
                let count = Operand::Register(slot.count);
                accesses(&mut self.code, site.shape, (addresses, count), pending);
            }
        }
    }

    /// `wait_group_events`: all work-items wait for the copies, so it gathers them, and orders what the copies have accessed.
    pub(super) fn wait_for_copies(&mut self, call: &Call<'a>) {
        self.copies_in_flight();
        let sites = self.copies.sites.clone();
        let followed = sites.iter().all(|site| site.shape.followed);
        let count = call.constant(0).filter(|count| *count <= MOST_EVENTS && followed);
        let events: Vec<Operand> = match count {
            Some(count) => (0..count).map(|at| self.event(call, at)).collect(),
            None => Vec::new(),
        };
        self.gather(8, events.clone());
        for slot in sites.iter().flat_map(|site| site.slots) {
            let code = &mut self.code;
            let mut left = Operand::Int(u64::from(count.is_some()));
            for event in &events {
                let of = [*event, Operand::Register(slot.event)];
                let differs = code.compute(1, Op::Compare(Comparison::Ne, 64), &of);
                left = code.compute(1, Op::And, &[left, differs]);
            }
            let pending = Operand::Register(slot.pending);
            if count.is_none() {
                code.guard(Some(Guard::Bit(pending, true)));
                let why = String::from("it is not known which copies this wait completes");
                code.push(Kind::Unknown { why, to: Vec::new() });
                code.guard(None);
            }
            code.compute_to(slot.pending, Op::And, &[pending, left]);
        }
    }

    /// All work-items of the work-group come to this call with the same operands.
    fn gather(&mut self, flags: u64, same: Vec<Operand>) {
        self.code.push(Kind::Opencl(Opencl::Barrier {
            group: Group::Work,
            flags: Operand::Int(flags),
            scope: None,
            shares: None,
            same,
        }));
    }

    /// The number of an event in the list of a wait.
    fn event(&mut self, call: &Call<'a>, at: u64) -> Operand {
        let space = match space_of(call.arguments.get(1)) {
            Some(space) => self.around.space(space),
            None => Space::Generic,
        };
        let to = self.code.register(64);
        let read = Access::load(call.value(1), space, 8, alloc::vec![to]);
        self.code.access(Access { offset: 8 * at as i64, ..read });
        Operand::Register(to)
    }
}

/// What a copy accesses, if this bit is set: with these addresses, and this number of elements.
fn accesses(
    code: &mut FunctionBuilder,
    shape: Shape,
    (addresses, count): ([Operand; 2], Operand),
    on: Operand,
) {
    let [to, from] = shape.spaces;
    code.guard(Some(Guard::Bit(on, true)));
    let mut read = Access::load(addresses[1], from, shape.bytes, Vec::new());
    let mut write = Access::store(addresses[0], to, shape.bytes, Vec::new());
    (read.anywhere, write.anywhere) = (shape.anywhere, shape.anywhere);
    (read.copied, write.copied) = (true, true);
    let times = shape.counted.then_some(count);
    (read.times, write.times) = (times, times);
    code.access(read);
    code.access(write);
    code.guard(None);
}

/// The bytes of the element of the first pointer in mangled types: `PU3AS3Dv4_f…`.
pub(super) fn element(types: &str) -> u64 {
    let of = types.trim_start_matches('P');
    let of = match of.strip_prefix("U3AS") {
        Some(rest) => rest.get(1..).unwrap_or(""),
        None => of,
    };
    let (count, of) = match of.strip_prefix("Dv").and_then(|rest| rest.split_once('_')) {
        Some((count, of)) => (count.parse().unwrap_or(1), of),
        None => (1, of),
    };
    // A vector of three elements has the size of one of four.
    let count = if count == 3 { 4 } else { count };
    let bytes = match of.trim_start_matches('K').bytes().next() {
        Some(b'c' | b'a' | b'h' | b'b') => 1,
        Some(b's' | b't') => 2,
        Some(b'D') => 2,
        Some(b'l' | b'm' | b'd' | b'x' | b'y') => 8,
        _ => 4,
    };
    count * bytes
}
