//! `tidegate mbarrier`: the 64-bit word of an mbarrier object, both ways.

use crate::args::{Mbarrier, Plain, WordLayout};
use crate::exit::{Exit, Failure};
use crate::json;
use crate::output::{BOLD, DIM, print, print_raw, styled};
use crate::table::{Cell, render};
use serde_json::{Value, json};
use tidegate_check::model::ptx::word::{
    Fields, Layout, MOST, Operation, describe, encode, initial, step,
};

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
            show(*layout, *format, |layout| {
                vec![Stage { did: None, word: encode(layout, fields), notes: "" }]
            })
        }
    }
}

/// A word, what made it, and what is to be said about that.
struct Stage {
    did: Option<String>,
    word: u64,
    notes: &'static str,
}

fn fields(count: u32, pending: Option<u32>, tx: i32, parity: bool, bit_0: bool) -> Fields {
    let pending = pending.unwrap_or(count);
    Fields { parity, pending, expected: count, tx_bits: 0, bit_0 }.with_tx(tx)
}

fn steps(layout: Layout, word: u64, then: &[(String, Operation)]) -> Vec<Stage> {
    let mut stages = vec![Stage { did: None, word, notes: "" }];
    for (words, operation) in then {
        let stepped = step(layout, stages[stages.len() - 1].word, *operation);
        let notes = match (stepped.completes, stepped.wraps) {
            (_, true) => "a count leaves its range and wraps",
            (true, false) => "completes the phase",
            (false, false) => "",
        };
        stages.push(Stage { did: Some(words.clone()), word: stepped.word, notes });
    }
    stages
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
    let initial = describe(layout, stages[0].word)[1].value;
    if stages.len() == 1 && initial_word(initial) == Some(stages[0].word) {
        out.push_str(&format!(
            "{}\n",
            styled(DIM, &format!("This is what init with count {initial} writes."))
        ));
    }
    out
}

fn initial_word(count: i64) -> Option<u64> {
    u32::try_from(count).ok().and_then(initial)
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
            "note": (!stage.notes.is_empty()).then_some(stage.notes),
        })
    };
    json!({ "layout": layout.name(), "words": stages.iter().map(stage).collect::<Vec<_>>() })
}

/// A word in hexadecimal, its halves apart.
fn spelled(word: u64) -> String {
    format!("0x{:08x}_{:08x}", word >> 32, word & 0xffff_ffff)
}

/// A word as people write it: `0x7fff0000001fffc0`, `7fff0000_001fffc0`, or decimal.
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
        Failure::new(format!("`{words}` is not a word of 64 bits"))
            .help("write it as 0x7fff0000001fffc0 or in decimal")
    })
}

/// An operation as `arrive=1`; the number may be left out where it is 1.
fn operation(words: &str) -> Result<(String, Operation), Failure> {
    let (name, count) = words.split_once('=').unwrap_or((words, "1"));
    let wrong = || {
        Failure::new(format!("`{words}` is no operation on a word")).help(
            "write init=N, arrive=N, arrive_drop=N, expect_tx=N, complete_tx=N or arrive.expect_tx=N",
        )
    };
    let count: i32 = count.parse().map_err(|_| wrong())?;
    let positive = || u32::try_from(count).ok().filter(|&count| count <= MOST).ok_or_else(wrong);
    let operation = match name {
        "init" => Operation::Init(positive()?),
        "arrive" => Operation::Arrive(positive()?),
        "arrive_drop" => Operation::ArriveDrop(positive()?),
        "expect_tx" => Operation::ExpectTx(count),
        "complete_tx" => Operation::CompleteTx(count),
        "arrive.expect_tx" => Operation::ArriveExpectTx(count),
        _ => return Err(wrong()),
    };
    Ok((words.to_owned(), operation))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_as_people_write_them() {
        let word = Ok(0x7fff_0000_001f_ffc0);
        assert_eq!(number("0x7fff0000001fffc0"), word);
        assert_eq!(number("7fff0000_001fffc0"), word);
        assert_eq!(number("18446744073709551615"), Ok(u64::MAX));
        for wrong in ["", "0x", "g", "18446744073709551616", "-1", "0x10000000000000000"] {
            assert!(number(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn operations_are_read() {
        assert_eq!(operation("arrive").map(|(_, operation)| operation), Ok(Operation::Arrive(1)));
        assert_eq!(
            operation("expect_tx=-16").map(|(_, operation)| operation),
            Ok(Operation::ExpectTx(-16))
        );
        for wrong in ["arrive=-1", "arrive=", "wait", "init=1048576"] {
            assert!(operation(wrong).is_err(), "{wrong}");
        }
    }
}
