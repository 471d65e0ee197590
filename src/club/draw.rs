//! Who gets which seat of a full table. The key of the draw is bound by its anchor when the table
//! is founded, and shown when it is full; what it is mixed with are the players and their wishes.
//! So nobody can choose the draw, and everybody can make it again.
//!
//! ```text
//! anchor = SHA-256("estafette|seats|" CAMPAIGN "|" KEY)       64 digits each
//! joined = a line "NUMBER WISH WISH ...\n" for each player, in the order in which they joined
//! order  = the players sorted by HMAC-SHA-256(KEY, "estafette|seats|" CAMPAIGN "|" SHA-256(joined)
//!          "|" NUMBER)
//! ```
//!
//! In this order each gets the first of his wishes that is free; then, in the same order, those who
//! have no seat yet get the first free seat in the game's order.

use super::{member_number::MemberNumber, table::TablePlayer};
use crate::{
    dice::{Key, hash},
    digest::Digest,
    ids::SeatId,
};

/// A draw, with all that is needed to make it again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatDraw {
    /// The name that the campaign will have.
    pub campaign: String,
    /// The key, as 64 digits; public from now on.
    pub key: String,
    /// The seats, in the game's order.
    pub seats: Vec<SeatId>,
    /// What the key is mixed with.
    pub joined: String,
    /// Who got which seat, in the order of the draw.
    pub seated: Vec<(MemberNumber, SeatId)>,
}

/// What binds a key.
pub(super) fn anchor(campaign: &str, key: &Key) -> Digest {
    hash(&format!("estafette|seats|{campaign}|{}", key.to_hex()))
}

/// Draws the seats of a table.
pub(super) fn draw(
    campaign: &str,
    key: &Key,
    seats: &[SeatId],
    players: &[TablePlayer],
) -> SeatDraw {
    let lines = players.iter().map(|player| {
        let wishes = player.wishes.iter().map(|seat| format!(" {seat}"));
        format!("{}{}\n", player.member, wishes.collect::<String>())
    });
    let joined: String = lines.collect();
    let mixed = hash(&joined);
    let mut order: Vec<&TablePlayer> = players.iter().collect();
    order.sort_by_key(|player| {
        key.mac(&format!(
            "estafette|seats|{campaign}|{mixed}|{}",
            player.member
        ))
    });
    let mut free: Vec<&SeatId> = seats.iter().collect();
    let mut got: Vec<(MemberNumber, Option<SeatId>)> = Vec::new();
    for player in &order {
        let wish = player.wishes.iter().find(|wish| free.contains(wish));
        free.retain(|seat| Some(*seat) != wish);
        got.push((player.member, wish.cloned()));
    }
    let mut free = free.into_iter();
    let seated = got.into_iter().filter_map(|(member, seat)| {
        let seat = seat.or_else(|| free.next().cloned())?;
        Some((member, seat))
    });
    SeatDraw {
        campaign: campaign.to_owned(),
        key: key.to_hex(),
        seats: seats.to_vec(),
        joined,
        seated: seated.collect(),
    }
}

/// Makes a draw again from what its letter says: `joined` are its lines about players.
///
/// # Errors
/// What of it can't be read, or does not fit the anchor that the table's first letters named.
pub fn check_draw(
    campaign: &str,
    anchor_told: Digest,
    key: &str,
    seats: &[SeatId],
    joined: &str,
) -> Result<SeatDraw, String> {
    let key = Key::from_hex(key).map_err(|error| error.to_string())?;
    if anchor(campaign, &key) != anchor_told {
        return Err("the key is not the one that the anchor binds".to_owned());
    }
    let player = |line: &str| {
        let mut words = line.split_whitespace();
        let member = words.next().unwrap_or_default().parse()?;
        let wishes = words.map(SeatId::from).collect();
        Ok::<_, String>(TablePlayer { member, wishes })
    };
    let players = joined.lines().map(player);
    let players = players.collect::<Result<Vec<_>, _>>()?;
    Ok(draw(campaign, &key, seats, &players))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests may panic")]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn player(member: u32, wishes: &[&str]) -> TablePlayer {
        TablePlayer {
            member: MemberNumber(member),
            wishes: wishes.iter().map(|seat| SeatId::from(*seat)).collect(),
        }
    }

    fn seats() -> Vec<SeatId> {
        ["red", "blue", "grey"].map(SeatId::from).to_vec()
    }

    #[test]
    fn a_wish_that_nobody_else_has_is_granted() {
        for n in 0..50_u8 {
            let players = [
                player(1, &[]),
                player(2, &["grey", "red"]),
                player(3, &["blue"]),
            ];
            let came = draw("club-1", &Key::new([n; 32]), &seats(), &players);
            let seated: BTreeMap<_, _> = came.seated.into_iter().collect();
            let of = |n| seated[&MemberNumber(n)].to_string();
            assert_eq!([of(1), of(2), of(3)], ["red", "grey", "blue"]);
        }
    }

    #[test]
    fn each_gets_one_seat_and_a_common_wish_goes_evenly() {
        let (mut first, times) = (BTreeMap::new(), 900_u32);
        for n in 0..times {
            let key = Key::new([7; 32]).derive(&n.to_string());
            let players = [1, 2, 3].map(|member| player(member, &["blue", "red"]));
            let came = draw("club-1", &key, &seats(), &players);
            let mut all: Vec<_> = came.seated.iter().map(|(_, seat)| seat.clone()).collect();
            all.sort();
            assert_eq!(all, ["blue", "grey", "red"].map(SeatId::from));
            let blue = came.seated.iter().find(|(_, seat)| **seat == *"blue");
            *first.entry(blue.unwrap().0).or_insert(0_u32) += 1;
        }
        // Three standard deviations of 900 throws with a third each.
        assert!(
            first.values().all(|count| count.abs_diff(300) < 43),
            "{first:?}"
        );
    }

    #[test]
    fn a_draw_is_made_again_from_its_letter_and_with_no_other_key() {
        let (key, other) = (Key::new([3; 32]), Key::new([4; 32]));
        let players = [
            player(4, &["grey"]),
            player(9, &["grey", "blue"]),
            player(2, &[]),
        ];
        let came = draw("club-1", &key, &seats(), &players);
        let bound = anchor("club-1", &key);
        let again = check_draw("club-1", bound, &came.key, &seats(), &came.joined);
        assert_eq!(again.unwrap(), came);
        assert!(check_draw("club-1", bound, &other.to_hex(), &seats(), &came.joined).is_err());
        // Another order of joining is another draw for some key, so it is bound as well.
        let turned = [players[2].clone(), players[1].clone(), players[0].clone()];
        let differs = (0..20).any(|n| {
            let key = Key::new([n; 32]);
            let (a, b) = (
                draw("c", &key, &seats(), &players),
                draw("c", &key, &seats(), &turned),
            );
            a.seated != b.seated
        });
        assert!(differs);
    }
}
