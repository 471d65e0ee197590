//! A player wants to be told times in his own zone: `ZONE Europe/Rome` in a mail with the seat's
//! token.

use crate::{
    campaign::{
        intake::{addresses::orders_beside, arrival::Arrival, senders},
        model::{
            clock::ClockZone,
            context::Context,
            events::{Event, Reason, ZoneMail},
            state::State,
            trust::Trust,
        },
    },
    ids::SeatId,
    mail::Claim,
};

/// `ZONE Europe/Rome`, `FUSEAU Europe/Rome`: what stands behind the word; none for another line.
fn zone_line(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    let verb = words.next()?.trim_end_matches(':');
    let is_ours = ["zone", "fuseau"]
        .iter()
        .any(|known| verb.eq_ignore_ascii_case(known));
    let named = words.next().filter(|_| is_ours && words.next().is_none())?;
    Some(named.trim_matches(['.', ',', ';', '<', '>']))
}

/// The zone of that name, whatever its capitals, as the database spells it.
fn zone_named(name: &str) -> Option<ClockZone> {
    let zone: ClockZone = name.parse().ok()?;
    zone.rules().iana_name()?.parse().ok()
}

/// Judges a mail with a line about the seat's time zone; none for any other mail, and for one that
/// may not speak of it.
pub(crate) fn judge_zone(
    context: &Context,
    state: &State,
    came: &Arrival<'_>,
    good: Option<&Claim>,
    least: Trust,
) -> Option<Event> {
    let Arrival { file, incoming, .. } = *came;
    let own = came.words_of_player()?;
    let named = own.lines().find_map(zone_line)?;
    let seat: SeatId = good?.seat.as_str().into();
    let refused = |reason, detail| came.refused(reason, Some(seat.clone()), detail);
    let trust = senders::trust_in(context, state, &seat, incoming);
    if trust < least {
        let found = format!("{trust}, from {}", incoming.from.email);
        return Some(refused(Reason::Held, found));
    }
    Some(match zone_named(named) {
        None => refused(Reason::ZoneUnknown, String::new()),
        Some(zone) => Event::Zone(Box::new(ZoneMail {
            zone,
            message_id: incoming.message_id.clone(),
            digest: incoming.digest,
            file: file.to_owned(),
            orders: orders_beside(context, state, &seat, (file, incoming), |line| {
                zone_line(line).is_some()
            }),
            seat,
        })),
    })
}
