//! Arguments of the command line.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

const AFTER: &str = "Exit codes: 0 verdict ok, or command done; 1 any other verdict, or a failed expectation; \
2 usage error, or invalid or unreadable input; 3 search limit reached (unknown)";

/// Checks GPU synchronisation scenarios: names the broken rule and steps through the execution that breaks it.
#[derive(Debug, Parser)]
#[command(name = "tidegate", version, max_term_width = 100, after_help = AFTER, subcommand_required = true)]
pub(crate) struct Arguments {
    /// Choose when to use colour
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        value_name = "WHEN",
        hide_possible_values = false
    )]
    pub(crate) color: Color,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Check scenarios: print the verdict and the findings
    Check(Check),
    /// Test every `expect` line of the .tide files in files and folders
    Test(Test),
    /// Print the steps that lead to a finding, with the state after each step
    Trace(Trace),
    /// Print the relations of one execution
    Graph(Graph),
    /// Print the verdict on every target
    Matrix(Matrix),
    /// Print the machine code of a scenario on a target
    Lower(Lower),
    /// Inline a call: print the new scenario and what each wait for async marks completes in it
    Inline(Inline),
    /// Compare the verdicts of two scenarios or links, or of two targets, readings or oracles on many scenarios
    Diff(Diff),
    /// Shrink a scenario to the smallest one with the same finding
    Shrink(Shrink),
    /// Find the smallest scenario with two different verdicts
    Find(Find),
    /// Format scenarios
    Fmt(Fmt),
    /// List the rules
    Rules(Catalogue),
    /// List the targets and their features
    Targets(Catalogue),
    /// List the ambiguous rules of the documents and their readings
    Readings(Readings),
    /// Print phase, arrivals, waits and missing arrivals of each barrier
    Ledger(Ledger),
    /// Print the verdict without each synchronising statement
    Needs(Ledger),
    /// List the SASS instructions on barriers with their PTX equivalents
    Sass(Catalogue),
    /// Decode or encode the 64-bit word of an mbarrier object
    #[command(subcommand)]
    Mbarrier(Mbarrier),
    /// Print a share link for a scenario
    Link(Link),
    /// Print the scenario of a share link
    Open(Open),
    /// Print a completion script for a shell
    Completions(Completions),
}

/// Options of the check.
#[derive(Debug, Args)]
pub(crate) struct Judging {
    /// Choose a reading of an ambiguous rule (see `tidegate readings`)
    #[arg(long = "reading", value_name = "ID=OPTION")]
    pub(crate) readings: Vec<String>,
    /// Stop after N states; the verdict is then unknown
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_states: Option<u64>,
    #[command(flatten)]
    pub(crate) launched: Launched,
}

/// The launch of a kernel. It wins over what the file says.
#[derive(Debug, Default, Args)]
pub(crate) struct Launched {
    /// Launch a kernel: groups (ctas, workgroups), threads (items) of a group, waves (warps), and groups of a cluster;
    /// AxBxC gives several dimensions
    #[arg(long, value_name = "KEY=SIZE …")]
    pub(crate) launch: Vec<String>,
    /// Give a parameter of the kernel a value, by name, or by position from 0
    #[arg(long = "arg", value_name = "NAME=N")]
    pub(crate) arguments: Vec<String>,
    /// Choose a kernel of the file
    #[arg(long, value_name = "NAME")]
    pub(crate) entry: Option<String>,
    /// Pass another argument to clang (such as -DN=4) for a .cl, .clcpp, .hip or .cu file
    #[arg(long = "clang-arg", value_name = "ARG", allow_hyphen_values = true)]
    pub(crate) clang_arguments: Vec<String>,
    /// Read such a file with the built-in subset of C, even if clang is installed
    #[arg(long)]
    pub(crate) built_in: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    /// Scenarios; `-` reads standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Targets, sets (gfx12.5), ranges (gfx6-gfx11) or `all`; defaults to the target of the scenario
    #[arg(long, value_name = "T,…|all")]
    pub(crate) target: Option<String>,
    /// Choose the oracle: the specification, the hardware model, or both
    #[arg(long, value_enum, default_value_t)]
    pub(crate) oracle: Oracle,
    /// Choose the output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Choose the engine
    #[arg(long, value_enum, default_value_t)]
    pub(crate) engine: Engine,
    /// Drop rules of the specification (uses the engine `axioms`)
    #[arg(long, value_name = "RULE,…", value_delimiter = ',')]
    pub(crate) without: Vec<String>,
    #[command(flatten)]
    pub(crate) judging: Judging,
    /// Count the barrier-participates-in relations of each execution
    #[arg(long)]
    pub(crate) participates_in: bool,
    /// Add the certificate of a verdict that one run proves
    #[arg(long)]
    pub(crate) certificate: bool,
    /// Check N scenarios in parallel; defaults to the number of processors
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
}

#[derive(Debug, Args)]
pub(crate) struct Test {
    /// Files, or folders to search for .tide files
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Run shard I of N, from 1/N to N/N; defaults to SLURM_ARRAY_TASK_ID, or JOB_COMPLETION_INDEX of
    /// JOB_COMPLETIONS
    #[arg(long, value_name = "I/N")]
    pub(crate) shard: Option<String>,
    /// Choose the output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Plain,
    #[command(flatten)]
    pub(crate) judging: Judging,
    /// Check N scenarios in parallel; defaults to the number of processors
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
}

#[derive(Debug, Args)]
pub(crate) struct Trace {
    /// Scenario; `-` reads standard input
    pub(crate) file: PathBuf,
    /// Choose the finding by its number in `tidegate check`
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) finding: Option<u32>,
    /// Choose the target; defaults to the target of the scenario
    #[arg(long, value_name = "T")]
    pub(crate) target: Option<String>,
    #[command(flatten)]
    pub(crate) judging: Judging,
}

#[derive(Debug, Args)]
pub(crate) struct Graph {
    /// Scenario; `-` reads standard input
    pub(crate) file: PathBuf,
    /// Choose relations: po, tbo, bmo, pi, beb, bpw, bjb, sw, hb (hb-local and hb-global), their long names, or all;
    /// defaults to po,bmo,pi
    #[arg(long, value_name = "R,…|all")]
    pub(crate) relation: Option<String>,
    /// Show the witness of finding K of `tidegate check`; defaults to the first finding, or to a complete execution
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) finding: Option<u32>,
    /// Choose the output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: GraphFormat,
    /// Explain how two operations are related; each is a line, LINE@AGENT or the key of a step, such as 0.1:2
    #[arg(long, num_args = 2, value_names = ["A", "B"], conflicts_with = "format")]
    pub(crate) why: Vec<String>,
    /// List every barrier-participates-in relation (AMDGPU), and for each invalid one the clause that rejects it
    #[arg(long, conflicts_with_all = ["format", "why", "relation"])]
    pub(crate) choices: bool,
    /// Choose the target; defaults to the target of the scenario
    #[arg(long, value_name = "T")]
    pub(crate) target: Option<String>,
    #[command(flatten)]
    pub(crate) judging: Judging,
}

#[derive(Debug, Args)]
pub(crate) struct Matrix {
    /// Scenario; `-` reads standard input
    pub(crate) file: PathBuf,
    /// Choose the output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: MatrixFormat,
    #[command(flatten)]
    pub(crate) judging: Judging,
}

#[derive(Debug, Args)]
pub(crate) struct Lower {
    /// Scenario; `-` reads standard input
    pub(crate) file: PathBuf,
    /// Choose the target; defaults to the target of the scenario
    #[arg(long, value_name = "T")]
    pub(crate) target: Option<String>,
    /// Choose the output format; `human` prints assembly that is also a scenario
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Plain,
    #[command(flatten)]
    pub(crate) launched: Launched,
}

#[derive(Debug, Args)]
pub(crate) struct Fmt {
    /// Scenarios to rewrite in place; `-` formats standard input to standard output
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Write nothing; fail if a file is not formatted
    #[arg(long)]
    pub(crate) check: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Catalogue {
    /// Entry, or common beginning of several entries
    pub(crate) id: Option<String>,
    /// Choose the output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Plain,
}

#[derive(Debug, Args)]
pub(crate) struct Readings {
    /// Reading or observation, or common beginning of several
    pub(crate) id: Option<String>,
    /// Choose the output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Prose,
}

/// Arguments of `tidegate ledger` and `tidegate needs`.
#[derive(Debug, Args)]
pub(crate) struct Ledger {
    /// Scenario; `-` reads standard input
    pub(crate) file: PathBuf,
    /// Choose the target; defaults to the target of the scenario
    #[arg(long, value_name = "T")]
    pub(crate) target: Option<String>,
    /// Choose the output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Plain,
    #[command(flatten)]
    pub(crate) judging: Judging,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Mbarrier {
    /// Print the fields of a word, and the confidence in each field
    Decode {
        /// Word: 0x7fff0000001fffc0, 7fff0000_001fffc0, or decimal
        word: String,
        /// Choose the hypothesis about the layout
        #[arg(long, value_enum, default_value_t)]
        layout: WordLayout,
        /// Perform operations in this order, such as arrive=1 or expect_tx=256
        #[arg(long, value_name = "OPERATION", num_args = 1..)]
        then: Vec<String>,
        /// Choose the output format
        #[arg(long, value_enum, default_value_t)]
        format: Plain,
    },
    /// Print the word for these fields
    Encode {
        /// Expected arrivals; without other options, the count of an init
        #[arg(value_name = "COUNT", value_parser = clap::value_parser!(u32).range(0..1 << 20))]
        count: u32,
        /// Pending arrivals; defaults to the expected arrivals
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..1 << 20))]
        pending: Option<u32>,
        /// tx-count in bytes
        #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true,
            value_parser = clap::value_parser!(i32).range(-(1 << 20)..1 << 20))]
        tx: i32,
        /// Parity of the current phase
        #[arg(long, value_name = "0|1", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..2))]
        parity: u8,
        /// Bit 0, of unknown meaning
        #[arg(long = "bit-0", value_name = "0|1", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..2))]
        bit_0: u8,
        /// Choose the hypothesis about the layout
        #[arg(long, value_enum, default_value_t)]
        layout: WordLayout,
        /// Choose the output format
        #[arg(long, value_enum, default_value_t)]
        format: Plain,
    },
}

/// A hypothesis about the word of an mbarrier object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum WordLayout {
    /// Bits 1 to 20 are pending
    LowPending,
    /// Bits 43 to 62 are pending
    HighPending,
    /// Both hypotheses
    #[default]
    Both,
}

#[derive(Debug, Args)]
pub(crate) struct Link {
    /// Scenario; `-` reads standard input
    pub(crate) file: PathBuf,
    /// Address of the page that opens the link; without it, only the fragment is printed
    #[arg(long, value_name = "URL")]
    pub(crate) base: Option<String>,
    /// Target to record in the link; defaults to the target of the scenario
    #[arg(long, value_name = "T")]
    pub(crate) target: Option<String>,
    /// Include the steps that lead to finding K
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) finding: Option<u32>,
    #[command(flatten)]
    pub(crate) launched: Launched,
}

#[derive(Debug, Args)]
pub(crate) struct Open {
    /// URL, or its fragment (#v1.…); `-` reads standard input
    pub(crate) link: String,
    /// Print only the scenario
    #[arg(long)]
    pub(crate) text: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// Shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Oracle {
    Spec,
    Machine,
    #[default]
    All,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    #[default]
    Human,
    Json,
    Sarif,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphFormat {
    #[default]
    Dot,
    Svg,
    Json,
    Mermaid,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum MatrixFormat {
    #[default]
    Human,
    Json,
    Csv,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Prose {
    #[default]
    Human,
    Json,
    Markdown,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Plain {
    #[default]
    Human,
    Json,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// The faster engine
    #[default]
    Auto,
    /// Interleavings, reduced
    Explore,
    /// Interleavings, not reduced, one state for each
    Plain,
    /// Candidate executions, judged by the axioms
    Axioms,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    Always,
    Never,
}

impl Color {
    /// Applies the choice to all later output.
    pub(crate) fn write_global(self) {
        let choice = match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
    }
}

#[cfg(test)]
mod tests {
    use super::Arguments;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_sound() {
        Arguments::command().debug_assert();
    }
}

/// Arguments of `tidegate inline`.
#[derive(Debug, Args)]
pub(crate) struct Inline {
    /// Scenario; `-` reads standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Line of the call
    #[arg(long, value_name = "L")]
    pub(crate) line: Option<u32>,
    /// Choose the output format; `human` prints the new scenario with comments on each wait for async marks
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Plain,
    #[command(flatten)]
    pub(crate) launched: Launched,
}

const SIDES: &str =
    "A side is a target, a reading ID=OPTION, or one of spec, machine, explore, axioms";

/// Arguments of `tidegate diff`.
#[derive(Debug, Args)]
#[command(after_help = SIDES)]
pub(crate) struct Diff {
    /// Scenario or share link, or a side with --on; `-` reads standard input
    #[arg(value_name = "A")]
    pub(crate) left: String,
    /// Scenario, link or side to compare with
    #[arg(value_name = "B")]
    pub(crate) right: String,
    /// Compare two sides on the scenarios in these files and folders
    #[arg(long, value_name = "PATH", num_args = 1..)]
    pub(crate) on: Vec<PathBuf>,
    /// Targets to compare two scenarios on; defaults to the target of each scenario
    #[arg(long, value_name = "T,…|all", conflicts_with = "on")]
    pub(crate) target: Option<String>,
    /// Choose the output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Plain,
    #[command(flatten)]
    pub(crate) judging: Judging,
}

/// Arguments of `tidegate shrink`.
#[derive(Debug, Args)]
#[command(after_help = SIDES)]
pub(crate) struct Shrink {
    /// Scenario; `-` reads standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Keep finding K of `tidegate check`; defaults to the first
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) finding: Option<u32>,
    /// Keep the different verdicts of two sides instead
    #[arg(long, num_args = 2, value_names = ["X", "Y"], conflicts_with = "finding")]
    pub(crate) differ: Vec<String>,
    /// Choose the target; defaults to the target of the scenario
    #[arg(long, value_name = "T")]
    pub(crate) target: Option<String>,
    /// Choose the output format; `human` prints a scenario
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Plain,
    #[command(flatten)]
    pub(crate) judging: Judging,
}

/// Arguments of `tidegate find`.
#[derive(Debug, Args)]
#[command(after_help = SIDES)]
pub(crate) struct Find {
    /// Two sides
    #[arg(long, num_args = 2, value_names = ["X", "Y"], required = true)]
    pub(crate) differ: Vec<String>,
    /// Search the scenarios in these files and folders, and shrink the smallest one with different verdicts
    #[arg(long = "in", value_name = "PATH", num_args = 1.., conflicts_with_all = ["among", "statements", "agents", "max_scenarios"])]
    pub(crate) within: Vec<PathBuf>,
    /// Choose the statements of the scenarios: workgroup, named, instructions, cluster, memory, async, mbarrier, tlx,
    /// cta; defaults to those that matter to the two sides
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) among: Vec<String>,
    /// Maximum number of statements of a scenario
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u8).range(1..=16))]
    pub(crate) statements: u8,
    /// Maximum number of agents of a scenario
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=4))]
    pub(crate) agents: u8,
    /// Stop after N scenarios
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_scenarios: u64,
    /// Target of the scenarios; defaults to one of the sides, or to one that fits them
    #[arg(long, value_name = "T")]
    pub(crate) target: Option<String>,
    /// Choose the output format; `human` prints a scenario
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Plain,
    #[command(flatten)]
    pub(crate) judging: Judging,
}
