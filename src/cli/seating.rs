//! The seating of a new campaign: its roster, and seats that one player holds.

use super::failure::Failure;
use crate::{
    campaign::model::{
        player_address::PlayerAddress,
        seats::{Address, Screen, Seat},
        umpires::Umpire,
    },
    game::{Game, Lang, SeatDecl, Seating},
    ids::SeatId,
    mail,
};

/// The players of a new campaign, and the game with their seats.
pub(super) struct Players {
    /// The game as these seats play it.
    pub game: Game,
    /// How its seats differ from those that the game begins with.
    pub seating: Seating,
    /// The seats with their players, in the game's order.
    pub seats: Vec<Seat>,
}

/// The players that `--roster` and `--seat` name. Seats of one party with one address become one
/// seat, if the game has rosters.
///
/// # Errors
/// If there is no such roster, or it has other seats.
pub(super) fn players(
    game: Game,
    roster: Option<&str>,
    texts: &[String],
) -> Result<Players, Failure> {
    let roster = match roster {
        Some(name) => Some(name.to_owned()),
        None => meant(&game, texts)?,
    };
    let mut seating = Seating {
        roster,
        ..Seating::default()
    };
    let game = seated(game, &seating)?;
    let named = texts
        .iter()
        .map(|text| seat(text, &game, |_| game.language(Lang::En)))
        .collect::<Result<Vec<_>, _>>()?;
    let mut seats = in_order(&game.decl.seats, &named)?;
    if game.decl.rosters.is_empty() {
        return Ok(Players {
            game,
            seating,
            seats,
        });
    }
    let mut stay: Vec<Seat> = Vec::new();
    for seat in seats {
        let mut others = stay.iter();
        match others.find(|other| is_one_player(&game, other, &seat)) {
            Some(other) => {
                let joined = seating.joined.entry(other.id.clone());
                joined.or_default().push(seat.id);
            }
            None => stay.push(seat),
        }
    }
    seats = stay;
    Ok(Players {
        game: seated(game, &seating)?,
        seating,
        seats,
    })
}

/// The game with the seats of a roster.
///
/// # Errors
/// If there is no such roster.
pub(super) fn with_roster(game: Game, roster: Option<&str>) -> Result<Game, Failure> {
    let seating = Seating {
        roster: roster.map(str::to_owned),
        ..Seating::default()
    };
    seated(game, &seating)
}

fn seated(game: Game, seating: &Seating) -> Result<Game, Failure> {
    game.seated(seating)
        .map_err(|why| Failure::usage(format!("--roster: {why}")))
}

/// The roster whose seats are those named; none where the game has no rosters.
fn meant(game: &Game, texts: &[String]) -> Result<Option<String>, Failure> {
    let rosters = &game.decl.rosters;
    if rosters.is_empty() {
        return Ok(None);
    }
    let ids = texts
        .iter()
        .map(|text| text.split_once('=').map_or(text.as_str(), |(id, _)| id));
    let ids: Vec<&str> = ids.collect();
    let fits = |seats: &Vec<SeatDecl>| {
        seats.len() == ids.len() && seats.iter().all(|seat| ids.contains(&seat.id.as_str()))
    };
    let found = rosters.iter().find(|(_, seats)| fits(seats));
    found.map(|(name, _)| Some(name.clone())).ok_or_else(|| {
        let known = rosters.iter().map(|(name, seats)| {
            let ids: Vec<&str> = seats.iter().map(|seat| seat.id.as_str()).collect();
            format!("--roster {name}: {}", ids.join(", "))
        });
        let known: Vec<String> = known.collect();
        Failure::usage(format!(
            "no roster has just the seats {}; there are: {}",
            ids.join(", "),
            known.join("; ")
        ))
    })
}

/// The players in the order of the seats.
fn in_order(declared: &[SeatDecl], named: &[Seat]) -> Result<Vec<Seat>, Failure> {
    let player = |seat: &SeatDecl| {
        let id = &seat.id;
        let found = named.iter().find(|player| player.id == *id).cloned();
        found.ok_or_else(|| Failure::usage(format!("who plays {id}? add --seat {id}=ADDRESS")))
    };
    declared.iter().map(player).collect()
}

/// Returns true if two seats of one party have one address. A bot has none.
fn is_one_player(game: &Game, a: &Seat, b: &Seat) -> bool {
    if a.address != b.address || a.address.bot().is_some() {
        return false;
    }
    let decl = &game.decl;
    let pair = decl.seat(&a.id).zip(decl.seat(&b.id));
    pair.is_some_and(|(a, b)| b.sides.iter().all(|side| decl.is_friend(a, side)))
}

/// The umpire with an address alone, and those with names.
pub(super) fn umpires(asked: &[String]) -> Result<(Option<Address>, Vec<Umpire>), Failure> {
    let (mut first, mut named) = (None, Vec::new());
    for text in asked {
        let wrong = |problem: String| Failure::usage(format!("--umpire: {problem}"));
        let (name, rest) = match text.split_once('=') {
            Some((name, rest)) => (Some(name), rest),
            None => (None, text.as_str()),
        };
        let mut parts = rest.split(',');
        let address = parts.next().unwrap_or_default();
        mail::check_address(address).map_err(&wrong)?;
        let mut umpire = Umpire::first(address.parse().map_err(&wrong)?);
        for word in parts {
            match word {
                "blind" => umpire.blind = true,
                "silent" => umpire.silent = true,
                _ => return Err(wrong(format!("`{word}` is neither `blind` nor `silent`"))),
            }
        }
        match name {
            Some(name) => named.push(Umpire {
                name: name.into(),
                ..umpire
            }),
            None if umpire.blind || umpire.silent || first.is_some() => {
                return Err(wrong(format!("`{text}` needs a name: NAME={text}")));
            }
            None => first = Some(umpire.address),
        }
    }
    Ok((first, named))
}

/// A player as `SEAT=ADDRESS[,lang=CODE][,name=NAME]` names him; `usual` is the language of a seat
/// where none is named.
///
/// # Errors
/// What does not fit.
pub fn seat(text: &str, game: &Game, usual: impl Fn(&SeatId) -> Lang) -> Result<Seat, Failure> {
    let (id, rest) = text
        .split_once('=')
        .ok_or_else(|| Failure::usage(format!("`{text}` must be SEAT=ADDRESS")))?;
    if !game.decl.seats.iter().any(|known| known.id == *id) {
        let known = game.decl.seats.iter().map(|seat| seat.id.as_str());
        let known: Vec<_> = known.collect();
        return Err(Failure::usage(format!(
            "there is no seat `{id}`; there are: {}",
            known.join(", ")
        )));
    }
    let mut parts = rest.split(',');
    let address: PlayerAddress = (parts.next().unwrap_or_default().parse())
        .map_err(|problem| Failure::usage(format!("{id}: {problem}")))?;
    if let Some(mail) = address.mail() {
        mail::check_address(mail.as_str())
            .map_err(|problem| Failure::usage(format!("{id}: {problem}")))?;
    }
    let id = SeatId::from(id);
    let mut seat = Seat {
        lang: usual(&id),
        id,
        address,
        name: String::new(),
        zone: None,
        screen: Default::default(),
    };
    for part in parts {
        match part.split_once('=') {
            Some(("lang", code)) => {
                let wrong = |of: Failure| Failure::usage(format!("{}: {}", seat.id, of.message));
                seat.lang = spoken(game, lang(code)?).map_err(wrong)?;
            }
            Some(("name", name)) => name.clone_into(&mut seat.name),
            Some(("zone", zone)) => seat.zone = Some(zone.parse().map_err(Failure::usage)?),
            Some(("screen", name)) => {
                let wrong = || Failure::usage(format!("`{name}` is no screen: wide or phone"));
                seat.screen = Screen::named(name).ok_or_else(wrong)?;
            }
            _ => {
                return Err(Failure::usage(format!(
                    "`{part}` is none of lang=CODE, name=NAME, zone=ZONE, screen=phone"
                )));
            }
        }
    }
    Ok(seat)
}

/// A language by its code.
///
/// # Errors
/// If there is no such language.
pub fn lang(code: &str) -> Result<Lang, Failure> {
    Lang::ALL
        .into_iter()
        .find(|lang| lang.code() == code)
        .ok_or_else(|| {
            let known: Vec<_> = Lang::ALL.iter().map(|lang| lang.code()).collect();
            Failure::usage(format!(
                "there is no language `{code}`; there are: {}",
                known.join(", ")
            ))
        })
}

/// A language that a game has words in.
///
/// # Errors
/// If it has none in this one.
pub fn spoken(game: &Game, lang: Lang) -> Result<Lang, Failure> {
    if game.language(lang) == lang {
        return Ok(lang);
    }
    let known: Vec<_> = game.languages().map(Lang::code).collect();
    Err(Failure::usage(format!(
        "the game `{}` has no words in `{}`; it has them in: {}",
        game.decl.id,
        lang.code(),
        known.join(", ")
    )))
}
