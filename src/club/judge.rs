//! Whose a mail is, and whether it is answered at all. Nothing changes here.

use jiff::Timestamp;

use super::{
    events::{ClubEvent, ClubMail, ClubSender, SilenceReason},
    people::Person,
    reading::{KnownClub, RequestReading, line_of},
    request_words::{RequestVerb, RequestWord, WORDS},
    requests::{ClubRequest, RequestLine, VerbLine, verb_lines},
    state::{AnswerKind, ClubReader, MemberNumber, MemberStanding},
};
use crate::{
    digest::Digest,
    game::Lang,
    mail::{
        self, AutoReason, Claim, DeliveryStatus, Incoming, MailLimits, MessageName, NamedAddress,
        SeatClue, Token, claims,
    },
};

/// Letters so far back still have a token that counts.
const TOKENS: u64 = 60;
/// Characters of the mark in a Message-ID.
const MARK: usize = 10;
/// How the label of a confirmation's token begins.
pub(super) const CONFIRMING: char = 'a';

/// A mail that was judged.
pub(super) struct JudgedMail {
    /// The event.
    pub event: ClubEvent,
    /// The file of the member, where there is a new version of it.
    pub person: Option<Person>,
    /// Where an answer goes.
    pub origin: Option<MailOrigin>,
}

/// Where a mail comes from: for answers to strangers, and to thread answers. It is in no journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MailOrigin {
    /// Its sender.
    pub from: NamedAddress,
    /// Its Message-ID.
    pub message_id: Option<String>,
}

impl MailOrigin {
    /// The origin of a mail, if it can be read.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        let mail = mail::read(bytes, &MailLimits::default()).ok()?;
        Some(Self::of_mail(&mail))
    }

    fn of_mail(mail: &Incoming) -> Self {
        Self {
            from: mail.from.clone(),
            message_id: mail.message_id.clone(),
        }
    }
}

/// Whose a mail is, as far as it proves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ProvenSender {
    /// It has the token of a letter to this member.
    Token(MemberNumber),
    /// It has the code that was sent to an address of this member.
    Code(MemberNumber),
    /// It comes from an address of this member.
    Address(MemberNumber),
    /// It has a token of ours that is none.
    BadToken,
    /// Nobody's.
    Nobody,
}

impl KnownClub<'_> {
    /// Judges the bytes of a mail, which lies in this file.
    ///
    /// # Errors
    /// When the operating system gives no random bytes.
    pub(super) fn judge(
        &self,
        file: &str,
        bytes: &[u8],
        now: Timestamp,
    ) -> Result<JudgedMail, String> {
        let digest = Digest::of(bytes);
        let silent = |why| JudgedMail {
            event: ClubEvent::Passed {
                file: file.to_owned(),
                digest,
                why,
            },
            person: None,
            origin: None,
        };
        let Ok(mail) = mail::read(bytes, &MailLimits::default()) else {
            return Ok(silent(SilenceReason::Unreadable));
        };
        if self.state.seen.contains_key(&digest) {
            return Ok(silent(SilenceReason::Copy));
        }
        if let Some(reason) = &mail.automatic {
            let returned = self.returned(reason).map(|member| ClubEvent::Returned {
                file: file.to_owned(),
                digest,
                member,
            });
            return Ok(match returned {
                Some(event) => JudgedMail {
                    event,
                    person: None,
                    origin: None,
                },
                None => silent(SilenceReason::Automatic),
            });
        }
        if self.settings.mailbox.owns(&mail.from.email) {
            return Ok(silent(SilenceReason::Automatic));
        }
        match self.asked(file, digest, &mail, now)? {
            Ok((mail_event, person)) => Ok(JudgedMail {
                event: ClubEvent::Asked(Box::new(mail_event)),
                person,
                origin: Some(MailOrigin::of_mail(&mail)),
            }),
            Err(why) => Ok(silent(why)),
        }
    }

    /// The member to whom a letter did not get.
    fn returned(&self, reason: &AutoReason) -> Option<MemberNumber> {
        let AutoReason::DeliveryReport(report) = reason else {
            return None;
        };
        let about = MessageName::parse(report.about.as_deref()?)?;
        let member: MemberNumber = about.seat.parse().ok()?;
        let reader = ClubReader::Member(member);
        let written = self.state.letters.get(&reader).copied().unwrap_or(0);
        // Only who has seen the letter knows its mark.
        let ours = about.campaign == self.settings.club.as_str()
            && (1..=written).contains(&about.number)
            && about.mark == self.mark(reader, about.number);
        let is_final = (report.recipients.iter()).any(DeliveryStatus::is_permanent);
        // A code goes to an address that may be wrong, and says nothing of the one that is known.
        let counts = self.state.members.get(&member).is_some_and(|entry| {
            entry.standing != MemberStanding::Left && !entry.codes.contains(&about.number)
        });
        (ours && is_final && counts).then_some(member)
    }

    /// What makes the Message-ID of a letter hard to guess.
    pub(super) fn mark(&self, reader: ClubReader, number: u64) -> String {
        let club = self.settings.club.as_str();
        let mark = Token::make(&self.keys.message, club, &reader.to_string(), number);
        mark.chars().take(MARK).collect()
    }

    /// What a person's mail asks for, with the new version of his file; or why it gets no answer.
    #[allow(
        clippy::type_complexity,
        reason = "an outcome within the error of the machine"
    )]
    fn asked(
        &self,
        file: &str,
        digest: Digest,
        mail: &Incoming,
        now: Timestamp,
    ) -> Result<Result<(ClubMail, Option<Person>), SilenceReason>, String> {
        let lines = verb_lines(&mail.words.text);
        let lang = lines.first().map(|line| line.lang);
        let mut reading = RequestReading {
            club: *self,
            now,
            person: None,
        };
        let event = |sender, lang, requests, change| ClubMail {
            file: file.to_owned(),
            digest,
            sender,
            lang,
            requests,
            person: change,
        };
        match self.sender(mail) {
            ProvenSender::Code(member) => {
                let text = &mail.words.text;
                if !says_yes(text) && !lines.iter().any(|line| line.verb == RequestVerb::JoinClub) {
                    return Ok(Err(SilenceReason::Nothing));
                }
                let Some(change) = reading.confirm(member, &mail.from.email) else {
                    return Ok(Err(SilenceReason::BadToken));
                };
                let sender = ClubSender::Member {
                    member,
                    proven: true,
                };
                let lang = self.lang_of(member, lang);
                Ok(Ok((
                    event(sender, lang, Vec::new(), Some(change)),
                    reading.person,
                )))
            }
            ProvenSender::BadToken => Ok(Err(SilenceReason::BadToken)),
            ProvenSender::Token(member) | ProvenSender::Address(member)
                if self.is_applicant(member) =>
            {
                Ok(Err(SilenceReason::Unconfirmed))
            }
            found @ (ProvenSender::Token(member) | ProvenSender::Address(member)) => {
                let proven = matches!(found, ProvenSender::Token(_));
                if lines.is_empty() && !proven && !self.is_addressed(mail) {
                    return Ok(Err(SilenceReason::Nothing));
                }
                let kind = if proven {
                    AnswerKind::Proven(member)
                } else {
                    AnswerKind::Unproven(member)
                };
                if !self.state.may_answer(kind, now) {
                    return Ok(Err(SilenceReason::TooOften));
                }
                let requests = reading.requests(&lines, member, proven);
                let change = reading.change(member);
                let sender = ClubSender::Member { member, proven };
                let lang = self.lang_of(member, lang);
                Ok(Ok((event(sender, lang, requests, change), reading.person)))
            }
            // No answer could go there.
            ProvenSender::Nobody if mail::check_address(&mail.from.email).is_err() => {
                Ok(Err(SilenceReason::Nothing))
            }
            ProvenSender::Nobody => {
                let joins = lines.iter().any(|line| line.verb == RequestVerb::JoinClub);
                if lines.is_empty() && !self.is_addressed(mail) {
                    return Ok(Err(SilenceReason::Nothing));
                }
                let print = self.print(&mail.from.email);
                let may = self.state.may_answer(AnswerKind::Strangers, now)
                    && (joins || self.state.may_answer(AnswerKind::Stranger(print), now));
                if !may {
                    return Ok(Err(SilenceReason::TooOften));
                }
                let lang = lang.unwrap_or(self.settings.lang);
                if joins {
                    let Some(change) = reading.apply_for(&lines, mail, lang)? else {
                        return Ok(Err(SilenceReason::Nothing));
                    };
                    let member = change.member;
                    let sender = ClubSender::Member {
                        member,
                        proven: false,
                    };
                    let mail = event(sender, lang, Vec::new(), Some(change));
                    return Ok(Ok((mail, reading.person)));
                }
                let sender = ClubSender::Stranger { print };
                let asks = |line: &VerbLine<'_>| line.verb == RequestVerb::Games;
                let request = match lines.iter().find(|line| asks(line)) {
                    Some(line) => line_of(line, ClubRequest::Games),
                    None => RequestLine {
                        line: String::new(),
                        request: ClubRequest::Help,
                    },
                };
                Ok(Ok((event(sender, lang, vec![request], None), None)))
            }
        }
    }

    /// Whose a mail is. A token goes before an address, since addresses can be forged.
    fn sender(&self, mail: &Incoming) -> ProvenSender {
        let club = self.settings.club.as_str();
        let mut tried = false;
        for claim in claims(mail, &self.settings.mailbox) {
            if claim.campaign != club || claim.token.is_none() {
                continue;
            }
            tried |= claim.by == SeatClue::Address;
            if let Some(found) = self.proven(&claim) {
                return found;
            }
        }
        if tried {
            return ProvenSender::BadToken;
        }
        let member = self.people.at(&mail.from.email);
        member.map_or(ProvenSender::Nobody, ProvenSender::Address)
    }

    /// Whom a token speaks for.
    fn proven(&self, claim: &Claim) -> Option<ProvenSender> {
        let token = claim.token.as_deref()?;
        let club = self.settings.club.as_str();
        let is_good =
            |label: &str, number| Token::check(&self.keys.token, club, label, number, token);
        if let Some(number) = claim.seat.strip_prefix(CONFIRMING) {
            let member: MemberNumber = number.parse().ok()?;
            let asked = self.people.get(member)?.asked.as_ref()?;
            let good = is_good(&claim.seat, u64::from(asked.code));
            return good.then_some(ProvenSender::Code(member));
        }
        let member: MemberNumber = claim.seat.parse().ok()?;
        self.people.get(member)?;
        let reader = ClubReader::Member(member);
        let last = self.state.letters.get(&reader).copied().unwrap_or(0);
        let mut numbers = (1..=last).rev().take(TOKENS as usize);
        let good = numbers.any(|number| is_good(&claim.seat, number));
        good.then_some(ProvenSender::Token(member))
    }

    fn is_applicant(&self, member: MemberNumber) -> bool {
        let found = self.state.members.get(&member);
        found.is_none_or(|member| member.standing == MemberStanding::Applicant)
    }

    /// Returns true if the mail was sent to the club's own address.
    fn is_addressed(&self, mail: &Incoming) -> bool {
        let mut to = mail.recipients.iter();
        to.any(|address| self.settings.is_at(address))
    }

    fn lang_of(&self, member: MemberNumber, written: Option<Lang>) -> Lang {
        let person = self.people.get(member).map(|person| person.lang);
        person.or(written).unwrap_or(self.settings.lang)
    }

    /// What is kept of a stranger's address.
    fn print(&self, email: &str) -> Digest {
        self.keys.print.mac(&email.trim().to_lowercase())
    }
}

/// Returns true if a text begins with a yes.
fn says_yes(text: &str) -> bool {
    let first = text
        .split(|c: char| !c.is_alphanumeric())
        .find(|word| !word.is_empty());
    first.is_some_and(|word| WORDS.is(RequestWord::Yes, &word.to_lowercase()))
}
