//! The state of every agent, and why it waits.

use super::icon::Icon;
use super::keyed::{Each, key_of};
use super::grid::LANES;
use super::prose::Prose;
use super::tabs::TabPanel;
use crate::engine::AgentView;
use crate::state::State;
use leptos::prelude::*;

/// The panel.
pub(crate) const PANEL: TabPanel = TabPanel {
    word: "agents",
    name: "Agents",
    view: || view! { <Agents/> }.into_any(),
};

/// The agents.
#[component]
fn Agents() -> impl IntoView {
    let state = State::expect();
    let agents = Memo::new(move |_| state.beside(|trace| trace.agents().to_vec()));
    let rows = Memo::new(move |_| agents.with(|agents| rows(agents)));
    let rest = Memo::new(move |_| rows.with(|rows| rows.len().saturating_sub(LANES)));
    view! {
        <div class="agents">
            <ul class="agents__list">
                <Each each=move || rows.get().into_iter().take(LANES) key=key_of let(agent)>
                    <Agent agent/>
                </Each>
            </ul>
            {move || (rest.get() > 0).then(|| view! { <p class="quiet">{format!("and {} more", rest.get())}</p> }.into_any())}
        </div>
    }
}

/// Largest number of agents that each have their own row.
const FEW: usize = 8;

/// Returns the rows of the list. If there are many agents, neighbours in the same state share a row.
fn rows(agents: &[AgentView]) -> Vec<AgentView> {
    let stands = |agent: &AgentView| {
        let next = agent.moves.first().map(|step| step.label.clone());
        let cut = agent.name.rfind(' ').unwrap_or(0);
        (agent.name[..cut].to_owned(), agent.status.clone(), next, agent.joined.clone())
    };
    let mut rows: Vec<AgentView> = Vec::new();
    let mut last = None;
    for agent in agents {
        let own = Some(stands(agent));
        match rows.last_mut().filter(|_| agents.len() > FEW && own == last) {
            Some(row) => row.name = until(&row.name, &agent.name),
            None => rows.push(agent.clone()),
        }
        last = own;
    }
    rows
}

/// Names a range of agents: `wave 0–3`.
fn until(first: &str, last: &str) -> String {
    let first = first.split('–').next().unwrap_or(first);
    let number = last.rsplit(' ').next().unwrap_or_default();
    format!("{first}–{number}")
}

#[component]
fn Agent(agent: AgentView) -> impl IntoView {
    let glyph = match agent.status.as_str() {
        "blocked" => "deadlock",
        "ended" | "stopped" => "end",
        _ => "forward",
    };
    let joint = if agent.status == "stopped" { " before " } else { " · " };
    let next = agent.moves.first().map(|step| step.label.clone());
    let reason = agent.moves.iter().find_map(|step| step.blocked.clone());
    let reason = reason.filter(|_| agent.status == "blocked");
    view! {
        <li class="agent" data-status=agent.status>
            <span class="agent__icon"><Icon name=glyph/></span>
            <p class="agent__line">
                <b>{agent.name}</b>
                " "
                <span class="agent__status">{agent.status.clone()}</span>
                {next.map(|next| view! { {joint} <code>{next}</code> }.into_any())}
                {agent.joined.map(|joined| view! { <span class="quiet">" · joined " {joined}</span> }.into_any())}
            </p>
            {reason.map(|reason| view! { <p class="agent__why"><Prose text=reason/></p> }.into_any())}
        </li>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agent(name: &str, status: &str) -> AgentView {
        AgentView {
            name: name.into(),
            status: status.into(),
            joined: None,
            sub_group: None,
            moves: Vec::new(),
        }
    }

    #[test]
    fn many_agents_in_the_same_state_share_a_row() {
        let of = |count: usize, blocked: usize| -> Vec<AgentView> {
            (0..count)
                .map(|at| {
                    agent(&format!("wave {at}"), if at == blocked { "blocked" } else { "ready" })
                })
                .collect()
        };
        let names = |agents: &[AgentView]| -> Vec<String> {
            rows(agents).into_iter().map(|row| row.name).collect()
        };
        assert_eq!(names(&of(3, 9)), ["wave 0", "wave 1", "wave 2"]);
        assert_eq!(names(&of(32, 4)), ["wave 0–3", "wave 4", "wave 5–31"]);
        let two = [agent("subgroup 0 item 0", "ready"), agent("subgroup 1 item 0", "ready")];
        let many: Vec<AgentView> = two.iter().cycle().take(10).cloned().collect();
        assert_eq!(names(&many).len(), 10, "of different sub-groups");
    }
}
