//! The payload of a link: fields of a tag, a length and that many bytes, the numbers as LEB128.

use alloc::vec::Vec;
use tidegate_model::leb128::{put, take_whole};

/// Takes a length and that many bytes from the front of `bytes`.
pub(super) fn take_bytes<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = usize::try_from(take_whole(bytes)?).ok()?;
    let (value, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(value)
}

/// Appends a field.
pub(super) fn push_field(out: &mut Vec<u8>, tag: u64, value: &[u8]) {
    put(out, tag);
    put(out, value.len() as u64);
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
        let field = take_whole(&mut self.0).and_then(|tag| Some((tag, take_bytes(&mut self.0)?)));
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
    fn a_field_that_ends_early_is_the_last() {
        let mut payload = Vec::new();
        push_text(&mut payload, 7, "whole");
        payload.extend_from_slice(&[1, 200, 1, b'x']);
        let fields: Vec<_> = Fields::new(&payload).collect();
        assert_eq!(fields, [Some((7, &b"whole"[..])), None]);
    }
}
