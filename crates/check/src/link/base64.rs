//! Base64 with the alphabet that needs no escaping in a URL, without padding (RFC 4648, section 5).

use alloc::string::String;
use alloc::vec::Vec;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Appends the characters for `bytes`.
pub(super) fn encode(bytes: &[u8], out: &mut String) {
    out.reserve(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let group = chunk
            .iter()
            .enumerate()
            .fold(0u32, |group, (index, byte)| group | u32::from(*byte) << (16 - 8 * index));
        for index in 0..=chunk.len() {
            out.push(char::from(ALPHABET[(group >> (18 - 6 * index) & 63) as usize]));
        }
    }
}

/// Decodes characters to bytes; `None` for a character outside the alphabet, an impossible length, or remaining bits
/// that are not zero.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    let text = text.as_bytes();
    let mut out = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for chunk in text.chunks(4) {
        if chunk.len() == 1 {
            return None;
        }
        let mut group = 0u32;
        for (index, character) in chunk.iter().enumerate() {
            group |= value(*character)? << (18 - 6 * index);
        }
        let bytes = group.to_be_bytes();
        out.extend_from_slice(&bytes[1..chunk.len()]);
        if bytes[chunk.len()..].iter().any(|left_over| *left_over != 0) {
            return None;
        }
    }
    Some(out)
}

/// The six bits of one character.
const fn value(character: u8) -> Option<u32> {
    Some(match character {
        b'A'..=b'Z' => character - b'A',
        b'a'..=b'z' => character - b'a' + 26,
        b'0'..=b'9' => character - b'0' + 52,
        b'-' => 62,
        b'_' => 63,
        _ => return None,
    } as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        for (bytes, characters) in [
            (&b""[..], ""),
            (b"f", "Zg"),
            (b"fo", "Zm8"),
            (b"foo", "Zm9v"),
            (b"foobar", "Zm9vYmFy"),
            (&[0xfb, 0xff], "-_8"),
        ] {
            let mut out = String::new();
            encode(bytes, &mut out);
            assert_eq!(out, characters);
            assert_eq!(decode(characters).as_deref(), Some(bytes));
        }
    }

    #[test]
    fn only_the_one_spelling_is_read() {
        for wrong in ["Z", "Zh", "Zm9", "Zg==", "Zm+v", "Zm/v", "Zm9v Zg", "é"] {
            assert_eq!(decode(wrong), None, "{wrong}");
        }
    }
}
