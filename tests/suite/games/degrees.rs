//! The number of roads at every space, against a list that was counted from the sources of the map
//! by other means.
use estafette::game::{EmbeddedFiles, Files, Map, MapIndex};

#[test]
fn every_space_has_the_roads_that_were_counted() {
    let text = EmbeddedFiles.read("games/castiglione/map.yaml").unwrap();
    let map: Map = serde_yaml::from_slice(&text).unwrap();
    let index = MapIndex::new(map);
    let have: Vec<_> = index
        .map()
        .spaces
        .iter()
        .enumerate()
        .map(|(number, space)| format!("{} {}", space.id, index.neighbours(number).len()))
        .collect();
    let counted: Vec<_> = include_str!("../../data/castiglione-degrees.txt")
        .lines()
        .collect();
    assert_eq!(have, counted);
    assert_eq!(have.len(), 63);
}
