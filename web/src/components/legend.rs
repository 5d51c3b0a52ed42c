//! The signs of the execution, with their meanings.

use super::dialog::modal;
use crate::dom::*;
use crate::state::Dialog;

/// Operations: the kind, further classes, an example, and the meaning.
const NODES: [(&str, &str, &str, &str); 11] = [
    ("arrive", "", "arrive wg", "An arrive; its number is the phase that it counts for."),
    ("wait", "", "wait wg", "A wait; its number is the phase that released it."),
    ("wait", "", "wait full ^0", "A wait for the phase of parity 0."),
    ("init", "", "init b, 2", "An init or a join."),
    ("drop", "", "drop b", "A drop: the next phases need one arrival less."),
    ("store", "", "store a[0]", "A store; a load has a thin lower edge."),
    ("fence", "", "fence release", "A fence."),
    ("copy", "", "TMA → a[3]", "The start of an asynchronous copy, here into stage 3 of a."),
    ("load", "node--race", "load a[0]", "An access that is unordered with a conflicting one."),
    ("wait", "node--broke", "wait b", "An operation that breaks a rule."),
    ("end", "", "end", "The end of an agent."),
];

/// Other signs: the class of the sign and the meaning.
const SIGNS: [(&str, &str); 5] = [
    ("waiting", "An agent that waits."),
    ("copying", "A copy in flight."),
    ("legend__band", "A phase of a barrier, from its first arrival to its completion."),
    ("legend__band legend__band--open", "A phase that is not complete."),
    (
        "legend__rail",
        "With many barriers: a phase beside the lanes. The number is the element of the array.",
    ),
];

/// The dialog.
pub(super) fn legend() -> El {
    modal(Dialog::Legend, "Legend", || {
        let nodes = NODES.iter().map(|&(kind, class, example, says)| {
            let node = span("node").attr("data-kind", kind).attr("data-tone", "0");
            let node = if class.is_empty() { node } else { node.class(class, true) };
            row(node.with(span("node__label").with(example)), says)
        });
        let signs = SIGNS.iter().map(|&(class, says)| row(i(class).attr("data-tone", "0"), says));
        dl("legend").with(all(nodes.chain(signs)))
    })
}

fn row(sign: El, says: &str) -> El {
    div("legend__row").with((dt("").attr("aria-hidden", "true").with(sign), dd("").with(says)))
}
