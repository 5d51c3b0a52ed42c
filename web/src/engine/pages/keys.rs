//! The keys of the page and its commands.

use protocol::DocumentPage;
use protocol::document_page::*;

/// A key and its action.
struct Help {
    /// The keys as printed on a keyboard.
    keys: &'static [&'static str],
    /// The action.
    what: &'static str,
    /// The word by which the page performs it, if the palette also offers the command.
    press: &'static str,
}

const fn help(keys: &'static [&'static str], what: &'static str, press: &'static str) -> Help {
    Help { keys, what, press }
}

/// Keys and actions, as the `?` dialog and the palette list them. Only the palette lists commands without a key.
static HELP: &[Help] = &[
    help(&["Ctrl", "K"], "Open command palette", ""),
    help(&["→"], "Step forward", "ArrowRight"),
    help(&["←"], "Step back", "ArrowLeft"),
    help(&["0", "…", "9"], "Step that lane", ""),
    help(&["Home"], "Back to launch", "Home"),
    help(&["End"], "Last step", "End"),
    help(&["r"], "Run all agents", "r"),
    help(&["c"], "Remove all steps", "c"),
    help(&["g"], "Play/pause", "g"),
    help(&["b"], "Run until blocked", "b"),
    help(&["s"], "Random schedule", "s"),
    help(&["x"], "Next consistent execution", "x"),
    help(&["n"], "Next counterexample", "n"),
    help(&["w"], "Show first witness", "w"),
    help(&["a"], "New scenario", "a"),
    help(&["]"], "Next scenario", "]"),
    help(&["["], "Previous scenario", "["),
    help(&["Del"], "Close focused scenario", ""),
    help(&[], "Close scenario", "close"),
    help(&["e"], "Open examples", "e"),
    help(&["l"], "Open language reference", "l"),
    help(&[], "Start here", "tour"),
    help(&[], "Share scenario", "share"),
    help(&[], "Copy issue Markdown", "markdown"),
    help(&[], "Copy embed snippet", "embed"),
    help(&[], "Fold/unfold lanes", "fold"),
    help(&[], "Shrink scenario", "shrink"),
    help(&[], "Compare scenarios", "compare"),
    help(&[], "Remove each operation", "needs"),
    help(&[], "Relax a rule", "without"),
    help(&[], "Compare executions", "runs"),
    help(&[], "Show critical path", "waits"),
    help(&[], "Count outcomes", "count"),
    help(&[], "Check several files", "files"),
    help(&[], "Show explanation", "why"),
    help(&[], "Show relations", "relations"),
    help(&[], "Show targets", "targets"),
    help(&[], "Show readings", "readings"),
    help(&["+"], "Zoom in", ""),
    help(&["-"], "Zoom out", ""),
    help(&["p"], "Presentation mode", "p"),
    help(&["t"], "Toggle theme", "t"),
    help(&["?"], "Show keys", "?"),
    help(&["h"], "Show legend", "h"),
    help(&["Esc"], "Close", ""),
    help(&["Shift", "Alt", "F"], "Format", "format"),
    help(&["Alt", "↑", "↓"], "Move line", ""),
    help(&["F1"], "Open passage", ""),
    help(&["F2"], "Select steps of line", ""),
    help(&["F8"], "Next problem", ""),
    help(&["Ctrl", "F"], "Search and replace", ""),
    help(&["Ctrl", "Space"], "Show completions", ""),
];

/// The list of keys.
pub(crate) fn page() -> DocumentPage {
    let row = |help: &Help| {
        let caps = help.keys.iter().map(|key| kbd("key").with(*key));
        div("keys__row").with((dt("").with(all(caps)), dd("").with(help.what)))
    };
    let rows = HELP.iter().filter(|help| !help.keys.is_empty()).map(row);
    DocumentPage::new("Keys").with((
        dl("keys").with(all(rows)),
        p("quiet").with("Single-letter keys do not apply in the editor and other fields. A line can also be dragged by its number."),
    ))
}

/// The commands of the palette: the name, with a tab before each of its keys, and what performs it.
pub(super) fn commands() -> impl Iterator<Item = (String, String)> {
    HELP.iter().filter(|help| !help.press.is_empty()).map(|help| {
        let keys = help.keys.iter().flat_map(|key| ["\t", key]);
        ([help.what].into_iter().chain(keys).collect(), format!("press {}", help.press))
    })
}
