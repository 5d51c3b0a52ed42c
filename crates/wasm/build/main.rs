//! Generates the TypeScript types of all values that cross into JavaScript, from their Rust structs.

mod typescript;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::{env, fs};

/// The files of the serialised structs.
const SOURCES: [&str; 8] = [
    "../check/src/report.rs",
    "../check/src/lower/mod.rs",
    "../check/src/matrix.rs",
    "../check/src/graph/report.rs",
    "../check/src/step/mod.rs",
    "../check/src/step/memory.rs",
    "../check/src/step/view.rs",
    "src/types.rs",
];

/// The type of a cause, whose fields depend on its kind.
const CAUSE: &str = "\
/** A value in a cause. Numbers beyond 2^53 are strings. */
export type CauseValue = number | boolean | string | string[] | Place | Place[] | Record<string, string[]>;

/** The cause of a finding, or a fact below it. `docs/causes.md` lists the kinds and their fields. */
export interface Cause {
  /** The kind. */
  kind: string;
  /** The facts that make it so; absent if there are none. */
  facts?: Cause[];
  [field: string]: CauseValue | Cause[] | undefined;
}

";

/// The types of TypeScript itself that signatures and fields use.
const BUILT_IN: [&str; 1] = ["Record"];

fn main() {
    let mut types = String::from(CAUSE);
    for source in SOURCES {
        println!("cargo::rerun-if-changed={source}");
        let text = fs::read_to_string(source).unwrap_or_else(|error| panic!("{source}: {error}"));
        types.push_str(
            &typescript::interfaces(&text).unwrap_or_else(|error| panic!("{source}: {error}")),
        );
    }
    let undeclared = undeclared(&types);
    assert!(undeclared.is_empty(), "add the files that declare {undeclared:?} to SOURCES");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("set by cargo")).join("types.ts");
    fs::write(out, types).expect("the output folder is writable");
}

/// Returns the types that fields and exported functions name, and no interface declares.
fn undeclared(types: &str) -> BTreeSet<String> {
    println!("cargo::rerun-if-changed=src");
    let mut uses: Vec<String> = types.lines().filter_map(typescript::type_of_field).collect();
    for file in fs::read_dir("src").expect("the sources are there").flatten() {
        let text = fs::read_to_string(file.path()).expect("sources are text");
        for key in ["return_type = \"", "param_type = \""] {
            uses.extend(
                text.split(key).skip(1).filter_map(|rest| Some(rest.split_once('"')?.0.into())),
            );
        }
    }
    let names = uses.iter().flat_map(|ty| ty.split(|letter: char| !letter.is_alphanumeric()));
    names
        .filter(|name| name.starts_with(|letter: char| letter.is_ascii_uppercase()))
        .filter(|name| !BUILT_IN.contains(name))
        .filter(|name| !declares(types, name))
        .map(str::to_owned)
        .collect()
}

/// Whether there is an interface or a type with a name.
fn declares(types: &str, name: &str) -> bool {
    ["interface", "type"].iter().any(|kind| types.contains(&format!("export {kind} {name} ")))
}
