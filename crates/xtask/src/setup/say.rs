//! What the set-up prints.

/// Prints what is being installed, and why it may take long.
pub(super) fn say(what: &str, note: &str) {
    if note.is_empty() {
        eprintln!("installing {what}…");
    } else {
        eprintln!("installing {what} ({note})…");
    }
}
