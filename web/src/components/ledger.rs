//! Who arrives at and waits for each barrier.

use super::made::Made;
use super::tabs::TabPanel;
use leptos::prelude::*;

/// The panel.
pub(crate) const PANEL: TabPanel = TabPanel {
    word: "ledger",
    name: "Ledger",
    view: || view! { <Made what=protocol::Panel::Ledger open=true/> }.into_any(),
};
