//! Questions that the text leaves open and that matter to this scenario.

use crate::dom::*;
use crate::engine::{self, Ambiguity};
use crate::verdict::face;

/// The questions, each with what every answer gives.
pub(super) fn readings(ambiguities: &[Ambiguity]) -> impl Show + use<> {
    let list = all(ambiguities.iter().map(reading));
    (!list.is_empty())
        .then(|| (h3("findings__sub").with("Depends on the reading"), ul("readings").with(list)))
}

fn reading(open: &Ambiguity) -> El {
    let known = engine::reading(&open.id);
    let choice = |(name, verdict): (&String, &String)| {
        let choices = known.map_or(&[][..], |known| &known.choices);
        let meaning = choices.iter().find(|choice| choice.name == *name);
        div("reading__choice").with((
            dt("").with(code("").with(&**name)),
            dd("").with((
                b("").attr("data-tone", face(verdict).tone).with(&**verdict),
                " ",
                meaning.map(|choice| choice.meaning),
            )),
        ))
    };
    li("reading").with((
        p("").with((code("").with(&*open.id), " ", known.map(|known| known.question))),
        dl("").with(all(open.verdicts.iter().map(choice))),
    ))
}
