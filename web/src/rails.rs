//! Barriers as narrow rails beside the lanes, when there are too many of them for bands across the lanes. An array of barriers
//! is one rail until the reader unfolds it.

/// Largest number of barriers whose phases are bands across the lanes.
const FEW: usize = 4;
/// Largest number of barriers that each have a rail from the start.
const EACH: usize = 8;

/// One rail.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Rail {
    /// The name of its barrier, or of its array with `[*]`.
    pub name: String,
    /// The name of the array, if its barriers belong to one.
    pub array: Option<String>,
    /// Whether it is a whole array.
    pub folded: bool,
}

/// The rails from left to right.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rails {
    /// The rails.
    pub all: Vec<Rail>,
    /// The rail of each barrier.
    pub of: Vec<usize>,
}

/// Lays out the rails of some barriers; none if there are few. `turned` contains the arrays that the reader folded or unfolded.
pub(crate) fn lay<'a>(names: impl ExactSizeIterator<Item = &'a str>, turned: &[String]) -> Rails {
    let (count, mut rails) = (names.len(), Rails::default());
    if count <= FEW {
        return rails;
    }
    for name in names {
        let array = name.split_once('[').map(|(array, _)| array.to_owned());
        let folded = array.as_ref().is_some_and(|array| (count > EACH) != turned.contains(array));
        let shared = rails.all.iter().position(|rail| folded && rail.array == array);
        rails.of.push(shared.unwrap_or(rails.all.len()));
        if shared.is_none() {
            let name = match (&array, folded) {
                (Some(array), true) => format!("{array}[*]"),
                // The offset of a barrier without a name of its own.
                _ => name[name.find('+').filter(|_| name.len() > 12).unwrap_or(0)..].to_owned(),
            };
            rails.all.push(Rail { name, array, folded });
        }
    }
    rails
}

#[cfg(test)]
mod tests {
    use super::*;

    fn laid(names: &[&str], turned: &[&str]) -> (Vec<String>, Vec<usize>) {
        let turned: Vec<String> = turned.iter().map(|&name| name.to_owned()).collect();
        let rails = lay(names.iter().copied(), &turned);
        (rails.all.into_iter().map(|rail| rail.name).collect(), rails.of)
    }

    #[test]
    fn few_barriers_have_no_rails() {
        assert_eq!(laid(&["a", "b", "c[0]", "c[1]"], &[]), (vec![], vec![]));
    }

    #[test]
    fn some_barriers_have_a_rail_each_and_an_array_can_be_folded() {
        let names = ["a", "b", "c", "d[0]", "d[1]"];
        assert_eq!(laid(&names, &[]).1, [0, 1, 2, 3, 4]);
        let (folded, of) = laid(&names, &["d"]);
        assert_eq!((folded.last().map(String::as_str), of), (Some("d[*]"), vec![0, 1, 2, 3, 3]));
    }

    #[test]
    fn an_array_of_many_barriers_is_one_rail_until_it_is_unfolded() {
        let names: Vec<String> = (0..8).map(|at| format!("full[{at}]")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).chain(["bar 1"]).collect();
        assert_eq!(
            laid(&names, &[]),
            (vec!["full[*]".into(), "bar 1".into()], vec![0, 0, 0, 0, 0, 0, 0, 0, 1])
        );
        assert_eq!(laid(&names, &["full"]).0.len(), 9);
    }
}
