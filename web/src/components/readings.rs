//! Questions that the text leaves open and that matter to this scenario.

use crate::engine::{self, Ambiguity};
use crate::verdict::face;
use leptos::prelude::*;

/// The questions, each with what every answer gives.
#[component]
pub(crate) fn Readings(ambiguities: Vec<Ambiguity>) -> impl IntoView {
    (!ambiguities.is_empty()).then(|| {
        any! {
            <h3 class="findings__sub">"Depends on the reading"</h3>
            <ul class="readings">{ambiguities.into_iter().map(reading).collect_view()}</ul>
        }
    })
}

fn reading(open: Ambiguity) -> impl IntoView {
    let known = engine::reading(&open.id);
    let choice = |(name, verdict): (String, String)| {
        let meaning =
            known.and_then(|known| known.choices.iter().find(|choice| choice.name == name));
        any! {
            <div class="reading__choice">
                <dt><code>{name}</code></dt>
                <dd><b data-tone=face(&verdict).tone>{verdict.clone()}</b>" "{meaning.map(|choice| choice.meaning)}</dd>
            </div>
        }
    };
    any! {
        <li class="reading">
            <p><code>{open.id.clone()}</code>" "{known.map(|known| known.question)}</p>
            <dl>{open.verdicts.into_iter().map(choice).collect_view()}</dl>
        </li>
    }
}
