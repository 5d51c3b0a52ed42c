//! Columns of text.

use crate::output::{BOLD, DIM, styled};

/// A cell, and whether it is emphasised.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cell {
    pub(crate) text: String,
    pub(crate) strong: bool,
}

impl Cell {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), strong: false }
    }
}

/// Rows below a head. Each column is as wide as its widest cell, two spaces apart; the last column is not padded.
pub(crate) fn render(head: &[&str], rows: &[Vec<Cell>]) -> String {
    let widths: Vec<usize> = (0..head.len())
        .map(|column| {
            let cells =
                rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.text.chars().count());
            cells.chain([head[column].chars().count()]).max().unwrap_or(0)
        })
        .collect();
    let mut out =
        line(&head.iter().map(|text| Cell::new(*text)).collect::<Vec<_>>(), &widths, true);
    for row in rows {
        out.push_str(&line(row, &widths, false));
    }
    out
}

fn line(cells: &[Cell], widths: &[usize], dim: bool) -> String {
    let filled = cells.iter().rposition(|cell| !cell.text.is_empty()).map_or(0, |last| last + 1);
    let mut out = String::new();
    let mut gap = 0;
    for (cell, width) in cells[..filled].iter().zip(widths) {
        out.push_str(&" ".repeat(gap));
        out.push_str(&match (dim, cell.strong) {
            (true, _) => styled(DIM, &cell.text),
            (false, true) => styled(BOLD, &cell.text),
            (false, false) => cell.text.clone(),
        });
        gap = width - cell.text.chars().count() + 2;
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let rows = [["1", "é"], ["22", "long"], ["3", ""]].map(|row| row.map(Cell::new).to_vec());
        let plain = anstream::adapter::strip_str(&render(&["#", "word"], &rows)).to_string();
        assert_eq!(plain, "#   word\n1   é\n22  long\n3\n");
    }
}
