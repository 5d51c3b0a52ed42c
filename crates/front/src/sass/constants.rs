//! The constant bank of the launch: arguments, sizes, addresses of the stack and of the parameters.
//!
//! Where the parameters begin depends on the generation, as code of `ptxas` shows.

use super::function::{Lowering, place};
use super::operand::{Operand as Written, Register};
use alloc::format;
use tidegate_kernel::ir::{Comparison, Op, Operand, Passed, Space, Special};
use tidegate_model::ordered::OrderedSet;

/// The layout of bank 0 of a generation.
struct Layout {
    parameters: i64,
    threads: i64,
    groups: i64,
    stack: i64,
    /// The address of the parameters, if the bank has it.
    address: i64,
    /// Whether the launch has clusters.
    clusters: i64,
}

const NOWHERE: i64 = -64;

const fn layout(generation: u32) -> Layout {
    match generation {
        100.. => Layout {
            parameters: 0x380,
            threads: 0x360,
            groups: 0x370,
            stack: 0x37c,
            address: 0x348,
            clusters: NOWHERE,
        },
        90..=99 => Layout {
            parameters: 0x210,
            threads: 0,
            groups: 0xc,
            stack: 0x28,
            address: 0x198,
            clusters: 0x140,
        },
        _ => Layout {
            parameters: 0x160,
            threads: 0,
            groups: 0xc,
            stack: 0x28,
            address: NOWHERE,
            clusters: NOWHERE,
        },
    }
}

impl<'t> Lowering<'_, 't> {
    fn layout(&self) -> Layout {
        let name = self.listing.target.map_or("sm_90", |(name, _)| name);
        let digits =
            name.trim_start_matches("sm_").trim_end_matches(|it: char| !it.is_ascii_digit());
        layout(digits.parse().unwrap_or(90))
    }

    /// The value in the constant bank.
    pub(super) fn constant(
        &mut self,
        bank: u32,
        base: Option<Register>,
        offset: i64,
        width: u8,
    ) -> Operand {
        if bank != 0 || base.is_some_and(|base| base.number.is_some()) {
            return Operand::Data;
        }
        let layout = self.layout();
        if offset >= layout.parameters {
            return self.argument(offset, width);
        }
        let within = |start: i64| {
            let at = offset - start;
            (0..12).contains(&at).then_some((at / 4) as u8)
        };
        if let Some(dimension) = within(layout.threads) {
            return Operand::Special(Special::Threads(dimension));
        }
        if let Some(dimension) = within(layout.groups) {
            return Operand::Special(Special::Groups(dimension));
        }
        if offset == layout.stack {
            let stack = self.stack_object();
            return Operand::Object(stack, 1 << 16);
        }
        if offset == layout.address || offset == layout.address + 4 {
            let parameters = Operand::Object(self.parameters_object(), 0);
            return self.half(parameters, offset != layout.address, width);
        }
        if offset == layout.clusters {
            let several = Op::Compare(Comparison::Ugt, 32);
            let of = [Operand::Special(Special::RanksOfCluster), Operand::Int(1)];
            return self.builder.compute(1, several, &of);
        }
        // Descriptors of caches, and what is not known.
        Operand::Int(0)
    }

    /// The memory of the parameters, whose addresses tensor copies use.
    pub(super) fn parameters_object(&mut self) -> u32 {
        let span = self.listing.sections[self.kernel].span;
        let module = &mut self.module;
        *self.parameters.get_or_insert_with(|| {
            module.object("parameters", place(span), Space::Constant, Some(4096))
        })
    }

    /// A value of 64 bits, or one half of it.
    fn half(&mut self, whole: Operand, high: bool, width: u8) -> Operand {
        match (width, high) {
            (64, _) => whole,
            (_, false) => self.builder.compute(32, Op::Copy, &[whole]),
            (_, true) => {
                let shifted = self.builder.compute(64, Op::ShrUnsigned, &[whole, Operand::Int(32)]);
                self.builder.compute(32, Op::Copy, &[shifted])
            }
        }
    }

    fn argument(&mut self, offset: i64, width: u8) -> Operand {
        let start = offset & !7;
        if self.pointers.contains(&start) && (offset == start || width == 32) {
            let whole = self.argument_of(start, 64, true);
            return self.half(whole, offset != start, width);
        }
        if width == 64 && offset == start {
            let low = self.argument_of(start, 32, false);
            let high = self.argument_of(start + 4, 32, false);
            return self.builder.compute(64, Op::Concat, &[low, high]);
        }
        self.argument_of(offset, width.min(32), false)
    }

    fn argument_of(&mut self, offset: i64, width: u8, pointer: bool) -> Operand {
        if let Some(&known) = self.arguments.get(&(offset, width)) {
            return Operand::Argument(known);
        }
        let name = format!("c[0x0][{offset:#x}]");
        let at = place(self.listing.sections[self.kernel].span);
        let argument = match pointer {
            true => self.module.pointer(&name, at, 64, Space::Global),
            false => self.module.argument(&name, at, width, Passed::Integer),
        };
        self.arguments.insert((offset, width), argument);
        Operand::Argument(argument)
    }

    /// Offsets of arguments that are addresses: both halves are read, and no comparison uses one.
    pub(super) fn addresses(&self) -> OrderedSet<i64> {
        let parameters = self.layout().parameters;
        let mut found = OrderedSet::new();
        for (_, section) in self.sections() {
            let mut halves: OrderedSet<i64> = OrderedSet::new();
            for (at, line) in section.lines.iter().enumerate() {
                for (place, operand) in line.operands.iter().enumerate() {
                    let Written::Constant(0, None, offset, _) = *operand else { continue };
                    if offset < parameters {
                        continue;
                    }
                    let pairs = pairs_read(line.head, place);
                    if pairs == 0 {
                        halves.insert(offset);
                    }
                    for pair in 0..pairs {
                        let compared = match line.operands.first() {
                            Some(Written::Register(register, _)) => {
                                let number =
                                    register.number.map(|number| number.saturating_add(2 * pair));
                                let register = Register { number, ..*register };
                                self.is_compared(&section.lines[at + 1..], register)
                            }
                            _ => false,
                        };
                        let offset = offset + 8 * i64::from(pair);
                        if offset % 8 == 0 && !compared {
                            found.insert(offset);
                        }
                    }
                }
            }
            let both = |offset: &i64| offset % 8 == 0 && halves.contains(&(offset + 4));
            let pairs: alloc::vec::Vec<i64> = halves.iter().copied().filter(both).collect();
            let compared = |offset: i64| {
                section.lines.iter().any(|line| {
                    line.head.contains("SETP")
                        && line.operands.iter().any(|operand| {
                            matches!(*operand, Written::Constant(0, None, at, _) if at & !7 == offset)
                        })
                })
            };
            found.extend(pairs.into_iter().filter(|&offset| !compared(offset)));
        }
        found
    }

    /// Whether a comparison uses a register of a pair before another instruction writes it.
    fn is_compared(&self, lines: &[super::listing::Line<'t>], pair: Register) -> bool {
        let both = [pair.number, pair.number.map(|number| number.saturating_add(1))];
        let is = |operand: &Written<'_>| match operand {
            Written::Register(it, _) => it.uniform == pair.uniform && both.contains(&it.number),
            _ => false,
        };
        for line in lines.iter().take(256) {
            if line.head.contains("SETP") && line.operands.iter().any(is) {
                return true;
            }
            if line.operands.first().is_some_and(is) {
                return false;
            }
        }
        false
    }
}

/// How many values of 64 bits an instruction reads by an operand; 0 if it reads fewer bits.
fn pairs_read(head: &str, place: usize) -> u8 {
    let has = |wanted: &str| head.split('.').any(|part| part == wanted);
    match () {
        () if has("128") => 2,
        // The last operand of `IMAD.WIDE` is added to a product of 64 bits.
        () if has("64") || has("WIDE") && place > 2 => 1,
        () => 0,
    }
}
