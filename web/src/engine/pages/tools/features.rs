//! The features of each target.

use crate::pages::address::Address;
use crate::pages::words::search;
use protocol::DocumentPage;
use protocol::document_page::*;
use tidegate_check::model::ptx::support::capability;
use tidegate_check::model::target::{Caches, Counters, Family, TARGETS, Target};

/// A feature: its parameter in the address, its name, its meaning, and the targets that have it.
struct Feature {
    word: &'static str,
    name: &'static str,
    what: &'static str,
    has: fn(&Target) -> bool,
}

const FEATURES: [Feature; 11] = [
    Feature {
        word: "one",
        name: "s_barrier",
        what: "arrive and wait in one instruction",
        has: |it| is_amdgpu(it) && !it.split_barriers,
    },
    Feature {
        word: "split",
        name: "split",
        what: "separate arrive and wait: s_barrier_signal and s_barrier_wait",
        has: |it| it.split_barriers,
    },
    Feature {
        word: "named",
        name: "named",
        what: "named barrier objects",
        has: |it| it.named_barriers,
    },
    Feature {
        word: "cluster",
        name: "cluster",
        what: "a barrier of all workgroups of a cluster",
        has: |it| it.cluster_barriers || since(it, 90),
    },
    Feature {
        word: "back-off",
        name: "back-off",
        what: "s_barrier may be issued with memory operations outstanding",
        has: |it| it.back_off_barrier,
    },
    Feature {
        word: "lds-dma",
        name: "LDS-DMA",
        what: "loads from global memory straight to LDS",
        has: |it| it.lds_dma,
    },
    Feature {
        word: "marks",
        name: "async marks",
        what: "marks after asynchronous copies, and waits for them",
        has: |it| it.async_marks,
    },
    Feature {
        word: "bar",
        name: "bar",
        what: "the sixteen barriers of a CTA",
        has: |it| since(it, 70),
    },
    Feature {
        word: "mbarrier",
        name: "mbarrier",
        what: "mbarrier objects in shared memory",
        has: |it| since(it, 80),
    },
    Feature {
        word: "tx",
        name: "tx-count",
        what: "bytes that a phase waits for, bulk copies, try_wait",
        has: |it| since(it, 90),
    },
    Feature {
        word: "tlx",
        name: "TLX",
        what: "barriers of TLX; on AMD in software, in LDS",
        has: |it| is_amdgpu(it) || since(it, 90),
    },
];

fn is_amdgpu(target: &Target) -> bool {
    matches!(target.family, Family::Amdgpu { .. })
}

fn since(target: &Target, first: u16) -> bool {
    capability(target).is_some_and(|capability| capability >= first)
}

/// The table of targets that have all selected features.
pub(super) fn page(address: &Address) -> DocumentPage {
    let wanted: Vec<&str> =
        address.word("has").split(',').filter(|word| !word.is_empty()).collect();
    let sought = address.word("q").to_lowercase();
    let is_meant = |target: &&Target| {
        let has = |word: &&str| FEATURES.iter().any(|it| it.word == *word && (it.has)(target));
        target.name.contains(sought.trim()) && wanted.iter().all(has)
    };
    let found: Vec<&Target> = TARGETS.iter().filter(is_meant).collect();
    let nothing = found.is_empty().then(|| p("calm").with("No matching targets."));
    DocumentPage::new("Targets and features").with((
        div("sieve").with((search(address, "Search targets", found.len(), "target"), sieve(address, &wanted))),
        grid(&found),
        nothing,
        p("quiet aside").with(prose("From the documents and from what LLVM 22 assembles. The target `model` is the AMDGPU specification only.")),
    ))
}

/// The feature filters.
fn sieve(address: &Address, wanted: &[&str]) -> Element {
    let choice = |feature: &Feature| {
        let here = wanted.contains(&feature.word);
        let others = wanted.iter().filter(|word| **word != feature.word).copied();
        let words: Vec<&str> = others.chain((!here).then_some(feature.word)).collect();
        button("choice")
            .set("aria-pressed", if here { "true" } else { "false" })
            .set("title", feature.what)
            .does(Action::Go, address.with("has", &words.join(",")))
            .with(feature.name)
    };
    div("choices")
        .set("role", "group")
        .set("aria-label", "Has")
        .with(all(FEATURES.iter().map(choice)))
}

fn grid(targets: &[&Target]) -> Element {
    let name = |name: &str| th("").set("scope", "col").with(name);
    let heads =
        FEATURES.iter().map(|it| th("has").set("scope", "col").set("title", it.what).with(it.name));
    let head = tr("").with((name("Target"), all(heads), name("Counters"), name("Caches")));
    let row = |target: &&Target| {
        let cells = FEATURES.iter().map(|it| has((it.has)(target)));
        let name = match target.family {
            Family::Nvidia | Family::Opencl => code("").with(target.name),
            _ => button("button button--small")
                .set("title", "Use in the playground")
                .does(Action::Target, target.name)
                .with(code("").with(target.name)),
        };
        tr("").with((
            th("").set("scope", "row").with(name),
            all(cells),
            td("in-words").with(counters(target.counters)),
            td("in-words").with(caches(target.caches)),
        ))
    };
    let table = table("rows grid-of")
        .with((thead("").with(head), tbody("").with(all(targets.iter().map(row)))));
    div("scroll").set("tabindex", "0").set("role", "group").set("aria-label", "Targets").with(table)
}

fn has(it: bool) -> Element {
    match it {
        true => td("has")
            .with((span("yes").set("aria-hidden", "true").with("●"), span("unseen").with("yes"))),
        false => td("has")
            .with((span("no").set("aria-hidden", "true").with("·"), span("unseen").with("no"))),
    }
}

fn counters(counters: Counters) -> &'static str {
    match counters {
        Counters::None => "",
        Counters::Waitcnt => "s_waitcnt",
        Counters::WaitcntVscnt => "s_waitcnt, vscnt",
        Counters::Split => "s_wait_*cnt",
        Counters::SplitAsync => "s_wait_*cnt, asynccnt",
        Counters::All => "all",
    }
}

fn caches(caches: Caches) -> &'static str {
    match caches {
        Caches::None => "",
        Caches::Wbinvl1 => "buffer_wbinvl1",
        Caches::Wbinvl1Vol => "buffer_wbinvl1_vol",
        Caches::Wbinvl1VolL2 => "buffer_wbinvl1_vol, _wbl2, _invl2",
        Caches::ScopeBits => "buffer_wbl2, _inv with sc0, sc1",
        Caches::GlInv => "buffer_gl0_inv, _gl1_inv",
        Caches::GlobalInv | Caches::GlobalInvCluster => "global_wb, global_inv",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(words: &str) -> String {
        page(&Address::of(&format!("tools/targets?{words}"))).text()
    }

    #[test]
    fn targets_are_filtered_by_features() {
        assert!(TARGETS.iter().all(|target| shown("").contains(target.name)));
        let named = shown("has=named");
        assert!(named.contains("gfx1250") && !named.contains("gfx1200"), "{named}");
        let both = shown("has=mbarrier,tx");
        assert!(both.contains("sm_90") && !both.contains("sm_80"), "{both}");
        assert!(shown("has=bar,named").contains("No matching"));
        assert!(shown("q=gfx9").contains("gfx942") && !shown("q=gfx9").contains("gfx1250"));
    }
}
