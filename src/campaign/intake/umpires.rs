//! Mails of umpires: rulings by form, with a token of the umpire's own and from his registered
//! address alone. A mail that has one without the other is answered to nobody.

use crate::{
    campaign::{
        intake::{arrival::Arrival, senders},
        model::{
            context::Context,
            events::{Event, Reason, UmpireActs},
            players,
            replies::{copy_digest, umpire_label},
            state::State,
            umpire_acts::{ActLine, UmpireAct, UmpireMail},
            umpires::Umpire,
        },
        words::{
            addressees::addressees,
            umpire_forms::{FormNames, read_forms},
        },
    },
    dice::canonical_orders,
    mail::{self, Claim, Token},
};

/// Judges a mail to an umpire's address; none for any other.
pub(super) fn judge_umpire(context: &Context, state: &State, came: &Arrival<'_>) -> Option<Event> {
    let incoming = came.incoming;
    let campaign = context.settings.campaign.as_str();
    let claims = mail::claims(incoming, context.mailbox());
    let (umpire, claim) = context.settings.all_umpires().find_map(|umpire| {
        let folder = umpire.recipient().address_name();
        let own = |claim: &&Claim| {
            claim.campaign == campaign && claim.seat == folder && claim.token.is_some()
        };
        let claim = claims.iter().find(own)?;
        Some((umpire, claim))
    })?;
    let stranger = |why: &str| {
        let detail = format!("{why}, from {}", incoming.from.email);
        Some(came.refused(Reason::Stranger, None, detail))
    };
    let key = context.eras.letters.token.bytes();
    let label = umpire_label(&umpire.name);
    let token = claim.token.as_deref().unwrap_or_default();
    if incoming.automatic.is_some() || !Token::check(key, campaign, &label, 0, token) {
        return stranger("no token of this umpire");
    }
    let trust = senders::trust_of(context, &umpire.address, incoming);
    if !umpire.address.is(&incoming.from.email) || trust < context.settings.trust.least {
        return stranger("not the umpire's registered address");
    }
    let words = canonical_orders(&incoming.words.text);
    let copy = copy_digest(&claim.seat, incoming.message_id.as_deref(), &words);
    if copy.is_some_and(|copy| state.taken.contains(&copy)) {
        return Some(came.refused(Reason::Duplicate, None, String::new()));
    }
    Some(Event::UmpireActs(Box::new(UmpireActs {
        by: umpire.name.clone(),
        acts: acts(context, state, &umpire, &incoming.words.text),
        released: Default::default(),
        mail: Some(UmpireMail {
            message_id: incoming.message_id.clone(),
            digest: incoming.digest,
            copy,
            file: came.file.to_owned(),
        }),
    })))
}

/// What a mail asks for; help, if nothing in it is a form.
fn acts(context: &Context, state: &State, umpire: &Umpire, text: &str) -> Vec<ActLine> {
    let resolve = |name: &str| addressees(context, &umpire.name, name);
    let player = |seat: &str| players::player(context, state, seat).cloned();
    let names = FormNames {
        zone: context.settings.schedule.zone(),
        resolve: &resolve,
        player: &player,
    };
    let acts = read_forms(text, &names);
    if !acts.is_empty() {
        return acts;
    }
    let line = text.lines().find(|line| !line.trim().is_empty());
    let line = line.unwrap_or_default().trim().chars().take(80).collect();
    let act = UmpireAct::Help;
    vec![ActLine { line, act }]
}
