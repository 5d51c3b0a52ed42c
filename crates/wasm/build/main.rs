//! Generates the TypeScript types of all values that cross into JavaScript, from their Rust structs.

mod typescript;

use std::path::PathBuf;
use std::{env, fs};

/// The files of the serialised structs.
const SOURCES: [&str; 7] = [
    "../check/src/report.rs",
    "../check/src/lower/mod.rs",
    "../check/src/matrix.rs",
    "../check/src/graph/report.rs",
    "../check/src/step/mod.rs",
    "../check/src/step/memory.rs",
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

fn main() {
    let mut types = String::from(CAUSE);
    for source in SOURCES {
        println!("cargo::rerun-if-changed={source}");
        let text = fs::read_to_string(source).unwrap_or_else(|error| panic!("{source}: {error}"));
        types.push_str(
            &typescript::interfaces(&text).unwrap_or_else(|error| panic!("{source}: {error}")),
        );
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("set by cargo")).join("types.ts");
    fs::write(out, types).expect("the output folder is writable");
}
