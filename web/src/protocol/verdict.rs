//! The appearance of verdicts in every view.

use crate::document_page::{Element, path, span, svg};

pub use tidegate_check::face::{Face, face};

/// Returns the path of a tone's icon, on a grid of 16.
#[must_use]
pub fn glyph(tone: &str) -> &'static str {
    match tone {
        "ok" => {
            "M8 1.500a6.500 6.500 0 1 0 0 13a6.500 6.500 0 1 0 0-13M5 8.200l2.100 2.100L11.200 6"
        }
        "ub" => {
            "M5.300 1.500h5.400l3.800 3.800v5.400l-3.800 3.800H5.300L1.500 10.700V5.300zM5.700 5.700l4.600 4.600M10.300 5.700l-4.600 4.600"
        }
        "deadlock" => {
            "M4 1.800h8M4 14.200h8M5 2v2.500c0 1.500 3 2.500 3 3.500s-3 2-3 3.500V14M11 2v2.500c0 1.500-3 2.500-3 3.500s3 2 3 3.500V14"
        }
        "violation" | "invalid" => "M8 2l6.500 11.500h-13zM8 6.500v3.200M8 11.600v.2",
        "race" => "M2 4h3c3 0 3 8 6 8h3M2 12h3c3 0 3-8 6-8h3M12 2l2 2-2 2M12 10l2 2-2 2",
        "unsupported" => "M8 1.500a6.500 6.500 0 1 0 0 13a6.500 6.500 0 1 0 0-13M3.500 12.500l9-9",
        "unknown" => {
            "M8 1.500a6.500 6.500 0 1 0 0 13a6.500 6.500 0 1 0 0-13M6 6.300c0-2.600 4-2.600 4 0c0 1.500-2 1.600-2 3M8 11.400v.2"
        }
        _ => "",
    }
}

/// A small badge of a verdict or a finding's class in a page.
#[must_use]
pub fn badge(verdict: &str) -> Element {
    let face = face(verdict);
    let icon = svg("icon").set("viewBox", "0 0 16 16").set("aria-hidden", "true");
    span("badge")
        .set("data-tone", face.tone)
        .set("data-verdict", verdict)
        .set("title", description(verdict))
        .with((icon.with(path("").set("d", glyph(face.tone))), face.word))
}

/// Returns the verdict's name in reports.
#[must_use]
pub fn description(verdict: &str) -> String {
    match verdict {
        "launch" => "ok in reports and expectations: a single agent violates no rule".to_owned(),
        other => format!("{other} in reports and expectations"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verdict_has_a_word_and_an_icon() {
        for verdict in [
            "ok",
            "ub",
            "violation",
            "race",
            "deadlock",
            "unsupported",
            "invalid",
            "hazard",
            "unknown",
        ] {
            assert!(!glyph(face(verdict).tone).is_empty(), "{verdict}");
        }
        assert_eq!(face("something else"), face("unknown"));
    }
}
