//! The spelling of statements: their counterparts and operands.

use super::units::{Class, Unit, is_common, words_of};
use crate::edit::written::Written;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Range;
use tidegate_lang::compiled::Language;
use tidegate_model::ordered::OrderedSet;

/// The spellings of the barrier of a CTA.
const BARS: [&str; 6] = [
    "bar.sync ",
    "barrier.sync ",
    "bar.cta.sync ",
    "barrier.cta.sync ",
    "barrier.sync.aligned ",
    "barrier.cta.sync.aligned ",
];
/// The number of spellings that are tried if the text has none.
const USUAL: usize = 2;

/// Counterparts of operations: the prefix of the operation, the spelling of the counterpart with its operand and an
/// amount, and its class.
const COUNTERPARTS: &[(&str, &str, Class)] = &[
    ("arrive ", "wait {}", 'w'),
    ("wait ", "arrive {}", 'a'),
    ("wait ", "join {}", 'j'),
    ("wait ", "init {}, #", 'i'),
    ("s_barrier_signal ", "s_barrier_wait {}", 'w'),
    ("s_barrier_wait ", "s_barrier_signal {}", 'a'),
    ("s_barrier_wait ", "s_barrier_join {}", 'j'),
    (".barrier.signal(i32 ", "call void @llvm.amdgcn.s.barrier.wait(i16 {})", 'w'),
    (".barrier.wait(i16 ", "call void @llvm.amdgcn.s.barrier.signal(i32 {})", 'a'),
    ("fence release ", "fence acquire {}", 'A'),
    ("fence acquire ", "fence release {}", 'R'),
    ("barrier.cluster.arrive", "barrier.cluster.wait", 'C'),
    ("barrier.cluster.wait", "barrier.cluster.arrive", 'c'),
    ("barrier_arrive(CLK", "intel_work_group_barrier_wait(CLK{})", 'w'),
    ("barrier_wait(CLK", "intel_work_group_barrier_arrive(CLK{})", 'a'),
    ("mbarrier.init", "fence.mbarrier_init.release.cluster", 'v'),
    ("mbarrier.", "mbarrier.init.shared::cta.b64 [{}], #", 'i'),
    ("mbarrier.", "mbarrier.arrive.shared::cta.b64 _, [{}]", 'a'),
    ("mbarrier.", "W: mbarrier.try_wait.parity.shared::cta.b64 p, [{}], 0\n  @!p bra W", 'w'),
    ("tlx.barrier_", "tlx.barrier_wait({}, 0)", 'w'),
    ("tlx.barrier_", "tlx.barrier_arrive({})", 'a'),
    ("tlx.barrier_wait", "tlx.tcgen05_commit({})", 'a'),
    (
        "mbarrier.",
        "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [{}]",
        'a',
    ),
    ("mbarrier.", "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [{}]", 'a'),
    ("wait_asyncmark ", "asyncmark", 'm'),
    ("wait.asyncmark(", "asyncmark()", 'm'),
    ("async_load", "asyncmark", 'm'),
    ("cp.async.wait_all", "cp.async.commit_group", 'g'),
    ("cp.async.wait_group", "cp.async.commit_group", 'g'),
    ("cp.async.commit_group", "cp.async.wait_group 0", 'k'),
    ("cp.async.bulk.wait_group", "cp.async.bulk.commit_group", 'g'),
    ("cp.async.bulk.commit_group", "cp.async.bulk.wait_group 0", 'k'),
    ("cp.async.bulk.commit_group", "cp.async.bulk.wait_group.read 0", 'k'),
    ("wgmma.wait_group", "wgmma.commit_group.sync.aligned", 'g'),
    ("wgmma.commit_group", "wgmma.wait_group.sync.aligned 0", 'k'),
    ("tlx.async_descriptor_store(", "tlx.async_descriptor_store_wait(0)", 'k'),
];

/// Counterparts of a copy that completes bytes at an object: the prefix of the copy, and the arrive that expects them.
const EXPECTS: [(&str, &str); 3] = [
    ("mbarrier.complete_tx", "mbarrier.arrive.expect_tx.shared::cta.b64 _, [{}], #"),
    ("cp.async.bulk.", "mbarrier.arrive.expect_tx.shared::cta.b64 _, [{}], #"),
    ("tlx.async_", "tlx.barrier_expect_bytes({}, #)"),
];

/// The arrive that expects the bytes that a copy or another operation completes at an object.
pub(super) fn expects(unit: &Unit, object: &str, bytes: i64) -> Option<String> {
    let (_, new) = EXPECTS.iter().find(|(begins, _)| unit.words.starts_with(begins))?;
    let (at, _) = words_of(&unit.words).filter(|(_, word)| *word == object).last()?;
    let mut depth = 0;
    let end = unit.words[at..].find(|c| {
        depth += i32::from(c == '[') - i32::from(c == ']');
        depth < 0 || depth == 0 && ",)".contains(c)
    })?;
    Some(new.replace("{}", &unit.words[at..at + end]).replace('#', &bytes.to_string()))
}

/// Operations that go with one, spelled like it, each with its class; a count is one of some amounts.
pub(super) fn counterparts(unit: &Unit, amounts: &OrderedSet<i64>) -> Vec<(String, Class)> {
    let words = &*unit.words;
    let spelled = COUNTERPARTS.iter().filter_map(|(begins, new, class)| {
        let at = words
            .find(begins)
            .filter(|at| *at == 0 || !begins.ends_with(' ') || begins.starts_with('.'))?;
        let rest = &words[at + begins.len()..];
        let operand = match *begins {
            "mbarrier." => rest.split_once('[')?.1,
            "tlx.barrier_" | "tlx.barrier_wait" => rest.split_once('(')?.1,
            _ => rest,
        };
        let end = operand.find([',', ')']).unwrap_or(operand.len());
        let operand = operand[..end].trim_end_matches(|c| c == ']' && *begins == "mbarrier.");
        let new = new.replace("{}", operand);
        let common = is_common(operand);
        (!common || !"ij".contains(*class)).then_some((new, *class))
    });
    let mut found = Vec::new();
    for (new, class) in spelled {
        match new.contains('#') {
            true => {
                found.extend(amounts.iter().map(|it| (new.replace('#', &it.to_string()), class)))
            }
            false => found.push((new, class)),
        }
    }
    // A wait for marks or groups that lets fewer run.
    if let Some((range, number)) = numbers(words).pop().filter(|_| unit.class == 'k') {
        let fewer = (0..number.min(4)).map(|fewer| {
            ([&words[..range.start], &fewer.to_string(), &words[range.end..]].concat(), 'k')
        });
        found.extend(fewer);
    }
    found
}

/// The flags of a barrier for local and for global memory, in each vocabulary.
const FLAGS: [[&str; 2]; 2] =
    [["CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE"], ["mem_fence::local", "mem_fence::global"]];

/// The call of a barrier with the flag of the other memory, then with the flags of both.
pub(super) fn other_flags(said: &str) -> Vec<String> {
    let of = |[local, global]: [&str; 2]| {
        let (own, other) = match (said.contains(local), said.contains(global)) {
            (true, false) => (local, global),
            (false, true) => (global, local),
            _ => return Vec::new(),
        };
        let both = format!("{own} | {other}");
        [other, &both].map(|new| said.replacen(own, new, 1)).to_vec()
    };
    FLAGS.into_iter().flat_map(of).collect()
}

/// An atomic function that does what an assignment with an operator does.
const ATOMICS: [(&str, &str); 5] = [
    ("+=", "atomic_add"),
    ("-=", "atomic_sub"),
    ("&=", "atomic_and"),
    ("|=", "atomic_or"),
    ("^=", "atomic_xor"),
];

/// The atomic call instead of a statement in C that reads and writes an element.
pub(super) fn atomic(words: &str) -> Option<String> {
    let is_place = |place: &str| place.ends_with(']') && !place.contains(['=', '(', '+', '-', '*']);
    for (step, name) in [("++", "atomic_inc"), ("--", "atomic_dec")] {
        let place = words.strip_suffix(step).or_else(|| words.strip_prefix(step));
        if let Some(place) = place.map(str::trim).filter(|place| is_place(place)) {
            return Some(format!("{name}(&{place})"));
        }
    }
    let (operator, name) = ATOMICS.iter().find(|(operator, _)| words.contains(operator))?;
    let (place, value) = words.split_once(operator)?;
    let place = place.trim();
    is_place(place).then(|| format!("{name}(&{place}, {})", value.trim()))
}

/// Whether a wait by this parity returns at launch.
pub(super) fn returns_at_once(words: &str) -> bool {
    let parity = words.rsplit(',').next().unwrap_or_default();
    parity.contains('^') || parity.trim().trim_end_matches(')') == "1"
}

/// Numbers that are operands or indices of their own.
pub(super) fn numbers(words: &str) -> Vec<(Range<usize>, i64)> {
    let words_and_places = words_of(words);
    let found = words_and_places.filter_map(|(at, word)| {
        let before = words[..at].chars().next_back()?;
        let number = word.parse().ok().filter(|_| " ,(=[\t-".contains(before))?;
        Some((at..at + word.len(), number))
    });
    found.collect()
}

/// The text with one name in place of another, where it has it once.
pub(super) fn renamed(text: &str, old: &str, new: &str) -> Option<String> {
    let mut places =
        words_of(text).filter(|(at, word)| *word == old && !text[..*at].ends_with('.'));
    let (at, _) = places.next()?;
    let once = places.next().is_none();
    once.then(|| [&text[..at], new, &text[at + old.len()..]].concat())
}

/// A statement that waits, with the other parity in its first line.
pub(super) fn turned(said: &str) -> Option<String> {
    let (line, rest) = said.split_at(said.find('\n').unwrap_or(said.len()));
    let (line, end) = line.strip_suffix(';').map_or((line, ""), |line| (line, ";"));
    Some([&with_other_parity(line)?, end, rest].concat())
}

/// A wait with the other parity as its last operand.
pub(super) fn with_other_parity(words: &str) -> Option<String> {
    let (head, last) = words.rsplit_once(',')?;
    let call = head.contains('(') && last.trim_end().ends_with(')');
    let (parity, close) = match call {
        true => last.trim().rsplit_once(')').map(|(parity, _)| (parity.trim(), ")"))?,
        false => (last.trim(), ""),
    };
    let other = match parity {
        "0" => "1".to_string(),
        "1" => "0".to_string(),
        _ => match parity.strip_suffix('1').and_then(|it| it.trim_end().strip_suffix('^')) {
            Some(plain) => plain.trim_end().to_string(),
            None if parity.chars().all(|c| c.is_alphanumeric() || c == '_') => {
                format!("{parity} ^ 1")
            }
            None => format!("({parity}) ^ 1"),
        },
    };
    (!other.is_empty()).then(|| format!("{head}, {other}{close}"))
}

/// The barriers that synchronise all agents, in the spelling of the text where it has one.
pub(super) fn barriers(own: Written<'_>, target: &str) -> Vec<String> {
    let text = own.text;
    let is_written = |name: &&&str| text.contains(**name);
    let spelled = |names: &[&str], arguments: &[&str]| -> Vec<String> {
        let written = names.iter().filter(is_written).count() > 0;
        let most = if written { names.len() } else { USUAL };
        let names = names[..most.min(names.len())].iter();
        let names = names.filter(|name| !written || is_written(name));
        names.flat_map(|name| arguments.iter().map(move |it| [*name, it].concat())).collect()
    };
    if let Some(found) = in_language(own, target) {
        return found;
    }
    let flags = ["CLK_LOCAL_MEM_FENCE)", "CLK_GLOBAL_MEM_FENCE)"];
    let later = ["mem_fence::local)", "mem_fence::global)"];
    match () {
        () if target.starts_with("sm_") => {
            let mut found = spelled(&BARS, &["0"]);
            if text.contains("cluster.arrive") {
                found.push("barrier.cluster.arrive; barrier.cluster.wait".to_owned());
            }
            found
        }
        () if text.contains("mem_fence::") => spelled(&["work_group_barrier("], &later),
        () if text.contains(" work_group_barrier(") => spelled(&["work_group_barrier("], &flags),
        () if target == "opencl" => spelled(&["barrier("], &flags),
        () => {
            let rounds = [
                ("s_barrier_signal -1", "s_barrier_signal -1; s_barrier_wait -1"),
                ("s_barrier_signal -3", "s_barrier_signal -3; s_barrier_wait -3"),
                ("arrive cluster", "arrive cluster; wait cluster"),
            ];
            let written = rounds.iter().filter(|(arrive, _)| text.contains(arrive));
            let mut found: Vec<String> = written.map(|(_, round)| (*round).to_owned()).collect();
            if !text.contains("s_barrier_signal -1") {
                found.push("arrive wg; wait wg".to_owned());
            }
            found
        }
    }
}

/// The barrier of a workgroup in a text of C++ or of compiled code other than PTX.
fn in_language(own: Written<'_>, target: &str) -> Option<Vec<String>> {
    let new = match own.language? {
        Language::Ptx => return None,
        Language::Cpp => Some("__syncthreads()".to_owned()),
        Language::Llvm if target.starts_with("sm_") => {
            Some("call void @llvm.nvvm.barrier0()".to_owned())
        }
        Language::Llvm | Language::Amdgpu if target.starts_with("gfx") => {
            own.spelled("arrive wg; wait wg")
        }
        _ => None,
    };
    Some(new.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_update_of_an_element_is_spelled_as_an_atomic_call() {
        let told = [
            ("a[0]++", Some("atomic_inc(&a[0])")),
            ("--h[i]", Some("atomic_dec(&h[i])")),
            ("sum[g] += x * 2", Some("atomic_add(&sum[g], x * 2)")),
            ("n++", None),
            ("a[0] = a[0] + 1", None),
            ("a[i++] += 1", None),
        ];
        for (words, call) in told {
            assert_eq!(atomic(words).as_deref(), call, "{words}");
        }
    }

    #[test]
    fn the_flags_of_a_barrier_are_exchanged_or_joined() {
        let new = other_flags("barrier(CLK_GLOBAL_MEM_FENCE)");
        let both = "barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE)";
        assert_eq!(new, ["barrier(CLK_LOCAL_MEM_FENCE)", both]);
        assert!(other_flags(both).is_empty());
    }

    #[test]
    fn a_parity_is_turned_as_it_is_written() {
        let told = [
            (
                "mbarrier.try_wait.parity.b64 p, [full], 0",
                Some("mbarrier.try_wait.parity.b64 p, [full], 1"),
            ),
            ("tlx.barrier_wait(bars[0], 1)", Some("tlx.barrier_wait(bars[0], 0)")),
            ("w p, [b], (i & 1) ^ 1", Some("w p, [b], (i & 1)")),
            ("w p, [b], phase", Some("w p, [b], phase ^ 1")),
            ("tlx.barrier_wait(b, (k // 2) & 1)", Some("tlx.barrier_wait(b, ((k // 2) & 1) ^ 1)")),
            ("wait", None),
        ];
        for (words, turned) in told {
            assert_eq!(with_other_parity(words).as_deref(), turned);
        }
    }
}
