//! Descriptions of pictures in words: for readers who can't see them, and where they are not
//! loaded.

use super::{
    MapPicture, MapSection, MapStack,
    hexes::{self, HexSection},
    parts,
};

/// As many letters as are read out at one go.
const MOST: usize = 300;
/// The sign that replaces the rest.
const MORE: &str = " ...";

/// The stacks on a picture, with the strength that is known, in the order of the map, as far as
/// there is room: "Ford: Red 3, Blue 5; Mill: Red ?". `signs`: the signs after a place, and between
/// places. `before`: the number of letters that are read out before it.
#[must_use]
pub fn described(
    map: &MapSection,
    picture: &MapPicture,
    signs: [&str; 2],
    before: usize,
) -> String {
    let most = MOST.saturating_sub(before + MORE.len());
    let stacks = match &map.hexes {
        Some(hexes) => in_hexes(map, hexes, picture),
        None => parts::stacks_of(map, picture.sheet.filter(|_| map.atlas.is_none())),
    };
    let (mut said, mut last) = (String::new(), String::new());
    let mut length = 0;
    for (stack, place) in stacks {
        let Some(side) = map.sides.get(stack.side) else {
            continue;
        };
        let known = super::groups::strength(stack);
        let strength = match known {
            // On the page of an atlas each piece is worth as much as another.
            _ if map.atlas.is_some() => String::new(),
            _ if stack.units.is_empty() && stack.hidden == 0 && !stack.more => String::new(),
            Some(sum) => format!(" {sum}"),
            None => " ?".to_owned(),
        };
        let turn = stack
            .seen_in()
            .map_or_else(String::new, |turn| format!(" ({turn})"));
        let one = format!("{}{strength}{turn}", side.name);
        let begins = if last == place {
            format!(", {one}")
        } else if said.is_empty() {
            format!("{place}{}{one}", signs[0])
        } else {
            format!("{}{place}{}{one}", signs[1], signs[0])
        };
        length += begins.chars().count();
        if length > most {
            said.push_str(MORE);
            break;
        }
        said.push_str(&begins);
        last = place;
    }
    said
}

/// The stacks on a sheet of hexes, or on all of them, with the names of their hexes.
fn in_hexes<'m>(
    map: &'m MapSection,
    section: &'m HexSection,
    picture: &MapPicture,
) -> Vec<(&'m MapStack, String)> {
    let window = picture.window.as_ref();
    let stacks = map.stacks.iter().chain(&map.ghosts);
    let placed = stacks.filter_map(|stack| {
        let at = section.spots.get(stack.space)?;
        if window.is_some_and(|window| !hexes::shows(window, *at)) {
            return None;
        }
        let mut places = section.places.iter();
        let place = places.find(|place| place.at == *at).map(|it| &it.name);
        let mut labels = section.labels.iter();
        let label = labels.find(|(label, _)| label == at).map(|(_, it)| it);
        Some((stack, place.or(label)?.clone()))
    });
    placed.collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may panic")]
    use super::{
        super::{Counter, MapSide, MapSpace, pictures},
        *,
    };

    fn map(strengths: &[i64]) -> MapSection {
        let unit = |strength: i64| Counter {
            name: "Ada".to_owned(),
            symbol: "infantry".to_owned(),
            strength: Some(strength),
            hits: 0,
            signs: Vec::new(),
            ..Counter::default()
        };
        let stacks = strengths
            .iter()
            .enumerate()
            .map(|(space, strength)| MapStack {
                space,
                units: vec![unit(*strength)],
                ..MapStack::default()
            });
        let spaces = strengths.iter().enumerate().map(|(number, _)| MapSpace {
            name: format!("Ford {number}"),
            ..MapSpace::default()
        });
        MapSection {
            width: 400,
            height: 400,
            sides: vec![MapSide {
                name: "Red".to_owned(),
                ..MapSide::default()
            }],
            spaces: spaces.collect(),
            stacks: stacks.collect(),
            ..MapSection::default()
        }
    }

    #[test]
    fn a_picture_is_told_in_words() {
        let mut map = map(&[3, 5]);
        map.stacks[1].hidden = 2;
        map.ghosts = vec![MapStack {
            space: 1,
            turn: Some(4),
            ..MapStack::default()
        }];
        let whole = pictures(&map, 0).pop().unwrap();
        assert_eq!(
            described(&map, &whole, [": ", "; "], 0),
            "Ford 0: Red 3; Ford 1: Red ?, Red (T4)"
        );
    }

    #[test]
    fn it_is_never_longer_than_one_reads_out() {
        let map = map(&[7; 90]);
        let whole = pictures(&map, 0).pop().unwrap();
        for before in [0, 100] {
            let said = described(&map, &whole, [": ", "; "], before);
            let length = before + said.chars().count();
            assert!((MOST - 20..=MOST).contains(&length), "{said}");
            assert!(said.ends_with(MORE), "{said}");
        }
    }
}
