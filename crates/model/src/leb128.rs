//! Numbers as LEB128: seven bits per byte, lowest first; the highest bit of a byte means that more bytes follow.

use alloc::vec::Vec;

/// Appends a number.
pub fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Takes a number from the front; missing bytes read as zero.
pub fn take(rest: &mut &[u8]) -> u64 {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let Some((&byte, after)) = rest.split_first() else { break };
        *rest = after;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            break;
        }
    }
    number
}

/// Takes a number from the front; `None` if it is truncated or has more than 64 bits.
pub fn take_whole(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0u64;
    for shift in (0..64).step_by(7) {
        let (byte, after) = rest.split_first()?;
        *rest = after;
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

/// Appends a number of either sign, which is short if it is near zero.
pub fn put_signed(out: &mut Vec<u8>, number: i64) {
    put(out, ((number << 1) ^ (number >> 63)) as u64);
}

/// Takes a number that [`put_signed`] wrote.
pub fn take_signed(rest: &mut &[u8]) -> i64 {
    let number = take(rest);
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

/// Appends a number of up to 128 bits.
pub fn put_wide(out: &mut Vec<u8>, mut number: u128) {
    while number > u128::from(u64::MAX) {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    put(out, number as u64);
}

/// Takes a number that [`put_wide`] wrote; missing bytes read as zero.
pub fn take_wide(rest: &mut &[u8]) -> u128 {
    let (mut number, mut shift) = (0, 0);
    while let Some((&byte, after)) = rest.split_first() {
        *rest = after;
        number |= u128::from(byte & 0x7f) << shift;
        shift += 7;
        if byte < 0x80 {
            break;
        }
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        for number in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX - 1, u64::MAX] {
            let mut out = Vec::new();
            put(&mut out, number);
            assert_eq!(take(&mut &out[..]), number);
            assert_eq!(take_wide(&mut &out[..]), number.into());
            let mut rest = &out[..];
            assert_eq!(take_whole(&mut rest), Some(number));
            assert!(rest.is_empty());
            assert_eq!(take_whole(&mut &out[..out.len() - 1]), None);
            let mut wide = Vec::new();
            put_wide(&mut wide, number.into());
            assert_eq!(wide, out);
        }
        assert_eq!(take_whole(&mut &[0xff; 10][..]), None);
    }

    #[test]
    fn numbers_near_zero_are_short() {
        for (number, length) in [(0, 1), (-64, 1), (63, 1), (64, 2), (i64::MIN, 10), (i64::MAX, 10)]
        {
            let mut out = Vec::new();
            put_signed(&mut out, number);
            assert_eq!((out.len(), take_signed(&mut &out[..])), (length, number));
        }
    }
}
