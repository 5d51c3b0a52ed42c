//! The lanes: the agents of a workgroup or of a sub-group form a band, which can be folded into one lane.

/// Number of agents from which bands are folded by default.
const MANY: usize = 24;

/// A band of lanes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Band {
    /// The common part of its agents' names.
    pub name: String,
    /// Its first agent.
    pub first: usize,
    /// Number of its agents.
    pub agents: usize,
    /// Its first column.
    pub column: usize,
    /// Whether it is folded into that column.
    pub folded: bool,
}

/// The columns of the lanes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lanes {
    /// The column of each agent, and whether its band is folded.
    pub of: Vec<(usize, bool)>,
    /// The bands; empty if nothing can be folded.
    pub bands: Vec<Band>,
    /// Number of columns.
    pub count: usize,
}

/// Returns the common part of the names of agents of one workgroup or sub-group: all but the last two words.
fn band_of(name: &str) -> &str {
    let words = name.rmatch_indices(' ').nth(1);
    words.map_or("", |(at, _)| &name[..at])
}

/// Returns the part of a name that distinguishes an agent within its band.
pub(crate) fn short(name: &str) -> &str {
    name.strip_prefix(band_of(name)).unwrap_or(name).trim_start()
}

/// Computes the lanes. `turned` names the bands that the reader folded or unfolded.
pub(crate) fn lay<'a>(names: impl ExactSizeIterator<Item = &'a str>, turned: &[String]) -> Lanes {
    let many = names.len() > MANY;
    let mut lanes = Lanes::default();
    for (agent, name) in names.map(band_of).enumerate() {
        match lanes.bands.last_mut().filter(|band| band.name == name) {
            Some(band) => band.agents += 1,
            None => {
                let band = Band {
                    name: name.to_owned(),
                    first: agent,
                    agents: 1,
                    column: 0,
                    folded: false,
                };
                lanes.bands.push(band);
            }
        }
    }
    for band in &mut lanes.bands {
        let named = !band.name.is_empty() && band.agents > 1;
        band.folded = named && many != turned.contains(&band.name);
        band.column = lanes.count;
        lanes.count += if band.folded { 1 } else { band.agents };
        let place =
            |at: usize| (if band.folded { band.column } else { band.column + at }, band.folded);
        lanes.of.extend((0..band.agents).map(place));
    }
    let few = lanes.bands.len() < 2 || lanes.bands.len() == lanes.of.len();
    // Many agents can be folded and unfolded also if they form one band.
    if few && !many {
        lanes.bands.clear();
    }
    lanes.bands.retain(|band| !band.name.is_empty() && band.agents > 1);
    lanes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn laid(names: &[&str], turned: &[&str]) -> Lanes {
        lay(names.iter().copied(), &turned.iter().map(|&name| name.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn waves_of_one_workgroup_are_lanes() {
        let lanes = laid(&["wave 0", "wave 1"], &[]);
        assert_eq!((lanes.count, lanes.bands.len()), (2, 0));
        assert_eq!(lanes.of, [(0, false), (1, false)]);
    }

    #[test]
    fn bands_fold_into_one_lane() {
        let names =
            ["subgroup 0 item 0", "subgroup 0 item 1", "subgroup 1 item 0", "subgroup 1 item 1"];
        let open = laid(&names, &[]);
        assert_eq!((open.count, open.bands.len(), open.bands[1].column), (4, 2, 2));
        let folded = laid(&names, &["subgroup 0"]);
        assert_eq!(folded.of, [(0, true), (0, true), (1, false), (2, false)]);
        assert_eq!(folded.count, 3);
        assert_eq!(short(names[1]), "item 1");
    }

    #[test]
    fn many_lanes_begin_folded() {
        let names: Vec<String> =
            (0..64).map(|at| format!("subgroup {} item {}", at / 16, at % 16)).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        assert_eq!(laid(&names, &[]).count, 4);
        assert_eq!(laid(&names, &["subgroup 0", "subgroup 3"]).count, 34);
    }

    #[test]
    fn many_lanes_of_one_band_fold_and_unfold() {
        let names: Vec<String> = (0..64).map(|at| format!("group 0 item {at}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let folded = laid(&names, &[]);
        assert_eq!((folded.count, folded.bands.len()), (1, 1));
        let open = laid(&names, &["group 0"]);
        assert_eq!((open.count, open.bands.len()), (64, 1));
    }

    #[test]
    fn an_agent_of_its_own_band_is_not_folded() {
        let names: Vec<String> = (0..32).map(|at| format!("group {at} wave 0")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let lanes = laid(&names, &[]);
        assert_eq!((lanes.count, lanes.bands.len()), (32, 0));
        assert!(lanes.of.iter().all(|(_, folded)| !folded));
    }
}
