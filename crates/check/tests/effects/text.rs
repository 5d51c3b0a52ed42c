//! Random kernels as text.

use super::{ARRAYS, DATA, FUNCTIONS, POINTERS, Place, Pointer, Statement, VARIABLES, Value};
use std::fmt::Write;

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
        Place::Own(index) => format!("m[{}]", text(index)),
        Place::Target(pointer, None) => format!("(*{})", pointer_text(pointer)),
        Place::Target(pointer, Some(index)) => {
            format!("{}[{}]", pointer_text(pointer), text(index))
        }
    }
}

fn pointer_text(pointer: &Pointer) -> String {
    match pointer {
        Pointer::Variable(variable) => POINTERS[*variable].into(),
        Pointer::Array(array, 0) => ARRAYS[*array].into(),
        Pointer::Array(array, offset) => format!("({} + {offset})", ARRAYS[*array]),
        Pointer::Own(0) => "m".into(),
        Pointer::Own(offset) => format!("(m + {offset})"),
        Pointer::Of(place) => format!("(&{})", place_text(place)),
        Pointer::Choice(condition, one, other) => {
            format!("({} ? {} : {})", text(condition), pointer_text(one), pointer_text(other))
        }
    }
}

/// A number in one of the notations of C, chosen by its value.
fn number_text(number: i64) -> String {
    match number {
        2 => r"'\2'".into(),
        3 => "0x3".into(),
        15 => "017".into(),
        31 => "0x1F".into(),
        number => number.to_string(),
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::Number(number) => number_text(*number),
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
        Value::Add(pointer, inner) => format!("add({}, {})", pointer_text(pointer), text(inner)),
    }
}

pub(super) fn write_all(statements: &[Statement], out: &mut String) {
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
            Statement::Point(pointer, target) => {
                let _ = writeln!(out, "{} = {};", POINTERS[*pointer], pointer_text(target));
            }
            Statement::Leave(leaves, condition) => {
                let word = if *leaves { "break" } else { "continue" };
                let _ = writeln!(out, "if ({}) {word};", text(condition));
            }
        }
    }
}
