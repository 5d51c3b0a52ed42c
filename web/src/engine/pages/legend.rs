//! The signs of the execution and of the editor, with their meanings.

use protocol::DocumentPage;
use protocol::document_page::*;

/// Operations: the kind, further classes, an example, and the meaning.
const NODES: [(&str, &str, &str, &str); 11] = [
    ("arrive", "", "arrive wg", "An arrive; its number is the phase that it counts for."),
    ("wait", "", "wait wg", "A wait; its number is the phase that released it."),
    ("wait", "", "wait full ^0", "A wait for the phase of parity 0."),
    ("init", "", "init b, 2", "An init or a join."),
    ("drop", "", "drop b", "A drop: the next phases need one arrival less."),
    ("store", "", "store a[0]", "A store; a load has a thin lower edge."),
    ("fence", "", "fence release", "A fence."),
    ("copy", "", "TMA \u{2192} a[3]", "The start of an asynchronous copy, here into stage 3 of a."),
    ("load", " node--race", "load a[0]", "An access that is unordered with a conflicting one."),
    ("wait", " node--broke", "wait b", "An operation that breaks a rule."),
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

/// Lines of a kernel: the class and the meaning.
const LINES: [(&str, &str); 6] = [
    ("synchronises", "A line of a kernel that synchronises or orders memory."),
    ("accesses", "A line that accesses memory."),
    ("branches", "A line that branches, calls or ends."),
    ("computes", "A line that only computes values."),
    ("ignored", "A line with an unknown instruction that cannot affect the verdict."),
    (
        "unmodelled",
        "A line that is not modelled: the verdict is inconclusive if an agent reaches it.",
    ),
];

/// The legend.
pub(crate) fn page() -> DocumentPage {
    let row = |sign: Element, says: &str| {
        div("legend__row").with((dt("").set("aria-hidden", "true").with(sign), dd("").with(says)))
    };
    let nodes = NODES.iter().map(|(kind, class, example, says)| {
        let node = span(format!("node{class}")).set("data-kind", *kind).set("data-tone", "0");
        row(node.with(span("node__label").with(*example)), says)
    });
    let signs = SIGNS.iter().map(|(class, says)| row(span(*class).set("data-tone", "0"), says));
    let lines =
        LINES.iter().map(|(class, says)| row(span("cm-stripe").set("data-class", *class), says));
    DocumentPage::new("Legend").with(dl("legend").with((all(nodes), all(signs), all(lines))))
}
