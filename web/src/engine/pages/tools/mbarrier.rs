//! The 64-bit word of an mbarrier object: its bits, fields and operations, under both hypotheses about the layout of the
//! counts.

use super::operations::{Given, OPERATIONS, steps};
use crate::pages::address::Address;
use protocol::DocumentPage;
use protocol::document_page::*;
use tidegate_check::model::ptx::word::{
    Fields, Layout, MOST, Shown, decode, describe, encode, initial,
};
use tidegate_check::word::remark;

/// The initial word, written by an init with a count of 2.
const FIRST: u64 = match initial(2) {
    Some(word) => word,
    None => 0,
};

/// The parameters of an address: a word, as typed and as a value, and operations on it.
struct Asked<'a> {
    address: &'a Address,
    typed: &'a str,
    word: Option<u64>,
    then: Vec<Given<'a>>,
}

impl<'a> Asked<'a> {
    fn of(address: &'a Address) -> Self {
        let typed = address.word("word");
        let word = if typed.is_empty() { Some(FIRST) } else { number(typed) };
        let word = word.map(|word| set(word, address));
        Self { address, typed, word, then: Given::all(address.word("then")) }
    }

    /// Returns the view of another word without operations.
    fn with_word(&self, word: u64) -> String {
        format!("#tools/mbarrier?word={word:016x}")
    }

    /// Returns the view of the current word with other operations.
    fn with_then(&self, word: u64, then: &str) -> String {
        let count = self.address.word("n");
        let mut out = self.with_word(word);
        if !then.is_empty() {
            out.push_str(&format!("&then={then}"));
        }
        if !count.is_empty() {
            out.push_str(&format!("&n={count}"));
        }
        out
    }
}

/// The tool.
pub(super) fn page(address: &Address) -> DocumentPage {
    let asked = Asked::of(address);
    let body = match asked.word {
        Some(word) => vec![
            operate(&asked, word),
            div("pair-of").with(all(Layout::ALL.map(|layout| card(&asked, layout, word)))),
        ],
        None => vec![p("calm wrong").set("id", "wrong").set("role", "status").with(
            "Invalid 64-bit word: expected hexadecimal, such as 0x7fff0000001fffc0, or decimal.",
        )],
    };
    DocumentPage::new("mbarrier word decoder").with((entry(&asked), body, p("quiet aside").with(
        "NVIDIA documents the word as opaque. The layout is inferred from the words that initialisation writes and from compiled waits. The two cards show the two hypotheses that remain.",
    )))
}

/// Returns a word after setting the field that the address names, if any: `layout`, and a field by its name.
fn set(word: u64, address: &Address) -> u64 {
    let Some(layout) = Layout::from_name(address.word("layout")) else { return word };
    let before = decode(layout, word);
    let count = |name: &str| address.word(name).parse::<u32>().ok().filter(|count| *count <= MOST);
    let tx = address.word("tx").parse::<i32>().ok().filter(|tx| tx.unsigned_abs() <= MOST);
    let after = Fields {
        pending: count("pending").unwrap_or(before.pending),
        expected: count("expected").unwrap_or(before.expected),
        ..tx.map_or(before, |tx| before.with_tx(tx))
    };
    if after == before { word } else { encode(layout, after) }
}

/// Parses a word: `0x7fff0000001fffc0`, `7fff0000_001fffc0`, or decimal.
fn number(typed: &str) -> Option<u64> {
    let plain: String = typed.chars().filter(|it| !matches!(it, '_' | ' ')).collect();
    let plain = plain.to_lowercase();
    match plain.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None if plain.len() == 16 || plain.contains(|it: char| it.is_ascii_lowercase()) => {
            u64::from_str_radix(&plain, 16).ok()
        }
        None => plain.parse().ok(),
    }
}

/// Formats a word in hexadecimal with its halves separated.
fn spelled(word: u64) -> String {
    format!("0x{:08x}_{:08x}", word >> 32, word & 0xffff_ffff)
}

/// The fields for a word and for the count of an init.
fn entry(asked: &Asked<'_>) -> Element {
    let shown = match (asked.typed, asked.word) {
        ("", _) if asked.address.has("word") => String::new(),
        (typed, _) if number(typed) == asked.word => typed.to_owned(),
        (_, Some(word)) => spelled(word),
        (typed, None) => typed.to_owned(),
    };
    let word = input("field__text word-field")
        .set("id", "word")
        .set("spellcheck", "false")
        .set("autocomplete", "off")
        .set("value", shown)
        .does(Action::Go, "#tools/mbarrier?word=");
    let wrong = asked.word.is_none();
    let word =
        word.set_if(wrong, "aria-invalid", "true").set_if(wrong, "aria-describedby", "wrong");
    let inits = [1_u32, 2, 32, 128].map(|count| {
        let word = initial(count).unwrap_or(FIRST);
        button("choice")
            .set("aria-pressed", if asked.word == Some(word) { "true" } else { "false" })
            .does(Action::Go, asked.with_word(word))
            .with(format!("init {count}"))
    });
    div("sieve").with((
        label("field word-label").with((span("field__name").with("Word"), word)),
        div("choices").set("role", "group").set("aria-label", "Init words").with(all(inits)),
    ))
}

/// The operations on the word.
fn operate(asked: &Asked<'_>, word: u64) -> Element {
    let done: Vec<String> = asked.then.iter().map(Given::spelled).collect();
    let now = done.join(",");
    let typed = asked.address.word("n");
    let count = typed.parse::<i32>().unwrap_or(1);
    let to = format!(
        "{}&n=",
        asked.with_word(word)
            + &if now.is_empty() { String::new() } else { format!("&then={now}") }
    );
    let number = input("field__text number-field")
        .set("id", "n")
        .set("inputmode", "numeric")
        .set("value", if asked.address.has("n") { typed } else { "1" })
        .does(Action::Go, to);
    let choice = |name: &&'static str| {
        let given = Given { name, value: count };
        let then: Vec<String> = done.iter().cloned().chain([given.spelled()]).collect();
        button("button button--small")
            .set_if(given.operation().is_none(), "aria-disabled", "true")
            .does(Action::Go, asked.with_then(word, &then.join(",")))
            .with((*name, " ", count.to_string()))
    };
    let shorter = done.split_last().map(|(_, others)| {
        button("button button--small")
            .does(Action::Go, asked.with_then(word, &others.join(",")))
            .with("Undo last")
    });
    section("operate").set("aria-label", "Operations").with((
        label("field").with((span("field__name").with("Count or bytes"), number)),
        div("choices")
            .set("role", "group")
            .set("aria-label", "Perform")
            .with(all(OPERATIONS.iter().map(choice))),
        shorter,
    ))
}

/// The word under one hypothesis: operations, bits and fields.
fn card(asked: &Asked<'_>, layout: Layout, word: u64) -> Element {
    let stages = steps(layout, word, &asked.then);
    let last = stages.last().map_or(word, |stage| stage.word);
    let fields = describe(layout, last);
    let says = match layout {
        Layout::LowPending => "Pending arrivals in bits 1 to 20, as sass-syncs reads the word.",
        Layout::HighPending => "Pending arrivals in bits 43 to 62, as in public software models.",
    };
    let done = stages.iter().map(|stage| {
        let note = match (stage.wraps, stage.completes) {
            (true, _) => span("step-note step-note--wrong").with("a count overflows and wraps"),
            (false, true) => span("step-note").with("completes the phase"),
            (false, false) => span("step-note"),
        };
        li("step-of").with((
            code("").with(&*stage.name),
            code("quiet").with(spelled(stage.word)),
            note,
            stage.remark.map(|said| span("step-note step-note--wrong").with(said)),
        ))
    });
    let done: Vec<Part> = all(done);
    let done = (!done.is_empty()).then(|| ol("steps-of").set("aria-label", "Performed").with(done));
    article("show word-card")
        .set("aria-label", layout.name())
        .set("data-layout", layout.name())
        .with((
            header("show__head").with((
                h3("").with(layout.name()),
                code("word-of").with(spelled(last)),
                button("button button--small")
                    .does(Action::Copy, format!("0x{last:016x}"))
                    .with("Copy"),
            )),
            p("quiet").with(says),
            done,
            remark(decode(layout, last)).map(|said| p("quiet").with(format!("At rest {said}."))),
            bits(asked, last, &fields),
            table_of(asked, layout, last, &fields),
        ))
}

/// The bits, from the highest to the lowest; a click flips a bit.
fn bits(asked: &Asked<'_>, word: u64, fields: &[Shown; 5]) -> Element {
    let bit = |at: u8| {
        let field = fields.iter().position(|field| (field.bits.1..=field.bits.0).contains(&at));
        let field = field.unwrap_or(0);
        let value = word >> at & 1;
        let first = fields[field].bits.0 == at;
        button("bit")
            .set("data-tone", field.to_string())
            .set_if(value == 1, "data-set", "")
            .set_if(first, "data-first", "")
            .set("aria-label", format!("bit {at}, {}: {value}", fields[field].name))
            .set("title", format!("bit {at}, {}", fields[field].name))
            .does(Action::Go, asked.with_word(word ^ 1 << at))
            .with(value.to_string())
    };
    let row = |high: u8| {
        let bits = all((0..16).map(|index| bit(high - index)));
        div("bits__row")
            .with((span("bits__at").set("aria-hidden", "true").with(high.to_string()), bits))
    };
    div("bits").set("role", "group").set("aria-label", "Bits").with(all([63, 47, 31, 15].map(row)))
}

/// The fields with editable values, and the certainty of each.
fn table_of(asked: &Asked<'_>, layout: Layout, word: u64, fields: &[Shown; 5]) -> Element {
    let row = |(index, field): (usize, &Shown)| {
        let (high, low) = field.bits;
        let bits = if high == low { high.to_string() } else { format!("{high}–{low}") };
        tr("").with((
            th("")
                .set("scope", "row")
                .with((span("swatch").set("data-tone", index.to_string()), field.name)),
            td("").with(code("").with(bits)),
            td("").with(value(asked, layout, word, field)),
            td("").with((
                span("certainty")
                    .set("data-certainty", field.certainty.word())
                    .with(field.certainty.word()),
                p("quiet").with(field.why),
            )),
        ))
    };
    let heads =
        ["Field", "Bits", "Value", "Certainty"].map(|name| th("").set("scope", "col").with(name));
    table("rows fields-of").with((
        thead("").with(tr("").with(all(heads))),
        tbody("").with(all(fields.iter().enumerate().map(row))),
    ))
}

/// The value of a field: an input for a number, a button for a bit.
fn value(asked: &Asked<'_>, layout: Layout, word: u64, field: &Shown) -> Element {
    let name = match field.name {
        "pending" => "pending",
        "expected" => "expected",
        "tx-count" => "tx",
        _ => {
            return button("button button--small")
                .does(Action::Go, asked.with_word(word ^ 1 << field.bits.1))
                .set("aria-label", format!("{}: {}, flip bit", field.name, field.value))
                .with(field.value.to_string());
        }
    };
    // The input keeps its text while it is not yet a number.
    let ours = asked.address.word("layout") == layout.name();
    let typed = asked.address.word(name);
    let shown = if ours && asked.address.has(name) && typed.parse() != Ok(field.value) {
        typed.to_owned()
    } else {
        field.value.to_string()
    };
    input("field__text number-field")
        .set("inputmode", "numeric")
        .set("spellcheck", "false")
        .set("autocomplete", "off")
        .set("aria-label", format!("{}, {}", field.name, layout.name()))
        .set("value", shown)
        .does(Action::Go, format!("{}&layout={}&{name}=", asked.with_word(word), layout.name()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(words: &str) -> DocumentPage {
        page(&Address::of(&format!("tools/mbarrier?{words}")))
    }

    #[test]
    fn words_are_parsed_in_every_notation() {
        let word = Some(0x7fff_0000_001f_ffc0);
        assert_eq!(number("0x7fff0000001fffc0"), word);
        assert_eq!(number("7FFF0000_001fffc0"), word);
        assert_eq!(number("18446744073709551615"), Some(u64::MAX));
        for wrong in ["", "0x", "g", "18446744073709551616", "-1", "0x10000000000000000"] {
            assert_eq!(number(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_word_of_an_init_is_decoded_under_both_hypotheses() {
        let text = shown("word=0x7fff0000001fffc0").text();
        assert_eq!(text.matches("0x7fff0000_001fffc0").count(), 2, "{text}");
        assert!(text.contains("low-pending") && text.contains("high-pending"));
        let wrong = shown("word=nothing");
        assert!(wrong.text().contains("Invalid 64-bit word"));
        assert!(format!("{:?}", wrong.parts).contains("aria-invalid"));
    }

    #[test]
    fn a_field_is_set_under_its_hypothesis() {
        let word = |words: &str| Asked::of(&Address::of(&format!("tools/mbarrier?{words}"))).word;
        let set = word("word=7fffe0000000001e&layout=low-pending&pending=3");
        let set = set.expect("a word");
        assert_eq!(decode(Layout::LowPending, set).pending, 3);
        assert_eq!(word("word=1&layout=low-pending&pending=-"), Some(1));
        assert_eq!(word("word=1&layout=low-pending&pending=99999999"), Some(1));
        let tx = word("word=1&layout=high-pending&tx=-16").expect("a word");
        assert_eq!(decode(Layout::HighPending, tx).tx_low(), -16);
    }

    #[test]
    fn operations_are_performed_in_sequence() {
        let text = shown("then=arrive:1,arrive:1,nothing:1").text();
        assert_eq!(text.matches("completes the phase").count(), 2, "{text}");
        assert!(shown("then=arrive_drop:3").text().contains("wraps"));
        assert!(shown("then=arrive_drop:2").text().contains("no expected arrival"));
        assert!(shown("word=7fff0000001fffc0&then=arrive:0").text().contains("out of range"));
    }

    #[test]
    fn a_word_that_no_object_has_gets_a_remark() {
        assert!(shown("word=0").text().contains("an expected count of 0"));
        assert!(!shown("word=7fff0000001fffc0").text().contains("At rest"));
    }
}
