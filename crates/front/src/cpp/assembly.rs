//! Inline assembly.

use super::Parsed;
use super::lexer::Kind;
use super::symbol::{Is, Value};
use super::types::Type;
use super::unit::Unit;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

/// An operand: its name, its constraint and its value.
struct Operand {
    name: Option<Rc<str>>,
    constraint: Rc<str>,
    value: Value,
}

impl Unit {
    /// `asm volatile("text" : "=r"(x) : "r"(y) : "memory");`
    pub(super) fn assembly(&mut self) -> Parsed<()> {
        let mark = self.peek().at;
        self.at += 1;
        let mut effects = false;
        while matches!(&*self.peek().text, "volatile" | "__volatile__" | "__volatile" | "goto") {
            effects = true;
            self.at += 1;
        }
        let end = self.partner(self.at);
        self.expect("(")?;
        let mut text = String::new();
        while self.peek().kind == Kind::Text {
            text += &self.take().text;
        }
        // The lists after each `:`: outputs, inputs, clobbers, labels.
        let mut lists: [Vec<Operand>; 2] = Default::default();
        let mut list = 0;
        while self.at < end {
            match &*self.peek().text {
                ":" | "::" => list += self.take().text.len(),
                _ if (1..=2).contains(&list) => lists[list - 1] = self.operands()?,
                _ => effects |= &*self.take().text == "memory",
            }
        }
        let [outputs, inputs] = lists;
        effects |= outputs.is_empty();
        self.at = end + 1;
        self.expect(";")?;
        self.mark = mark;
        self.write_assembly(&text, effects, &outputs, inputs)
    }

    fn operands(&mut self) -> Parsed<Vec<Operand>> {
        let mut all = Vec::new();
        while self.peek().kind == Kind::Text || self.is("[") {
            let mut name = None;
            if self.eat("[") {
                name = Some(self.name()?);
                self.expect("]")?;
            }
            let constraint = self.take().text;
            self.expect("(")?;
            let value = self.expression()?;
            self.expect(")")?;
            all.push(Operand { name, constraint, value });
            if !self.eat(",") {
                return Ok(all);
            }
        }
        Err(self.unexpected("an operand"))
    }

    fn write_assembly(
        &mut self,
        text: &str,
        effects: bool,
        outputs: &[Operand],
        inputs: Vec<Operand>,
    ) -> Parsed<()> {
        let names: Vec<Option<Rc<str>>> =
            outputs.iter().chain(&inputs).map(|one| one.name.clone()).collect();
        let text = translated(text, &names);
        let (mut constraints, mut arguments) = (Vec::new(), Vec::new());
        for output in outputs {
            constraints.push(output.constraint.replace('+', "="));
        }
        for input in inputs {
            constraints.push(String::from(&*input.constraint));
            let value = self.rvalue(input.value);
            arguments.push(self.assembly_argument(value)?);
        }
        for (number, output) in outputs.iter().enumerate() {
            if output.constraint.starts_with('+') {
                constraints.push(format!("{number}"));
                let value = self.rvalue(output.value.clone());
                arguments.push(self.assembly_argument(value)?);
            }
        }
        let types: Vec<String> =
            outputs.iter().map(|one| self.types.spelled(&one.value.of)).collect();
        let result = match &types[..] {
            [] => String::from("void"),
            [one] => one.clone(),
            all => format!("{{ {} }}", all.join(", ")),
        };
        let name = self.fresh();
        let head = if outputs.is_empty() { String::new() } else { format!("{name} = ") };
        let side = if effects { " sideeffect" } else { "" };
        let memory = if effects { ",~{memory}" } else { "" };
        self.effect(format!(
            "{head}call {result} asm{side} \"{text}\", \"{}{memory}\"({})",
            constraints.join(","),
            arguments.join(", ")
        ));
        for (number, output) in outputs.iter().enumerate() {
            let of = output.value.of.clone();
            let value = match (&of, outputs.len()) {
                (Type::Float(_), _) => Value { of, is: Is::Data },
                (_, 1) => Value { of, is: Is::Operand(name.clone()) },
                _ => self.compute(of, format!("extractvalue {result} {name}, {number}")),
            };
            self.assign(&output.value, value)?;
        }
        Ok(())
    }

    fn assembly_argument(&mut self, value: Value) -> Parsed<String> {
        if self.types_in_memory(&value.of) {
            let address = self.address(value)?;
            return Ok(self.typed(&address));
        }
        Ok(self.typed(&value))
    }
}

/// The text in the syntax of LLVM: `$0` for operand 0, and hexadecimal escapes for line ends and quotes.
fn translated(text: &str, names: &[Option<Rc<str>>]) -> String {
    let (mut out, mut letters) = (String::new(), text.chars().peekable());
    while let Some(letter) = letters.next() {
        match letter {
            '%' if letters.peek() == Some(&'%') => {
                letters.next();
                out.push('%');
            }
            '%' if letters.peek() == Some(&'[') => {
                letters.next();
                let name: String =
                    core::iter::from_fn(|| letters.next().filter(|letter| *letter != ']'))
                        .collect();
                let at = names.iter().position(|one| one.as_deref() == Some(&name));
                out += &format!("${}", at.unwrap_or(0));
            }
            '%' => out.push('$'),
            '$' => out += "$$",
            '\\' => match letters.next() {
                Some('n') => out += "\\0A",
                Some('t') => out += "\\09",
                Some('"') => out += "\\22",
                Some('\n') | None => {}
                Some(other) => out.push(other),
            },
            '"' => out += "\\22",
            '\n' => out += "\\0A",
            other => out.push(other),
        }
    }
    out
}
