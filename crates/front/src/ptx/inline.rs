//! Inline assembly of LLVM IR: a piece of PTX as a function of the kernel IR.

use super::function::Lowering;
use super::lexer::{self, Parsed};
use super::names::Names;
use super::parse::Parser;
use super::tree::Function;
use alloc::format;
use alloc::string::String;
use tidegate_kernel::builder::Builder;
use tidegate_kernel::ir::{End, FunctionId, Operand, Place, Reg};
use tidegate_model::ordered::OrderedMap;

/// The beginning of the name of an operand's register; its number follows.
pub(crate) const OPERAND: &str = "%operand";

/// A piece of PTX, whose operands are registers.
#[derive(Debug)]
pub(crate) struct Piece<'p> {
    pub(crate) text: &'p str,
    /// The width of each operand in bits.
    pub(crate) widths: &'p [u8],
    /// The operands that receive the arguments, in order.
    pub(crate) taken: &'p [Reg],
    /// The operands that are the results.
    pub(crate) given: &'p [Reg],
    /// The place of all that it does.
    pub(crate) place: Place,
}

/// Lowers a piece to a function that takes and returns the values of its operands.
///
/// # Errors
///
/// A piece that is not PTX: why.
pub(crate) fn lower(builder: &mut Builder, piece: &Piece<'_>) -> Result<FunctionId, String> {
    let mut text = String::from("{\n");
    for (number, width) in piece.widths.iter().enumerate() {
        let kind = if *width == 1 { String::from("pred") } else { format!("b{width}") };
        text += &format!(".reg .{kind} {OPERAND}{number};\n");
    }
    text += &format!("{}\n}}", piece.text);
    let function = parse(&text).map_err(|error| error.message)?;
    let names = Names { objects: OrderedMap::new(), functions: OrderedMap::new(), dynamic: None };
    let module = builder.module();
    let (ignored, at) = (module.ignored.len(), module.ignored_at.len());
    let locals = function.locals.iter().map(|_| None).collect();
    let mut lowered = Lowering::new(builder, &names, &function, locals).lower();
    let module = builder.module();
    module.ignored[ignored..].iter_mut().for_each(|(_, place)| *place = piece.place);
    module.ignored_at[at..].fill(piece.place);
    lowered.place = piece.place;
    lowered.parameters = piece.taken.to_vec();
    for block in &mut lowered.blocks {
        block.place = piece.place;
        block.instructions.iter_mut().for_each(|one| one.place = piece.place);
        if let End::Return(values) = &mut block.end {
            *values = piece.given.iter().map(|&given| Operand::Register(given)).collect();
        }
    }
    Ok(builder.function(lowered))
}

fn parse(text: &str) -> Parsed<Function<'_>> {
    let tokens = lexer::tokens(text)?;
    let mut parser = Parser::new(&tokens);
    let mut function = Function { name: "asm", ..Function::default() };
    parser.body(&mut function)?;
    if parser.skip_empty() {
        return parser.error("the end of the text");
    }
    Ok(function)
}
