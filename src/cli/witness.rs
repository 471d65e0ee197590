//! `estafette witness`: for a person who does not play and has a part in the dice (dice.md, section 5).

use std::{
    io::Read,
    path::{Path, PathBuf},
    str::FromStr,
};

use super::{
    clock::Clock,
    failure::{Failure, Outcome},
    out,
};
use crate::{
    campaign::files::{self, Mode},
    dice::{Body, CampaignName, Chain, Chains, Lane, Master, register, source::witness_lane},
    mail,
};

/// Arguments of `witness`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
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
    },
    /// Read the mail that asks for a token on standard input, write the answer to standard output as a mail
    Answer {
        /// The file that keeps your secret
        #[arg(long, value_name = "FILE")]
        secret: PathBuf,
        /// Refuse the token, for all to see
        #[arg(long)]
        refuse: bool,
        #[command(flatten)]
        clock: Clock,
    },
}

/// Runs the command.
///
/// # Errors
/// Exit code 1 if the mail asks for nothing, or for a token ahead of its time; 2 if a secret would be written over.
pub fn run(args: &Args) -> Outcome {
    match &args.action {
        Action::New {
            campaign,
            name,
            secret,
        } => new(campaign, name, secret),
        Action::Answer {
            secret,
            refuse,
            clock,
        } => answer(secret, *refuse, clock),
    }
}

/// What the secret file holds.
struct Secret {
    campaign: CampaignName,
    name: String,
    master: Master,
    /// The newest envelope for which a token was given: the next may be one higher.
    given: u32,
}

impl Secret {
    fn chain(&self) -> Chain {
        let lane = witness_lane(&self.name);
        Chain::of_master(&self.master, &self.campaign, &lane, Chains::DEFAULT_LENGTH)
    }

    fn write(&self, path: &Path) -> Outcome {
        let Self {
            campaign,
            name,
            master,
            given,
        } = self;
        let master = master.to_hex();
        let text = format!("campaign {campaign}\nname {name}\nmaster {master}\ngiven {given}\n");
        files::write_atomically(path, text.as_bytes(), Mode::Secret).map_err(Failure::environment)
    }

    fn read(path: &Path) -> Result<Self, Failure> {
        let text = files::read_text(path, 4096).map_err(Failure::environment)?;
        let no_secret =
            || Failure::failed(format!("{}: this is no witness's secret", path.display()));
        let field = |word: &str| {
            let mut lines = text.lines().filter_map(|line| line.split_once(' '));
            lines
                .find(|(first, _)| *first == word)
                .map(|(_, rest)| rest)
        };
        let read = || {
            Some(Self {
                campaign: field("campaign")?.parse().ok()?,
                name: field("name")?.to_owned(),
                master: Master::from_hex(field("master")?).ok()?,
                given: field("given")?.parse().ok()?,
            })
        };
        read().ok_or_else(no_secret)
    }
}

fn new(campaign: &CampaignName, name: &str, path: &Path) -> Outcome {
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
    let secret = Secret {
        campaign: campaign.clone(),
        name: name.to_owned(),
        master: Master::draw().map_err(Failure::environment)?,
        given: 0,
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

fn answer(path: &Path, refuse: bool, clock: &Clock) -> Outcome {
    let mut secret = Secret::read(path)?;
    let mut bytes = Vec::new();
    std::io::stdin()
        .lock()
        .take(LARGEST_MAIL)
        .read_to_end(&mut bytes)?;
    let letter = mail::parts(&bytes).ok_or_else(|| Failure::failed("this is no mail"))?;
    let envelope = asked(&secret.campaign, &letter.text)?;
    // Each token gives away all before it. An umpire who asked ahead would know tokens that should still be closed.
    if envelope > secret.given + 1 {
        return Err(Failure::failed(format!(
            "this mail asks for token {envelope}, and the last one given was {}: tokens are given in their order, one \
             for each seal. If you have the mails between, answer them first; if there were none, tell all players.",
            secret.given
        )));
    }
    let token = if refuse {
        "-".to_owned()
    } else {
        secret
            .chain()
            .key(envelope)
            .map_err(Failure::failed)?
            .to_hex()
    };
    secret.given = secret.given.max(envelope);
    secret.write(path)?;
    let line = format!("TOKEN {envelope} {token}\n");
    let answer = mail::answer(&bytes, &line, clock.now())
        .ok_or_else(|| Failure::failed("this mail does not say where answers go"))?;
    out::bytes(&answer)
}

/// Largest letter of the host that is read, in bytes.
const LARGEST_MAIL: u64 = 4 << 20;

/// The envelope of the seal that stands in the mail.
fn asked(campaign: &CampaignName, text: &str) -> Result<u32, Failure> {
    let seals = register::find_entries(text).into_iter().flatten();
    let mut seals = seals.filter(|entry| entry.campaign == *campaign);
    let envelope = seals.find_map(|entry| match entry.body {
        Body::Seal(seal) => Some(seal.envelope),
        _ => None,
    });
    envelope.ok_or_else(|| {
        Failure::failed(format!(
            "no seal of the campaign {campaign} stands in this mail (lines from `sd1 {campaign} ... seal` to `head`)"
        ))
    })
}
