//! Inline assembly.

use super::around::Triple;
use super::calls::Call;
use super::cursor::{Cursor, Parsed};
use super::lexer::Kind as Token;
use super::types::Type;
use super::unit::Unit;
use crate::ptx::inline::{self, OPERAND, Piece};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_kernel::ir::{Kind, Operand, Reg};

/// Why inline assembly is not modelled.
pub(super) const NOT_KNOWN: &str = "the effect of this inline assembly is not known";

/// The operands of inline PTX, as its constraints say.
#[derive(Default)]
struct Operands {
    /// By number: a constant, or a register.
    all: Vec<Result<i64, Reg>>,
    widths: Vec<u8>,
    /// The registers that receive arguments, and the arguments.
    taken: Vec<Reg>,
    arguments: Vec<Operand>,
    given: Vec<Reg>,
}

impl<'a> Unit<'_, 'a> {
    /// Inline assembly. PTX is lowered, and so are barriers and waits of AMDGPU. Other text without side effects only
    /// computes; other text with side effects has an unknown effect.
    pub(super) fn assembly(
        &mut self,
        cursor: &mut Cursor<'_, 'a>,
        name: Option<&'a str>,
        of: Type,
    ) -> Parsed<()> {
        cursor.at += 1;
        let mut effects = false;
        while cursor.peek().kind == Token::Word {
            effects |= cursor.take().text == "sideeffect";
        }
        let text = cursor.take().text;
        cursor.expect(",")?;
        let constraints = cursor.take().text;
        let arguments = self.arguments(cursor)?;
        let call = Call { name, of, arguments };
        if text.trim().is_empty() || text.trim_start().starts_with(';') {
            // An empty text only keeps the compiler from moving code; its result is its argument.
            let value = call.arguments.first().map(|one| one.values.clone()).unwrap_or_default();
            self.define(name, &call.of, &value);
            return Ok(());
        }
        let known = match self.around.triple {
            Triple::Nvidia => self.ptx(text, constraints, &call),
            Triple::Amdgpu => self.amdgcn_assembly(text, constraints.contains("memory")),
            Triple::Spir => Err(NOT_KNOWN.into()),
        };
        let Err(why) = known else { return Ok(()) };
        if effects || constraints.contains("memory") {
            let text: String = text.chars().take(60).collect();
            let why = format!("inline assembly `{text}` is not modelled: {why}");
            self.unknown(why, name, &call.of);
        } else {
            self.define(name, &call.of, &[]);
        }
        Ok(())
    }

    /// Calls a piece of PTX, such as inline assembly or the text that stands for an intrinsic.
    pub(super) fn ptx(
        &mut self,
        text: &str,
        constraints: &str,
        call: &Call<'a>,
    ) -> Result<(), String> {
        let operands = operands(constraints, call)?;
        let text = translated(text, &operands.all);
        let piece = Piece {
            text: &text,
            widths: &operands.widths,
            taken: &operands.taken,
            given: &operands.given,
            place: self.code.place(),
        };
        let function = inline::lower(&mut self.around.builder, &piece)?;
        let known = call.name.map(|name| self.registers(name, &call.of)).unwrap_or_default();
        let mut results = Vec::new();
        for (at, &given) in operands.given.iter().enumerate() {
            let known = known.get(at).copied().flatten();
            let width = operands.widths.get(given as usize).copied().unwrap_or(64);
            results.push(known.unwrap_or_else(|| self.code.register(width)));
        }
        let arguments = operands.arguments;
        self.code.push(Kind::Call { function, arguments, results });
        Ok(())
    }
}

/// Reads constraints: `=r,l,n,0,~{memory}`.
fn operands(constraints: &str, call: &Call<'_>) -> Result<Operands, String> {
    let mut found = Operands::default();
    let mut next = 0;
    for constraint in constraints.split(',').map(str::trim) {
        if constraint.is_empty() || constraint.starts_with('~') {
            continue;
        }
        let letter = constraint.trim_start_matches(['=', '&']);
        let unknown = || Err(format!("its constraint `{constraint}` is not known"));
        if let Some(output) = constraint.strip_prefix('=').map(|_| letter) {
            let Some(width) = width(output) else { return unknown() };
            let register = found.register(width);
            found.given.push(register);
            continue;
        }
        let value = call.value(next);
        next += 1;
        if let Ok(tied) = letter.parse::<usize>() {
            let Some(&Err(register)) = found.all.get(tied) else { return unknown() };
            found.all.push(Err(register));
            found.taken.push(register);
            found.arguments.push(value);
        } else if matches!(letter, "n" | "i") {
            let Operand::Int(number) = value else { return unknown() };
            found.all.push(Ok(number as i64));
        } else {
            let Some(width) = width(letter) else { return unknown() };
            let register = found.register(width);
            found.taken.push(register);
            found.arguments.push(value);
        }
    }
    Ok(found)
}

impl Operands {
    fn register(&mut self, width: u8) -> Reg {
        let register = self.widths.len() as Reg;
        self.widths.push(width);
        self.all.push(Err(register));
        register
    }
}

/// The width of the registers of a constraint.
fn width(letter: &str) -> Option<u8> {
    Some(match letter {
        "b" => 1,
        "h" | "c" => 16,
        "r" | "f" => 32,
        "l" | "d" => 64,
        _ => return None,
    })
}

/// The text of LLVM with the names of registers: `$0`, `${0}`, `$$`, `\0A`.
fn translated(text: &str, operands: &[Result<i64, Reg>]) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['$', '\\']) {
        out += &rest[..at];
        let escape = rest[at..].starts_with('\\');
        rest = &rest[at + 1..];
        if escape {
            let code = rest.get(..2).and_then(|code| u8::from_str_radix(code, 16).ok());
            out.push(code.map_or('\\', char::from));
            rest = code.map_or(rest, |_| &rest[2..]);
            continue;
        }
        if let Some(after) = rest.strip_prefix('$') {
            out.push('$');
            rest = after;
            continue;
        }
        let braced = rest.strip_prefix('{').and_then(|inside| inside.split_once('}'));
        let (number, after) = match braced {
            Some((inside, after)) => (inside.split(':').next().unwrap_or(""), after),
            None => rest.split_at(rest.bytes().take_while(u8::is_ascii_digit).count()),
        };
        rest = after;
        match number.parse().ok().and_then(|number: usize| operands.get(number)) {
            Some(Ok(constant)) => out += &format!("{constant}"),
            Some(Err(register)) => out += &format!("{OPERAND}{register}"),
            // `${:uid}`
            None => out += "0",
        }
    }
    out + rest
}
