//! The list of keys.

use super::dialog::modal;
use crate::dom::*;
use crate::keys::{HELP, Help};
use crate::state::Dialog;

/// The dialog of keys.
pub(super) fn keys() -> El {
    modal(Dialog::Keys, "Keys", || {
        div("").with((
            dl("keys").with(all(HELP.iter().filter(|help| !help.keys.is_empty()).map(row))),
            p("quiet").with("Single-letter keys do not apply in the editor and other fields."),
        ))
    })
}

fn row(help: &Help) -> El {
    let keys = all(help.keys.iter().map(|key| kbd("key").with(*key)));
    div("keys__row").with((dt("").with(keys), dd("").with(help.what)))
}
