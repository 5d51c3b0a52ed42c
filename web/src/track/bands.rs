//! Phases as bands, and where their names stand.

/// One phase of one object, over the rows from its first operation to its last.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Band {
    /// Index of the object.
    pub object: usize,
    /// Name of the object.
    pub name: String,
    /// The phase, from 1.
    pub phase: u32,
    /// First row.
    pub from: usize,
    /// Last row.
    pub to: usize,
    /// Whether the phase is complete.
    pub complete: bool,
    /// The place of its name among those of bands beside it, from 0.
    pub place: usize,
}

/// Gives bands that lie beside each other places of their own, those that end first the first that are free: names that
/// stick to the top of what is in sight are pushed away by the ends of their bands, one after the other.
pub(super) fn part(bands: &mut [Band]) {
    let mut last: Vec<usize> = Vec::new();
    let mut order: Vec<usize> = (0..bands.len()).collect();
    order.sort_by_key(|&at| (!bands[at].complete, bands[at].to));
    for at in order {
        let band = &mut bands[at];
        let free = last.iter().position(|&to| to < band.from);
        band.place = free.unwrap_or(last.len());
        last.resize(last.len().max(band.place + 1), 0);
        last[band.place] = band.to;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_bands_beside_each_other_have_places_of_their_own() {
        let name = String::new();
        let band = Band { object: 0, name, phase: 1, from: 0, to: 0, complete: true, place: 0 };
        let band = |(from, to)| Band { from, to, ..band.clone() };
        let mut bands = [(0, 6), (1, 2), (2, 4), (3, 5), (7, 8)].map(band);
        part(&mut bands);
        assert_eq!(bands.map(|it| it.place), [2, 0, 1, 0, 0]);
    }
}
