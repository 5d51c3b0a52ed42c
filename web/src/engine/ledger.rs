//! The ledger of every barrier in the current state, the words of mbarrier objects, and the memory counters.

use protocol::document_page::*;
use tidegate_check::ledger::{LedgerAgent, LedgerRow};
use tidegate_check::model::ptx::word::{Fields, Layout, describe, encode};
use tidegate_check::step::{CounterView, ObjectView, Stepper};

/// Largest product of steps and agents for which a ledger is computed on each step.
const MOST: usize = 200_000;

/// The panel.
pub(crate) fn page(stepper: &Stepper, machine: Option<&mut Stepper>) -> DocumentPage {
    let page = DocumentPage::new("Ledger");
    let view = stepper.view_since(usize::MAX);
    if stepper.length() * view.agents.len() > MOST {
        return page.with(p("calm").with("This execution is too long for the ledger."));
    }
    let (mut rows, used) = (stepper.ledger(), stepper.counters());
    if view.state == "undefined" {
        // After undefined behaviour no agent waits for anything.
        for row in &mut rows {
            row.missing = None;
            row.waits.iter_mut().for_each(|agent| agent.blocked = false);
        }
    }
    if rows.is_empty() && used.is_empty() {
        return page.with(p("calm").with("These barriers have no ledger."));
    }
    let known = |row: &LedgerRow| view.objects.iter().find(|it| it.name == row.object);
    let valid = |row: &LedgerRow| known(row).is_none_or(|it| it.initialised);
    let names: Vec<&str> = view.agents.iter().map(|agent| agent.name.as_str()).collect();
    page.with(all(rows.iter().map(|row| barrier(row, valid(row)))))
        .with((machine.and_then(|machine| bits(stepper, machine)), counters(&used, &names)))
}

/// The machine's bits after the same steps, as far as it can perform them.
fn bits(stepper: &Stepper, machine: &mut Stepper) -> Option<Element> {
    let followed = machine.load(&stepper.keys());
    let objects = machine.view_since(usize::MAX).objects;
    let description = stepper.view_since(followed).performed.first().map(|step| {
        let description = format!(
            "The hardware model diverges here: `{}` (step {}) blocks.",
            step.label,
            followed + 1
        );
        p("ledger__missing").with(prose(&description))
    });
    (!objects.is_empty()).then(|| {
        div("machine-bits").with((
            h3("flights__name").with("Hardware barrier state"),
            table_of(&objects),
            description,
        ))
    })
}

/// The panel of an execution on the machine.
pub(crate) fn of_machine(machine: &Stepper) -> DocumentPage {
    DocumentPage::new("Ledger")
        .with(div("machine-bits").with(table_of(&machine.view_since(usize::MAX).objects)))
}

fn table_of(objects: &[ObjectView]) -> Element {
    let line = |object: &ObjectView| {
        let name = th("").set("scope", "row").with(code("").with(&*object.name));
        let (said, bits) = object.detail.split_once("; word bits ").unwrap_or((&object.detail, ""));
        let fields = (!bits.is_empty())
            .then(|| dl("ledger__counts").with(all(bits.split(", ").filter_map(field))));
        tr("").with((name, td("").with((said, fields))))
    };
    table("ledger__who").with(tbody("").with(all(objects.iter().map(line))))
}

/// A field of the machine's word, such as `22-16 signals 0000010`: its name, position and bits.
fn field(description: &str) -> Option<Element> {
    let mut words = description.split(' ');
    let (places, name, bits) = (words.next()?, words.next()?, words.next()?);
    let name = dt("quiet").with(format!("{name} {}", places.replace('-', "\u{2013}")));
    Some(div("").with((name, dd("").with(code("word__bits").with(bits)))))
}

fn barrier(row: &LedgerRow, valid: bool) -> Element {
    let phase = match (row.kind.as_str(), row.phase) {
        ("mbarrier", Some(phase)) => format!("phase {phase}, parity {}", phase & 1),
        (_, Some(phase)) => format!("phase {}", phase + 1),
        (_, None) => String::new(),
    };
    let name = summary("ledger__name").with((
        code("").with(row.object.as_str()),
        span("quiet").with(row.kind.as_str()),
        span("ledger__phase").with(if valid { phase } else { "not initialised".to_owned() }),
    ));
    let blocked = row.waits.iter().any(|agent| agent.blocked);
    let words = (row.kind == "mbarrier" && valid).then(|| words(row));
    details("ledger")
        .set("data-ledger", row.object.as_str())
        .set_if(blocked, "open", "")
        .with(name)
        .with(valid.then(|| counts(row)))
        .with(who(row))
        .with(row.missing.as_deref().map(|missing| p("ledger__missing").with(prose(missing))))
        .with((blocked && valid).then(|| freed(row)))
        .with(words)
}

fn counts(row: &LedgerRow) -> Element {
    let arrived = row.expected - row.pending;
    let term = |name: &str, value: i64| {
        div("").with((dt("quiet").with(name), dd("").with(value.to_string())))
    };
    dl("ledger__counts").with((
        term("expected", row.expected),
        term("arrived", arrived),
        term("pending", row.pending),
        (row.kind == "mbarrier").then(|| term("tx-count", row.bytes)),
    ))
}

/// The agents that arrive and wait: performed operations of those written.
fn who(row: &LedgerRow) -> Element {
    let mut names: Vec<&str> = Vec::new();
    for agent in row.arrives.iter().chain(&row.waits) {
        if !names.contains(&agent.agent.as_str()) {
            names.push(&agent.agent);
        }
    }
    let cell = |of: &[LedgerAgent], name: &str| {
        let agent = of.iter().find(|agent| agent.agent == name);
        let text = agent.map_or("\u{2013}".to_owned(), |agent| {
            format!("{} of {}", agent.performed, agent.written.max(agent.performed))
        });
        let blocked = agent.is_some_and(|agent| agent.blocked);
        td("").with((text, blocked.then(|| b("ledger__blocked").with(" blocked"))))
    };
    let line = |name: &str| {
        let head = th("").set("scope", "row").with(name);
        tr("").with((head, cell(&row.arrives, name), cell(&row.waits, name)))
    };
    let head = |name: &str| th("").set("scope", "col").with(name);
    table("ledger__who").with((
        thead("").with(tr("").with((head("agent"), head("arrives"), head("waits")))),
        tbody("").with(all(names.into_iter().map(line))),
    ))
}

/// Lists the changes that would complete the phase, from its counts. This is a hint: no search confirms it.
fn freed(row: &LedgerRow) -> Option<Element> {
    let mut changes = Vec::new();
    if row.pending > 0 {
        let more = if row.pending == 1 { "arrival" } else { "arrivals" };
        changes.push(format!("{} more {more} on `{}`", row.pending, row.object));
    }
    let arrived = row.expected - row.pending;
    if row.pending > 0 && arrived > 0 && !matches!(row.kind.as_str(), "workgroup" | "cluster") {
        changes.push(format!("an expected count of {arrived} instead of {}", row.expected));
    }
    if row.bytes != 0 {
        let change = if row.bytes > 0 { "completion" } else { "expectation" };
        changes.push(format!("{change} of {} more bytes", row.bytes.abs()));
    }
    let joint = if row.bytes != 0 && row.pending > 0 { ", and " } else { ", or " };
    (!changes.is_empty()).then(|| {
        let text = format!("Waiting for {}.", changes.join(joint));
        p("ledger__freed").with(prose(&text))
    })
}

/// The word of an mbarrier object under both hypotheses.
fn words(row: &LedgerRow) -> Element {
    let fields = Fields {
        parity: row.phase.unwrap_or(0) & 1 != 0,
        pending: row.pending.max(0) as u32,
        expected: row.expected.max(0) as u32,
        ..Fields::default()
    };
    let fields = fields.with_tx(row.bytes as i32);
    div("words").with(all(Layout::ALL.map(|layout| word(layout, encode(layout, fields)))))
}

fn word(layout: Layout, word: u64) -> Element {
    let field = |field: tidegate_check::model::ptx::word::Shown| {
        let (high, low) = field.bits;
        let width = usize::from(high - low) + 1;
        let bits = word >> low & (u64::MAX >> (64 - width));
        div("word__field").set("title", field.why).set("data-sure", field.certainty.word()).with((
            span("word__name").with(field.name),
            code("word__bits").with(format!("{bits:0width$b}")),
            b("word__value").with(field.value.to_string()),
            span("quiet").with(if high == low {
                high.to_string()
            } else {
                format!("{high}\u{2013}{low}")
            }),
        ))
    };
    div("word").set("data-layout", layout.name()).with((
        p("word__head").with((b("").with(layout.name()), code("").with(format!("{word:#018x}")))),
        div("word__fields").with(all(describe(layout, word).map(field))),
    ))
}

/// The counters of outstanding memory operations.
fn counters(counters: &[CounterView], names: &[&str]) -> Option<Element> {
    let line = |counter: &CounterView| {
        let steps: Vec<String> =
            counter.outstanding.iter().map(|step| (step + 1).to_string()).collect();
        let description = match steps.len() {
            0 => "nothing outstanding".to_owned(),
            1 => format!("of step {}", steps[0]),
            _ => format!("of steps {}", steps.join(", ")),
        };
        tr("").with((
            th("").set("scope", "row").with((
                *names.get(counter.agent).unwrap_or(&""),
                " ",
                code("").with(counter.counter.as_str()),
            )),
            td("counter__value").with(format!("\u{2264} {}", counter.outstanding.len())),
            td("quiet").with(description),
        ))
    };
    (!counters.is_empty()).then(|| {
        div("counters").with((
            h3("flights__name").with("Wait counters"),
            table("ledger__who").with(tbody("").with(all(counters.iter().map(line)))),
        ))
    })
}
