//! The check of `tlx.arrive-count`.

/// How a warp group (on AMD a wave) arrives at a barrier in a phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Arriving {
    /// Whether it expects bytes: one thread then arrives.
    pub bytes: bool,
    /// The largest count of its arrives without bytes; 0 if it has none.
    pub count: i64,
    /// The sum of the counts of its statements that arrive without bytes, which may all arrive in one phase.
    pub most: i64,
    /// Whether it waits at the barrier before it arrives there, and so arrives in a later phase than the others.
    pub later: bool,
}

/// Passes if an `arrive_count` matches its users: 1 if every arrive expects bytes; otherwise the sum of the counts of the
/// warp groups (on AMD the waves), plus 1 for each that expects bytes. Users that wait first may have a phase of their own.
/// A warp group that arrives by several statements arrives once in each of several phases, or several times in one.
///
/// # Errors
/// The count that matches if all users arrive in one phase.
pub fn check(count: i64, arriving: &[Arriving]) -> Result<(), i64> {
    let fits = |later: Option<bool>| {
        let chosen = arriving.iter().filter(|one| later.is_none_or(|later| one.later == later));
        let (mut all, mut bytes, mut plain, mut most) = (0, 0, 0_i64, 0_i64);
        for one in chosen {
            all += 1;
            bytes += i64::from(one.bytes);
            plain = plain.saturating_add(one.count.max(0));
            most = most.saturating_add(one.count.max(one.most).max(0));
        }
        let only_bytes = plain == 0 && bytes > 0;
        let with_bytes = |plain: i64| if only_bytes { 1 } else { plain.saturating_add(bytes) };
        (all > 0).then_some((with_bytes(plain), with_bytes(most)))
    };
    let ways = [None, Some(false), Some(true)].map(fits);
    let matches = |way: &Option<(i64, i64)>| way.is_some_and(|it| it.0 <= count && count <= it.1);
    let (least, most) = ways[0].unwrap_or_default();
    match ways.iter().any(matches) {
        true => Ok(()),
        false => Err(if count > most { most } else { least }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_match_the_table_of_the_document() {
        let bytes = Arriving { bytes: true, ..Arriving::default() };
        let group = Arriving { count: 1, ..Arriving::default() };
        assert_eq!(check(1, &[bytes, bytes]), Ok(()));
        assert_eq!(check(2, &[group, group]), Ok(()));
        assert_eq!(check(1, &[group, group]), Err(2));
        assert_eq!(check(2, &[bytes]), Err(1));
    }

    #[test]
    fn counts_add_up_within_each_phase() {
        let of = |count| Arriving { count, ..Arriving::default() };
        let bytes = Arriving { bytes: true, ..Arriving::default() };
        assert_eq!(check(2, &[of(2)]), Ok(()));
        assert_eq!(check(3, &[of(2), of(1)]), Ok(()));
        assert_eq!(check(2, &[bytes, of(1)]), Ok(()));
        let twice = Arriving { most: 2, ..of(1) };
        assert_eq!([1, 2, 3].map(|count| check(count, &[twice])), [Ok(()), Ok(()), Err(2)]);
        let later = Arriving { later: true, ..of(1) };
        assert_eq!((check(1, &[of(1), later]), check(2, &[of(1), later])), (Ok(()), Ok(())));
        assert_eq!(check(3, &[of(1), later]), Err(2));
        assert_eq!(check(1, &[]), Err(0));
    }
}
