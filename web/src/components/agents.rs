//! Every agent as it stands, and why it waits.

use super::icon::icon;
use super::lanes::LANES;
use super::memory::{flights, pairs};
use super::prose::prose;
use crate::dom::*;
use crate::engine::AgentView;
use crate::state::State;
use leptos::prelude::*;

/// The agents.
pub(super) fn agents() -> El {
    let state = State::expect();
    let agents = Memo::new(move |_| state.track.with(|track| track.agents().to_vec()));
    let rest = Memo::new(move |_| agents.with(|agents| agents.len().saturating_sub(LANES)));
    let name = Memo::new(move |_| agents.with(|agents| called(agents)));
    let items = keyed(move || {
        agents.get().into_iter().take(LANES).map(|agent| Entry::of(agent, item)).collect()
    });
    section("panel agents").attr("aria-labelledby", "agents-name").with((
        h2("panel__name").attr("id", "agents-name").with(move || name.get()),
        div("panel__body")
            .attr("tabindex", "0")
            .attr("role", "group")
            .attr("aria-labelledby", "agents-name")
            .with((
                ul("agents__list").with(items),
                move || {
                    let rest = rest.get();
                    (rest > 0).then(|| p("quiet").with(format!("and {rest} more")))
                },
                move || flights(state),
                move || pairs(state),
            )),
    ))
}

/// What the agents are, in the words of the scenario.
fn called(agents: &[AgentView]) -> &'static str {
    let name = agents.first().map_or("wave", |agent| agent.name.as_str());
    match name {
        name if name.contains("item") => "Work-items",
        name if name.contains("warp") => "Warps",
        name if name.contains("thread") => "Threads",
        _ => "Waves",
    }
}

fn item(agent: AgentView) -> El {
    let glyph = match agent.status.as_str() {
        "blocked" => "deadlock",
        "ended" | "stopped" => "end",
        _ => "forward",
    };
    let next = agent.moves.first().map(|step| step.label.as_str());
    let joint = if agent.status == "stopped" { " before " } else { " · " };
    let reason = agent.moves.iter().find_map(|step| step.blocked.as_deref());
    let reason = reason.filter(|_| agent.status == "blocked");
    li("agent").attr("data-status", &agent.status).with((
        span("agent__icon").with(icon(glyph)),
        p("agent__line").with((
            b("").with(agent.name),
            " ",
            span("agent__status").with(&*agent.status),
            next.map(|next| (joint, code("").with(next))),
            agent.joined.map(|joined| span("quiet").with((" · joined ", joined))),
        )),
        reason.map(|reason| p("agent__why").with(prose(reason))),
    ))
}
