//! Random OpenCL C kernels with effects in expressions, compared with a small interpreter of C that runs each work-item
//! on real arrays and records its accesses between barriers. `TIDEGATE_RANDOM=full` compares 6,000 kernels.

mod interpreter;
mod text;

use crate::common::Random;
use interpreter::{Memory, races};
use std::collections::BTreeSet;
use text::write_all;
use tidegate_check::{Options, Scene, check};

const ITEMS: i64 = 4;
const ARRAYS: [&str; 4] = ["a", "b", "t", "u"];
const LENGTH: i64 = 16;
/// The private array has fewer elements.
const OWN: i64 = 4;
/// The first points into local memory and the second into private memory.
const POINTERS: [&str; 2] = ["p", "q"];
const VARIABLES: usize = 4;
/// The variable that holds data, if a kernel has any; the variables of loops follow it.
const DATA: usize = VARIABLES;

#[derive(Clone, Debug)]
enum Place {
    Variable(usize),
    Element(usize, Box<Value>),
    /// An element of the private array.
    Own(Box<Value>),
    /// The target of a pointer, or an element from there on.
    Target(Pointer, Option<Box<Value>>),
}

#[derive(Clone, Debug)]
enum Pointer {
    Variable(usize),
    Array(usize, i64),
    Own(i64),
    Of(Box<Place>),
    Choice(Box<Value>, Box<Self>, Box<Self>),
}

#[derive(Clone, Debug)]
enum Value {
    Number(i64),
    Lid,
    Read(Place),
    Binary(&'static str, Box<Self>, Box<Self>),
    Unary(&'static str, Box<Self>),
    Lazy(bool, Box<Self>, Box<Self>),
    Choice(Box<Self>, Box<Self>, Box<Self>),
    Comma(Box<Self>, Box<Self>),
    Assign(&'static str, Place, Box<Self>),
    Step(bool, i64, Place),
    Call(usize, Option<usize>, Box<Self>),
    /// The last function: a number is added to what a pointer points to.
    Add(Pointer, Box<Self>),
}

#[derive(Clone, Debug)]
enum Statement {
    Value(Value),
    If(Value, Vec<Self>, Vec<Self>),
    For(usize, i64, Vec<Self>),
    While(usize, i64, Vec<Self>),
    Do(usize, i64, Vec<Self>),
    Switch(Value, Vec<Self>, Vec<Self>),
    Point(usize, Pointer),
    Leave(bool, Value),
}

/// Functions of the kernel; the last one writes an element of an array.
const FUNCTIONS: [&str; 3] = ["next", "fold", "put"];
const TEXT: &str = "int next(int x) { return x + 1; }
int fold(int x) { int y = x; while (y > 3) y -= 2; if (y-- < 2) return y; return ++y; }
int put(int *p, int i) { p[i & 15] = i; return ++i; }
int add(int *p, int x) { *p = (*p + x) & 31; return *p; }
";

struct Writer<'a> {
    random: &'a mut Random,
    /// Whether memory contents may decide.
    data: bool,
    loops: usize,
    /// The nesting of loops that a `break` may leave.
    inside: usize,
}

/// The number of the private array among what is read and written.
const OWN_KEY: usize = 104;

/// The reads and writes of an expression: variables first, then arrays.
#[derive(Default)]
struct Touched([BTreeSet<usize>; 2]);

impl Touched {
    fn of(value: &Value) -> Self {
        let mut touched = Self::default();
        touched.add(value);
        touched
    }

    fn place(&mut self, place: &Place, writes: bool) {
        let writes = usize::from(writes);
        match place {
            Place::Variable(variable) => drop(self.0[writes].insert(*variable)),
            Place::Element(array, index) => {
                self.add(index);
                self.0[writes].insert(100 + array);
            }
            Place::Own(index) => {
                self.add(index);
                self.0[writes].insert(OWN_KEY);
            }
            Place::Target(pointer, index) => {
                index.iter().for_each(|index| self.add(index));
                self.pointer(pointer);
                let keys = self.targets(pointer);
                self.0[writes].extend(keys);
            }
        }
    }

    /// The reads of a pointer expression.
    fn pointer(&mut self, pointer: &Pointer) {
        match pointer {
            Pointer::Variable(variable) => drop(self.0[0].insert(200 + variable)),
            Pointer::Array(..) | Pointer::Own(_) => {}
            Pointer::Of(place) => match &**place {
                Place::Element(_, index) | Place::Own(index) => self.add(index),
                _ => {}
            },
            Pointer::Choice(condition, one, other) => {
                self.add(condition);
                self.pointer(one);
                self.pointer(other);
            }
        }
    }

    /// The possible targets of a pointer.
    fn targets(&self, pointer: &Pointer) -> Vec<usize> {
        match pointer {
            Pointer::Variable(0) => vec![102, 103],
            Pointer::Variable(_) => vec![OWN_KEY, 3],
            Pointer::Array(array, _) => vec![100 + array],
            Pointer::Own(_) => vec![OWN_KEY],
            Pointer::Of(place) => match &**place {
                Place::Variable(variable) => vec![*variable],
                Place::Element(array, _) => vec![100 + array],
                _ => vec![OWN_KEY],
            },
            Pointer::Choice(_, one, other) => {
                [one, other].into_iter().flat_map(|one| self.targets(one)).collect()
            }
        }
    }

    fn add(&mut self, value: &Value) {
        match value {
            Value::Number(_) | Value::Lid => {}
            Value::Read(place) => self.place(place, false),
            Value::Unary(_, inner) => self.add(inner),
            Value::Binary(_, one, other)
            | Value::Lazy(_, one, other)
            | Value::Comma(one, other) => {
                [one, other].into_iter().for_each(|value| self.add(value));
            }
            Value::Choice(one, two, three) => drop([one, two, three].map(|value| self.add(value))),
            Value::Assign(_, place, from) => {
                self.place(place, true);
                self.add(from);
            }
            Value::Step(_, _, place) => self.place(place, true),
            Value::Call(_, array, inner) => {
                self.0[1].extend(array.map(|array| 100 + array));
                self.add(inner);
            }
            Value::Add(pointer, inner) => {
                self.place(&Place::Target(pointer.clone(), None), true);
                self.add(inner);
            }
        }
    }

    /// Whether the two effects are unsequenced in C.
    fn clashes(&self, other: &Self) -> bool {
        let meets = |one: &BTreeSet<usize>, other: &BTreeSet<usize>| !one.is_disjoint(other);
        meets(&self.0[1], &other.0[0])
            || meets(&self.0[1], &other.0[1])
            || meets(&self.0[0], &other.0[1])
    }
}

impl Writer<'_> {
    fn variable(&mut self) -> usize {
        self.random.below(VARIABLES)
    }

    /// An index, mostly one of the work-item itself.
    fn index(&mut self, depth: usize) -> Value {
        let lid = || Box::new(Value::Lid);
        let own = match self.random.below(8) {
            0..4 => Value::Lid,
            4 | 5 => {
                let away = 4 * self.random.below(3) as i64;
                Value::Binary("+", lid(), Box::new(Value::Number(away)))
            }
            6 => {
                let effect = self.value(depth.saturating_sub(1), false);
                Value::Comma(Box::new(effect), lid())
            }
            _ => self.value(depth.saturating_sub(1), self.data),
        };
        Value::Binary("&", Box::new(own), Box::new(Value::Number(15)))
    }

    fn element(&mut self, depth: usize) -> Place {
        let array = self.random.below(ARRAYS.len());
        Place::Element(array, Box::new(self.index(depth)))
    }

    /// A pointer of that kind, which may be chosen by a condition.
    fn pointer(&mut self, variable: usize, depth: usize) -> Pointer {
        let offset = self.random.below(3) as i64;
        match self.random.below(if depth == 0 { 4 } else { 6 }) {
            0 | 1 => Pointer::Variable(variable),
            2 | 3 if variable == 0 => Pointer::Array(2 + self.random.below(2), 4 * offset),
            2 => Pointer::Own(offset),
            3 => Pointer::Of(Box::new(match self.random.below(2) {
                0 => Place::Variable(3),
                _ => Place::Own(Box::new(Value::Number(offset))),
            })),
            4 => {
                let condition = self.value(depth - 1, self.data);
                let both = [(); 2].map(|()| Box::new(self.pointer(variable, depth - 1)));
                let [one, other] = both;
                Pointer::Choice(Box::new(condition), one, other)
            }
            _ if variable == 0 => {
                let index = Value::Binary("&", Box::new(Value::Lid), Box::new(Value::Number(7)));
                Pointer::Of(Box::new(Place::Element(2 + self.random.below(2), Box::new(index))))
            }
            _ => Pointer::Own(offset),
        }
    }

    /// The target of a pointer; mostly an element of the work-item itself.
    fn after(&mut self, variable: usize, depth: usize) -> Place {
        let pointer = self.pointer(variable, depth.min(1));
        let index = match (variable, self.random.below(3)) {
            (_, 0) => return Place::Target(pointer, None),
            (0, _) => self.index(depth),
            _ => return Place::Target(pointer, None),
        };
        Place::Target(
            pointer,
            Some(Box::new(Value::Binary("&", Box::new(index), Box::new(Value::Number(3))))),
        )
    }

    fn own(&mut self, depth: usize) -> Place {
        let index = self.value(depth.saturating_sub(1), false);
        let most = Value::Number(OWN - 1);
        Place::Own(Box::new(Value::Binary("&", Box::new(index), Box::new(most))))
    }

    /// Two operands in unspecified order, which does not matter.
    fn pair(&mut self, depth: usize, data: bool) -> (Box<Value>, Box<Value>) {
        let (one, mut other) = (self.value(depth, data), self.value(depth, data));
        if Touched::of(&one).clashes(&Touched::of(&other)) {
            other = Value::Number(self.random.below(4) as i64);
        }
        (Box::new(one), Box::new(other))
    }

    /// An assignment without conflict between its sides; its value is data if the assigned value is.
    fn assigned(&mut self, operator: &'static str, place: Place, from: Value) -> Value {
        let mut target = Touched::default();
        target.place(&place, false);
        let clashes = target.clashes(&Touched::of(&from));
        let from = if clashes { Value::Number(1) } else { from };
        Value::Assign(operator, place, Box::new(from))
    }

    /// An expression; its value is independent of memory, unless it may be data.
    fn value(&mut self, depth: usize, data: bool) -> Value {
        if depth == 0 {
            return match self.random.below(3) {
                0 => Value::Number(self.random.below(5) as i64),
                1 => Value::Lid,
                _ => Value::Read(Place::Variable(self.variable())),
            };
        }
        let depth = depth - 1;
        match self.random.below(if data { 20 } else { 17 }) {
            0 => self.value(0, data),
            1 | 2 => {
                let all = ["+", "-", "&", "|", "^", "<", "==", "!=", ">="];
                let operator = all[self.random.below(all.len())];
                let (one, other) = self.pair(depth, data);
                // Keeps numbers small.
                let masked = |value: Box<Value>| {
                    Box::new(Value::Binary("&", value, Box::new(Value::Number(31))))
                };
                Value::Binary(operator, masked(one), masked(other))
            }
            3 => {
                let inner = Box::new(self.value(depth, data));
                Value::Unary(["!", "~"][self.random.below(2)], inner)
            }
            4 | 5 => {
                let both = self.random.below(2) == 0;
                let one = Box::new(self.value(depth, self.data && data));
                let other = Box::new(self.value(depth, data && self.data));
                Value::Lazy(both, one, other)
            }
            6 => {
                let condition = Box::new(self.value(depth, self.data && data));
                let (one, other) = (self.value(depth, data), self.value(depth, data));
                Value::Choice(condition, Box::new(one), Box::new(other))
            }
            7 => {
                let effect = Box::new(self.value(depth, true));
                Value::Comma(effect, Box::new(self.value(depth, data)))
            }
            8 => {
                let (variable, before) = (self.variable(), self.random.below(2) == 0);
                Value::Step(before, [1, -1][self.random.below(2)], Place::Variable(variable))
            }
            9 => {
                let from = self.value(depth, false);
                let from = Value::Binary("&", Box::new(from), Box::new(Value::Number(31)));
                let operator = ["=", "=", "^=", "|="][self.random.below(4)];
                let place = Place::Variable(self.variable());
                self.assigned(operator, place, from)
            }
            10 => {
                let from = self.value(depth, false);
                let place = self.element(depth);
                self.assigned("=", place, from)
            }
            11 | 12 => {
                let function = self.random.below(FUNCTIONS.len());
                let argument = self.value(depth, false);
                let mut argument =
                    Value::Binary("&", Box::new(argument), Box::new(Value::Number(15)));
                let array = (function == 2).then(|| self.random.below(ARRAYS.len()));
                let touched = Touched::of(&argument);
                if array
                    .is_some_and(|array| touched.0.iter().any(|one| one.contains(&(100 + array))))
                {
                    argument = Value::Lid;
                }
                Value::Call(function, array, Box::new(argument))
            }
            13 => Value::Read(Place::Variable(self.variable())),
            14 => {
                let place = match self.random.below(2) {
                    0 => self.own(depth),
                    _ => self.after(1, depth),
                };
                match self.random.below(3) {
                    0 => Value::Read(place),
                    1 => {
                        let before = self.random.below(2) == 0;
                        Value::Step(before, [1, -1][self.random.below(2)], place)
                    }
                    _ => {
                        let from = self.value(depth, false);
                        let from = Value::Binary("&", Box::new(from), Box::new(Value::Number(31)));
                        self.assigned("=", place, from)
                    }
                }
            }
            15 => {
                let pointer = self.pointer(1, depth.min(1));
                self.added(pointer, depth)
            }
            16 => {
                let from = self.value(depth, false);
                let place = self.after(0, depth);
                self.assigned("=", place, from)
            }
            17 => match self.random.below(3) {
                0 => Value::Read(self.element(depth)),
                1 => Value::Read(self.after(0, depth)),
                _ => {
                    let pointer = self.pointer(0, depth.min(1));
                    self.added(pointer, depth)
                }
            },
            18 => {
                let before = self.random.below(2) == 0;
                Value::Step(before, [1, -1][self.random.below(2)], self.element(depth))
            }
            _ => {
                let from = self.value(depth, true);
                let from = Value::Binary("&", Box::new(from), Box::new(Value::Number(31)));
                match self.random.below(2) {
                    0 => self.assigned("=", Place::Variable(DATA), from),
                    _ => {
                        let place = self.element(depth);
                        let operator = ["=", "+=", "^="][self.random.below(3)];
                        self.assigned(operator, place, from)
                    }
                }
            }
        }
    }

    fn added(&mut self, pointer: Pointer, depth: usize) -> Value {
        let mut target = Touched::default();
        target.pointer(&pointer);
        let from = self.value(depth, false);
        let from = Value::Binary("&", Box::new(from), Box::new(Value::Number(31)));
        let clashes = target.clashes(&Touched::of(&from));
        Value::Add(pointer, Box::new(if clashes { Value::Number(1) } else { from }))
    }

    fn statements(&mut self, depth: usize) -> Vec<Statement> {
        (0..1 + self.random.below(2)).map(|_| self.statement(depth)).collect()
    }

    fn condition(&mut self) -> Value {
        let data = self.data && self.random.below(3) == 0;
        self.value(2, data)
    }

    fn statement(&mut self, depth: usize) -> Statement {
        let kind = if depth == 0 { 0 } else { self.random.below(12) };
        match kind {
            0..5 => Statement::Value(self.value(3, true)),
            5 => {
                let pointer = self.random.below(POINTERS.len());
                Statement::Point(pointer, self.pointer(pointer, 2))
            }
            6 | 7 => {
                let condition = self.condition();
                let (then, other) = (self.statements(depth - 1), self.statements(depth - 1));
                Statement::If(
                    condition,
                    then,
                    if self.random.below(2) == 0 { other } else { Vec::new() },
                )
            }
            8 => {
                let value = self.value(2, false);
                let value = Value::Binary("&", Box::new(value), Box::new(Value::Number(1)));
                let (one, other) = (self.statements(depth - 1), self.statements(depth - 1));
                Statement::Switch(value, one, other)
            }
            9 if self.inside > 0 && self.random.below(2) == 0 => {
                Statement::Leave(self.random.below(2) == 0, self.value(1, false))
            }
            _ => {
                let (own, rounds) = (DATA + 1 + self.loops, 1 + self.random.below(3) as i64);
                self.loops += 1;
                self.inside += 1;
                let body = self.statements(depth - 1);
                self.inside -= 1;
                match self.random.below(3) {
                    0 => Statement::For(own, rounds, body),
                    1 => Statement::While(own, rounds, body),
                    _ => Statement::Do(own, rounds, body),
                }
            }
        }
    }
}

/// A kernel in parts between barriers, and its source.
fn kernel(random: &mut Random, data: bool) -> (Vec<Vec<Statement>>, String) {
    let mut writer = Writer { random, data, loops: 0, inside: 0 };
    let mut parts = Vec::new();
    for _ in 0..1 + writer.random.below(3) {
        let count = 1 + writer.random.below(3);
        parts.push((0..count).map(|_| writer.statement(2)).collect::<Vec<_>>());
    }
    let mut out = format!("target opencl\nlaunch subgroups=2 items=2\n\n{TEXT}");
    out.push_str(
        "kernel void k(global int *a, global int *b) {\nlocal int t[16];\nlocal int u[16];\n",
    );
    out.push_str("int lid = get_local_id(0);\nint v0 = lid, v1 = 1, v2 = 2, v3 = 0;\nint d = 0;\n");
    out.push_str("int m[4] = {0}, *q = m;\nlocal int *p = t;\n");
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            out.push_str("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n");
        }
        write_all(part, &mut out);
    }
    out.push_str("}\n");
    (parts, out)
}

#[derive(Debug, Default)]
struct Tally {
    refused: usize,
    unknown: usize,
    races: usize,
    ok: usize,
}

fn compare(data: bool, count: usize, seed: u64) -> Tally {
    let mut random = Random(seed);
    let mut tally = Tally::default();
    let options = Options { ambiguities: false, machine: false, ..Options::default() };
    for round in 0..count {
        let (parts, text) = kernel(&mut random, data);
        let scene = Scene::new("effects.cl", &text);
        if !scene.is_valid() {
            tally.refused += 1;
            println!("refused {round}: {:?}\n{text}", scene.diagnostics());
            continue;
        }
        let verdict = check(&scene, &options, &mut |_| true).verdict;
        let mut memories: Vec<Memory> = vec![[[0; LENGTH as usize]; ARRAYS.len()]];
        for _ in 0..if data { 5 } else { 0 } {
            memories.push(
                [(); ARRAYS.len()].map(|()| [(); LENGTH as usize].map(|()| random.below(6) as i64)),
            );
        }
        let raced: Vec<bool> = memories.into_iter().map(|memory| races(&parts, memory)).collect();
        // A certain race happens whatever memory holds.
        let wrong = match &*verdict {
            "ok" => raced.contains(&true),
            "race" => raced.contains(&false),
            "unknown" => false,
            _ => true,
        };
        assert!(!wrong, "kernel {round}: {verdict:?}, and the interpreter says {raced:?}\n{text}");
        match &*verdict {
            "ok" => tally.ok += 1,
            "race" => tally.races += 1,
            _ => {
                tally.unknown += 1;
                if !data {
                    println!("unknown {round}: {:?}\n{text}", scene.diagnostics());
                }
            }
        }
    }
    println!("data {data}: {tally:?} of {count}");
    tally
}

fn count() -> usize {
    match std::env::var("TIDEGATE_RANDOM").as_deref() {
        Ok("full") => 3_000,
        _ => 400,
    }
}

#[test]
fn kernels_independent_of_data_agree_with_an_interpreter() {
    let tally = compare(false, count(), 20);
    assert_eq!(tally.refused, 0, "all of it is ordinary C");
    // The generator makes a few expressions whose order of effects C leaves undefined.
    assert!(tally.unknown * 100 <= count(), "almost nothing in it is left open: {tally:?}");
    assert!(tally.ok > 0 && tally.races > 0, "{tally:?}");
}

#[test]
fn kernels_that_depend_on_data_agree_with_an_interpreter() {
    let tally = compare(true, count(), 21);
    assert_eq!(tally.refused, 0, "all of it is ordinary C");
    assert!(tally.unknown > 0 && tally.ok > 0, "{tally:?}");
}
