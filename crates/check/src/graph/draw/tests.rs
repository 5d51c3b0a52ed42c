use super::layout::layout;
use super::*;
use crate::check::graph;
use crate::graph::Pick;
use crate::scene::{Options, Scene};
use alloc::string::ToString;

fn shown(text: &str) -> ExecutionGraph {
    graph(&Scene::new("test.tide", text), &Options::default(), Pick::default(), &mut |_| true)
        .expect("there is a graph")
}

const ROUNDS: &str = "target gfx1250\nlaunch waves=3\nbarrier n = named(1)\nwave * {\n  if wave_id == 0 { init n, 3 }\n  arrive wg; wait wg\n  join n\n  repeat 3 { arrive n; wait n }\n}\n";
const CROSSED: &str = "target gfx1250\nlaunch waves=2\nwave 0 { arrive wg; wait wg; wait wg }\nwave 1 { arrive wg; wait wg }\n";
const NOTHING: &str = "target gfx1250\nlaunch waves=2\nwave * { }\n";
const ALL: [&str; 3] = [ROUNDS, CROSSED, NOTHING];

#[test]
fn nodes_do_not_overlap_and_time_runs_downwards() {
    for text in ALL {
        let graph = shown(text);
        let layout = layout(&graph);
        let mut taken = OrderedSet::new();
        for &(row, column) in &layout.places {
            assert!(row < layout.rows && taken.insert((row, column)), "{text}");
        }
        for (bar, row, [first, last]) in &layout.bars {
            for column in *first..=*last {
                assert!(taken.insert((*row, column)), "{text}");
            }
            assert!(bar.parts.iter().all(|&part| layout.places[part].0 < *row));
            assert!(bar.waits.iter().all(|&wait| layout.places[wait].0 > *row));
        }
        for (from, to, _) in graph.drawn(&[RelationId::ProgramOrder]) {
            assert!(layout.places[from].0 < layout.places[to].0);
            assert_eq!(layout.places[from].1, layout.places[to].1);
        }
    }
}

#[test]
fn phases_carry_every_edge_of_taking_part() {
    for text in ALL {
        let graph = shown(text);
        let by_bars: usize =
            phases(&graph).iter().map(|bar| bar.parts.len() * bar.waits.len()).sum();
        let edges = graph.graph.raw_edges().iter();
        let edges = edges.filter(|edge| edge.weight.relation == RelationId::ParticipatesIn);
        assert_eq!(by_bars, edges.count(), "{text}");
    }
    let bars = phases(&shown(ROUNDS));
    let sizes: Vec<_> = bars.iter().map(|bar| (bar.parts.len(), bar.waits.len())).collect();
    assert_eq!(sizes, [(3, 3); 4]);
}

/// The names that a DOT or Mermaid text declares, and the pairs that it links.
fn read(text: &str) -> (OrderedSet<String>, Vec<(String, String)>) {
    let is_name = |word: &str| {
        let mut characters = word.chars();
        matches!(characters.next(), Some('o' | 'p'))
            && word.len() > 1
            && characters.all(|character| character.is_ascii_digit() || character == '_')
    };
    let (mut names, mut pairs) = (OrderedSet::new(), Vec::new());
    for line in text.lines().map(str::trim) {
        let words: Vec<&str> = line.split([' ', '(', '[', ';']).collect();
        let first = words.first().copied().unwrap_or_default();
        if !is_name(first) {
            continue;
        }
        let other = words.iter().skip(1).find(|word| is_name(word));
        let links = line.contains(" -> ") || line.contains("-->") || line.contains("==>");
        match other.filter(|_| links || line.contains("-.")) {
            Some(other) => pairs.push((first.to_string(), other.to_string())),
            None => {
                let _ = names.insert(first.to_string());
            }
        }
    }
    (names, pairs)
}

#[test]
fn edges_link_declared_nodes() {
    for text in ALL {
        let graph = shown(text);
        let bars = phases(&graph);
        let ends: usize = bars.iter().map(|bar| bar.parts.len() + bar.waits.len()).sum();
        let drawn = graph.drawn(&as_edges(&RelationId::ALL)).count();
        for drawing in [dot, mermaid] {
            let written = drawing(&graph, "title", &RelationId::ALL);
            let (names, pairs) = read(&written);
            assert_eq!(names.len(), graph.graph.node_count() + bars.len(), "{written}");
            assert_eq!(pairs.len(), drawn + ends, "{written}");
            assert!(pairs.iter().all(|(a, b)| names.contains(a) && names.contains(b)), "{written}");
        }
    }
}

#[test]
fn dot_braces_are_balanced() {
    let written = dot(&shown(ROUNDS), "a \"title\" with \\ and\nlines", &RelationId::ALL);
    let mut quoted = false;
    let mut depth = 0;
    let mut characters = written.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' if quoted => drop(characters.next()),
            '"' => quoted = !quoted,
            '{' | '[' if !quoted => depth += 1,
            '}' | ']' if !quoted => depth -= 1,
            '\n' => assert!(!quoted, "a quoted text ends on its line"),
            _ => {}
        }
        assert!(depth >= 0);
    }
    assert!(!quoted && depth == 0);
}

/// The names of elements that are open after a text of XML; panics where one closes another.
fn open_elements(text: &str) -> Vec<&str> {
    let mut open = Vec::new();
    for tag in text.split('<').skip(1) {
        let (inside, _) = tag.split_once('>').expect("every tag ends");
        if let Some(name) = inside.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !inside.ends_with('/') {
            open.push(inside.split_whitespace().next().expect("an element has a name"));
        }
    }
    open
}

#[test]
fn bars_show_the_number_of_participants() {
    let titles = |body: &str| {
        let graph = shown(&format!("target gfx1250\nlaunch waves=2\n{body}"));
        svg(&graph, "Meet", &RelationId::ALL)
    };
    let two = titles("wave * { arrive wg; wait wg }");
    assert!(two.contains("participates-in: 2 operations participate in 2 waits on wg"), "{two}");
    let one = titles("barrier b = named(1)\nwave 0 { init b, 1; join b; arrive b; wait b }");
    assert!(one.contains("participates-in: 1 operation participates in 1 wait on b"), "{one}");
}

#[test]
fn drawings_are_complete_and_standalone() {
    for text in ALL {
        let graph = shown(text);
        let picture = svg(&graph, "<script>alert('&\"\u{1}\u{ffff}')</script>", &RelationId::ALL);
        assert_eq!(open_elements(&picture), [""; 0]);
        assert!(!picture.contains("<script") && !picture.contains('\u{1}'));
        assert!(!picture.contains('\u{ffff}'));
        let addresses = picture.matches("http").count();
        assert_eq!(addresses, 1, "only the namespace of the format");
        assert!(picture.contains("prefers-color-scheme:dark") && !picture.contains("@font-face"));
        let titles = picture.matches("<title").count();
        let edges = graph.drawn(&as_edges(&RelationId::ALL)).count();
        assert_eq!(titles, 1 + graph.graph.node_count() + phases(&graph).len() + edges);
    }
}
