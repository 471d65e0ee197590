//! Lines of sight against a second implementation, which asks of every hex of the map whether the
//! line goes through its six corners' polygon, and puts the clauses of a rulebook side by side.

use super::*;

/// A fraction with a denominator above 0.
#[derive(Clone, Copy, Debug)]
struct Fraction(i128, i128);

impl Fraction {
    fn new(over: i128, under: i128) -> Self {
        Self(over * under.signum(), under.abs())
    }

    fn mid(self, other: Self) -> Self {
        Self(self.0 * other.1 + other.0 * self.1, 2 * self.1 * other.1)
    }

    fn order(self, other: Self) -> std::cmp::Ordering {
        (self.0 * other.1).cmp(&(other.0 * self.1))
    }
}

type Point = [i128; 2];

/// The centre of a hex on a sheet where the lines are 3 apart, and half hexes 1.
fn centre(grid: &Grid, number: usize) -> Point {
    let spot = grid.spot(number);
    [3 * i128::from(spot.line), i128::from(spot.half)]
}

const CORNERS: [Point; 6] = [[2, 0], [1, 1], [-1, 1], [-2, 0], [-1, -1], [1, -1]];

fn turn(a: Point, b: Point, c: Point) -> i128 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// The part of the segment that lies in a hex or on its border, if it has a length.
fn part(grid: &Grid, a: usize, b: usize, hex: usize) -> Option<(Fraction, Fraction)> {
    let (from, to, middle) = (centre(grid, a), centre(grid, b), centre(grid, hex));
    let corners = CORNERS.map(|it| [middle[0] + it[0], middle[1] + it[1]]);
    let edges = || (0..6).map(|at| (corners[at], corners[(at + 1) % 6]));
    // Where the endless line meets the sides' lines, and the ends of the segment.
    let mut cuts: Vec<_> = edges()
        .filter_map(|(p, q)| {
            let (at_from, at_to) = (turn(p, q, from), turn(p, q, to));
            (at_from != at_to).then(|| Fraction::new(at_from, at_from - at_to))
        })
        .filter(|cut| cut.0 > 0 && cut.0 < cut.1)
        .chain([Fraction(0, 1), Fraction(1, 1)])
        .collect();
    cuts.sort_by(|a, b| a.order(*b));
    let inside = |at: Fraction| {
        let point: Point = [0, 1].map(|axis: usize| from[axis] * (at.1 - at.0) + to[axis] * at.0);
        edges().all(|(p, q)| turn(p.map(|it| it * at.1), q.map(|it| it * at.1), point) >= 0)
    };
    let parts = cuts
        .windows(2)
        .filter(|pair| pair[0].order(pair[1]).is_lt());
    let inside: Vec<_> = parts.filter(|pair| inside(pair[0].mid(pair[1]))).collect();
    Some((inside.first()?[0], inside.last()?[1]))
}

/// The hexes between, in ascending order, and the sides that are crossed.
fn slowly(grid: &Grid, a: usize, b: usize) -> (Vec<usize>, BTreeSet<(usize, usize)>) {
    let met: Vec<_> = (0..grid.len())
        .filter_map(|hex| Some((hex, part(grid, a, b, hex)?)))
        .collect();
    let follows =
        |one: &(Fraction, Fraction), next: &(Fraction, Fraction)| one.1.order(next.0).is_eq();
    let mut crossed = BTreeSet::new();
    for (one, before) in &met {
        for (next, after) in &met {
            if grid.distance(*one, *next) == 1 && follows(before, after) {
                crossed.insert((*one, *next));
            }
        }
    }
    let between = met.iter().map(|(hex, _)| *hex);
    (
        between.filter(|hex| ![a, b].contains(hex)).collect(),
        crossed,
    )
}

fn small_grid_and_two() -> impl Strategy<Value = (Grid, usize, usize)> {
    (0_usize..8, 1_usize..14, 1_usize..14)
        .prop_map(|(offset, columns, rows)| grid(OFFSETS[offset], columns, rows, "CCRR"))
        .prop_flat_map(|grid| {
            let all = 0..grid.len();
            (Just(grid), all.clone(), all)
        })
}

proptest! {
    #[test]
    fn a_line_is_that_of_the_second_implementation((grid, a, b) in small_grid_and_two()) {
        let line = grid.sight_line(a, b);
        let (between, crossed) = slowly(&grid, a, b);
        let sorted: BTreeSet<_> = line.between.iter().copied().collect();
        prop_assert_eq!(sorted.len(), line.between.len());
        prop_assert_eq!(sorted.into_iter().collect::<Vec<_>>(), between);
        prop_assert_eq!(line.crossed.iter().copied().collect::<BTreeSet<_>>(), crossed);
    }

    #[test]
    fn a_line_is_the_same_there_and_back((grid, a, b) in grid_and_two()) {
        let (there, back) = (grid.sight_line(a, b), grid.sight_line(b, a));
        let set = |line: &SightLine| line.between.iter().copied().collect::<BTreeSet<_>>();
        prop_assert_eq!(set(&there), set(&back));
        let turned: BTreeSet<_> = back.crossed.iter().map(|(a, b)| (*b, *a)).collect();
        prop_assert_eq!(there.crossed.iter().copied().collect::<BTreeSet<_>>(), turned);
    }
}

/// A map of hills: woods screen and are raised, vines screen, roofs are raised.
fn hills(offset: usize, cells: &[(u8, u8)], crests: &[(usize, usize, u8)]) -> MapIndex {
    const COLUMNS: usize = 9;
    let rows = cells.len() / COLUMNS;
    let grid = grid(OFFSETS[offset], COLUMNS, rows, "CCRR");
    let named = [
        "even-rows-right",
        "even-rows-left",
        "odd-rows-right",
        "odd-rows-left",
        "even-columns-down",
        "even-columns-up",
        "odd-columns-down",
        "odd-columns-up",
    ];
    let lines = |of: &dyn Fn(&(u8, u8)) -> char| -> Vec<String> {
        let rows = cells.chunks_exact(COLUMNS);
        rows.map(|row| row.iter().map(of).collect()).collect()
    };
    let mut text = format!(
        "grid: {{offset: {}, columns: {COLUMNS}, rows: {rows}, labels: CCRR}}\n\
         terrains: {{c: clear, w: wood, v: vines, r: roofs}}\nsource: stated\n\
         rows: {:?}\nlevels: {:?}\nfeatures: [{{id: crest}}]\nlines:\n",
        named[offset],
        lines(&|cell| ['c', 'w', 'v', 'r'][usize::from(cell.0)]),
        lines(&|cell| char::from(b'0' + cell.1)),
    );
    let mut known = BTreeSet::new();
    for (hex, direction, level) in crests {
        let Some(other) = grid.neighbour(hex % grid.len(), *direction) else {
            continue;
        };
        let hex = hex % grid.len();
        if known.insert((hex.min(other), hex.max(other))) {
            let (a, b) = (grid.label(hex), grid.label(other));
            text.push_str(&format!(
                "  - {{id: {a}{b}, name: Crest, kind: crest, level: {level}, sides: [{a}-{b}], source: stated}}\n"
            ));
        }
    }
    if known.is_empty() {
        text = text.replace("lines:\n", "");
    }
    MapIndex::of_hexes(serde_yaml::from_str(&text).unwrap())
}

const COVERS: [TerrainCover; 4] = [
    TerrainCover {
        raised: 0,
        screens: false,
    },
    TerrainCover {
        raised: 1,
        screens: true,
    },
    TerrainCover {
        raised: 0,
        screens: true,
    },
    TerrainCover {
        raised: 1,
        screens: false,
    },
];

/// Clause by clause: whether a line is blocked.
fn blocked(map: &MapIndex, bodies: &Area, firer: usize, target: usize) -> bool {
    let hexes = map.hexes().unwrap();
    let grid = hexes.grid();
    if grid.distance(firer, target) < 2 {
        return false;
    }
    let (between, crossed) = slowly(grid, firer, target);
    let (at_firer, at_target) = (hexes.level(firer), hexes.level(target));
    // Higher than both: ground with what stands on it, and crests.
    for (a, b) in crossed {
        if hexes
            .crest(a, b)
            .is_some_and(|crest| crest > at_firer && crest > at_target)
        {
            return true;
        }
    }
    for hex in between {
        let cover = COVERS[map.terrain(hex)];
        let ground = hexes.level(hex);
        let top = ground + cover.raised;
        if top > at_firer && top > at_target {
            return true;
        }
        // A screen or a body, and neither end above it.
        if cover.screens && at_firer <= top && at_target <= top {
            return true;
        }
        if bodies.contains(hex) && at_firer <= ground && at_target <= ground {
            return true;
        }
        let (to_firer, to_target) = (grid.distance(hex, firer), grid.distance(hex, target));
        // The firer above both, the target not above the screen: at the middle or nearer it.
        let both_above = at_firer > top && at_target > top;
        if cover.screens && !both_above {
            if at_firer > at_target && at_firer > top && to_target <= to_firer {
                return true;
            }
            if at_target > at_firer && at_target > top && to_firer <= to_target {
                return true;
            }
        }
    }
    false
}

proptest! {
    #[test]
    fn sight_is_that_of_the_clauses(
        offset in 0_usize..8,
        cells in (2_usize..8).prop_flat_map(|rows| {
            proptest::collection::vec((0_u8..4, 0_u8..4), rows * 9)
        }),
        crests in proptest::collection::vec((0_usize..63, 0_usize..6, 1_u8..5), 0..12),
        standing in proptest::collection::btree_set(0_usize..63, 0..8),
        from in 0_usize..63,
    ) {
        let map = hills(offset, &cells, &crests);
        let from = from % map.len();
        let bodies: Area = standing.into_iter().collect();
        let sight = Sight::new(&map, COVERS.to_vec(), bodies.clone()).unwrap();
        for to in 0..map.len() {
            let expected = !blocked(&map, &bodies, from, to);
            prop_assert_eq!(sight.is_clear(from, to), expected, "{} to {}", from, to);
            prop_assert_eq!(sight.is_clear(to, from), expected, "{} from {}", from, to);
        }
    }
}

/// A battlefield of 58 by 48 hexes looked over from 300 hexes as far as 8 steps: some 65,000 pairs.
#[test]
fn a_field_of_sight_is_looked_over_at_once() {
    let grid = grid(Offset::EvenColumnsUp, 58, 48, "CCRR");
    let mut pairs = 0;
    let mut met = 0;
    for from in (0..grid.len()).step_by(grid.len() / 300) {
        for to in grid.within(from, 8) {
            pairs += 1;
            met += grid.sight_line(from, to).between.len();
        }
    }
    assert!(pairs > 55_000, "{pairs}");
    // No line of 8 steps goes through more than 14 hexes.
    assert!(met < 14 * pairs, "{met}");
}

#[test]
fn heights_crests_and_climbs_are_those_of_the_file() {
    let map = hills(5, &[(0, 2); 18], &[(0, 3, 4), (2, 3, 1)]);
    let hexes = map.hexes().unwrap();
    let number = |label: &str| map.number(label).unwrap();
    assert_eq!(hexes.level(number("0101")), 2);
    let crests = |a: &str, b: &str| hexes.crest(number(a), number(b));
    assert_eq!(crests("0101", "0102"), Some(4));
    assert_eq!(crests("0102", "0101"), Some(4));
    assert_eq!(crests("0301", "0302"), None);
    // Up to the crest from either side, and one level up at least over a low one.
    assert_eq!(hexes.climb(number("0101"), number("0102")), 2);
    assert_eq!(hexes.climb(number("0102"), number("0101")), 2);
    assert_eq!(hexes.climb(number("0201"), number("0202")), 1);
    assert_eq!(hexes.climb(number("0301"), number("0302")), 0);
}
