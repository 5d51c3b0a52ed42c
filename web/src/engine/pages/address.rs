//! Fragments of views: a path, and parameters of the view after `?`.

/// A fragment, without its `#`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Address {
    path: Vec<String>,
    words: Vec<(String, String)>,
}

impl Address {
    /// Parses a fragment; every fragment is valid.
    pub(super) fn of(fragment: &str) -> Self {
        let (path, words) = fragment.split_once('?').unwrap_or((fragment, ""));
        let word = |word: &str| {
            let (name, value) = word.split_once('=').unwrap_or((word, ""));
            (decoded(name), decoded(value))
        };
        Self {
            path: path.split('/').filter(|part| !part.is_empty()).map(decoded).collect(),
            words: words.split('&').filter(|word| !word.is_empty()).map(word).collect(),
        }
    }

    /// Returns the parts of the path.
    pub(super) fn path(&self) -> impl Iterator<Item = &str> {
        self.path.iter().map(String::as_str)
    }

    /// Returns the value of a parameter; empty if it is absent.
    pub(super) fn word(&self, name: &str) -> &str {
        let found = self.words.iter().find(|(other, _)| other == name);
        found.map_or("", |(_, value)| value)
    }

    /// Whether it has a parameter, with or without a value.
    pub(super) fn has(&self, name: &str) -> bool {
        self.words.iter().any(|(other, _)| other == name)
    }

    /// Returns the fragment, with its `#`, of the same view with another value of a parameter; an empty value removes it.
    pub(super) fn with(&self, name: &str, value: &str) -> String {
        let others = self.words.iter().filter(|(other, value)| other != name && !value.is_empty());
        let mut words: Vec<String> =
            others.map(|(name, value)| format!("{}={}", encoded(name), encoded(value))).collect();
        if !value.is_empty() {
            words.push(format!("{}={}", encoded(name), encoded(value)));
        }
        self.spelled(&words)
    }

    /// Returns the fragment up to the value of a parameter, which a field appends.
    pub(super) fn up_to(&self, name: &str) -> String {
        let fragment = self.with(name, "");
        let mark = if fragment.contains('?') { '&' } else { '?' };
        format!("{fragment}{mark}{}=", encoded(name))
    }

    fn spelled(&self, words: &[String]) -> String {
        let path: Vec<String> = self.path().map(encoded).collect();
        let mark = if words.is_empty() { "" } else { "?" };
        format!("#{}{mark}{}", path.join("/"), words.join("&"))
    }
}

/// Decodes a part of a fragment; invalid escapes stay unchanged.
fn decoded(part: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = part.as_bytes();
    while let Some((&first, others)) = rest.split_first() {
        let byte = match (first, others) {
            (b'%', [high, low, ..]) => hexadecimal(*high).zip(hexadecimal(*low)),
            _ => None,
        };
        match byte {
            Some((high, low)) => {
                bytes.push(high * 16 + low);
                rest = &others[2..];
            }
            None => {
                bytes.push(first);
                rest = others;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn hexadecimal(digit: u8) -> Option<u8> {
    (digit as char).to_digit(16).map(|digit| digit as u8)
}

/// Encodes text as a part of a fragment.
fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b',' => {
                out.push(byte as char)
            }
            other => out.push_str(&format!("%{other:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formatted_fragment_is_parsed() {
        let address = Address::of("rules/amd.drop.race?q=a%20%26b&x=1");
        assert_eq!(address.path().collect::<Vec<_>>(), ["rules", "amd.drop.race"]);
        assert_eq!((address.word("q"), address.word("x"), address.word("y")), ("a &b", "1", ""));
        assert_eq!(address.with("x", ""), "#rules/amd.drop.race?q=a%20%26b");
        assert_eq!(address.with("q", "ü"), "#rules/amd.drop.race?x=1&q=%C3%BC");
        assert_eq!(Address::of(&address.with("q", "ü")[1..]).word("q"), "ü");
        assert_eq!(address.up_to("q"), "#rules/amd.drop.race?x=1&q=");
        assert_eq!(Address::of("rules").up_to("q"), "#rules?q=");
    }

    #[test]
    fn every_text_is_a_fragment() {
        for odd in ["%", "%zz", "?", "&=", "a?%ff=%", "//", "?="] {
            let address = Address::of(odd);
            assert_eq!(Address::of(&address.with("", "")[1..]).path, address.path, "{odd}");
        }
    }
}
