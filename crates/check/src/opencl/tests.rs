//! Judgements against a direct simulation: every order of whole steps of a few work-items, each of which has its calls
//! written out beforehand with the rounds and branches that lead there.

mod arguments;
mod bounds;
mod data;
mod groups;
mod merged;
mod named;
mod reduced;
mod words;

use crate::{Options, Scene, check};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::ordered::{OrderedMap, OrderedSet};

/// Numbers that look random and are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

/// A condition or a number, as text and for a work-item: of its sub-group and its place in the work-group.
#[derive(Clone, Copy, Debug)]
enum Number {
    Fixed(i64),
    /// 1 where the sub-group is this, else 0.
    SubGroupIs(i64),
    /// 1 where the work-item is this, else 0.
    ItemIs(i64),
    /// The sub-group and so much more.
    SubGroupAnd(i64),
}

impl Number {
    fn text(self) -> String {
        match self {
            Self::Fixed(number) => format!("{number}"),
            Self::SubGroupIs(number) => format!("(get_sub_group_id() == {number} ? 1 : 0)"),
            Self::ItemIs(number) => format!("(get_local_id(0) == {number} ? 1 : 0)"),
            Self::SubGroupAnd(number) => format!("(get_sub_group_id() + {number})"),
        }
    }

    fn of(self, sub_group: usize, item: usize) -> i64 {
        match self {
            Self::Fixed(number) => number,
            Self::SubGroupIs(number) => i64::from(sub_group as i64 == number),
            Self::ItemIs(number) => i64::from(item as i64 == number),
            Self::SubGroupAnd(number) => sub_group as i64 + number,
        }
    }
}

#[derive(Clone, Debug)]
enum Statement {
    WorkGroup(Number),
    SubGroup(Number),
    Construct(usize, Number),
    Wait(usize, Number),
    /// A call of a function with this body, which receives both barriers.
    Call(Vec<Statement>),
    If(Number, Vec<Statement>, Vec<Statement>),
    Repeat(Number, Vec<Statement>),
    Access(bool, u8),
    Exit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    WorkGroup,
    SubGroup,
    Construct(usize),
    Wait(usize),
    /// Whether it writes, and which of the two memories.
    Access(bool, u8),
}

/// A call of one work-item.
#[derive(Clone, Debug)]
struct Performed {
    what: What,
    /// Branches, rounds and calls that lead there.
    path: String,
    /// Flags, or a count.
    number: i64,
}

const KINDS: u64 = 10;

fn statements(random: &mut Random, depth: u32, named: bool) -> Vec<Statement> {
    (0..1 + random.below(3)).map(|_| statement(random, depth, named)).collect()
}

fn flags(random: &mut Random) -> Number {
    match random.below(12) {
        0 => Number::ItemIs(0),
        1 => Number::SubGroupIs(0),
        two => Number::Fixed((two % 4) as i64),
    }
}

fn branch(random: &mut Random) -> Number {
    match random.below(4) {
        0 => Number::Fixed(random.below(2) as i64),
        1 | 2 => Number::SubGroupIs(random.below(2) as i64),
        _ => Number::ItemIs(random.below(3) as i64),
    }
}

fn statement(random: &mut Random, depth: u32, named: bool) -> Statement {
    match random.below(if depth == 0 { 7 } else { KINDS }) {
        0 | 1 => Statement::WorkGroup(flags(random)),
        2 => Statement::SubGroup(flags(random)),
        3 | 4 if named => Statement::Wait(random.below(2) as usize, flags(random)),
        3..=5 => Statement::Access(random.chance(50), random.below(2) as u8),
        6 if random.chance(10) => Statement::Exit,
        6 => Statement::Access(true, 0),
        7 => {
            let then = statements(random, depth - 1, named);
            let other =
                if random.chance(50) { statements(random, depth - 1, named) } else { Vec::new() };
            Statement::If(branch(random), then, other)
        }
        8 => {
            let times = if random.chance(70) {
                Number::Fixed(1 + random.below(2) as i64)
            } else if random.chance(60) {
                Number::SubGroupAnd(random.below(2) as i64)
            } else {
                Number::ItemIs(random.below(2) as i64)
            };
            Statement::Repeat(times, statements(random, depth - 1, named))
        }
        _ => Statement::Call(statements(random, depth - 1, named)),
    }
}

/// A program: the kernel, and how many sub-groups of how many work-items perform it.
struct Sample {
    kernel: Vec<Statement>,
    sub_groups: usize,
    items: usize,
}

fn sample(random: &mut Random) -> Sample {
    let (sub_groups, items) = [(2, 1), (3, 1), (2, 2), (1, 3), (1, 2)][random.below(5) as usize];
    let mut kernel = Vec::new();
    let named = random.chance(60);
    if named {
        for object in 0..2 {
            let count = if random.chance(5) {
                Number::SubGroupAnd(1)
            } else {
                Number::Fixed(1 + random.below(sub_groups as u64) as i64)
            };
            let construct = Statement::Construct(object, count);
            kernel.push(construct);
        }
    }
    kernel.extend(statements(random, 2, named));
    Sample { kernel, sub_groups, items }
}

/// The text of statements; functions that they call go to `functions`.
fn text(statements: &[Statement], functions: &mut Vec<String>) -> String {
    let mut out = String::new();
    for statement in statements {
        out.push_str(&match statement {
            Statement::WorkGroup(flags) => format!("work_group_barrier({})\n", flags.text()),
            Statement::SubGroup(flags) => format!("sub_group_barrier({})\n", flags.text()),
            Statement::Construct(object, count) => {
                format!("local<work_group_named_barrier> b{object}({})\n", count.text())
            }
            Statement::Wait(object, flags) => format!("b{object}.wait({})\n", flags.text()),
            Statement::Call(body) => {
                let body = text(body, functions);
                functions.push(body);
                format!("call f{}(b0, b1)\n", functions.len() - 1)
            }
            Statement::If(condition, then, other) => {
                let (then, other) = (text(then, functions), text(other, functions));
                format!("if {} {{\n{then}}} else {{\n{other}}}\n", condition.text())
            }
            Statement::Repeat(times, body) => {
                format!("repeat {} {{\n{}}}\n", times.text(), text(body, functions))
            }
            Statement::Access(write, memory) => {
                let word = if *write { "store" } else { "load" };
                format!("{word} p{memory}[0..1]\n")
            }
            Statement::Exit => String::from("exit\n"),
        });
    }
    out
}

impl Sample {
    fn text(&self) -> String {
        let mut functions = Vec::new();
        let kernel = text(&self.kernel, &mut functions);
        let mut out = format!(
            "target opencl\nlaunch subgroups={} items={}\nlocal p0[4]\nglobal p1[4]\n",
            self.sub_groups, self.items
        );
        for (index, body) in functions.iter().enumerate() {
            out.push_str(&format!("func f{index}(b0, b1) {{\n{body}}}\n"));
        }
        // A kernel without named barriers still names them where it calls functions.
        let has = self.kernel.iter().any(|one| matches!(one, Statement::Construct(..)));
        let none = if has { "" } else { "let b0 = 0\nlet b1 = 0\n" };
        out.push_str(&format!("kernel {{\n{none}{kernel}}}\n"));
        out
    }

    fn item(&self, index: usize) -> Vec<Performed> {
        let mut out = Vec::new();
        write_out(&self.kernel, (index / self.items, index), "", &mut out);
        out
    }
}

/// Writes out what a work-item performs; `false` when it ends there.
fn write_out(
    statements: &[Statement],
    who: (usize, usize),
    path: &str,
    out: &mut Vec<Performed>,
) -> bool {
    statements.iter().enumerate().all(|(index, statement)| {
        let path = format!("{path}/{index}");
        let mut push = |what: What, number: i64| {
            out.push(Performed { what, path: path.clone(), number });
            true
        };
        match statement {
            Statement::WorkGroup(flags) => push(What::WorkGroup, flags.of(who.0, who.1)),
            Statement::SubGroup(flags) => push(What::SubGroup, flags.of(who.0, who.1)),
            Statement::Construct(object, count) => {
                push(What::Construct(*object), count.of(who.0, who.1))
            }
            Statement::Wait(object, flags) => push(What::Wait(*object), flags.of(who.0, who.1)),
            Statement::Access(write, memory) => push(What::Access(*write, *memory), 0),
            Statement::Call(body) => write_out(body, who, &format!("{path}c"), out),
            Statement::If(condition, then, other) => {
                let taken = condition.of(who.0, who.1) != 0;
                let body = if taken { then } else { other };
                write_out(body, who, &format!("{path}{}", if taken { "t" } else { "e" }), out)
            }
            Statement::Repeat(times, body) => (0..times.of(who.0, who.1))
                .all(|round| write_out(body, who, &format!("{path}#{round}"), out)),
            Statement::Exit => false,
        }
    })
}

/// The position of each work-item in its calls, and whether it waits there; at the end, `true`: it has ended.
type Standing = Vec<(usize, bool)>;

struct Simulation<'a> {
    sample: &'a Sample,
    calls: Vec<Vec<Performed>>,
    /// The rules that some order breaks first.
    rules: OrderedSet<&'static str>,
    /// Ends that are none by undefined behaviour: how many, and how many of them stuck.
    ends: (u32, u32),
    seen: OrderedMap<Standing, ()>,
}

impl Simulation<'_> {
    fn call(&self, at: &Standing, item: usize) -> Option<&Performed> {
        self.calls[item].get(at[item].0)
    }

    fn has_ended(&self, at: &Standing, item: usize) -> bool {
        at[item].1 && self.call(at, item).is_none()
    }

    fn near(&self, one: usize, other: usize) -> bool {
        one / self.sample.items == other / self.sample.items
    }

    fn visit(&mut self, at: Standing) {
        if self.seen.insert(at.clone(), ()).is_some() {
            return;
        }
        let able: Vec<usize> = (0..at.len()).filter(|&item| !at[item].1).collect();
        if able.is_empty() {
            let stuck: Vec<usize> =
                (0..at.len()).filter(|&item| !self.has_ended(&at, item)).collect();
            self.ends.0 += 1;
            if !stuck.is_empty() {
                self.ends.1 += 1;
                let named = |&item: &usize| {
                    matches!(self.call(&at, item).map(|call| call.what), Some(What::Wait(_)))
                };
                let rule = if stuck.iter().any(named) {
                    "opencl.named.never-completes"
                } else {
                    "opencl.barrier.all-encounter"
                };
                self.rules.insert(rule);
            }
        }
        for item in able {
            match self.step(&at, item) {
                Ok(next) => self.visit(next),
                Err(rules) => self.rules.extend(rules),
            }
        }
    }

    /// The constructions of an object by a work-item so far.
    fn constructed(&self, at: &Standing, item: usize, object: usize) -> Vec<(&str, i64)> {
        let done = self.calls[item].iter().take(at[item].0);
        done.filter(|call| call.what == What::Construct(object))
            .map(|call| (call.path.as_str(), call.number))
            .collect()
    }

    fn step(&self, at: &Standing, item: usize) -> Result<Standing, Vec<&'static str>> {
        let mut next = at.clone();
        let others = || (0..at.len()).filter(|&other| other != item);
        let Some(call) = self.call(at, item) else {
            let waits = |other: &usize| at[*other].1 && !self.has_ended(at, *other);
            let mut rules = Vec::new();
            for other in others().filter(waits) {
                match self.calls[other][at[other].0].what {
                    What::WorkGroup => rules.push("opencl.barrier.all-encounter"),
                    What::SubGroup if self.near(item, other) => {
                        rules.push("opencl.barrier.all-encounter")
                    }
                    What::Wait(_) if self.near(item, other) => {
                        rules.push("opencl.named.sub-group-uniform");
                    }
                    _ => {}
                }
            }
            for object in 0..2 {
                let own = self.constructed(at, item, object).len();
                if others().any(|other| self.constructed(at, other, object).len() > own) {
                    rules.push("opencl.named.uniform");
                }
            }
            next[item].1 = true;
            return if rules.is_empty() { Ok(next) } else { Err(rules) };
        };
        match call.what {
            What::Access(..) => next[item].0 += 1,
            What::Construct(object) => {
                next[item].0 += 1;
                let own = self.constructed(&next, item, object);
                let differs = |other: usize| {
                    let met = self.constructed(at, other, object);
                    met.iter().zip(&own).any(|(one, other)| one != other)
                        || self.has_ended(at, other) && met.len() < own.len()
                };
                if others().any(differs) {
                    return Err(alloc::vec!["opencl.named.uniform"]);
                }
            }
            _ => {
                self.meet(at, item, call)?;
                next[item].1 = true;
                self.release(&mut next, item, call.what)?;
            }
        }
        Ok(next)
    }

    fn meet(&self, at: &Standing, item: usize, call: &Performed) -> Result<(), Vec<&'static str>> {
        let rule = |what: What| match what {
            What::Wait(_) => "opencl.named.sub-group-uniform",
            _ => "opencl.barrier.all-encounter",
        };
        for other in (0..at.len()).filter(|&other| other != item && at[other].1) {
            let near = self.near(item, other);
            let Some(met) = self.call(at, other) else {
                if near || call.what == What::WorkGroup {
                    return Err(alloc::vec![rule(call.what)]);
                }
                continue;
            };
            if !near && (call.what != What::WorkGroup || met.what != What::WorkGroup) {
                continue;
            }
            if (call.what, &call.path) != (met.what, &met.path) {
                return Err(alloc::vec![rule(call.what), rule(met.what)]);
            }
            if call.number != met.number {
                return Err(alloc::vec!["opencl.barrier.uniform-arguments"]);
            }
        }
        Ok(())
    }

    fn release(
        &self,
        next: &mut Standing,
        item: usize,
        what: What,
    ) -> Result<(), Vec<&'static str>> {
        let here = |at: &Standing, other: usize| {
            at[other].1 && self.call(at, other).is_some_and(|call| call.what == what)
        };
        let own = item / self.sample.items;
        let whole = |at: &Standing, sub_group: usize| {
            (0..self.sample.items).all(|lane| here(at, sub_group * self.sample.items + lane))
        };
        let groups: Vec<usize> = match what {
            What::SubGroup => alloc::vec![own],
            _ => (0..self.sample.sub_groups).collect(),
        };
        let groups: Vec<usize> = groups.into_iter().filter(|&group| whole(next, group)).collect();
        let wanted = match what {
            What::SubGroup => 1,
            What::Wait(object) => {
                let made = self.constructed(next, item, object);
                made.last().map_or(0, |&(_, count)| count as usize)
            }
            _ => self.sample.sub_groups,
        };
        if groups.len() != wanted || !groups.contains(&own) {
            return Ok(());
        }
        for group in groups {
            for lane in 0..self.sample.items {
                next[group * self.sample.items + lane].0 += 1;
                next[group * self.sample.items + lane].1 = false;
            }
        }
        Ok(())
    }
}

fn simulate(sample: &Sample) -> (OrderedSet<&'static str>, (u32, u32), Vec<Vec<Performed>>) {
    let all = sample.sub_groups * sample.items;
    let calls: Vec<_> = (0..all).map(|index| sample.item(index)).collect();
    let rules = OrderedSet::new();
    let mut simulation = Simulation { sample, calls, rules, ends: (0, 0), seen: OrderedMap::new() };
    simulation.visit(alloc::vec![(0, false); all]);
    (simulation.rules, simulation.ends, simulation.calls)
}

/// Whether every work-item reaches the same barriers of the work-group with the same arguments, without other barriers.
fn is_uniform(calls: &[Vec<Performed>]) -> Option<bool> {
    let only = |call: &Performed| matches!(call.what, What::WorkGroup | What::Access(..));
    if !calls.iter().flatten().all(only) {
        return None;
    }
    let met = |calls: &Vec<Performed>| -> Vec<(String, i64)> {
        let barriers = calls.iter().filter(|call| call.what == What::WorkGroup);
        barriers.map(|call| (call.path.clone(), call.number)).collect()
    };
    Some(calls.iter().all(|one| met(one) == met(&calls[0])))
}

fn judged(text: &str) -> crate::report::Report {
    let scene = Scene::new("x.tide", text);
    assert!(scene.is_valid(), "{:?}\n{text}", scene.diagnostics());
    check(&scene, &Options { ambiguities: false, ..Options::default() }, &mut |_| true)
}

#[test]
fn judgements_agree_with_a_direct_simulation() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut verdicts, mut uniform) = (OrderedMap::<String, u32>::new(), [0_u32; 2]);
    for _ in 0..4000 {
        let sample = sample(&mut random);
        let text = sample.text();
        let report = judged(&text);
        let (rules, ends, calls) = simulate(&sample);
        let found: OrderedSet<&str> = report
            .findings
            .iter()
            .map(|finding| finding.rule.as_str())
            .filter(|rule| *rule != "mem.race")
            .collect();
        assert_eq!(found, rules, "{text}");
        assert!(report.exhaustive);
        if report.verdict == "deadlock" {
            let all = ends.0 == ends.1;
            assert_eq!(report.findings[0].schedules, if all { "all" } else { "some" }, "{text}");
        }
        if let Some(holds) = is_uniform(&calls) {
            assert_eq!(found.is_empty(), holds, "{text}");
            uniform[usize::from(holds)] += 1;
        }
        *verdicts.entry(report.verdict).or_default() += 1;
    }
    let seen = |verdict: &str| verdicts.get(verdict).copied().unwrap_or(0);
    let enough = ["ok", "ub", "deadlock", "race"].into_iter().all(|verdict| seen(verdict) > 100);
    assert!(enough && uniform.iter().all(|count| *count > 100), "{verdicts:?} {uniform:?}");
}
