//! The panel of relations: which are drawn, why an edge holds, how two operations are related, and all edges as a table.

use crate::relations::{Answer, Related, Why};
use protocol::document_page::*;
use protocol::{DocumentPage, Look, RelationView};

/// Puts the answer to a request into words.
pub(crate) fn shown(answer: Answer, look: &Look) -> RelationView {
    let page = DocumentPage::new("Relations");
    let page = match answer.relations.is_empty() {
        true => page.with(p("calm").with(answer.about)),
        false => page
            .with(p("aside").with(answer.about))
            .with(div("").with((toggles(&answer.relations, look), absent(&answer.relations))))
            .with(description(&answer.description, look))
            .with(pair(&answer.operations, answer.answers, look))
            .with(table(answer.table)),
    };
    RelationView { lines: answer.lines, page }
}

fn toggles(relations: &[Related], look: &Look) -> Element {
    let toggle = |it: &Related| {
        let is_drawn = look.chosen.contains(&it.id);
        button("relation")
            .set("data-relation", &*it.id)
            .set("aria-pressed", if is_drawn { "true" } else { "false" })
            .does(Action::Relation, &*it.id)
            .with((
                sample(),
                span("").with(&*it.name),
                span("relation__count").with(it.count.to_string()),
            ))
    };
    div("relations__toggles")
        .set("role", "group")
        .set("aria-label", "Drawn relations")
        .with(all(relations.iter().map(toggle)))
}

/// A sample of the line of a relation.
fn sample() -> Element {
    let line = path("edge__line").set("d", "M1 4H23");
    svg("relation__swatch").set("viewBox", "0 0 24 8").set("aria-hidden", "true").with(line)
}

/// Why chosen relations have no edges.
fn absent(relations: &[Related]) -> Element {
    let reasons = relations.iter().flat_map(|it| &it.absent);
    div("relations__absent").with(all(reasons.map(|why| p("quiet").with(prose(why)))))
}

/// The selected edge or phase, and why it holds.
fn description(lines: &[String], look: &Look) -> Element {
    let line = |(at, line): (usize, &String)| {
        let class = if at == 0 { "thread" } else { "" };
        p(class).with(prose(line))
    };
    // If two operations are selected, their relation is shown below.
    let is_picked = look.pair.iter().all(Option::is_some);
    let hint = (lines.is_empty() && !is_picked).then(|| {
        p("aside")
            .with("Click an edge to see its reason, or two operations to see how they are related.")
    });
    div("relations__why")
        .set("role", "status")
        .with((hint, all(lines.iter().enumerate().map(line))))
}

/// Two operations, and how they are related.
fn pair(operations: &[(String, String)], answers: Vec<Why>, look: &Look) -> Element {
    let field = |at: usize, action: Action, id: &'static str, name: &'static str| {
        let chosen = look.pair[at].as_deref().unwrap_or_default();
        let choice = |key: &str, name: &str| option("").set("value", key).with(name);
        let choices = operations.iter().map(|(key, name)| choice(key, name));
        let choices = all(std::iter::once(choice("", "choose")).chain(choices));
        div("pairing__field").with((
            label("quiet").set("for", id).with(name),
            select("field__select")
                .set("id", id)
                .set("value", chosen)
                .does(action, "")
                .with(choices),
        ))
    };
    let none = !answers.iter().any(|why| why.holds);
    let answers = answers.into_iter().map(|why| {
        let open = none || why.relation.starts_with("happens");
        answer(why, open)
    });
    div("").set("id", "pair").with((
        h3("findings__sub").with("Compare two operations"),
        div("pairing").with((
            field(0, Action::From, "pair-from", "From"),
            field(1, Action::To, "pair-to", "To"),
        )),
        div("").set("role", "status").with(ul("answers").with(all(answers))),
    ))
}

/// A relation that holds is open. One that does not hold is folded, unless no relation holds or it explains a race.
fn answer(why: Why, open: bool) -> Element {
    let because = all(why.because.iter().map(|clause| p("quiet").with(prose(clause))));
    match why.holds {
        true => li("answer-why").with((b("").with(why.relation), because)),
        false => li("answer-why answer-why--not").with(
            details("")
                .set_if(open, "open", "")
                .with((summary("").with(format!("not {}", why.relation)), because)),
        ),
    }
}

/// All edges in words, which are listed while the table is open.
fn table(rows: Vec<[String; 4]>) -> Element {
    let row =
        |cells: [String; 4]| tr("").with(all(cells.iter().map(|cell| td("").with(prose(cell)))));
    let heads = ["From", "Relation", "To", "Reason"];
    let heads = all(heads.map(|name| th("").set("scope", "col").with(name)));
    let rows = protocol::document_page::table("").with((
        caption("unseen").with("All edges"),
        thead("").with(tr("").with(heads)),
        tbody("").with(all(rows.into_iter().map(row))),
    ));
    details("relations__all").with((
        summary("").does(Action::Table, "").with("Edge table"),
        div("relations__table")
            .set("tabindex", "0")
            .set("role", "region")
            .set("aria-label", "All edges")
            .with(rows),
    ))
}
