//! SASS barrier instructions with their PTX equivalents.

use crate::pages::address::Address;
use crate::pages::words::search;
use protocol::DocumentPage;
use protocol::document_page::*;
use tidegate_check::lang::{Twin, twins};

/// The table, or the rows that match a search.
pub(super) fn page(address: &Address) -> DocumentPage {
    let sought = address.word("q").to_lowercase();
    let found: Vec<Twin> = twins().filter(|twin| says(twin, &sought)).collect();
    let head = ["SASS", "PTX", "Meaning", "sass-syncs"];
    let heads = head.map(|name| th("").set("scope", "col").with(name));
    let rows = found.iter().map(|twin| {
        let ptx = match twin.ptx {
            "" => span("quiet").with("none"),
            // Text after the name describes the operands.
            ptx => match ptx.split_once(' ') {
                Some((name, how)) => {
                    span("").with((code("").with(name), prose(&format!(" {how}"))))
                }
                None => code("").with(ptx),
            },
        };
        let cell = |name: &str| td("").set("data-name", name);
        tr("").with((
            cell(head[0]).with(code("").with(twin.printed)),
            cell(head[1]).with(ptx),
            cell(head[2]).with(prose(twin.meaning)),
            cell(head[3]).with(span("quiet").with(twin.document.word())),
        ))
    });
    let rows: Vec<Part> = all(rows);
    let nothing = rows.is_empty().then(|| p("calm").with("No matching instructions."));
    let table = table("rows rows--code")
        .with((thead("").with(tr("").with(all(heads))), tbody("").with(rows)));
    DocumentPage::new("SASS and PTX").with((
        div("sieve").with(search(address, "Search instructions", found.len(), "instruction")),
        div("scroll")
            .set("tabindex", "0")
            .set("role", "group")
            .set("aria-label", "Instructions")
            .with(table),
        nothing,
    ))
}

fn says(twin: &Twin, sought: &str) -> bool {
    let text =
        format!("{} {} {} {}", twin.sass, twin.printed, twin.ptx, twin.meaning).to_lowercase();
    sought.split_whitespace().all(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_twin_is_found_by_either_name() {
        for twin in twins() {
            for word in [twin.sass, twin.ptx].into_iter().filter(|word| !word.is_empty()) {
                let word: String = word.bytes().map(|byte| format!("%{byte:02x}")).collect();
                let shown = page(&Address::of(&format!("tools/sass?q={word}"))).text();
                assert!(shown.contains(twin.printed), "{}", twin.printed);
            }
        }
        assert!(page(&Address::of("tools/sass?q=nothing-of-this")).text().contains("No matching"));
    }
}
