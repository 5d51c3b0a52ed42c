//! Random OpenCL C kernels with effects in expressions, compared with a small interpreter of C that runs each work-item
//! on real arrays and records its accesses between barriers. `TIDEGATE_RANDOM=full` compares 2,000 kernels.

mod interpreter;

use crate::common::Random;
use interpreter::{Memory, races};
use std::collections::BTreeSet;
use std::fmt::Write;
use tidegate_check::{Options, Scene, check};

const ITEMS: i64 = 4;
const ARRAYS: [&str; 4] = ["a", "b", "t", "u"];
const LENGTH: i64 = 16;
const VARIABLES: usize = 4;
/// The variable that holds data, if a kernel has any; the variables of loops follow it.
const DATA: usize = VARIABLES;

#[derive(Clone, Debug)]
enum Place {
    Variable(usize),
    Element(usize, Box<Value>),
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
}

#[derive(Clone, Debug)]
enum Statement {
    Value(Value),
    If(Value, Vec<Self>, Vec<Self>),
    For(usize, i64, Vec<Self>),
    While(usize, i64, Vec<Self>),
    Do(usize, i64, Vec<Self>),
    Switch(Value, Vec<Self>, Vec<Self>),
    Leave(bool, Value),
}

/// The functions of the kernel; the last one writes an element of an array.
const FUNCTIONS: [&str; 3] = ["next", "fold", "put"];
const TEXT: &str = "int next(int x) { return x + 1; }
int fold(int x) { int y = x; while (y > 3) y -= 2; if (y-- < 2) return y; return ++y; }
int put(int *p, int i) { p[i & 15] = i; return ++i; }
";

struct Writer<'a> {
    random: &'a mut Random,
    /// Whether memory contents may decide.
    data: bool,
    loops: usize,
    /// The nesting of loops that a `break` may leave.
    inside: usize,
}

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
        let key = match place {
            Place::Variable(variable) => *variable,
            Place::Element(array, index) => {
                self.add(index);
                100 + array
            }
        };
        self.0[usize::from(writes)].insert(key);
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
        let target = match &place {
            Place::Variable(variable) => Touched([BTreeSet::from([*variable]), BTreeSet::new()]),
            Place::Element(array, index) => {
                let mut touched = Touched::of(index);
                touched.0[0].insert(100 + array);
                touched
            }
        };
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
        match self.random.below(if data { 17 } else { 14 }) {
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
            14 => Value::Read(self.element(depth)),
            15 => {
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
            0..6 => Statement::Value(self.value(3, true)),
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

fn name(variable: usize) -> String {
    match variable {
        DATA => "d".into(),
        _ if variable < VARIABLES => format!("v{variable}"),
        _ => format!("w{variable}"),
    }
}

fn place_text(place: &Place) -> String {
    match place {
        Place::Variable(variable) => name(*variable),
        Place::Element(array, index) => format!("{}[{}]", ARRAYS[*array], text(index)),
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        Value::Lid => "lid".into(),
        Value::Read(place) => place_text(place),
        Value::Binary(operator, one, other) => {
            format!("({} {operator} {})", text(one), text(other))
        }
        Value::Unary(operator, inner) => format!("({operator}{})", text(inner)),
        Value::Lazy(both, one, other) => {
            format!("({} {} {})", text(one), if *both { "&&" } else { "||" }, text(other))
        }
        Value::Choice(one, two, three) => {
            format!("({} ? {} : {})", text(one), text(two), text(three))
        }
        Value::Comma(one, other) => format!("({}, {})", text(one), text(other)),
        Value::Assign(operator, place, from) => {
            format!("({} {operator} {})", place_text(place), text(from))
        }
        Value::Step(before, by, place) => {
            let operator = if *by > 0 { "++" } else { "--" };
            let place = place_text(place);
            if *before { format!("({place}{operator})") } else { format!("({operator}{place})") }
        }
        Value::Call(function, array, inner) => {
            let array = array.map_or(String::new(), |array| format!("{}, ", ARRAYS[array]));
            format!("{}({array}{})", FUNCTIONS[*function], text(inner))
        }
    }
}

fn write_all(statements: &[Statement], out: &mut String) {
    for statement in statements {
        match statement {
            Statement::Value(value) => {
                let whole = text(value);
                // A statement needs no parentheses around it.
                let inner = whole.strip_prefix('(').and_then(|inner| inner.strip_suffix(')'));
                let bare = matches!(value, Value::Assign(..) | Value::Step(..) | Value::Choice(..));
                let _ = writeln!(out, "{};", inner.filter(|_| bare).unwrap_or(&whole));
            }
            Statement::If(condition, then, other) => {
                let _ = writeln!(out, "if ({}) {{", text(condition));
                write_all(then, out);
                if !other.is_empty() {
                    out.push_str("} else {\n");
                    write_all(other, out);
                }
                out.push_str("}\n");
            }
            Statement::For(own, rounds, body) => {
                let own = name(*own);
                let _ = writeln!(out, "for (int {own} = 0; {own} < {rounds}; ++{own}) {{");
                write_all(body, out);
                out.push_str("}\n");
            }
            Statement::While(own, rounds, body) => {
                let own = name(*own);
                let _ = writeln!(out, "int {own} = {rounds};\nwhile ({own}-- > 0) {{");
                write_all(body, out);
                out.push_str("}\n");
            }
            Statement::Do(own, rounds, body) => {
                let own = name(*own);
                let _ = writeln!(out, "int {own} = {rounds};\ndo {{");
                write_all(body, out);
                let _ = writeln!(out, "}} while (--{own} > 0);");
            }
            Statement::Switch(value, one, other) => {
                let _ = writeln!(out, "switch ({}) {{\ncase 0:", text(value));
                write_all(one, out);
                out.push_str("break;\ndefault:\n");
                write_all(other, out);
                out.push_str("}\n");
            }
            Statement::Leave(leaves, condition) => {
                let word = if *leaves { "break" } else { "continue" };
                let _ = writeln!(out, "if ({}) {word};", text(condition));
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
        let raced = memories.into_iter().any(|memory| races(&parts, memory));
        let wrong = match &*verdict {
            "ok" => raced,
            "race" => !raced && !data,
            "unknown" => false,
            _ => true,
        };
        assert!(!wrong, "kernel {round}: {verdict:?}, and the interpreter says {raced}\n{text}");
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
        Ok("full") => 1_000,
        _ => 40,
    }
}

#[test]
fn kernels_independent_of_data_agree_with_an_interpreter() {
    let tally = compare(false, count(), 20);
    assert_eq!(tally.refused, 0, "all of it is ordinary C");
    assert_eq!(tally.unknown, 0, "nothing in it is left open: {tally:?}");
    assert!(tally.ok > 0 && tally.races > 0, "{tally:?}");
}

#[test]
fn kernels_that_depend_on_data_are_never_ok_if_they_race() {
    let tally = compare(true, count(), 21);
    assert_eq!(tally.refused, 0, "all of it is ordinary C");
    assert!(tally.unknown > 0 && tally.ok > 0, "{tally:?}");
}
