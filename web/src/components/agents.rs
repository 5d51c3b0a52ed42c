//! Every agent as it stands, and why it waits.

use super::icon::Icon;
use super::lanes::LANES;
use super::prose::prose;
use crate::engine::AgentView;
use crate::state::State;
use leptos::prelude::*;

/// The agents.
#[component]
pub(crate) fn Agents() -> impl IntoView {
    let state = State::expect();
    let agents = Memo::new(move |_| state.track.with(|track| track.agents().to_vec()));
    let rest = move || agents.with(|agents| agents.len().saturating_sub(LANES));
    any! {
        <section class="panel agents" aria-labelledby="agents-name">
            <h2 class="panel__name" id="agents-name">"Waves"</h2>
            <div class="panel__body">
                <ul class="agents__list">{move || agents.get().into_iter().take(LANES).map(item).collect_view()}</ul>
                {move || (rest() > 0).then(|| any! { <p class="quiet">{format!("and {} more", rest())}</p> })}
            </div>
        </section>
    }
}

fn item(agent: AgentView) -> impl IntoView {
    let icon = match agent.status.as_str() {
        "blocked" => "deadlock",
        "ended" | "stopped" => "end",
        _ => "forward",
    };
    let next = agent.moves.first().map(|step| step.label.clone());
    let joint = if agent.status == "stopped" { " before " } else { " · " };
    let reason = agent
        .moves
        .iter()
        .find_map(|step| step.blocked.clone())
        .filter(|_| agent.status == "blocked");
    any! {
        <li class="agent" data-status=agent.status.clone()>
            <span class="agent__icon"><Icon name=icon /></span>
            <p class="agent__line">
                <b>{agent.name}</b>
                " "
                <span class="agent__status">{agent.status.clone()}</span>
                {next.map(|next| any! { {joint}<code>{next}</code> })}
                {agent.joined.map(|joined| any! { <span class="quiet">" · joined "{joined}</span> })}
            </p>
            {reason.map(|reason| any! { <p class="agent__why">{prose(&reason)}</p> })}
        </li>
    }
}
