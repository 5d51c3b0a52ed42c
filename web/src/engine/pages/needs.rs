//! The verdict without each synchronising statement.

use crate::judge::{Progress, scene};
use protocol::document_page::*;
use protocol::verdict::badge;
use protocol::{DocumentPage, Terms};
use tidegate_check::needs::{MOST, Need, needs};

/// The statements of a text in order, each with the verdict without it.
pub(super) fn page(
    text: &str,
    terms: &Terms,
    keep_going: &mut dyn FnMut(Progress) -> bool,
) -> DocumentPage {
    let page = DocumentPage::new("Without each operation");
    let Some(needs) = needs(&scene(text), &terms.options(), keep_going) else {
        return page.with(p("").with("The scenario has errors."));
    };
    if needs.statements.is_empty() {
        return page.with(p("").with("The scenario has no synchronising operation."));
    }
    let superfluous = needs.statements.iter().filter(|it| it.verdict == needs.verdict).count();
    let counted = match (superfluous, needs.statements.len()) {
        (0, _) => "The verdict needs every operation.".to_owned(),
        (some, all) => {
            format!("The verdict is the same without {some} of {all}, removed one at a time.")
        }
    };
    let rows = needs.statements.iter().map(|need| row(need, text, need.verdict == needs.verdict));
    let more = (needs.left_out > 0).then(|| {
        p("quiet").with(format!(
            "Only the first {MOST} operations were removed; {} are left.",
            needs.left_out
        ))
    });
    page.with((
        p("turn").with((span("quiet").with("As written "), badge(&needs.verdict))),
        p("").with(counted),
        ul("gallery__list").with(all(rows)),
        more,
        p("quiet").with("An operation that several agents perform is removed for all of them. Command line: tidegate needs."),
    ))
}

fn row(need: &Need, text: &str, same: bool) -> Element {
    let rule = need
        .rule
        .as_deref()
        .map(|rule| a("").set("href", format!("#rules/{rule}")).with(code("").with(rule)));
    let message = need.message.as_deref().map(|message| span("").with(prose(message)));
    let go = button("button button--small").does(Action::Rewrite, need.apply(text));
    li("share__row without").set("data-changes", if same { "no" } else { "yes" }).with((
        div("").with((
            span("quiet").with(format!("line {} ", need.line)),
            code("").with(&*need.statement),
            p("quiet").with((rule, " ", message)),
        )),
        badge(&need.verdict),
        go.set("aria-label", format!("Remove line {}: {}", need.line, need.statement))
            .with("Remove"),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        page(text, &Terms::default(), &mut |_| true).text()
    }

    #[test]
    fn each_operation_has_a_verdict() {
        let text = shown(include_str!("../../../../examples/two-waves-meet.tide"));
        assert!(text.contains("Deadlock") && text.contains("Remove"), "{text}");
        assert!(shown("wave {").contains("has errors"));
        assert!(shown("target gfx1250\nlaunch waves=1\nwave 0 { }\n").contains("no synchronising"));
    }
}
