//! Facts about numbers that follow from the comparisons that lead to an instruction.

use super::sum::{Atom, Sum, common_divisor};
use super::values::Values;
use crate::ir::{BlockId, Comparison, Op, Operand, Reg};
use alloc::vec::Vec;

/// The maximum number of facts that a proof adds.
const DEEPEST: u32 = 6;
/// The maximum number of steps of a proof.
const MOST_STEPS: u32 = 2_000;
/// The maximum number of facts.
const MOST_FACTS: usize = 48;
/// The maximum number of edges to a block whose facts are joined.
const MOST_WAYS: usize = 4;
/// The maximum depth to which conditions are split.
const DEEPEST_CONDITION: u32 = 6;

/// A fact about a sum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fact {
    /// It is 0 or more.
    NotNegative(Sum),
    /// It is not 0.
    NotZero(Sum),
}

/// Facts that hold at one place.
pub(super) type Facts = Vec<Fact>;

impl Values<'_> {
    /// The facts at the start of a block.
    pub(super) fn facts(&self, block: BlockId) -> Facts {
        if let Some(known) = &self.known_facts.borrow()[block as usize] {
            return known.clone();
        }
        let above = self.graph.dominator(block);
        let mut facts = above.map_or_else(Facts::new, |above| self.facts(above));
        if let Some(above) = above
            && *self.graph.before(block) == [above]
        {
            self.add_way(above, block, &mut facts);
        }
        self.add_joined(block, &mut facts);
        if self.graph.is_header(block) {
            facts.extend(self.facts_of_rounds(block));
        }
        if facts.len() > MOST_FACTS {
            facts.drain(..facts.len() - MOST_FACTS);
        }
        self.known_facts.borrow_mut()[block as usize] = Some(facts.clone());
        facts
    }

    /// The facts on the edge from one block to another.
    pub(super) fn facts_on(&self, from: BlockId, to: BlockId) -> Facts {
        let mut facts = self.facts(from);
        self.add_way(from, to, &mut facts);
        facts
    }

    /// Adds the facts that hold on all edges to a block.
    fn add_joined(&self, block: BlockId, facts: &mut Facts) {
        let before = self.graph.before(block).iter();
        let ways: Vec<Facts> = before
            .filter(|&&from| !self.graph.dominates(block, from))
            .map(|&from| self.facts_on(from, block))
            .collect();
        if !(2..=MOST_WAYS).contains(&ways.len()) {
            return;
        }
        for fact in ways.iter().flatten() {
            let everywhere = ways.iter().all(|way| match fact {
                _ if way.contains(fact) => true,
                Fact::NotNegative(sum) => self.is_not_negative(sum, way),
                Fact::NotZero(_) => false,
            });
            if everywhere && !facts.contains(fact) {
                facts.push(fact.clone());
            }
        }
    }

    fn add_way(&self, from: BlockId, to: BlockId, facts: &mut Facts) {
        if let Some((on, is)) = self.condition(from, to) {
            self.add_condition(on, is, facts, DEEPEST_CONDITION);
            self.add_rests(facts);
        }
    }

    /// Adds the facts that follow from a condition, which is true if `is`.
    pub(super) fn add_condition(&self, on: Operand, is: bool, facts: &mut Facts, depth: u32) {
        let Some((op, of)) = self.computed(on).filter(|_| depth > 0) else { return };
        let mut each =
            |is| of.iter().for_each(|&one| self.add_condition(one, is, facts, depth - 1));
        match (op, of) {
            (Op::And, _) if is => each(true),
            (Op::Or, _) if !is => each(false),
            (Op::Copy, _) => each(is),
            (Op::Not, _) => each(!is),
            (Op::Xor, &[one, Operand::Int(by)] | &[Operand::Int(by), one]) => {
                self.add_condition(one, is ^ (by & 1 == 1), facts, depth - 1);
            }
            (Op::Compare(how, width), &[one, other]) => {
                let (one, other) = (self.value(one, width), self.value(other, width));
                self.add_comparison(if is { how } else { opposite(how) }, &one, &other, facts);
            }
            _ => {}
        }
    }

    fn add_comparison(&self, how: Comparison, one: &Sum, other: &Sum, facts: &mut Facts) {
        let unsigned =
            matches!(how, Comparison::Ult | Comparison::Ule | Comparison::Ugt | Comparison::Uge);
        let (less, more, by) = match how {
            Comparison::Slt | Comparison::Ult => (one, other, 1),
            Comparison::Sle | Comparison::Ule => (one, other, 0),
            Comparison::Sgt | Comparison::Ugt => (other, one, 1),
            Comparison::Sge | Comparison::Uge => (other, one, 0),
            Comparison::Eq => {
                self.add_at_least(one.minus(other), 0, facts);
                self.add_at_least(other.minus(one), 0, facts);
                return;
            }
            Comparison::Ne => {
                let difference = one.minus(other);
                if self.is_not_negative(&difference, facts) {
                    self.add_at_least(difference.clone(), 1, facts);
                } else if self.is_not_negative(&difference.scaled(-1), facts) {
                    self.add_at_least(difference.scaled(-1), 1, facts);
                }
                facts.push(Fact::NotZero(difference));
                return;
            }
        };
        // As an unsigned integer, a negative number is large.
        if unsigned && !self.is_not_negative(more, facts) {
            return;
        }
        if unsigned {
            self.add_at_least(less.clone(), 0, facts);
        }
        self.add_at_least(more.minus(less), by, facts);
    }

    /// Adds that a sum is at least 0 or 1. A sum that is a multiple of a larger number and at least 1 is at least that number.
    fn add_at_least(&self, sum: Sum, least: i128, facts: &mut Facts) {
        if sum.number().is_some() {
            return;
        }
        let least = if least > 0 { self.divisor(&sum).max(1) } else { 0 };
        let fact = Fact::NotNegative(sum.offset(-least));
        if !facts.contains(&fact) {
            facts.push(fact);
        }
    }

    /// A number that divides a sum. The difference of a number and its remainder is a multiple of the divisor.
    fn divisor(&self, sum: &Sum) -> i128 {
        let (mut sum, mut divisor) = (sum.clone(), 0);
        let rests: Vec<Atom> = sum.atoms().filter(|atom| matches!(atom, Atom::Rest(_))).collect();
        for atom in rests {
            let Atom::Rest(number) = atom else { continue };
            let (of, exponent) = self.rest(number);
            let factor = sum.factor(&[atom]);
            sum = sum.plus(&Sum::atom(atom), -factor).plus(&self.resolved(&of, 0), factor);
            divisor = common_divisor(divisor, factor << exponent);
        }
        common_divisor(divisor, sum.divisor())
    }

    /// Adds facts about remainders: a number that is less than the divisor is its own remainder.
    fn add_rests(&self, facts: &mut Facts) {
        for number in 0..self.rests() {
            let (of, exponent) = self.rest(number);
            let of = self.resolved(&of, 0);
            if !self.is_not_negative(&of, facts) {
                continue;
            }
            let above = of.minus(&Sum::atom(Atom::Rest(number)));
            self.add_at_least(above.clone(), 0, facts);
            if self.is_not_negative(&of.scaled(-1).offset((1 << exponent) - 1), facts) {
                self.add_at_least(above.scaled(-1), 0, facts);
            }
        }
    }

    /// The facts that hold in each iteration of a loop: those of the back edge, moved by one iteration, if they also hold in
    /// the first one.
    fn facts_of_rounds(&self, header: BlockId) -> Facts {
        let (back, first): (Vec<BlockId>, Vec<BlockId>) =
            self.graph.before(header).iter().partition(|&&from| self.graph.dominates(header, from));
        let [back] = back[..] else { return Facts::new() };
        let mut on_way = Facts::new();
        // Only the condition of the back edge itself, not other facts that hold in the loop.
        if let Some((on, is)) = self.condition(back, header) {
            self.add_condition(on, is, &mut on_way, DEEPEST_CONDITION);
        }
        let round = Atom::Round(header);
        let ways: Vec<(BlockId, Facts)> =
            first.iter().map(|&from| (from, self.facts_on(from, header))).collect();
        let mut facts = Facts::new();
        for fact in on_way {
            let (Fact::NotNegative(sum) | Fact::NotZero(sum)) = &fact;
            let Some(moved) = sum.with(round, &Sum::atom(round).offset(-1)) else { continue };
            let (by, start) = moved.split(round);
            if !self.is_fixed(&start, header) || !self.is_fixed(&by, header) {
                continue;
            }
            let holds = |start: &Sum| {
                ways.iter().all(|(from, facts)| {
                    let start = self.on_way(start, *from, header);
                    start.is_some_and(|start| self.is_not_negative(&start, facts))
                })
            };
            match fact {
                Fact::NotNegative(_) if holds(&start) => facts.push(Fact::NotNegative(moved)),
                // The sum moves by a number that divides it, so it cannot skip 0.
                Fact::NotZero(_) => {
                    let Some(by) = by.number().filter(|&by| by != 0) else { continue };
                    let (sum, start) = match by < 0 {
                        true => (moved, start),
                        false => (moved.scaled(-1), start.scaled(-1)),
                    };
                    if self.divisor(&start) % by == 0 && holds(&start.offset(-1)) {
                        facts.push(Fact::NotNegative(sum.offset(-by.abs())));
                    }
                }
                Fact::NotNegative(_) => {}
            }
        }
        facts
    }

    /// Replaces registers in a sum by the values that they receive on an edge to a block.
    pub(super) fn on_way(&self, sum: &Sum, from: BlockId, to: BlockId) -> Option<Sum> {
        let mut sum = sum.clone();
        let atoms: Vec<Atom> = sum.atoms().collect();
        for atom in atoms {
            if let Atom::First(register) | Atom::Register(register) = atom
                && register != Reg::MAX
                && self.phi_block(register) == Some(to)
            {
                let width = self.function.widths[register as usize];
                let ways = self.incoming(to, register);
                let (_, operand) = *ways.iter().find(|(one, _)| *one == from)?;
                sum = sum.with(atom, &self.value(operand, width))?;
            }
        }
        Some(sum)
    }

    /// Whether a sum is 0 or more if the facts hold.
    pub(super) fn is_not_negative(&self, sum: &Sum, facts: &[Fact]) -> bool {
        self.fuel.set(MOST_STEPS);
        self.proved(sum, facts, DEEPEST)
    }

    fn proved(&self, sum: &Sum, facts: &[Fact], depth: u32) -> bool {
        // Longest products first: fewer facts are about them.
        let longest = sum.products().rev().max_by_key(|(product, _)| product.len());
        let Some((product, factor)) = longest.filter(|(product, _)| !product.is_empty()) else {
            return sum.constant() >= 0;
        };
        if depth == 0 || self.fuel.get() == 0 {
            return false;
        }
        self.fuel.set(self.fuel.get() - 1);
        let without = |bound: &Sum, of: i128| {
            let rest = sum.scaled(of.abs()).plus(bound, -factor.abs());
            self.proved(&rest, facts, depth - 1)
        };
        let own = self.bounds(product, facts, depth).into_iter().any(|bound| {
            let of = bound.factor(product);
            of.signum() == factor.signum() && without(&bound, of)
        });
        own || facts.iter().any(|fact| match fact {
            Fact::NotNegative(bound) => {
                let of = bound.factor(product);
                of.signum() == factor.signum() && without(bound, of)
            }
            Fact::NotZero(_) => false,
        })
    }

    /// Sums that are never negative and contain a given product.
    fn bounds(&self, product: &[Atom], facts: &[Fact], depth: u32) -> Vec<Sum> {
        let [atom] = *product else {
            let all = |&atom: &Atom| self.proved(&Sum::atom(atom), facts, depth.min(2) - 1);
            let mut one = Sum::int(1);
            for &atom in product {
                one = one.times(&Sum::atom(atom)).unwrap_or_default();
            }
            return if product.iter().all(all) { alloc::vec![one] } else { Vec::new() };
        };
        let sum = Sum::atom(atom);
        match atom {
            Atom::Round(_) => alloc::vec![sum],
            Atom::Rest(number) => {
                let most = (1 << self.rest(number).1) - 1;
                alloc::vec![sum.scaled(-1).offset(most), sum]
            }
            Atom::Special(_) | Atom::Result(_) if self.is_known(&sum) => {
                let Some(all) = self.threads.atom(atom, self) else { return Vec::new() };
                let (least, most) = (all.iter().min(), all.iter().max());
                let (Some(least), Some(most)) = (least, most) else { return Vec::new() };
                alloc::vec![sum.offset(-least), sum.scaled(-1).offset(*most)]
            }
            _ => Vec::new(),
        }
    }
}

const fn opposite(how: Comparison) -> Comparison {
    match how {
        Comparison::Eq => Comparison::Ne,
        Comparison::Ne => Comparison::Eq,
        Comparison::Ult => Comparison::Uge,
        Comparison::Ule => Comparison::Ugt,
        Comparison::Ugt => Comparison::Ule,
        Comparison::Uge => Comparison::Ult,
        Comparison::Slt => Comparison::Sge,
        Comparison::Sle => Comparison::Sgt,
        Comparison::Sgt => Comparison::Sle,
        Comparison::Sge => Comparison::Slt,
    }
}
