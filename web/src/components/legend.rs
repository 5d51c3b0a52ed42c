//! The signs of the execution, with their meanings.

use super::dialog::Modal;
use crate::state::Dialog;
use leptos::prelude::*;

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
#[component]
pub(super) fn Legend() -> impl IntoView {
    let nodes = || {
        let row = |&(kind, class, example, says)| {
            view! {
                <div class="legend__row">
                    <dt aria-hidden="true">
                        <span class=["node ", class].concat() data-kind=kind data-tone="0">
                            <span class="node__label">{example}</span>
                        </span>
                    </dt>
                    <dd>{says}</dd>
                </div>
            }
            .into_any()
        };
        NODES.iter().map(row).collect_view()
    };
    let signs = || {
        let row = |&(class, says)| {
            view! {
                <div class="legend__row">
                    <dt aria-hidden="true"><i class=class data-tone="0"></i></dt>
                    <dd>{says}</dd>
                </div>
            }
            .into_any()
        };
        SIGNS.iter().map(row).collect_view()
    };
    view! {
        <Modal which=Dialog::Legend title="Legend">
            <dl class="legend">{nodes()} {signs()}</dl>
        </Modal>
    }
}
