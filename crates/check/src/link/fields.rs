//! The payload of a link: fields of a tag, a length and that many bytes, the numbers as LEB128.

use alloc::vec::Vec;

/// Appends a number: seven bits a byte, the lowest first, the top bit set on all but the last byte.
pub(super) fn push_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Takes a number from the front of `bytes`; `None` if it is truncated or has more than 64 bits.
pub(super) fn take_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0u64;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let bits = u64::from(byte & 0x7f);
        if bits << shift >> shift != bits {
            return None;
        }
        number |= bits << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

/// Takes a length and that many bytes from the front of `bytes`.
pub(super) fn take_bytes<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = usize::try_from(take_number(bytes)?).ok()?;
    let (value, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(value)
}

/// Appends a field.
pub(super) fn push_field(out: &mut Vec<u8>, tag: u64, value: &[u8]) {
    push_number(out, tag);
    push_number(out, value.len() as u64);
    out.extend_from_slice(value);
}

/// Appends a field of text.
pub(super) fn push_text(out: &mut Vec<u8>, tag: u64, value: &str) {
    push_field(out, tag, value.as_bytes());
}

/// The fields of a payload, in order. An item is `None` where the payload is cut short; nothing follows it.
pub(super) struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    pub(super) const fn new(payload: &'a [u8]) -> Self {
        Self(payload)
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Option<(u64, &'a [u8])>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let field = take_number(&mut self.0).and_then(|tag| Some((tag, take_bytes(&mut self.0)?)));
        if field.is_none() {
            self.0 = &[];
        }
        Some(field)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        for number in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX - 1, u64::MAX] {
            let mut out = Vec::new();
            push_number(&mut out, number);
            let mut rest = &out[..];
            assert_eq!(take_number(&mut rest), Some(number));
            assert!(rest.is_empty());
            assert_eq!(take_number(&mut &out[..out.len() - 1]), None);
        }
        assert_eq!(take_number(&mut &[0xff; 10][..]), None);
    }

    #[test]
    fn a_field_that_ends_early_is_the_last() {
        let mut payload = Vec::new();
        push_text(&mut payload, 7, "whole");
        payload.extend_from_slice(&[1, 200, 1, b'x']);
        let fields: Vec<_> = Fields::new(&payload).collect();
        assert_eq!(fields, [Some((7, &b"whole"[..])), None]);
    }
}
