//! `estafette witness`: for a person who does not play and has a part in the dice (dice.md, section
//! 5).

use std::{
    io::Read,
    path::{Path, PathBuf},
    str::FromStr,
};

use super::{
    clock::ClockOption,
    failure::{CommandResult, Failure},
    out,
};
use crate::{
    bounded,
    dice::{
        CampaignName, Chain, Chains, Digest, Entry, EntryBody, Lane, Master, register,
        source::witness_lane,
    },
    disk::{self, Mode},
    mail::{self, Mailbox, ReplyAddress},
};

/// Arguments of `witness`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    action: WitnessAction,
}

#[derive(Debug, clap::Subcommand)]
enum WitnessAction {
    /// Make a chain of tokens: its anchor goes to all players before the campaign begins
    New {
        /// The campaign's name, which must be settled before
        #[arg(long)]
        campaign: CampaignName,
        /// Your name in the register: 1 to 22 of a-z, 0-9 and -
        #[arg(long)]
        name: String,
        /// The file that keeps your secret; it must not exist yet
        #[arg(long, value_name = "FILE")]
        secret: PathBuf,
        /// The campaign's mailbox, the only one that tokens go to; by default, that of the first
        /// seal answered
        #[arg(long, alias = "host", value_name = "LOCAL@DOMAIN")]
        mailbox: Option<Mailbox>,
    },
    /// Read the mail that asks for a token on standard input, write the answer to standard output
    /// as a mail
    Answer {
        /// The file that keeps your secret
        #[arg(long, value_name = "FILE")]
        secret: PathBuf,
        /// Refuse the token, for all to see
        #[arg(long)]
        refuse: bool,
        #[command(flatten)]
        clock: ClockOption,
    },
}

/// Runs the command.
///
/// # Errors
/// Exit code 1 if the mail asks for nothing, for a token ahead of its time, for a second seal of
/// one envelope, or from another address than the campaign's; 2 if a secret would be written over.
pub fn run(args: &Args) -> CommandResult {
    match &args.action {
        WitnessAction::New {
            campaign,
            name,
            secret,
            mailbox,
        } => new(campaign, name, secret, mailbox.as_ref()),
        WitnessAction::Answer {
            secret,
            refuse,
            clock,
        } => answer(secret, *refuse, clock),
    }
}

/// The contents of the secret file.
struct WitnessSecret {
    campaign: CampaignName,
    name: String,
    master: Master,
    /// The campaign's mailbox, once it is known.
    mailbox: Option<Mailbox>,
    /// The seals that were answered, envelope 1 first: the next may be one more. Each with its
    /// entry's number and head.
    seals: Vec<(u32, Digest)>,
}

impl WitnessSecret {
    fn chain(&self) -> Chain {
        let lane = witness_lane(&self.name);
        Chain::of_master(&self.master, &self.campaign, &lane, Chains::DEFAULT_LENGTH)
    }

    fn write(&self, path: &Path) -> CommandResult {
        let Self {
            campaign,
            name,
            master,
            ..
        } = self;
        let master = master.to_hex();
        let mut text = format!("campaign {campaign}\nname {name}\nmaster {master}\n");
        text.extend(
            self.mailbox
                .iter()
                .map(|mailbox| format!("mailbox {mailbox}\n")),
        );
        let seals = self
            .seals
            .iter()
            .map(|(n, head)| format!("seal {n} {head}\n"));
        text.extend(seals);
        disk::write_atomically(path, text.as_bytes(), Mode::Secret).map_err(Failure::environment)
    }

    fn read(path: &Path) -> Result<Self, Failure> {
        let text = bounded::read_named(path, LARGEST_SECRET)?;
        let no_secret =
            || Failure::failed(format!("{}: this is no witness's secret", path.display()));
        let fields = |word: &'static str| {
            let lines = text.lines().filter_map(|line| line.split_once(' '));
            lines.filter(move |(first, _)| *first == word)
        };
        let field = |word| fields(word).next().map(|(_, rest)| rest);
        let seal = |(_, rest): (&str, &str)| {
            let (n, head) = rest.split_once(' ')?;
            Some((n.parse().ok()?, head.parse().ok()?))
        };
        let mailbox = field("mailbox").or_else(|| field("host"));
        let read = || {
            Some(Self {
                campaign: field("campaign")?.parse().ok()?,
                name: field("name")?.to_owned(),
                master: Master::from_hex(field("master")?).ok()?,
                mailbox: mailbox.map(str::parse).transpose().ok()?,
                seals: fields("seal").map(seal).collect::<Option<_>>()?,
            })
        };
        read().ok_or_else(no_secret)
    }

    /// Takes down a seal that asks for a token, if it may: once for each envelope, in their order,
    /// as the register goes on.
    ///
    /// Each token gives away all before it, and the token decides the dice: an umpire who asked
    /// ahead, or who had two seals to choose from, would know or choose what should still be open.
    fn admit(&mut self, asked: &TokenRequest) -> CommandResult {
        let TokenRequest { envelope, n, head } = asked;
        let given = self.seals.len();
        let place = (*envelope as usize).saturating_sub(1);
        if let Some((known, answered)) = self.seals.get(place) {
            if answered == head {
                return Ok(());
            }
            return Err(Failure::failed(format!(
                "ANOTHER SEAL: for envelope {envelope} you have answered the entry {known} with the head\n  {answered}\n\
                 and this mail has the entry {n} with the head\n  {head}\n\
                 There must be one seal for each envelope, alike for everybody. Give no token, keep both mails, and tell \
                 all players both lines: the one of them who has the other line has been shown another game."
            )));
        }
        if place > given {
            return Err(Failure::failed(format!(
                "this mail asks for token {envelope}, and the last one given was {given}: tokens are given in their order, \
                 one for each seal. If you have the mails between, answer them first; if there were none, tell all players."
            )));
        }
        // The opening is entry 1, and the dice of an envelope come before the next seal.
        let last = self.seals.last().map_or(0, |(last, _)| *last);
        if *n < last.saturating_add(2) {
            return Err(Failure::failed(format!(
                "this seal is entry {n} of the register, and the one before it was entry {last}: the register can't have \
                 gone on like that. Give no token, keep the mail, and tell all players."
            )));
        }
        self.seals.push((*n, *head));
        Ok(())
    }

    /// Tells whether answers may go to this address: the campaign's mailbox, and the witness's name
    /// in it. The first address settles the mailbox, if nothing else has.
    fn admit_address(&mut self, to: &str) -> CommandResult {
        let seat = witness_lane(&self.name);
        let known = self.mailbox.is_some();
        let mailbox = self.mailbox.clone().or_else(|| {
            let (local, domain) = to.rsplit_once('@')?;
            let (local, _) = local.rsplit_once(&format!("{}.{seat}.", self.campaign))?;
            let local = local.strip_suffix(['+', '-'])?;
            format!("{local}@{domain}").parse().ok()
        });
        let belongs = mailbox.as_ref().and_then(|mailbox: &Mailbox| {
            let address = ReplyAddress::parse(to, mailbox)?;
            let is_own = address.campaign == self.campaign.to_string() && address.seat == seat;
            Some(is_own && address.mailbox.domain.eq_ignore_ascii_case(&mailbox.domain))
        });
        if belongs != Some(true) {
            let known = mailbox.as_ref().map(Mailbox::to_string);
            let mailbox = known.unwrap_or_else(|| "the campaign's mailbox".to_owned());
            return Err(Failure::failed(format!(
                "answers to this mail would go to {to}, and tokens of the campaign {} go to {mailbox} only: ask the umpire, \
                 and tell the players if the umpire knows nothing of it",
                self.campaign
            )));
        }
        if let (false, Some(mailbox)) = (known, &mailbox) {
            out::remark(format!("from now on tokens go to {mailbox} only"));
        }
        self.mailbox = mailbox;
        Ok(())
    }
}

fn new(
    campaign: &CampaignName,
    name: &str,
    path: &Path,
    mailbox: Option<&Mailbox>,
) -> CommandResult {
    if path.exists() {
        let path = path.display();
        return Err(Failure::usage(format!(
            "{path} exists already; no secret is written over"
        )));
    }
    if name.contains('+') || Lane::from_str(&witness_lane(name)).is_err() {
        return Err(Failure::usage(format!(
            "`{name}` is no name: 1 to 22 of a-z, 0-9 and -"
        )));
    }
    let secret = WitnessSecret {
        campaign: campaign.clone(),
        name: name.to_owned(),
        master: Master::draw().map_err(Failure::environment)?,
        mailbox: mailbox.cloned(),
        seals: Vec::new(),
    };
    secret.write(path)?;
    let anchor = secret.chain().anchor();
    out::line(format!("anchor {anchor}"))?;
    out::line(format!(
        "Send this line to all players from your own address before the campaign {campaign} begins. The umpire makes it with\n  \
         estafette new ... --name {campaign} --dice witness={name},YOUR-ADDRESS,{anchor}\n\
         Keep {} safe and to yourself: who has it knows your part of all dice.",
        path.display()
    ))
}

fn answer(path: &Path, refuse: bool, clock: &ClockOption) -> CommandResult {
    let mut secret = WitnessSecret::read(path)?;
    let mut bytes = Vec::new();
    std::io::stdin()
        .lock()
        .take(LARGEST_MAIL)
        .read_to_end(&mut bytes)?;
    let letter = mail::parts(&bytes).ok_or_else(|| Failure::failed("this is no mail"))?;
    let asked = asked(&secret.campaign, &letter.text)?;
    let no_address = || Failure::failed("this mail does not say where answers go");
    let (to, _) = mail::reply_to(&bytes).ok_or_else(no_address)?;
    secret.admit_address(&to)?;
    secret.admit(&asked)?;
    let token = if refuse {
        "-".to_owned()
    } else {
        let key = secret.chain().key(asked.envelope).map(|key| key.to_hex());
        key.map_err(Failure::failed)?
    };
    secret.write(path)?;
    let TokenRequest { envelope, n, head } = asked;
    let line =
        format!("TOKEN {envelope} {token}\n\nFor the seal with this head:\nregister {n} {head}\n");
    let answer = mail::answer(&bytes, &line, clock.now()).ok_or_else(no_address)?;
    out::bytes(&answer)
}

/// Largest letter of the host that is read, in bytes.
const LARGEST_MAIL: u64 = 4 << 20;
/// Largest secret, in bytes: a line for each envelope.
const LARGEST_SECRET: u64 = 1 << 20;

/// The seal for which a mail asks a token.
#[derive(Clone, Debug, PartialEq, Eq)]
struct TokenRequest {
    envelope: u32,
    /// The entry's number in the register.
    n: u32,
    head: Digest,
}

/// The seal that stands in the mail: one, with the head of its lines.
fn asked(campaign: &CampaignName, text: &str) -> Result<TokenRequest, Failure> {
    let entries = register::find_entries(text).into_iter().flatten();
    let seals =
        entries.filter(|entry| entry.campaign == *campaign && entry.true_head() == entry.head);
    let asked = seals.filter_map(|entry: Entry| match entry.body {
        EntryBody::Seal(seal) => Some(TokenRequest {
            envelope: seal.envelope,
            n: entry.n,
            head: entry.head,
        }),
        _ => None,
    });
    let mut asked: Vec<TokenRequest> = asked.collect();
    asked.dedup();
    match asked.as_slice() {
        [one] => Ok(one.clone()),
        [] => Err(Failure::failed(format!(
            "no seal of the campaign {campaign} stands in this mail (lines from `sd1 {campaign} ... seal` to `head`, \
             unchanged)"
        ))),
        _ => Err(Failure::failed(format!(
            "{} different seals stand in this mail; answer mails with one seal as the host sent them",
            asked.len()
        ))),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic
mod tests {
    use super::*;
    use crate::dice::hash;

    fn secret(mailbox: Option<&str>) -> WitnessSecret {
        let campaign: CampaignName = "spring".parse().unwrap();
        WitnessSecret {
            master: Master::simulated("cleo", &campaign),
            campaign,
            name: "cleo".into(),
            mailbox: mailbox.map(|mailbox| mailbox.parse().unwrap()),
            seals: Vec::new(),
        }
    }

    fn seal(envelope: u32, n: u32, text: &str) -> TokenRequest {
        let head = hash(text);
        TokenRequest { envelope, n, head }
    }

    #[test]
    fn one_seal_for_each_envelope_in_their_order() {
        let mut secret = secret(None);
        assert!(secret.admit(&seal(2, 4, "b")).is_err(), "ahead");
        assert!(secret.admit(&seal(1, 1, "a")).is_err(), "no opening");
        secret.admit(&seal(1, 2, "a")).unwrap();
        secret.admit(&seal(1, 2, "a")).unwrap();
        let second = secret.admit(&seal(1, 2, "A")).unwrap_err().message;
        assert!(second.contains("ANOTHER SEAL") && second.contains("tell all players"));
        assert!(second.contains(&hash("a").to_string()) && second.contains(&hash("A").to_string()));
        assert!(secret.admit(&seal(2, 3, "b")).is_err(), "no dice between");
        secret.admit(&seal(2, 4, "b")).unwrap();
        assert!(secret.admit(&seal(0, 6, "c")).is_err());
        assert_eq!(secret.seals.len(), 2);

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret");
        secret.write(&path).unwrap();
        assert_eq!(WitnessSecret::read(&path).unwrap().seals, secret.seals);
        fs_append(&path, "seal 7\n");
        assert!(WitnessSecret::read(&path).is_err());
    }

    fn fs_append(path: &Path, line: &str) {
        let text = std::fs::read_to_string(path).unwrap();
        std::fs::write(path, text + line).unwrap();
    }

    #[test]
    fn tokens_go_to_the_mailbox_of_the_campaign_alone() {
        let right = "games+spring.w-cleo.abcd@example.org";
        let wrong = [
            "eve@example.net",
            "games+spring.w-cleo.abcd@example.net",
            "eve+spring.w-cleo.abcd@example.org",
            "games+autumn.w-cleo.abcd@example.org",
            "games+spring.w-cato.abcd@example.org",
            "games+spring.w-cleo.abcd.x@example.org",
        ];
        let mut first = secret(None);
        first.admit_address(right).unwrap();
        assert_eq!(first.mailbox, "games@example.org".parse().ok());
        let mut given = secret(Some("games@example.org"));
        for address in wrong {
            assert!(first.admit_address(address).is_err(), "{address}");
            assert!(given.admit_address(address).is_err(), "{address}");
        }
        given.admit_address(right).unwrap();
        for address in ["eve@example.net", "games+autumn.w-cleo.a@example.org", ""] {
            assert!(secret(None).admit_address(address).is_err(), "{address}");
        }
    }
}
