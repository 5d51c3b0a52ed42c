//! Standard output and standard error.

use crate::exit::Failure;
use anstyle::{AnsiColor, Style};
use std::io::{self, Write};

/// Emphasis without a colour.
pub(crate) const BOLD: Style = Style::new().bold();
/// Secondary text.
pub(crate) const DIM: Style = Style::new().dimmed();
const GREEN: Style = Style::new().bold().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Green)));
const RED: Style = Style::new().bold().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Red)));
const YELLOW: Style = Style::new().bold().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Yellow)));
const CYAN: Style = Style::new().bold().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Cyan)));

/// The style of a verdict or class.
pub(crate) fn style_of(word: &str) -> Style {
    match word {
        "ok" | "passed" => GREEN,
        "unknown" | "hazard" | "lint" | "warning" => YELLOW,
        _ if word.starts_with("possible ") => YELLOW,
        "unsupported" => CYAN,
        _ => RED,
    }
}

/// A text with style codes.
pub(crate) fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// A verdict or class in its colour.
pub(crate) fn verdict(word: &str) -> String {
    styled(style_of(word), word)
}

/// Prints to standard output. A closed pipe is not an error.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    finish(anstream::stdout().lock().write_all(text.as_bytes()))
}

/// Prints unchanged to standard output: text for a program or a file.
pub(crate) fn print_raw(text: &str) -> Result<(), Failure> {
    finish(io::stdout().lock().write_all(text.as_bytes()))
}

fn finish(result: io::Result<()>) -> Result<(), Failure> {
    match result.and_then(|()| io::stdout().lock().flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::new(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Prints to standard error; a failure to print is ignored.
pub(crate) fn print_error(text: &str) {
    let _ = anstream::stderr().lock().write_all(text.as_bytes());
}

/// Reports a failure on standard error.
pub(crate) fn error(failure: &Failure) {
    let mut text = format!("{}: {}\n", styled(RED, "error"), crate::escape::line(&failure.message));
    if let Some(help) = &failure.help {
        text.push_str(&format!("  {}: {}\n", styled(CYAN, "help"), crate::escape::line(help)));
    }
    print_error(&text);
}
