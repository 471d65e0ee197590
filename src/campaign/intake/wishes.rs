//! The wishes of players about their letters: `ZONE Europe/Rome` for the times in them, `PICTURE
//! PHONE` for their maps, in a mail with the seat's token.

use crate::{
    campaign::{
        intake::{addresses::orders_beside, arrival::Arrival, senders},
        model::{
            clock::ClockZone,
            context::Context,
            events::{Event, Reason, ScreenMail, ZoneMail},
            seats::Screen,
            state::State,
            trust::Trust,
        },
        words::{
            errand_words::{ErrandWord, WORDS},
            spelling::words_of,
        },
    },
    ids::SeatId,
    mail::Claim,
    orders::fold,
};

/// The word behind a verb, as in `ZONE Europe/Rome`; none for another line.
fn zone_line(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    let verb = words.next()?.trim_end_matches(':');
    let is_ours = WORDS.is(ErrandWord::Zone, &fold(verb));
    let named = words.next().filter(|_| is_ours && words.next().is_none())?;
    Some(named.trim_matches(['.', ',', ';', '<', '>']))
}

/// The zone of that name, whatever its capitals, as the database spells it.
fn zone_named(name: &str) -> Option<ClockZone> {
    let zone: ClockZone = name.parse().ok()?;
    zone.rules().iana_name()?.parse().ok()
}

/// The screen that a line like `PICTURE PHONE` or `IMAGE LARGE` names; none for another line.
fn screen_line(line: &str) -> Option<Screen> {
    let words = words_of(&line.replace('-', " "));
    let [verb, named] = words.as_slice() else {
        return None;
    };
    if !WORDS.is(ErrandWord::Picture, verb) {
        return None;
    }
    let phone = WORDS.is(ErrandWord::Phone, named).then_some(Screen::Phone);
    phone.or_else(|| WORDS.is(ErrandWord::Wide, named).then_some(Screen::Wide))
}

/// Returns true if a line says how letters shall be, and so is no order.
fn is_wish(line: &str) -> bool {
    zone_line(line).is_some() || screen_line(line).is_some()
}

/// Judges a mail with a line about how letters to the seat shall be; none for any other mail, and
/// for one that may not speak of it.
pub(crate) fn judge_wish(
    context: &Context,
    state: &State,
    came: &Arrival<'_>,
    good: Option<&Claim>,
    least: Trust,
) -> Option<Event> {
    let Arrival { file, incoming, .. } = *came;
    let own = came.words_of_player()?;
    let named = own.lines().find_map(zone_line);
    let screen = own.lines().find_map(screen_line);
    if named.is_none() && screen.is_none() {
        return None;
    }
    let seat: SeatId = good?.seat.as_str().into();
    let refused = |reason, detail| Some(came.refused(reason, Some(seat.clone()), detail));
    let trust = senders::trust_in(context, state, &seat, incoming);
    if trust < least {
        let found = format!("{trust}, from {}", incoming.from.email);
        return refused(Reason::Held, found);
    }
    let orders = orders_beside(context, state, &seat, (file, incoming), is_wish);
    let (message_id, digest) = (incoming.message_id.clone(), incoming.digest);
    let (seat, file) = (seat.clone(), file.to_owned());
    Some(match (named.map(zone_named), screen) {
        (Some(None), _) => return refused(Reason::ZoneUnknown, String::new()),
        (Some(Some(zone)), _) => Event::Zone(Box::new(ZoneMail {
            seat,
            zone,
            screen,
            message_id,
            digest,
            file,
            orders,
        })),
        (None, screen) => Event::Screen(Box::new(ScreenMail {
            seat,
            screen: screen?,
            message_id,
            digest,
            file,
            orders,
        })),
    })
}
