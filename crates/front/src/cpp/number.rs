//! Number and character literals.

/// The value of an integer literal, its width in bits, and whether it is signed; `None` for other numbers.
pub(super) fn integer(text: &str) -> Option<(i64, u8, bool)> {
    let lower = text.to_ascii_lowercase();
    let (digits, radix) = if let Some(digits) = lower.strip_prefix("0x") {
        (digits, 16)
    } else if let Some(digits) = lower.strip_prefix("0b") {
        (digits, 2)
    } else if lower.len() > 1 && lower.starts_with('0') {
        (&lower[1..], 8)
    } else {
        (&lower[..], 10)
    };
    let suffix = digits.find(['u', 'l', 'z']).unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(suffix);
    let mut value = 0_u64;
    for letter in digits.chars().filter(|letter| *letter != '\'') {
        value = value.checked_mul(radix)?.checked_add(letter.to_digit(radix as u32)?.into())?;
    }
    if !suffix.chars().all(|letter| matches!(letter, 'u' | 'l' | 'z')) {
        return None;
    }
    let unsigned = suffix.contains('u');
    let long = suffix.contains(['l', 'z']);
    let (bits, signed) = match () {
        () if !unsigned && !long && value <= i32::MAX as u64 => (32, true),
        () if !long && value <= u64::from(u32::MAX) && (unsigned || radix != 10) => (32, false),
        () if !unsigned && value <= i64::MAX as u64 => (64, true),
        () => (64, false),
    };
    Some((value as i64, bits, signed))
}

/// The value of a character literal, without its quotes.
pub(super) fn letter(text: &str) -> i64 {
    let mut letters = text.chars();
    match (letters.next(), letters.next()) {
        (Some('\\'), Some(next)) => match next {
            'n' => 10,
            't' => 9,
            'r' => 13,
            '0'..='7' => i64::from_str_radix(&text[1..], 8).unwrap_or(0),
            'x' => i64::from_str_radix(&text[2..], 16).unwrap_or(0),
            other => other as i64,
        },
        (Some(letter), _) => letter as i64,
        _ => 0,
    }
}
