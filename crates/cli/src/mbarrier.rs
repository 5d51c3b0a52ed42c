//! `tidegate mbarrier`: decodes and encodes the 64-bit word of an mbarrier object.

use crate::args::{Mbarrier, Plain, WordLayout};
use crate::exit::{Exit, Failure};
use crate::json;
use crate::output::{BOLD, DIM, print, print_raw, styled};
use crate::table::{Cell, render};
use serde_json::{Value, json};
use tidegate_check::model::ptx::word::{
    Fields, Layout, MOST, Operation, decode, describe, encode, initial, step,
};
use tidegate_check::word::{remark, remark_on};

/// Runs the command.
pub(crate) fn run(arguments: &Mbarrier) -> Result<Exit, Failure> {
    match arguments {
        Mbarrier::Decode { word, layout, then, format } => {
            let word = number(word)?;
            let then = then.iter().map(|words| operation(words)).collect::<Result<Vec<_>, _>>()?;
            show(*layout, *format, |layout| steps(layout, word, &then))
        }
        Mbarrier::Encode { count, pending, tx, parity, bit_0, layout, format } => {
            let fields = fields(*count, *pending, *tx, *parity == 1, *bit_0 == 1);
            show(*layout, *format, |layout| vec![Stage::first(layout, encode(layout, fields))])
        }
    }
}

/// A word, the operation that produced it, and a remark.
struct Stage {
    did: Option<String>,
    word: u64,
    notes: String,
}

impl Stage {
    /// The initial word.
    fn first(layout: Layout, word: u64) -> Self {
        let notes = remark(decode(layout, word)).unwrap_or_default().to_owned();
        Self { did: None, word, notes }
    }
}

fn fields(count: u32, pending: Option<u32>, tx: i32, parity: bool, bit_0: bool) -> Fields {
    let pending = pending.unwrap_or(count);
    Fields { parity, pending, expected: count, tx_bits: 0, bit_0 }.with_tx(tx)
}

/// The change of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Then {
    /// These operations, with one check at the end.
    Steps(Vec<Operation>),
    /// An operation that must not complete the phase.
    NoComplete(Operation),
    /// No change, with the reason.
    Nothing(&'static str),
}

const INVALID: &str = "no mbarrier object: the word has no meaning, and only init is allowed";
const LATER: &str = "no change yet: the arrive happens when the copies of the thread are complete";
const COMPLETES: &str = "completes the phase, which .noComplete forbids: undefined";

fn steps(layout: Layout, word: u64, then: &[(String, Then)]) -> Vec<Stage> {
    let mut stages = vec![Stage::first(layout, word)];
    for (words, then) in then {
        let (word, notes) = after(layout, stages[stages.len() - 1].word, then);
        stages.push(Stage { did: Some(words.clone()), word, notes });
    }
    stages
}

/// The word after an operation, and its remarks.
fn after(layout: Layout, mut word: u64, then: &Then) -> (u64, String) {
    let (operations, must_not) = match then {
        Then::Nothing(why) => return (word, (*why).to_owned()),
        Then::Steps(operations) => (&operations[..], false),
        Then::NoComplete(operation) => (std::slice::from_ref(operation), true),
    };
    let (mut completes, mut wraps) = (false, false);
    let mut notes: Vec<&'static str> = Vec::new();
    for &operation in operations {
        notes.extend(remark_on(layout, word, operation));
        let stepped = step(layout, word, operation);
        word = stepped.word;
        completes |= stepped.completes;
        wraps |= stepped.wraps;
    }
    notes.extend(match (completes, wraps) {
        (_, true) => Some("a count leaves its range and wraps around"),
        (true, false) if must_not => Some(COMPLETES),
        (true, false) => Some("completes the phase"),
        (false, false) => None,
    });
    (word, notes.join("; "))
}

fn show(
    layout: WordLayout,
    format: Plain,
    stages: impl Fn(Layout) -> Vec<Stage>,
) -> Result<Exit, Failure> {
    let layouts: &[Layout] = match layout {
        WordLayout::LowPending => &[Layout::LowPending],
        WordLayout::HighPending => &[Layout::HighPending],
        WordLayout::Both => &Layout::ALL,
    };
    if format == Plain::Json {
        let all: Vec<Value> =
            layouts.iter().map(|&layout| layout_json(layout, &stages(layout))).collect();
        print_raw(&json::pretty(&json!({ "schema": "tidegate.mbarrier/1", "layouts": all }))?)?;
        return Ok(Exit::Ok);
    }
    let parts: Vec<String> =
        layouts.iter().map(|&layout| layout_text(layout, &stages(layout))).collect();
    print(&parts.join("\n"))?;
    Ok(Exit::Ok)
}

fn layout_text(layout: Layout, stages: &[Stage]) -> String {
    let mut out = String::new();
    for stage in stages {
        let did = stage.did.as_deref().unwrap_or(layout.name());
        out.push_str(&format!("{}: {}", styled(BOLD, did), spelled(stage.word)));
        out.push_str(&if stage.notes.is_empty() {
            "\n".into()
        } else {
            format!("; {}\n", stage.notes)
        });
        let rows: Vec<Vec<Cell>> = describe(layout, stage.word)
            .iter()
            .map(|field| {
                let (high, low) = field.bits;
                let bits = if high == low { format!("{high}") } else { format!("{high}-{low}") };
                [
                    field.name.to_owned(),
                    bits,
                    field.value.to_string(),
                    field.certainty.word().to_owned(),
                    field.why.to_owned(),
                ]
                .map(Cell::new)
                .to_vec()
            })
            .collect();
        out.push_str(&render(&["field", "bits", "value", "certainty", "why"], &rows));
    }
    let count = decode(layout, stages[0].word).pending;
    if stages.len() == 1 && initial(count) == Some(stages[0].word) {
        out.push_str(&format!(
            "{}\n",
            styled(DIM, &format!("init with count {count} writes this word"))
        ));
    }
    out
}

fn layout_json(layout: Layout, stages: &[Stage]) -> Value {
    let stage = |stage: &Stage| {
        let fields: Vec<Value> = describe(layout, stage.word)
            .iter()
            .map(|field| {
                json!({
                    "name": field.name, "bits": [field.bits.0, field.bits.1], "value": field.value,
                    "certainty": field.certainty.word(), "why": field.why,
                })
            })
            .collect();
        json!({
            "operation": stage.did, "word": format!("0x{:016x}", stage.word), "fields": fields,
            "note": (!stage.notes.is_empty()).then_some(stage.notes.as_str()),
        })
    };
    json!({ "layout": layout.name(), "words": stages.iter().map(stage).collect::<Vec<_>>() })
}

/// A word in hexadecimal, with its halves separated.
fn spelled(word: u64) -> String {
    format!("0x{:08x}_{:08x}", word >> 32, word & 0xffff_ffff)
}

/// Parses a word: `0x7fff0000001fffc0`, `7fff0000_001fffc0`, or decimal.
fn number(words: &str) -> Result<u64, Failure> {
    let plain: String = words.chars().filter(|&c| c != '_').collect();
    let hexadecimal = plain.strip_prefix("0x").or_else(|| plain.strip_prefix("0X"));
    let value = match hexadecimal {
        Some(digits) => u64::from_str_radix(digits, 16),
        None if plain.len() == 16 || plain.chars().any(|c| c.is_ascii_alphabetic()) => {
            u64::from_str_radix(&plain, 16)
        }
        None => plain.parse(),
    };
    value.map_err(|_| {
        Failure::new(format!("`{words}` is not a 64-bit word"))
            .help("write it as 0x7fff0000001fffc0 or in decimal")
    })
}

/// Parses an operation such as `arrive=1`; the number defaults to 1.
fn operation(words: &str) -> Result<(String, Then), Failure> {
    let (name, count) = words.split_once('=').unwrap_or((words, "1"));
    let wrong = || {
        Failure::new(format!("unknown operation `{words}`")).help(
            "write init=N, inval, arrive=N, arrive.noComplete=N, arrive.expect_tx=N, arrive_drop=N, arrive_drop.noComplete=N, arrive_drop.expect_tx=N, expect_tx=N, complete_tx=N, cp.async.mbarrier.arrive or cp.async.mbarrier.arrive.noinc",
        )
    };
    let count: i32 = count.parse().map_err(|_| wrong())?;
    let positive = || u32::try_from(count).ok().filter(|&count| count <= MOST).ok_or_else(wrong);
    let one = |operation| Then::Steps(vec![operation]);
    let then = match name {
        "init" => one(Operation::Init(positive()?)),
        "arrive" => one(Operation::Arrive(positive()?)),
        "arrive_drop" => one(Operation::ArriveDrop(positive()?)),
        "expect_tx" => one(Operation::ExpectTx(count)),
        "complete_tx" => one(Operation::CompleteTx(count)),
        "arrive.expect_tx" => one(Operation::ArriveExpectTx(count)),
        "arrive_drop.expect_tx" => {
            Then::Steps(vec![Operation::ExpectTx(count), Operation::ArriveDrop(1)])
        }
        "arrive.noComplete" => Then::NoComplete(Operation::Arrive(positive()?)),
        "arrive_drop.noComplete" => Then::NoComplete(Operation::ArriveDrop(positive()?)),
        "inval" if name == words => Then::Nothing(INVALID),
        "cp.async.mbarrier.arrive" if name == words => one(Operation::CopyArrive),
        "cp.async.mbarrier.arrive.noinc" if name == words => Then::Nothing(LATER),
        _ => return Err(wrong()),
    };
    Ok((words.to_owned(), then))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tidegate_check::model::ptx::word::decode;

    #[test]
    fn words_are_parsed_in_every_notation() {
        let word = Ok(0x7fff_0000_001f_ffc0);
        assert_eq!(number("0x7fff0000001fffc0"), word);
        assert_eq!(number("7fff0000_001fffc0"), word);
        assert_eq!(number("18446744073709551615"), Ok(u64::MAX));
        for wrong in ["", "0x", "g", "18446744073709551616", "-1", "0x10000000000000000"] {
            assert!(number(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn copies_raise_the_pending_count_and_no_complete_must_not_complete() {
        for layout in Layout::ALL {
            let word = initial(1).expect("a count");
            let read = |words: &str| operation(words).expect("an operation").1;
            let pending = |word| decode(layout, word).pending;
            let (two, notes) = after(layout, word, &read("cp.async.mbarrier.arrive"));
            assert_eq!((pending(two), notes.as_str()), (2, ""));
            let (one, notes) = after(layout, two, &read("arrive.noComplete"));
            assert_eq!((one, notes.as_str()), (word, ""));
            assert_eq!(after(layout, one, &read("arrive.noComplete")).1, COMPLETES);
            assert_eq!(after(layout, one, &read("cp.async.mbarrier.arrive.noinc")).0, one);
            let (dropped, notes) =
                after(layout, initial(2).expect("a count"), &read("arrive_drop.expect_tx=16"));
            assert_eq!((pending(dropped), notes.as_str()), (1, ""));
        }
    }

    #[test]
    fn operations_are_read() {
        let read = |words| operation(words).map(|(_, then)| then);
        assert_eq!(read("arrive"), Ok(Then::Steps(vec![Operation::Arrive(1)])));
        assert_eq!(read("expect_tx=-16"), Ok(Then::Steps(vec![Operation::ExpectTx(-16)])));
        assert_eq!(read("arrive.noComplete=2"), Ok(Then::NoComplete(Operation::Arrive(2))));
        assert_eq!(read("inval"), Ok(Then::Nothing(INVALID)));
        for wrong in ["arrive=-1", "arrive=", "wait", "init=1048576", "inval=1", "cp.async"] {
            assert!(operation(wrong).is_err(), "{wrong}");
        }
    }
}
