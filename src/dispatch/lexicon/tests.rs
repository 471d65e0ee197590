//! Sentences as players read them.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use serde_json::json;

use super::*;

const ENDLESS: &str =
    "{% for a in range(9999) %}{% for b in range(9999) %}{{ a }}{% endfor %}{% endfor %}";

fn with(template: &str, args: serde_json::Value, lang: Lang) -> Result<String, Error> {
    let text: Text = serde_json::from_value(json!({
        "kinds": {"foot": "infantry"}, "terrains": {}, "attributes": {}, "boxes": {}, "formations": {}, "phases": {},
        "unknown": {"red": "a red column"}, "options": {}, "facts": {}, "events": {},
        "modifiers": {"leader": "{{ who }}", "guns": "marched to the guns", "endless": ENDLESS},
        "remarks": {}, "verbs": {}, "topics": {}, "levels": {}, "scenarios": {},
    }))
    .unwrap();
    let lexicon = Arc::new(Lexicon {
        sides: HashMap::from([("red".to_owned(), "Red".to_owned())]),
        parties: HashMap::new(),
        seats: HashMap::new(),
        spaces: HashMap::from([("ford".to_owned(), "Ford".to_owned())]),
        labels: true,
        pieces: HashMap::from([("p9".to_owned(), "Neuf".to_owned())]),
        agreements: HashMap::from([
            ("p7".to_owned(), Agreement::Feminine),
            ("p8".to_owned(), Agreement::ManyMasculine),
        ]),
        text: Arc::new(text),
        phrases: Phrases::of(lang),
    });
    let fields: Fields = serde_json::from_value(args).unwrap();
    let env = environment(&lexicon);
    let first = rendered(&env, template, context(&fields));
    let again = rendered(&env, template, context(&fields));
    let said = |printed: &Result<String, Error>| format!("{printed:?}");
    assert_eq!(said(&again), said(&first), "a template is compiled once");
    assert_eq!(
        said(&first),
        said(&env.render_str(template, context(&fields)))
    );
    first
}

fn english(template: &str, args: serde_json::Value) -> String {
    with(template, args, Lang::En).unwrap()
}

#[test]
fn things_print_as_their_names() {
    let args = json!({
        "unit": {"piece": "p1", "name": "Ada", "side": "red", "own": true},
        "translated": {"piece": "p9", "name": "Nine", "side": "red"},
        "unseen": {"unknown": true, "side": "red", "name": ""},
        "place": {"space": "ford", "name": "Ford Crossing"},
        "side": "red",
    });
    let words = english(
        "{{ unit }}, {{ translated }}, {{ unseen }} at {{ place | name }} ({{ side }})",
        args,
    );
    assert_eq!(words, "Ada, Neuf, a red column at Ford (Red)");
}

#[test]
fn a_hex_without_another_name_prints_once() {
    let args = json!({
        "town": {"space": "0301", "name": "Ford End"},
        "hex": {"space": "0302", "name": "0302"},
    });
    let words = english("{{ town | place }}, {{ hex | place }}", args);
    assert_eq!(words, "Ford End (0301), 0302");
}

#[test]
fn lists_have_their_joint() {
    let three = json!({"all": [{"name": "A"}, {"name": "B"}, {"name": "C"}]});
    assert_eq!(english("{{ all | list }}", three.clone()), "A, B and C");
    assert_eq!(
        with("{{ all }}", three.clone(), Lang::Fr).unwrap(),
        "A, B et C"
    );
    assert_eq!(english("{{ all | any_of }}", three), "A, B or C");
    assert_eq!(english("{{ all | list }}", json!({"all": []})), "");
}

#[test]
fn reasons_add_up() {
    let args = json!({
        "roll": [2],
        "reasons": [
            {"id": "leader", "add": 2, "who": {"piece": "p1", "name": "Ada"}},
            {"id": "guns", "add": 1},
            {"id": "wet_ground", "add": -1},
        ],
        "rule": "9.3",
    });
    let words = english(
        "{{ reasons | reasons(roll=roll) }} {{ rule }}",
        args.clone(),
    );
    assert_eq!(
        words,
        "4 = 2 rolled, +2 Ada, +1 marched to the guns, -1 wet ground (9.3)"
    );
    assert_eq!(
        english("{{ reasons | reasons }}", args),
        "+2 Ada, +1 marched to the guns, -1 wet ground"
    );
    let two = json!({"roll": [3, 5], "reasons": []});
    assert_eq!(
        english("{{ reasons | reasons(roll=roll) }}", two),
        "8 = 3 + 5 rolled"
    );
    let one = json!({"roll": 6, "reasons": [], "total": 5});
    assert_eq!(
        english("{{ reasons | reasons(roll=roll) }}", one.clone()),
        "6 rolled"
    );
    assert_eq!(
        english("{{ reasons | reasons(total=total, roll=roll) }}", one),
        "5 = 6 rolled"
    );
}

#[test]
fn nought_has_a_number_in_each_language() {
    let template = "{{ n }} {{ n | plural('x', 'xx') }}";
    let of = |n: i64, lang| with(template, json!({"n": n}), lang).unwrap();
    assert_eq!(
        [of(0, Lang::En), of(1, Lang::En), of(2, Lang::En)],
        ["0 xx", "1 x", "2 xx"]
    );
    assert_eq!(
        [of(0, Lang::Fr), of(1, Lang::Fr), of(2, Lang::Fr)],
        ["0 x", "1 x", "2 xx"]
    );
}

#[test]
fn signs_and_terms() {
    let args = json!({"a": 2, "b": -1, "kind": "foot"});
    assert_eq!(
        english(
            "{{ a | signed }} {{ b | signed }} {{ kind | term('kinds') }}",
            args
        ),
        "+2 -1 infantry"
    );
}

#[test]
fn broken_templates_are_errors() {
    assert!(with("{{ absent }}", json!({}), Lang::En).is_err());
    assert!(with("{% if %}", json!({}), Lang::En).is_err());
    assert!(with("{{ n | reasons }}", json!({"n": 1}), Lang::En).is_err());
}

#[test]
fn endless_templates_run_dry() {
    assert!(with(ENDLESS, json!({}), Lang::En).is_err());
    let reasons = json!({"reasons": [{"id": "endless", "add": 1}]});
    assert!(with("{{ reasons | reasons }}", reasons, Lang::En).is_err());
}

#[test]
fn places_take_the_word_that_their_language_wants() {
    let args = |name: &str| json!({"at": {"space": name, "name": name}});
    let said = |lang, name| with("{{ at|where }}, {{ at|whence }}", args(name), lang).unwrap();
    assert_eq!(said(Lang::En, "Olengo"), "at Olengo, from Olengo");
    assert_eq!(said(Lang::Fr, "Olengo"), "à Olengo, d'Olengo");
    assert_eq!(said(Lang::Fr, "Novare"), "à Novare, de Novare");
    assert_eq!(said(Lang::Fr, "4036"), "en 4036, de 4036");
    let two = json!({"at": [{"space": "4036", "name": "4036"}, {"space": "ford", "name": "Ford"}]});
    assert_eq!(
        with("{{ at|where }}", two, Lang::Fr).unwrap(),
        "en 4036 et Ford"
    );
}

#[test]
fn words_agree_with_names() {
    let piece = |id: &str| json!({"piece": id, "name": id});
    let args = json!({
        "he": piece("p1"), "she": piece("p7"), "they": piece("p8"),
        "alone": [piece("p7")], "two": [piece("p7"), piece("p7")], "mixed": [piece("p7"), piece("p1")],
    });
    let said = |who: &str| {
        let template =
            format!("{{{{ {who}|plural('est', 'sont') }}}} {{{{ {who}|agree('perdu') }}}}");
        with(&template, args.clone(), Lang::Fr).unwrap()
    };
    assert_eq!(said("he"), "est perdu");
    assert_eq!(said("she"), "est perdue");
    assert_eq!(said("they"), "sont perdus");
    assert_eq!(said("alone"), "est perdue");
    assert_eq!(said("two"), "sont perdues");
    assert_eq!(said("mixed"), "sont perdus");
}

#[test]
fn french_contracts_articles_and_tells_kinds_of_places_apart() {
    let said = |name: &str| {
        let args = json!({"at": {"space": "x", "name": name}});
        with("{{ at | where }}, {{ at | whence }}", args, Lang::Fr).unwrap()
    };
    assert_eq!(said("Le Mesnil"), "au Mesnil, du Mesnil");
    assert_eq!(said("Les Andelys"), "aux Andelys, des Andelys");
    assert_eq!(said("La Rochelle"), "à La Rochelle, de La Rochelle");
    assert_eq!(said("Orange"), "à Orange, d'Orange");
    assert_eq!(said("Fort La Latte"), "au fort La Latte, du fort La Latte");
    assert_eq!(
        said("case de Tours"),
        "dans la case de Tours, de la case de Tours"
    );
    assert_eq!(said("Lestrade"), "à Lestrade, de Lestrade");
    let english = with(
        "{{ at | where }}",
        json!({"at": {"space": "x", "name": "Le Mesnil"}}),
        Lang::En,
    );
    assert_eq!(english.unwrap(), "at Le Mesnil");
}

#[test]
fn a_text_includes_no_other() {
    for included in ["x", "\u{1}x", "\u{1}\u{1}x"] {
        let template = format!("{{% include '{included}' %}}");
        assert!(
            with(&template, json!({}), Lang::En).is_err(),
            "{included:?}"
        );
    }
}
