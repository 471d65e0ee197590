//! The order language of Castiglione with its own map and forces: every line of the rules' part
//! "Decisions by mail".
use std::{collections::BTreeMap, fs, path::PathBuf};

use estafette::{
    game::{Forces, Game, GameDecl, Lang, Language, Map, MapIndex},
    orders::{Command, Expect, Grammar, Order, OrderLine, QuestionForm, Vocabulary, print, read},
    value::Fields,
    world::World,
};
use serde::{Deserialize, de::DeserializeOwned};

const DECL: &str = r#"
id: test
title: {en: Test}
about: {en: Test}
sides: [{id: french, name: {en: French}, colour: blue}, {id: austrian, name: {en: Austrian}, colour: white}]
seats: [{id: french, side: french}, {id: austrian, side: austrian}]
default_scenario: none
kinds: {}
attributes: {}
facts: {}
options: {fog: {values: ["on", "off"], default: "off"}, leader_losses: {values: ["on", "off"], default: "off"}}
phases: []
events: []
orders: {keywords: {}, verbs: {}}
"#;

#[derive(Deserialize)]
struct Draft {
    orders: Language,
}

fn file<T: DeserializeOwned>(name: &str) -> T {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("games/castiglione")
        .join(name);
    serde_yaml::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

struct Table {
    grammar: Grammar,
    names: BTreeMap<&'static str, Vocabulary>,
}

impl Table {
    fn new(options: &str) -> Self {
        let mut decl: GameDecl = serde_yaml::from_str(DECL).unwrap();
        decl.orders = file::<Draft>("game.yaml").orders;
        let game = Game {
            decl,
            map: MapIndex::new(file::<Map>("map.yaml")),
            forces: file::<Forces>("forces.yaml"),
            tables: Default::default(),
            scenarios: Default::default(),
            theatre: None,
            theatres: Default::default(),
            text: BTreeMap::new(),
            scripts: Vec::new(),
            checklist: Vec::new(),
            digest: estafette::digest::Digest::ZERO,
        };
        let world = World::empty(&game);
        let options = ["fog", "leader_losses"].map(|name| (name.to_owned(), options.to_owned()));
        let names = ["french", "austrian"].map(|seat| {
            let view = world.seen_by(&game, seat);
            (seat, Vocabulary::of_view(&game, &view, Lang::En))
        });
        Self {
            grammar: Grammar::new(&game.decl, &options.into()).unwrap(),
            names: names.into(),
        }
    }

    fn lines(&self, seat: &str, text: &str) -> Vec<OrderLine> {
        self.lines_in(&["movement", "setup"], seat, text)
    }

    fn lines_in(&self, phases: &[&str], seat: &str, text: &str) -> Vec<OrderLine> {
        let questions = [
            "retreat", "evade", "march", "losses", "bombard", "mantua", "forage", "join",
        ];
        let questions: Vec<_> = questions
            .iter()
            .enumerate()
            .map(|(i, topic)| QuestionForm::new(i + 1, topic))
            .collect();
        let expect = Expect {
            phases,
            questions: &questions,
            lang: Lang::En,
        };
        let reading = read(&self.grammar, &self.names[seat], &expect, text);
        reading.lines.into_iter().map(|(_, line)| line).collect()
    }

    /// The one order of a text that must be right.
    fn order(&self, seat: &str, text: &str) -> Order {
        match self.lines(seat, text).as_slice() {
            [OrderLine::Order(order)] => order.clone(),
            other => panic!("{text}: {other:#?}"),
        }
    }
}

fn args(json: &str) -> Fields {
    serde_json::from_str(json).unwrap()
}

/// Lines of the French seat as the rules give them, all alternatives written out.
const FRENCH: &[&str] = &[
    "MOVE Rampon, Victor, Massena: Bussolengo - Castelnuovo - Peschiera",
    "MOVE Rusca: Gavardo - Rezzato DESTROY Gavardo-Rezzato    # steps in sequence; bridge work names its road",
    "COMBATS Castiglione, Lonato",
    "INITIATIVE FIRST",
    "INITIATIVE SECOND",
    "FORAGE ALL",
    "FORAGE NONE",
    "FORAGE Victor, Rampon",
    "RETREAT AFTER 1 IF OUTNUMBERED",
    "RETREAT AFTER 1 AT Lonato IF RATIO < 0.7",
    "RETREAT AFTER 1 WITH Despinoy IF HITS >= 4",
    "RETREAT AFTER 1 IF LOSING",
    "RETREAT AFTER 1 ALWAYS ; RETREAT NEVER",
    "RETREAT TO Guidizzolo, Goito",
    "MARCH Beaumont, Dommartin, Kilmaine TO Castiglione",
    "MARCH Beaumont, Dommartin, Kilmaine TO ANY",
    "MARCH Beaumont, Dommartin, Kilmaine WITHIN 1 IF OUTNUMBERED",
    "KEEP Pelletier                                            # never marches",
    "LOSSES Joubert, Fiorella, Gardanne",
    "LOSSES SPREAD SPARE Rampon AT Lonato",
    "LOSSES CONCENTRATE AT Lonato",
    "BOMBARD Liptay, Gummer",
    "BOMBARD WEAKEST",
    "BOMBARD STRONGEST",
    "BOMBARD ARTILLERY",
    "EVADE YES WITH Beaumont",
    "EVADE NO",
    "EVADE IF OUTNUMBERED TO Volta, Valeggio WITH Beaumont",
    "PURSUE ALWAYS ; PURSUE NEVER",
    "TOP Victor AT Bussolengo ; REFUGE Massena: Verona ; REPLACE Massena AT Castiglione",
    "ASK RETREAT, EVADE, MARCH, LOSSES, BOMBARD, MANTUA, FORAGE, JOIN ; DONT ASK MARCH",
    "CANCEL MARCH ; NOTHING                                    # \"no orders\" as an explicit answer",
];

const AUSTRIAN: &[&str] = &[
    "MOVE Mitrovski: Roverbella - Castiglione FORCED          # way optional: the cheapest is taken",
    "MOVE Minkwitz: REPAIR Santa Margherita-Montagnana",
    "MOVE ALL AT Goito EXCEPT Gummer: - Guidizzolo - Castiglione",
    "JOIN MANTUA Minkwitz, Wurmser",
    "RETREAT INTO MANTUA YES EXCEPT Wurmser ; RETREAT INTO MANTUA NO",
    "IF ENEMY AT Lonato: MOVE Liptay: Lonato\nELSE: MOVE Liptay: Castiglione",
];

const FRENCH_IN_FRENCH: &[&str] = &[
    "DÉPLACER Rampon, Victor et Massena : Bussolengo – Castelnuovo – Peschiera MARCHE FORCÉE",
    "deplacer tous à Goito sauf Victor: - Guidizzolo - Castiglione force",
    "DEPLACER Rusca: Gavardo - Rezzato DÉTRUIRE Gavardo-Rezzato RÉPARER Gavardo – Rezzato",
    "COMBATS Castiglione et Lonato",
    "INITIATIVE PREMIER; FOURRAGER TOUS; FOURRAGER AUCUN",
    "RETRAITE APRES 1 SI INFERIEUR; RETRAITE APRÈS 1 A Lonato SI RAPPORT < 0,7; RETRAITE APRES 1 AVEC Despinoy SI PERTES >= 4",
    "RETRAITE APRES 1 SI PERDANT; RETRAITE JAMAIS; RETRAITE VERS Guidizzolo, Goito",
    "MARCHER Beaumont, Kilmaine VERS Castiglione; MARCHER TOUS VERS TOUT; MARCHER Beaumont A MOINS DE 1 SI INFERIEUR",
    "GARDER Pelletier; PERTES REPARTIR EPARGNER Rampon A Lonato; PERTES CONCENTRER; PERTES Joubert & Fiorella",
    "BOMBARDER PLUS FAIBLE; BOMBARDER PLUS FORT; BOMBARDER ARTILLERIE; BOMBARDER Liptay",
    "REPLIER OUI; REPLIER NON; REPLIER SI INFERIEUR VERS Volta, Valeggio AVEC Beaumont",
    "POURSUIVRE JAMAIS; DESSUS Victor À Bussolengo",
    "REFUGE Massena : Verona; REMPLACER Masséna À Castiglione; REFUGE adjoint d'Augereau: Lonato",
    "DEMANDER RETRAITE, REPLIER, MARCHER, PERTES, MANTOUE; NE PAS DEMANDER FOURRAGER; ANNULER MARCHER; RIEN",
    "SI ENNEMI A Lonato: DEPLACER Victor: Lonato",
    "SINON: DEPLACER Victor: Castiglione",
    "1: RETRAITE VERS Goito; 2: AUCUN; 3: AUCUN; 4: REPARTIR; RÉPONSE 5: PLUS FAIBLE; 6: OUI SAUF Massena; 7: TOUS; 8: AUCUN",
];

const AUSTRIAN_IN_FRENCH: &[&str] = &[
    "REJOINDRE MANTOUE Minkwitz; RETRAITE DANS MANTOUE NON",
    "RETRAITE DANS MANTOUE OUI SAUF Wurmser",
];

#[test]
fn every_example_of_the_rules_is_read_and_reads_back() {
    let table = Table::new("on");
    for (seat, lines) in [
        ("french", FRENCH),
        ("austrian", AUSTRIAN),
        ("french", FRENCH_IN_FRENCH),
        ("austrian", AUSTRIAN_IN_FRENCH),
    ] {
        let text = lines.join("\r\n");
        for line in table.lines(seat, &text) {
            let OrderLine::Order(order) = line else {
                assert!(!matches!(line, OrderLine::Wrong(_)), "{line:#?}");
                continue;
            };
            for lang in Lang::ALL {
                let printed = print(&table.grammar, &table.names[seat], &order, lang);
                let again = table.order(seat, &printed);
                assert_eq!(
                    (&again.verb, &again.args),
                    (&order.verb, &order.args),
                    "{printed}"
                );
            }
        }
    }
}

#[test]
fn slots_are_what_scripts_expect() {
    let table = Table::new("on");
    for (seat, text, verb, json) in [
        (
            "austrian",
            "MOVE ALL AT Goito EXCEPT Gummer: - Guidizzolo - Castiglione",
            "move",
            r#"{"who":{"all":true,"at":"goito","except":["gummer"]},"steps":[{"way":["guidizzolo","castiglione"]}]}"#,
        ),
        (
            "austrian",
            "MOVE Minkwitz: REPAIR Santa Margherita-Montagnana",
            "move",
            r#"{"who":{"list":["minkwitz"]},"steps":[{"bridge":["santa_margherita","montagnana"],"work":"repair"}]}"#,
        ),
        (
            "austrian",
            "MOVE Pittoni, Pittoni cav: Castel d’Ario MARCHE FORCEE",
            "move",
            r#"{"who":{"list":["pittoni","pittoni_cav"]},"steps":[{"way":["castel_dario"]}],"forced":true}"#,
        ),
        (
            "french",
            "MOVE Massena: Isola della Scala",
            "move",
            r#"{"who":{"list":["massena"]},"steps":[{"way":["isola_della_scala"]}]}"#,
        ),
        (
            "french",
            "RETRAITE APRES 1 SI INFERIEUR",
            "retreat",
            r#"{"round":1,"when":"outnumbered"}"#,
        ),
        ("french", "RETREAT NEVER", "retreat", r#"{"when":"never"}"#),
        (
            "french",
            "REMPLACER Massena A Castiglione",
            "replace",
            r#"{"leader":"massena","at":"castiglione"}"#,
        ),
        (
            "french",
            "LOSSES SPREAD SPARE Rampon",
            "losses",
            r#"{"policy":"spread","spare":{"list":["rampon"]}}"#,
        ),
    ] {
        let order = table.order(seat, text);
        assert_eq!(
            (order.verb.as_str(), &order.args),
            (verb, &args(json)),
            "{text}"
        );
    }
    let groups: Vec<_> = table.grammar.groups().collect();
    assert!(
        groups.contains(&"retreat_into") && groups.contains(&"retreat"),
        "{groups:?}"
    );
}

#[test]
fn the_other_sides_pieces_are_no_words_but_in_a_bombardment() {
    let table = Table::new("on");
    let reason = |text: &str| match table.lines("french", text).as_slice() {
        [OrderLine::Wrong(wrong)] => (wrong.reason.clone(), wrong.span, wrong.suggestions.clone()),
        other => panic!("{text}: {other:#?}"),
    };
    assert_eq!(reason("MOVE Liptay: Verona"), reason("MOVE Xyzxyz: Verona"));
    assert_eq!(
        table.order("french", "BOMBARD Wurmser, Ott").verb,
        "bombard"
    );
}

#[test]
fn options_that_are_off_take_their_verbs_away() {
    let table = Table::new("off");
    for text in [
        "RECON Bussolengo -> Rivoli",
        "DUMMY 2 AT Verona",
        "SHOW LEADERS",
        "REPLACE Massena AT Lonato",
    ] {
        let lines = table.lines("french", text);
        assert!(
            matches!(lines.as_slice(), [OrderLine::Wrong(wrong)] if wrong.reason == "unknown_order"),
            "{lines:?}"
        );
    }
    let cancel = table.lines("french", "CANCEL RETREAT");
    assert_eq!(
        cancel,
        [OrderLine::Command(Command::Cancel {
            group: Some("retreat".into())
        })]
    );
}
