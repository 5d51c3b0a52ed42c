//! Scenarios as coloured text.

use protocol::document_page::*;
use tidegate_check::lang::{TokenKind, tokens};

/// A coloured text.
pub(super) fn listing(text: &str) -> Element {
    let mut shown = Vec::new();
    let mut at = 0;
    for (span, kind) in tokens(text) {
        let (start, end) = (span.start as usize, (span.start + span.length) as usize);
        let (Some(class), Some(before), Some(token)) =
            (class(kind), text.get(at..start), text.get(start..end))
        else {
            continue;
        };
        before.put(&mut shown);
        span_of(class, token).put(&mut shown);
        at = end;
    }
    text.get(at..).unwrap_or_default().put(&mut shown);
    let listing = pre("listing").set("tabindex", "0").set("role", "group");
    listing.set("aria-label", "Scenario").with(code("").with(shown))
}

fn span_of(class: &str, token: &str) -> Element {
    span(class).with(token)
}

fn class(kind: TokenKind) -> Option<&'static str> {
    match kind {
        TokenKind::Comment => Some("t-comment"),
        TokenKind::String => Some("t-string"),
        TokenKind::Number => Some("t-number"),
        TokenKind::Keyword => Some("t-word"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listing_contains_the_whole_text() {
        for text in
            ["target gfx1250 // \u{1f30a} x\nwave 0 { arrive wg; wait wg }\n", "", "\"", "ü"]
        {
            let shown = DocumentPage::new("").with(listing(text)).text().replace('\n', "");
            assert_eq!(shown, text.replace('\n', ""));
        }
    }
}
