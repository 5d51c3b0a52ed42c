//! Converts Rust structs to TypeScript interfaces, as serde serialises them.

use std::fmt::Write as _;
use syn::{
    Attribute, Expr, ExprLit, Fields, GenericArgument, Item, ItemStruct, Lit, Meta, PathArguments,
    Type,
};

/// Returns an interface for each serialised struct of a source file, with its documentation.
pub(super) fn interfaces(source: &str) -> Result<String, String> {
    let file = syn::parse_file(source).map_err(|error| error.to_string())?;
    let mut out = String::new();
    for item in file.items {
        if let Item::Struct(item) = item
            && serialises(&item.attrs)
        {
            interface(&mut out, &item)?;
        }
    }
    Ok(out)
}

fn interface(out: &mut String, item: &ItemStruct) -> Result<(), String> {
    let Fields::Named(fields) = &item.fields else {
        return Err(format!("{} has fields without names", item.ident));
    };
    // If serde provides a default, the caller can omit the field.
    let optional = mentions(&item.attrs, "serde", "default");
    comment(out, "", &item.attrs);
    writeln!(out, "export interface {} {{", item.ident).map_err(|error| error.to_string())?;
    for field in fields.named.iter().filter(|field| !is_left_out(&field.attrs)) {
        let name = field.ident.as_ref().ok_or("a field without a name")?;
        comment(out, "  ", &field.attrs);
        let line = match optional {
            true => format!(
                "  {name}?: {};",
                type_of(inside(&field.ty, "Option").unwrap_or(&field.ty))?
            ),
            false => format!("  {name}: {};", type_of(&field.ty)?),
        };
        writeln!(out, "{line}").map_err(|error| error.to_string())?;
    }
    out.push_str("}\n\n");
    Ok(())
}

/// Returns the type in a line that declares a field.
pub(super) fn type_of_field(line: &str) -> Option<String> {
    let (name, ty) = line.strip_prefix("  ")?.strip_suffix(';')?.split_once(": ")?;
    let name = name.strip_suffix('?').unwrap_or(name);
    name.chars().all(|letter| letter.is_alphanumeric() || letter == '_').then(|| ty.into())
}

/// Returns the TypeScript type of a Rust type.
fn type_of(ty: &Type) -> Result<String, String> {
    if let Some(inner) = inside(ty, "Option") {
        return Ok(format!("{} | null", type_of(inner)?));
    }
    if let Some(inner) = inside(ty, "Vec") {
        let inner = type_of(inner)?;
        return Ok(if inner.contains(' ') { format!("({inner})[]") } else { format!("{inner}[]") });
    }
    if let Some(inner) = inside(ty, "BTreeMap") {
        return Ok(format!("Record<string, {}>", type_of(inner)?));
    }
    let name = match ty {
        Type::Path(path) => path.path.segments.last().map(|segment| segment.ident.to_string()),
        Type::Reference(reference) => return type_of(&reference.elem),
        Type::Array(array) => return Ok(format!("{}[]", type_of(&array.elem)?)),
        _ => None,
    };
    match name.ok_or("a type that has no name")?.as_str() {
        "String" | "str" => Ok("string".into()),
        "bool" => Ok("boolean".into()),
        "u8" | "u16" | "u32" | "u64" | "usize" | "i32" | "i64" | "f64" => Ok("number".into()),
        other => Ok(other.into()),
    }
}

/// Returns the last type argument of a generic type with a name.
fn inside<'t>(ty: &'t Type, name: &str) -> Option<&'t Type> {
    let Type::Path(path) = ty else { return None };
    let segment = path.path.segments.last().filter(|segment| segment.ident == name)?;
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
    match arguments.args.last()? {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    }
}

fn serialises(attributes: &[Attribute]) -> bool {
    ["derive", "cfg_attr"].iter().any(|attribute| {
        mentions(attributes, attribute, "Serialize")
            || mentions(attributes, attribute, "Deserialize")
    })
}

/// Whether serde skips a field.
fn is_left_out(attributes: &[Attribute]) -> bool {
    let left_out = |attribute| {
        mentions(attributes, attribute, "skip") && !mentions(attributes, attribute, "serializing")
    };
    left_out("serde") || left_out("cfg_attr")
}

/// Whether an attribute with a name contains a word.
fn mentions(attributes: &[Attribute], attribute: &str, word: &str) -> bool {
    attributes.iter().filter(|candidate| candidate.path().is_ident(attribute)).any(|candidate| {
        match &candidate.meta {
            Meta::List(list) => {
                let text = list.tokens.to_string();
                text.split(|character: char| !character.is_alphanumeric())
                    .any(|found| found == word)
            }
            _ => false,
        }
    })
}

/// Writes the documentation as a comment.
fn comment(out: &mut String, indent: &str, attributes: &[Attribute]) {
    let lines: Vec<String> = attributes.iter().filter_map(documentation).collect();
    if !lines.is_empty() {
        let text = lines.join(&format!("\n{indent} *")).replace("*/", "* /");
        out.push_str(&format!("{indent}/**{text} */\n"));
    }
}

fn documentation(attribute: &Attribute) -> Option<String> {
    let Meta::NameValue(pair) = &attribute.meta else { return None };
    match &pair.value {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) if pair.path.is_ident("doc") => {
            Some(text.value())
        }
        _ => None,
    }
}
