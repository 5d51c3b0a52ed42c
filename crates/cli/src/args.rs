//! The command line as it is written.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

const AFTER: &str = "Exit codes: 0 verdict ok, or the command did its work; 1 any other verdict or a failed expectation; \
2 usage, or input that cannot be read or is invalid; 3 a bound was hit (unknown).";

/// Verdicts on GPU barrier scenarios: is it defined, undefined or stuck, on which rule, and how does it come to that.
#[derive(Debug, Parser)]
#[command(name = "tidegate", version, max_term_width = 100, after_help = AFTER, subcommand_required = true)]
pub(crate) struct Arguments {
    /// When to use colour
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
    /// Verdicts and findings
    Check(Check),
    /// Run every `expect` of every .tide file below the paths
    Test(Test),
    /// The steps that lead to a finding, with the state after each
    Trace(Trace),
    /// The relations of one execution
    Graph(Graph),
    /// The verdict on every target
    Matrix(Matrix),
    /// The machine code of a scenario on a target
    Lower(Lower),
    /// Inline a call: the text that it gives, and what each wait for async marks then completes
    Inline(Inline),
    /// What two scenarios or links are judged differently in; or two targets, readings or oracles, on many scenarios
    Diff(Diff),
    /// The smallest scenario with the same finding
    Shrink(Shrink),
    /// The smallest scenario that two sides judge differently
    Find(Find),
    /// Canonical layout
    Fmt(Fmt),
    /// The catalogue of rules
    Rules(Catalogue),
    /// The targets and what they have
    Targets(Catalogue),
    /// The questions that the documents leave open, and what was seen in them
    Readings(Readings),
    /// Per barrier: who arrives, how many, expected, phase, who waits, what is missing
    Ledger(Ledger),
    /// The instructions of SASS on barriers, each with its twin in PTX
    Sass(Catalogue),
    /// The 64-bit word of an mbarrier object, both ways
    #[command(subcommand)]
    Mbarrier(Mbarrier),
    /// A share link for a scenario
    Link(Link),
    /// What a share link holds
    Open(Open),
    /// A completion script for a shell
    Completions(Completions),
}

/// How a scenario is judged.
#[derive(Debug, Args)]
pub(crate) struct Judging {
    /// Choose an answer to an open question (see `tidegate readings`)
    #[arg(long = "reading", value_name = "ID=OPTION")]
    pub(crate) readings: Vec<String>,
    /// Give up as unknown after this many states
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_states: Option<u64>,
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    /// Scenarios; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Targets, sets (gfx12.5) or ranges (gfx6-gfx11), or `all`; the scenario's own when absent
    #[arg(long, value_name = "T,…|all")]
    pub(crate) target: Option<String>,
    /// Whose verdict: the text, the machine as publicly modelled, or both
    #[arg(long, value_enum, default_value_t)]
    pub(crate) oracle: Oracle,
    /// What to print
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// How the verdict is reached
    #[arg(long, value_enum, default_value_t)]
    pub(crate) engine: Engine,
    /// Leave rules of the text out, and see what becomes possible; reached by the axioms
    #[arg(long, value_name = "RULE,…", value_delimiter = ',')]
    pub(crate) without: Vec<String>,
    #[command(flatten)]
    pub(crate) judging: Judging,
    /// Count the barrier-participates-in relations that the same orders admit
    #[arg(long)]
    pub(crate) participates_in: bool,
    /// Scenarios judged at the same time; one for each processor when absent
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
}

#[derive(Debug, Args)]
pub(crate) struct Test {
    /// Files, and folders that are searched for .tide files
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Only the I-th of N parts, from 1/N to N/N; when absent, the part that SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX
    /// (of JOB_COMPLETIONS) names
    #[arg(long, value_name = "I/N")]
    pub(crate) shard: Option<String>,
    /// What to print
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Plain,
    #[command(flatten)]
    pub(crate) judging: Judging,
    /// Scenarios judged at the same time; one for each processor when absent
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
}

#[derive(Debug, Args)]
pub(crate) struct Trace {
    /// Scenario; `-` is standard input
    pub(crate) file: PathBuf,
    /// Which finding, in the order of `tidegate check`
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) finding: Option<u32>,
    /// Target; the scenario's own when absent
    #[arg(long, value_name = "T")]
    pub(crate) target: Option<String>,
    #[command(flatten)]
    pub(crate) judging: Judging,
}

#[derive(Debug, Args)]
pub(crate) struct Graph {
    /// Scenario; `-` is standard input
    pub(crate) file: PathBuf,
    /// Relations: po, tbo, bmo, pi, beb, bpw, bjb, sw, hb (hb-local and hb-global), their long names, or all; po,bmo,pi
    /// when absent
    #[arg(long, value_name = "R,…|all")]
    pub(crate) relation: Option<String>,
    /// The witness of this finding, in the order of `tidegate check`; when absent that of the first, or a whole execution
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) finding: Option<u32>,
    /// What to print
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: GraphFormat,
    /// How two operations are related, or why they are not: each a line, LINE@AGENT or a key of a step as 0.1:2
    #[arg(long, num_args = 2, value_names = ["A", "B"], conflicts_with = "format")]
    pub(crate) why: Vec<String>,
    /// Of barriers of AMDGPU every way to take part in the waits, and for each that is not valid the clause that rules it
    /// out
    #[arg(long, conflicts_with_all = ["format", "why", "relation"])]
    pub(crate) choices: bool,
    /// Target; the scenario's own when absent
    #[arg(long, value_name = "T")]
    pub(crate) target: Option<String>,
    #[command(flatten)]
    pub(crate) judging: Judging,
}

#[derive(Debug, Args)]
pub(crate) struct Matrix {
    /// Scenario; `-` is standard input
    pub(crate) file: PathBuf,
    /// What to print
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: MatrixFormat,
    #[command(flatten)]
    pub(crate) judging: Judging,
}

#[derive(Debug, Args)]
pub(crate) struct Lower {
    /// Scenario; `-` is standard input
    pub(crate) file: PathBuf,
    /// Target; the scenario's own when absent
    #[arg(long, value_name = "T")]
    pub(crate) target: Option<String>,
    /// What to print; for people a text that an assembler takes and that is a scenario too
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Plain,
}

#[derive(Debug, Args)]
pub(crate) struct Fmt {
    /// Scenarios, rewritten in place; `-` is standard input, laid out to standard output
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Write nothing; fail when a file is not laid out so
    #[arg(long)]
    pub(crate) check: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Catalogue {
    /// One entry, or the beginning of several
    pub(crate) id: Option<String>,
    /// What to print
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Plain,
}

#[derive(Debug, Args)]
pub(crate) struct Readings {
    /// One reading or observation, or the beginning of several
    pub(crate) id: Option<String>,
    /// What to print
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Prose,
}

#[derive(Debug, Args)]
pub(crate) struct Ledger {
    /// Scenario; `-` is standard input
    pub(crate) file: PathBuf,
    /// Target; the scenario's own when absent
    #[arg(long, value_name = "T")]
    pub(crate) target: Option<String>,
    /// What to print
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Plain,
    #[command(flatten)]
    pub(crate) judging: Judging,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Mbarrier {
    /// What a word says, field by field, each with how sure it is
    Decode {
        /// The word: 0x7fff0000001fffc0, 7fff0000_001fffc0, or decimal
        word: String,
        /// Which hypothesis about the word
        #[arg(long, value_enum, default_value_t)]
        layout: WordLayout,
        /// Operations performed on it one after another, as arrive=1 or expect_tx=256
        #[arg(long, value_name = "OPERATION", num_args = 1..)]
        then: Vec<String>,
        /// What to print
        #[arg(long, value_enum, default_value_t)]
        format: Plain,
    },
    /// The word that says this
    Encode {
        /// Expected arrivals; alone it is the count of an init
        #[arg(value_name = "COUNT", value_parser = clap::value_parser!(u32).range(0..1 << 20))]
        count: u32,
        /// Pending arrivals; as many as expected when absent
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..1 << 20))]
        pending: Option<u32>,
        /// The tx-count in bytes
        #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true,
            value_parser = clap::value_parser!(i32).range(-(1 << 20)..1 << 20))]
        tx: i32,
        /// Parity of the running phase
        #[arg(long, value_name = "0|1", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..2))]
        parity: u8,
        /// Bit 0, whose meaning is not known
        #[arg(long = "bit-0", value_name = "0|1", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..2))]
        bit_0: u8,
        /// Which hypothesis about the word
        #[arg(long, value_enum, default_value_t)]
        layout: WordLayout,
        /// What to print
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
    /// Each of them
    #[default]
    Both,
}

#[derive(Debug, Args)]
pub(crate) struct Link {
    /// Scenario; `-` is standard input
    pub(crate) file: PathBuf,
    /// Address of a page that opens it; only the fragment when absent
    #[arg(long, value_name = "URL")]
    pub(crate) base: Option<String>,
    /// Target to open it with; the scenario's own when absent
    #[arg(long, value_name = "T")]
    pub(crate) target: Option<String>,
    /// Carry the steps that lead to this finding
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) finding: Option<u32>,
}

#[derive(Debug, Args)]
pub(crate) struct Open {
    /// A URL, its fragment (#v1.…), or `-` to read it from standard input
    pub(crate) link: String,
    /// Only the scenario's text
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
    /// Whichever reaches the verdict first
    #[default]
    Auto,
    /// Every interleaving, reduced
    Explore,
    /// Candidate executions, judged by the axioms alone
    Axioms,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// Where the output is a terminal and NO_COLOR is not set
    #[default]
    Auto,
    Always,
    Never,
}

impl Color {
    /// Makes the choice for everything that is printed from now on.
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

/// What `tidegate inline` takes.
#[derive(Debug, Args)]
pub(crate) struct Inline {
    /// The scenario, or `-` for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The line of the call
    #[arg(long, value_name = "L")]
    pub(crate) line: Option<u32>,
    /// What to print; for people the new text, and as comments what each wait for async marks completes
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Plain,
}

const SIDES: &str =
    "A side is a target, a reading as ID=OPTION, or one of spec, machine, explore, axioms.";

/// What `tidegate diff` takes.
#[derive(Debug, Args)]
#[command(after_help = SIDES)]
pub(crate) struct Diff {
    /// A scenario, a share link, or with --on a side; `-` is standard input
    #[arg(value_name = "A")]
    pub(crate) left: String,
    /// What it is compared with
    #[arg(value_name = "B")]
    pub(crate) right: String,
    /// Compare two sides on these files, and on the scenarios in these folders
    #[arg(long, value_name = "PATH", num_args = 1..)]
    pub(crate) on: Vec<PathBuf>,
    /// Targets to compare two scenarios on; each on its own when absent
    #[arg(long, value_name = "T,…|all", conflicts_with = "on")]
    pub(crate) target: Option<String>,
    /// What to print
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Plain,
    #[command(flatten)]
    pub(crate) judging: Judging,
}

/// What `tidegate shrink` takes.
#[derive(Debug, Args)]
#[command(after_help = SIDES)]
pub(crate) struct Shrink {
    /// Scenario; `-` is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Which finding stays, in the order of `tidegate check`; the first when absent
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) finding: Option<u32>,
    /// Keep instead that these two sides judge it differently
    #[arg(long, num_args = 2, value_names = ["X", "Y"], conflicts_with = "finding")]
    pub(crate) differ: Vec<String>,
    /// Target; the scenario's own when absent
    #[arg(long, value_name = "T")]
    pub(crate) target: Option<String>,
    /// What to print; for people the text, which is a scenario
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Plain,
    #[command(flatten)]
    pub(crate) judging: Judging,
}

/// What `tidegate find` takes.
#[derive(Debug, Args)]
#[command(after_help = SIDES)]
pub(crate) struct Find {
    /// The two sides
    #[arg(long, num_args = 2, value_names = ["X", "Y"], required = true)]
    pub(crate) differ: Vec<String>,
    /// Look through these files, and the scenarios in these folders, and make the first that is judged differently smaller
    #[arg(long = "in", value_name = "PATH", num_args = 1.., conflicts_with_all = ["among", "statements", "agents", "max_scenarios"])]
    pub(crate) within: Vec<PathBuf>,
    /// Statements to write scenarios with: workgroup, named, instructions, cluster, memory, async, mbarrier, tlx, cta; those
    /// that the sides speak of when absent
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) among: Vec<String>,
    /// Most statements of a scenario
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u8).range(1..=16))]
    pub(crate) statements: u8,
    /// Most agents of a scenario
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=4))]
    pub(crate) agents: u8,
    /// Give up after so many scenarios
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_scenarios: u64,
    /// Target of the scenarios; one that the sides name, or else that fits, when absent
    #[arg(long, value_name = "T")]
    pub(crate) target: Option<String>,
    /// What to print; for people the text, which is a scenario
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Plain,
    #[command(flatten)]
    pub(crate) judging: Judging,
}
