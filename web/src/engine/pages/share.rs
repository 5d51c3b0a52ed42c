//! The content of the share dialog.

use protocol::document_page::*;
use protocol::{DocumentPage, Form};

/// The reason why there is no drawing.
const NOT_DRAWN: &str = "No drawing: the scenario combines barriers from several specifications.";

/// The dialog; `drawn` if the execution can be drawn.
pub(crate) fn page(drawn: bool) -> DocumentPage {
    DocumentPage::new("Share").with((
        group(
            "Copy",
            &[
                (Form::Markdown, "Issue Markdown", "Verdict, notes, scenario, steps and link."),
                (
                    Form::Embed,
                    "Embed snippet",
                    "An HTML element that shows this scenario in your documentation.",
                ),
            ],
            Some(Action::CopyAs),
            "Copy",
        ),
        group(
            "Save as file",
            &[
                (Form::Tide, "Scenario", "The text, for the command line."),
                (
                    Form::Report,
                    "Report",
                    "Verdict, findings and witnesses as JSON, as tidegate check prints them.",
                ),
            ],
            Some(Action::Save),
            "Save",
        ),
        group(
            "Draw execution",
            &[
                (Form::Svg, "SVG", "Standalone; follows the light or dark theme."),
                (Form::Png, "PNG", "The same drawing as pixels."),
                (Form::Dot, "DOT", "For Graphviz."),
                (Form::Mermaid, "Mermaid", "For Markdown with Mermaid."),
            ],
            drawn.then_some(Action::Save),
            "Save",
        ),
    ))
}

fn group(name: &str, forms: &[(Form, &str, &str)], action: Option<Action>, word: &str) -> Element {
    let row = |(form, name, what): &(Form, &str, &str)| {
        let ending = form.ending();
        let press = button("button").set("aria-label", format!("{word} {name}"));
        let press = match action {
            Some(action) => press.does(action, ending),
            None => press.set("aria-disabled", "true").set("title", NOT_DRAWN),
        };
        li("share__row").with((
            div("").with((b("").with(*name), p("quiet").with(*what))),
            code("quiet").with(if action != Some(Action::CopyAs) {
                format!(".{ending}")
            } else {
                String::new()
            }),
            press.with(word),
        ))
    };
    section("share__group").set("aria-label", name).with((
        h3("gallery__name").with(name),
        action.is_none().then(|| p("quiet").with(NOT_DRAWN)),
        ul("gallery__list").with(all(forms.iter().map(row))),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_offered() {
        let text = format!("{:?}", page(true));
        for form in Form::ALL {
            assert!(text.contains(&format!("\"{}\"", form.ending())), "{form:?}");
            assert_eq!(Form::of(form.ending()), Some(form));
        }
    }
}
