//! Parses tokens to headers, expectations and the syntax tree. Parsing never fails: it reports an error, skips to the
//! end of the statement and continues.

mod accesses;
mod agents;
mod aliases;
mod assumed;
mod c;
mod constants;
mod ctypes;
mod cursor;
pub(crate) mod data;
mod declare;
mod dimensions;
mod expand;
mod expect;
mod expression;
mod fence;
mod forms;
mod headers;
mod instruction;
mod item;
mod kernel;
mod launch;
mod lines;
mod macros;
mod named;
mod nvidia;
mod opencl;
mod pasted;
mod ptx;
mod results;
mod sass;
mod sizes;
mod statement;
pub(crate) mod structs;
mod switch;
mod tlx;
mod value;

use crate::launching::Launching;
use crate::scenario::Scenario;
use crate::scratch::Expanded;
use cursor::Parser;
pub(crate) use expression::no_value;
pub(crate) use instruction::KEYWORDS;
pub(crate) use macros::expanded;
pub(crate) use sass::next_register;
use tidegate_model::target::Family;
pub(crate) use value::not_followed;

/// Longest supported text, in bytes.
pub(crate) const LONGEST_TEXT: usize = 1 << 20;

/// Parses a text. Errors are in the scenario's diagnostics; names are not resolved yet. The spans of the scenario are those
/// of the expanded text.
pub(crate) fn read(text: &str, launching: &Launching) -> (Scenario, Expanded) {
    let is_long = text.len() > LONGEST_TEXT;
    let expanded = expanded(if is_long { "" } else { text });
    let mut scenario = parsed(&expanded, launching);
    if is_long {
        let message =
            alloc::format!("this scenario has {} bytes; the limit is {LONGEST_TEXT}", text.len());
        let error = crate::diagnostic::Diagnostic::error("bound-text", Default::default(), message);
        scenario.diagnostics = alloc::vec![error];
    }
    (scenario, expanded)
}

fn parsed(expanded: &Expanded, launching: &Launching) -> Scenario {
    let mut scenario = Scenario::default();
    let mut parser = Parser::new(expanded);
    parser.launching = launching.clone();
    parser.begin_launch(&mut scenario.tree);
    while parser.skip_separators() {
        if parser.top_level(&mut scenario).is_err() {
            parser.skip_statement();
        } else {
            parser.end_of_statement();
        }
    }
    scenario.tree.implicit = parser.implicit_declarations();
    scenario.tree.computes = core::mem::take(&mut parser.computes).into_keys().collect();
    scenario.tree.types = core::mem::take(&mut parser.types);
    scenario.tree.prototypes = core::mem::take(&mut parser.prototypes);
    scenario.tree.shapes = core::mem::take(&mut parser.shapes);
    scenario.tree.more_dimensions = parser.more_dimensions;
    parser.check_launching();
    scenario.entries = core::mem::take(&mut parser.kernels).into_iter().map(|it| it.text).collect();
    kernel::take_size(&mut scenario.tree);
    scenario.diagnostics = parser.finish();
    scenario
}

/// Words that begin a header.
pub(crate) const HEADERS: [&str; 8] =
    ["title", "note", "lesson", "target", "launch", "argument", "entry", "reading"];
/// Words that begin a declaration.
pub(crate) const DECLARATIONS: [&str; 8] =
    ["barrier", "mbarrier", "lds", "shared", "local", "global", "image", "const"];
/// Words that start a block of agents.
pub(crate) const AGENTS: [&str; 6] = ["wave", "warp", "subgroup", "workgroup", "cta", "group"];
/// Words that start anything else at the top level, except `expect`.
pub(crate) const OTHERS: [&str; 2] = ["kernel", "func"];

/// Words that start a statement at the top level, except `expect`.
pub(crate) fn top_level() -> impl Iterator<Item = &'static str> {
    HEADERS.into_iter().chain(DECLARATIONS).chain(AGENTS).chain(OTHERS)
}

/// Operations that are often misplaced at the top level, for suggestions.
const OPERATIONS: [&str; 5] = ["init", "arrive", "wait", "let", "fence"];

/// Whether a kernel in C runs as work-items of OpenCL.
fn runs_work_items(scenario: &Scenario) -> bool {
    scenario.target.is_none_or(|target| target.get().family == Family::Opencl)
}

impl Parser<'_> {
    /// One header, declaration, block of agents, function or expectation.
    fn top_level(&mut self, scenario: &mut Scenario) -> cursor::Parsed<()> {
        self.of_c = false;
        if self.begins_structure() {
            self.define_structure()?;
            if self.is_word() && !self.at_end() {
                let here = self.here();
                let message = "a variable at program scope must be in constant or global memory: declare it apart from its structure";
                return self.error("unknown-statement", here, message);
            }
            return Ok(());
        }
        if self.begins_enumeration() {
            return self.enumeration();
        }
        if self.begins_alias() {
            let faults = self.declare_alias()?;
            scenario.tree.restrictions.extend(faults);
            return Ok(());
        }
        if self.begins_declaration() {
            return self.program_scope(&mut scenario.tree);
        }
        if self.begins_constant() {
            self.of_c = true;
            return self.constants(&mut scenario.tree);
        }
        if self.note_computing() {
            return Ok(());
        }
        match self.word() {
            word if HEADERS.contains(&word) => self.header(scenario),
            "expect" => self.expectation(scenario),
            word if DECLARATIONS.contains(&word) && self.word_ahead(1) != "." => {
                self.declaration(&mut scenario.tree)
            }
            word if AGENTS.contains(&word) => self.agent_block(&mut scenario.tree),
            "kernel" | "__kernel" => {
                let of_items = runs_work_items(scenario);
                self.kernel(&mut scenario.tree, of_items)
            }
            "__attribute__" => {
                self.attributes(&mut scenario.tree);
                self.skip_newlines();
                self.top_level(scenario)
            }
            "using" if self.word_ahead(1) == "namespace" => {
                self.advance_by(2);
                self.name("a namespace").map(drop)
            }
            _ if self.begins_function() => {
                self.of_c = true;
                if runs_work_items(scenario) {
                    self.assume_launch(&mut scenario.tree);
                }
                self.skip_void();
                if self.prototype() {
                    return Ok(());
                }
                self.function_behind(&mut scenario.tree)
            }
            "func" => self.function(&mut scenario.tree),
            "." => self.directive(scenario),
            "!" => self.metadata_line(),
            "with" => self.with_of_python(),
            "lane" | "thread" | "item" => self.error(
                "expected-token",
                self.here(),
                "a block of lanes must name its wave first: `wave 0 lane 0 { … }`",
            ),
            word if self.is_word() && self.allocation(&mut scenario.tree) => {
                let _ = word;
                Ok(())
            }
            _ => self.unknown_top_level(),
        }
    }

    fn unknown_top_level(&mut self) -> cursor::Parsed<()> {
        if self.is_full() {
            return Err(cursor::Failed);
        }
        let (word, here) = (self.word(), self.here());
        let suggestion = match self.word_ahead(1) {
            "=" => Some(crate::diagnostic::Suggestion {
                message: alloc::format!(
                    "declare a constant as `const {word} = {}`",
                    self.word_ahead(2)
                ),
                replacement: Some(["const ", word].concat()),
            }),
            _ => crate::suggest::instead(word, top_level().chain(["expect"]).chain(OPERATIONS)),
        };
        if let Some((language, instead, block)) = crate::vocabulary::foreign::language(word) {
            let message = alloc::format!("`{word}` is {language}, {instead}, such as `{block}`");
            return self.error("unknown-statement", here, message);
        }
        // The name of an instruction has parts.
        let has_parts = self.word_ahead(1) == "." && DECLARATIONS.contains(&word);
        let inside = has_parts || crate::vocabulary::names().any(|name| name == word);
        let message = if has_parts {
            let name = self.run(|joins| matches!(joins, "." | "::")).text;
            alloc::format!("`{name}` is an operation: write it in a block such as `warp 0 {{ … }}`")
        } else if inside {
            alloc::format!("`{word}` is an operation: write it in a block such as `wave 0 {{ … }}`")
        } else {
            alloc::format!("expected a header, declaration, block or `expect`, found `{word}`")
        };
        let suggestion = suggestion.filter(|_| !has_parts);
        self.suggest("unknown-statement", here, message, suggestion)
    }
}
