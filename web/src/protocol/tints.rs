use tidegate_check::lang::{TokenKind, tokens};

/// Returns the colours of a text as triples: start and end in UTF-16 code units, and a colour from 0 to 5 for comment,
/// string, number, word of the language, operation and object.
#[must_use]
pub fn tints(text: &str) -> Vec<u32> {
    let (mut triples, mut byte, mut unit) = (Vec::new(), 0, 0);
    for (span, kind) in tokens(text) {
        let (start, length) = (span.start as usize, span.length as usize);
        let Some(tint) = tint(kind) else { continue };
        unit += units(text, byte, start);
        let end = unit + units(text, start, start + length);
        triples.extend([unit, end, tint]);
        (byte, unit) = (start + length, end);
    }
    triples
}

fn tint(kind: TokenKind) -> Option<u32> {
    match kind {
        TokenKind::Comment => Some(0),
        TokenKind::String => Some(1),
        TokenKind::Number => Some(2),
        TokenKind::Keyword => Some(3),
        TokenKind::Operation => Some(4),
        TokenKind::Object => Some(5),
        TokenKind::Name | TokenKind::Punctuation => None,
    }
}

/// Counts the UTF-16 code units between two bytes of a text.
fn units(text: &str, start: usize, end: usize) -> u32 {
    text.get(start..end).map_or(0, |part| part.encode_utf16().count() as u32)
}

#[cfg(test)]
mod tests {
    use super::tints;

    #[test]
    fn places_are_counted_in_utf_16() {
        assert_eq!(tints("# \u{1f600}\nwave 0"), [0, 4, 0, 5, 9, 3, 10, 11, 2]);
        assert!(tints("").is_empty());
    }

    #[test]
    fn operations_and_objects_have_different_colours() {
        assert_eq!(tints("barrier b\narrive b")[3..], [8, 9, 5, 10, 16, 4, 17, 18, 5]);
    }
}
