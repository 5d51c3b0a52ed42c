//! Elements that several views share: a search field, a choice, a button that opens a scenario.

use super::address::Address;
use protocol::document_page::*;

/// A search field with the number of results.
pub(super) fn search(address: &Address, name: &str, found: usize, what: &str) -> Element {
    let field = input("field__text")
        .set("type", "search")
        .set("id", "sought")
        .set("autocomplete", "off")
        .set("spellcheck", "false")
        .set("placeholder", name.to_owned())
        .set("aria-label", name.to_owned())
        .set("value", address.word("q"));
    let plural = if found == 1 { "" } else { "s" };
    div("sieve__search").with((
        field.does(Action::Go, address.up_to("q")),
        span("quiet").set("role", "status").with(format!("{found} {what}{plural}")),
    ))
}

/// A choice of a few values, each with its parameter value in the address; the first has none.
pub(super) fn chosen(
    address: &Address,
    word: &str,
    name: &str,
    choices: &[(&str, &str)],
) -> Element {
    let now = address.word(word);
    let known = choices.iter().any(|(value, _)| *value == now);
    let choice = |(value, name): &(&str, &str)| {
        let here = if known { now == *value } else { value.is_empty() };
        button("choice")
            .set("aria-pressed", if here { "true" } else { "false" })
            .does(Action::Go, address.with(word, value))
            .with(*name)
    };
    div("choices")
        .set("role", "group")
        .set("aria-label", name)
        .with(all(choices.iter().map(choice)))
}
