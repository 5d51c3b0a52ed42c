//! A small interpreter of C. Each work-item runs on real arrays, and the interpreter records its accesses between
//! barriers.

use super::{ARRAYS, ITEMS, LENGTH, OWN, Place, Pointer, Statement, Value};
use std::collections::BTreeSet;

/// A work-item: its variables, and its accesses since the last barrier.
struct Item {
    lid: i64,
    variables: [i64; 40],
    /// The private array.
    own: [i64; OWN as usize],
    /// The pointers, each to an element or a variable.
    pointers: [Target; 2],
    accesses: BTreeSet<(usize, i64, bool)>,
}

#[derive(Clone, Copy, Debug)]
enum Target {
    Variable(usize),
    Own(i64),
    Element(usize, i64),
}

enum Flow {
    On,
    Break,
    Continue,
}

pub(super) type Memory = [[i64; LENGTH as usize]; ARRAYS.len()];

impl Item {
    fn read(&mut self, place: Target, memory: &Memory) -> i64 {
        match place {
            Target::Variable(variable) => self.variables[variable],
            Target::Own(index) => self.own[index as usize],
            Target::Element(array, index) => {
                self.accesses.insert((array, index, false));
                memory[array][index as usize]
            }
        }
    }

    fn write(&mut self, place: Target, value: i64, memory: &mut Memory) {
        match place {
            Target::Variable(variable) => self.variables[variable] = value,
            Target::Own(index) => self.own[index as usize] = value,
            Target::Element(array, index) => {
                self.accesses.insert((array, index, true));
                // Keeps the values in memory small.
                memory[array][index as usize] = value & 0xff;
            }
        }
    }

    fn place(&mut self, place: &Place, memory: &mut Memory) -> Target {
        match place {
            Place::Variable(variable) => Target::Variable(*variable),
            Place::Element(array, index) => Target::Element(*array, self.value(index, memory)),
            Place::Own(index) => Target::Own(self.value(index, memory)),
            Place::Target(pointer, index) => {
                let target = self.pointer(pointer, memory);
                let by = index.as_ref().map_or(0, |index| self.value(index, memory));
                match target {
                    Target::Element(array, first) => Target::Element(array, first + by),
                    target => target,
                }
            }
        }
    }

    fn pointer(&mut self, pointer: &Pointer, memory: &mut Memory) -> Target {
        match pointer {
            Pointer::Variable(variable) => self.pointers[*variable],
            Pointer::Array(array, offset) => Target::Element(*array, *offset),
            Pointer::Own(offset) => Target::Own(*offset),
            Pointer::Of(place) => self.place(place, memory),
            Pointer::Choice(condition, one, other) => {
                let taken = if self.value(condition, memory) != 0 { one } else { other };
                self.pointer(taken, memory)
            }
        }
    }

    fn value(&mut self, value: &Value, memory: &mut Memory) -> i64 {
        match value {
            Value::Number(number) => *number,
            Value::Lid => self.lid,
            Value::Read(place) => {
                let place = self.place(place, memory);
                self.read(place, memory)
            }
            Value::Binary(operator, one, other) => {
                let (a, b) = (self.value(one, memory), self.value(other, memory));
                binary(operator, a, b)
            }
            Value::Unary(operator, inner) => {
                let inner = self.value(inner, memory);
                if *operator == "!" { i64::from(inner == 0) } else { !inner }
            }
            Value::Lazy(both, one, other) => {
                let first = self.value(one, memory) != 0;
                i64::from(if first == *both { self.value(other, memory) != 0 } else { first })
            }
            Value::Choice(condition, one, other) => {
                let taken = if self.value(condition, memory) != 0 { one } else { other };
                self.value(taken, memory)
            }
            Value::Comma(one, other) => {
                self.value(one, memory);
                self.value(other, memory)
            }
            Value::Assign(operator, place, from) => {
                let place = self.place(place, memory);
                let old = if *operator == "=" { 0 } else { self.read(place, memory) };
                let from = self.value(from, memory);
                let new = match operator.strip_suffix('=') {
                    Some("") | None => from,
                    Some(operator) => binary(operator, old, from),
                };
                self.write(place, new, memory);
                new
            }
            Value::Step(before, by, place) => {
                let place = self.place(place, memory);
                let old = self.read(place, memory);
                self.write(place, old + by, memory);
                if *before { old } else { old + by }
            }
            Value::Add(pointer, argument) => {
                let place = self.pointer(pointer, memory);
                let given = self.value(argument, memory);
                let new = (self.read(place, memory) + given) & 31;
                self.write(place, new, memory);
                self.read(place, memory)
            }
            Value::Call(function, array, argument) => {
                let given = self.value(argument, memory);
                match function {
                    0 => given + 1,
                    1 => {
                        let mut y = given;
                        while y > 3 {
                            y -= 2;
                        }
                        if y < 2 { y - 1 } else { y }
                    }
                    _ => {
                        let place = Target::Element(array.unwrap_or(0), given & 15);
                        self.write(place, given, memory);
                        given + 1
                    }
                }
            }
        }
    }

    fn all(&mut self, statements: &[Statement], memory: &mut Memory) -> Flow {
        for statement in statements {
            let flow = self.statement(statement, memory);
            if !matches!(flow, Flow::On) {
                return flow;
            }
        }
        Flow::On
    }

    fn statement(&mut self, statement: &Statement, memory: &mut Memory) -> Flow {
        match statement {
            Statement::Value(value) => {
                self.value(value, memory);
            }
            Statement::If(condition, then, other) => {
                let taken = if self.value(condition, memory) != 0 { then } else { other };
                return self.all(taken, memory);
            }
            Statement::For(own, rounds, body) => {
                self.variables[*own] = 0;
                while self.variables[*own] < *rounds {
                    if let Flow::Break = self.all(body, memory) {
                        break;
                    }
                    self.variables[*own] += 1;
                }
            }
            Statement::While(own, rounds, body) => {
                for _ in 0..*rounds {
                    if let Flow::Break = self.all(body, memory) {
                        break;
                    }
                }
                let _ = own;
            }
            Statement::Do(_, rounds, body) => {
                for _ in 0..*rounds {
                    if let Flow::Break = self.all(body, memory) {
                        break;
                    }
                }
            }
            Statement::Switch(value, one, other) => {
                let taken = if self.value(value, memory) == 0 { one } else { other };
                return match self.all(taken, memory) {
                    Flow::Break => Flow::On,
                    flow => flow,
                };
            }
            Statement::Point(pointer, target) => {
                self.pointers[*pointer] = self.pointer(target, memory);
            }
            Statement::Leave(leaves, condition) => {
                if self.value(condition, memory) != 0 {
                    return if *leaves { Flow::Break } else { Flow::Continue };
                }
            }
        }
        Flow::On
    }
}

fn binary(operator: &str, a: i64, b: i64) -> i64 {
    match operator {
        "+" => a + b,
        "-" => a - b,
        "&" => a & b,
        "|" => a | b,
        "^" => a ^ b,
        "<" => i64::from(a < b),
        "==" => i64::from(a == b),
        "!=" => i64::from(a != b),
        _ => i64::from(a >= b),
    }
}

/// Whether two work-items access one element between two barriers, and one of them writes it.
pub(super) fn races(parts: &[Vec<Statement>], mut memory: Memory) -> bool {
    let variables = |lid: i64| {
        let mut all = [0; 40];
        (all[0], all[1], all[2]) = (lid, 1, 2);
        all
    };
    let mut items: Vec<Item> = (0..ITEMS)
        .map(|lid| Item {
            lid,
            variables: variables(lid),
            own: [0; OWN as usize],
            pointers: [Target::Element(2, 0), Target::Own(0)],
            accesses: BTreeSet::new(),
        })
        .collect();
    for part in parts {
        for item in &mut items {
            item.accesses.clear();
            item.all(part, &mut memory);
        }
        for (at, one) in items.iter().enumerate() {
            for other in &items[at + 1..] {
                let meets = |&(array, index, writes): &(usize, i64, bool)| {
                    other.accesses.contains(&(array, index, true))
                        || writes && other.accesses.contains(&(array, index, false))
                };
                if one.accesses.iter().any(meets) {
                    return true;
                }
            }
        }
    }
    false
}
