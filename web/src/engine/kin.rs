//! Whether a text is an edit of another one or a different program.

/// Whether steps of the earlier text can still apply to this one: most of the text is unchanged, either at its ends or by
/// lines.
pub(crate) fn is_change(before: &str, now: &str) -> bool {
    at_ends(before, now) || in_lines(before, now)
}

/// Whether the common start and end are at least half of the shorter text.
fn at_ends(before: &str, now: &str) -> bool {
    let least = before.len().min(now.len());
    let same = |(one, other): &(u8, u8)| one == other;
    let head = before.bytes().zip(now.bytes()).take_while(same).count();
    let tail = before.bytes().rev().zip(now.bytes().rev()).take(least - head);
    2 * (head + tail.take_while(same).count()) >= least
}

/// Whether at least half of the lines with operations also occur in the other text.
fn in_lines(before: &str, now: &str) -> bool {
    let (old, new): (Vec<&str>, Vec<&str>) = (said(before).collect(), said(now).collect());
    let kept = new.iter().filter(|line| old.contains(line)).count();
    kept > 0 && 2 * kept >= new.len().min(old.len())
}

/// Returns the lines that are specific to a scenario.
fn said(text: &str) -> impl Iterator<Item = &str> {
    const OF_ALL: [&str; 6] = ["#", "title", "target", "launch", "note", "expect"];
    let lines = text.lines().map(str::trim).filter(|line| line.len() > 1);
    lines.filter(|line| !OF_ALL.iter().any(|word| line.starts_with(word)))
}

#[cfg(test)]
mod tests {
    use super::is_change;

    const SYNC: &str = "launch waves=2\nkernel {\n  arrive wg\n  wait wg\n}\n";

    #[test]
    fn typing_and_fixing_are_changes() {
        assert!(is_change(SYNC, SYNC));
        assert!(is_change(SYNC, &SYNC.replace("wait wg", "wait wg; arrive wg")));
        assert!(is_change(SYNC, &SYNC.replace("waves=2", "waves=4")));
        assert!(is_change(SYNC, &format!("# A comment that is longer than all of it.\n{SYNC}")));
        let one = "launch waves=2\nkernel { arrive wg; wait wg }\n";
        assert!(is_change(one, &one.replace("arrive", "drop")));
    }

    #[test]
    fn another_scenario_is_not_a_change() {
        let other = "target sm_90\nlaunch warps=4\nmbarrier full\nwarp 0 { mbarrier.init full, 1 }\nwarp 1 { mbarrier.arrive full }\n";
        assert!(!is_change(SYNC, other) && !is_change(other, SYNC));
        let named = "launch waves=3\nbarrier b = 3\nwave 0 { init b 3; arrive b }\nwave * { join b; wait b }\n";
        assert!(!is_change(SYNC, named));
    }
}
