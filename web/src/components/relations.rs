//! Relations in words: the drawn relations, why an edge holds, how two operations are related, and all edges as a table.

use super::prose::prose;
use crate::dom::*;
use crate::state::State;
use leptos::prelude::*;
use protocol::{Related, RelationView, Why};

/// The relations tab below the text.
pub(super) fn relations(state: State) -> El {
    let any = Memo::new(move |_| {
        state.relating.view.with(|it| it.as_ref().is_some_and(|it| !it.relations.is_empty()))
    });
    let about = part(state, |view| view.about.clone());
    div("relations").with(move || match any.get() {
        true => vec![
            p("aside").with(about),
            toggles(state),
            div("relations__why").attr("role", "status").with(move || description(state)),
            pair(state),
            table(state),
        ],
        false if state.engine.get() => vec![p("calm").with(about)],
        false => vec![p("calm").with("Relations are available once the engine has loaded.")],
    })
}

/// A part of the engine's answer, as a signal.
fn part<T>(state: State, of: fn(&RelationView) -> T) -> impl Fn() -> T + Copy + use<T>
where
    T: Default + PartialEq + Clone + Send + Sync + 'static,
{
    let memo = Memo::new(move |_| {
        state.relating.view.with(|view| view.as_ref().map(of).unwrap_or_default())
    });
    move || memo.get()
}

fn toggles(state: State) -> El {
    let toggle = move |it: Related| {
        let (id, press) = (it.id.clone(), it.id.clone());
        let chosen = move || state.relating.look.with(|look| look.chosen.contains(&id));
        button("relation")
            .attr("data-relation", &it.id)
            .says("aria-pressed", chosen)
            .press(move || state.toggle_relation(&press))
            .with((swatch(), span("").with(it.name), span("relation__count").with(it.count)))
    };
    let related = part(state, |view| view.relations.clone());
    let absent = move || {
        let absent = related().into_iter().flat_map(|it| it.absent);
        all(absent.map(|why| p("quiet").with(prose(&why))))
    };
    div("").with((
        div("relations__toggles")
            .attr("role", "group")
            .attr("aria-label", "Drawn relations")
            .with(move || all(related().into_iter().map(toggle))),
        div("relations__absent").with(absent),
    ))
}

/// A sample of the line of a relation.
fn swatch() -> El {
    svg("svg", "relation__swatch")
        .attr("viewBox", "0 0 24 8")
        .attr("aria-hidden", "true")
        .with(svg("path", "edge__line").attr("d", "M1 4H23"))
}

/// The selected edge or phase, and why it holds.
fn description(state: State) -> Vec<El> {
    let description =
        state.relating.view.with(|view| view.as_ref().map(|it| it.description.clone()));
    let description = description.unwrap_or_default();
    let class = |at| if at == 0 { "thread" } else { "" };
    let lines = description.iter().enumerate().map(|(at, line)| p(class(at)).with(prose(line)));
    // If two operations are selected, their relation is shown below.
    let is_picked = state.relating.look.with(|look| look.pair.iter().all(Option::is_some));
    match description.is_empty() {
        true if is_picked => Vec::new(),
        true => vec![p("aside").with(
            "Click an edge to see its reason, or two operations to see how they are related.",
        )],
        false => all(lines),
    }
}

/// Two operations, and how they are related.
fn pair(state: State) -> El {
    let operations = part(state, |view| view.operations.clone());
    let field = move |at: usize, id: &'static str, name: &'static str| {
        let options = move || {
            let none = (String::new(), "choose".to_owned());
            let of = std::iter::once(none).chain(operations());
            all(of.map(|(key, name)| {
                let chosen =
                    state.relating.look.with_untracked(|it| it.pair[at] == Some(key.clone()));
                el("option", "").attr("value", &key).attr("selected", chosen).with(name)
            }))
        };
        let shown =
            move || state.relating.look.with(|look| look.pair[at].clone().unwrap_or_default());
        let pick = move |event| {
            state.pick_at(at, Some(value_of(&event)).filter(|key| !key.is_empty()));
        };
        let select = select("field__select")
            .attr("id", id)
            .with(options)
            .prop("value", shown)
            .on("change", pick);
        div("pairing__field").with((label("quiet").attr("for", id).with(name), select))
    };
    let answers = part(state, |view| view.answers.clone());
    let description = move || {
        let answers = answers();
        let none = !answers.iter().any(|why| why.holds);
        all(answers.into_iter().map(|why| {
            let open = none || why.relation.starts_with("happens");
            answer(why, open)
        }))
    };
    div("").attr("id", "pair").with((
        h3("findings__sub").with("Compare two operations"),
        div("pairing").with((field(0, "pair-from", "From"), field(1, "pair-to", "To"))),
        div("").attr("role", "status").with(ul("answers").with(description)),
    ))
}

/// A relation that holds is open. One that does not hold is folded, unless no relation holds or it explains a race.
fn answer(why: Why, open: bool) -> El {
    let because = all(why.because.iter().map(|clause| p("quiet").with(prose(clause))));
    let item = li("answer-why").class("answer-why--not", !why.holds);
    match why.holds {
        true => item.with((b("").with(&*why.relation), because)),
        false => {
            let name = el("summary", "").with(("not ", &*why.relation));
            item.with(details("").attr("open", open).with((name, because)))
        }
    }
}

/// All edges in words; the engine creates the table when it is opened.
fn table(state: State) -> El {
    let rows = part(state, |view| view.table.clone());
    let row = |cells: [String; 4]| {
        el("tr", "").with(all(cells.iter().map(|cell| el("td", "").with(prose(cell)))))
    };
    let heads = ["From", "Relation", "To", "Reason"]
        .map(|name| el("th", "").attr("scope", "col").with(name));
    let table = el("table", "").with((
        el("caption", "unseen").with("All edges"),
        el("thead", "").with(el("tr", "").with(all(heads))),
        el("tbody", "").with(move || all(rows().into_iter().map(row))),
    ));
    let scroll = div("relations__table")
        .attr("tabindex", "0")
        .attr("role", "region")
        .attr("aria-label", "All edges");
    let looked = state.relating.look.with_untracked(|look| look.table);
    let open = move || state.relating.look.update(|look| look.table = !look.table);
    details("relations__all")
        .attr("open", looked)
        .with((el("summary", "").press(open).with("Edge table"), scroll.with(table)))
}
