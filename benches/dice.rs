//! Figures of checking: how many open rolls are derived again in a second (100,000 or more), what a
//! folder of mails costs that names 20,000 campaigns (less than 2 s), and what the audit of a
//! finished campaign costs, its replay included (less than 2 s for the bundle).
//! `cargo bench --bench dice`
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    missing_docs,
    reason = "a benchmark may panic"
)]

#[allow(dead_code, reason = "the other benchmark uses the rest")]
mod play;

use std::{
    path::PathBuf,
    sync::{Arc, LazyLock},
};

use divan::{Bencher, counter::ItemsCount};
use estafette::{
    audit::{self, Verdict, bundle, mails::mails},
    campaign::{
        durable,
        model::{settings::Settings, state::CurrentWait},
    },
    dice::{
        BoundText, Bundle, CampaignName, Chains, Counters, Dice, DiceEntry, Digest, EntryBody,
        Form, Lane, Master, Opening, Register, Seal, SealedDice, Source, hash, verify,
    },
    ids::SeatId,
    store::Directory,
};

fn main() {
    divan::main();
}

/// A campaign of a season: 40 envelopes.
const ENVELOPES: u32 = 40;
/// Open rolls of each, a quarter of them repeats of a label.
const ROLLS: u32 = 400;

/// A register with open rolls, made with the functions that the host uses.
fn register() -> Bundle {
    let campaign: CampaignName = "bench".parse().unwrap();
    let seats = vec![SeatId::from("red"), SeatId::from("blue")];
    let master = Master::simulated("bench", &campaign);
    let length = Chains::DEFAULT_LENGTH;
    let chains = Arc::new(Chains::new(campaign.clone(), master, length, &seats, &[]).unwrap());
    let opening = Opening {
        form: Form::Texts,
        rules: hash("rules"),
        seats: seats.clone(),
        chain: length,
        anchors: chains.anchors(&seats).unwrap(),
        sources: vec![Source::Orders],
    };
    let mut register = Register::new(campaign.clone());
    register.append(EntryBody::Open(opening.clone())).unwrap();
    for envelope in 1..=ENVELOPES {
        let seal = Seal {
            envelope,
            sealed: "2026-11-21T20:00:00Z".parse().unwrap(),
            round: None,
            orders: seats
                .iter()
                .map(|seat| (seat.clone(), Digest::ZERO))
                .collect(),
        };
        let mix = opening.mix(&campaign, &seal, &[]).unwrap();
        let mut dice = SealedDice::new(Arc::clone(&chains), envelope, mix, Counters::default());
        for roll in 0..ROLLS {
            let label = format!("t{envelope}/combat/{}", roll % (ROLLS / 4 * 3));
            let spec = ["2d6", "1d6", "1d10", "3d6"][roll as usize % 4];
            let (label, spec) = (label.parse().unwrap(), spec.parse().unwrap());
            dice.roll(&Lane::open(), &label, &spec).unwrap();
        }
        let mut binds = vec![
            (BoundText::Ledger, Digest::ZERO),
            (BoundText::Journal, Digest::ZERO),
        ];
        let dispatch = |seat: &SeatId| (BoundText::Dispatch(seat.clone()), Digest::ZERO);
        binds.extend(seats.iter().map(dispatch));
        let entry = DiceEntry {
            envelope,
            values: Vec::new(),
            open_key: Some(chains.key(&Lane::open(), envelope).unwrap().clone()),
            binds,
            rolls: dice.made().to_vec(),
        };
        register.append(EntryBody::Seal(seal)).unwrap();
        register.append(EntryBody::Dice(entry)).unwrap();
    }
    Bundle::of_register(campaign, register.to_string())
}

/// From the text of a register to the verdict on all its open dice.
#[divan::bench]
fn open_dice_of_a_campaign(bencher: Bencher<'_, '_>) {
    let bundle = register();
    let rolls = ENVELOPES * ROLLS;
    let report = verify(&bundle);
    assert!(report.findings.is_empty() && report.passes() > u64::from(rolls));
    bencher
        .counter(ItemsCount::new(rolls))
        .bench_local(|| verify(&bundle));
}

/// Campaigns that somebody has invented.
const CAMPAIGNS: u32 = 20_000;

/// A mail with the opening of each of them.
fn mail_with_openings() -> tempfile::NamedTempFile {
    let seats = vec![SeatId::from("red"), SeatId::from("blue")];
    let lanes = ["open", "shut", "red", "blue"];
    let opening = Opening {
        form: Form::Texts,
        rules: hash("rules"),
        seats,
        chain: Chains::DEFAULT_LENGTH,
        anchors: lanes.map(|lane| (lane.parse().unwrap(), hash(lane))).into(),
        sources: vec![Source::Orders],
    };
    let mut mail = "From: Eve <eve@example.org>\nContent-Type: text/plain\n\n".to_owned();
    for number in 0..CAMPAIGNS {
        let mut register = Register::new(format!("club-{number}").parse().unwrap());
        register.append(EntryBody::Open(opening.clone())).unwrap();
        mail.push_str(&register.to_string());
    }
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), mail).unwrap();
    file
}

/// All of them checked, from the bytes of the mail to the verdicts.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn mails_that_name_many_campaigns(bencher: Bencher<'_, '_>) {
    let mail = mail_with_openings();
    bencher.counter(ItemsCount::new(CAMPAIGNS)).bench_local(|| {
        let found = mails(mail.path()).unwrap();
        let all = found.campaigns.len() + found.further.all();
        assert_eq!(
            (all, found.verdict()),
            (CAMPAIGNS as usize, Verdict::Incomplete)
        );
    });
}

/// A finished campaign of nine turns, letters with pictures, and its bundle.
static FINISHED: LazyLock<(tempfile::TempDir, PathBuf, PathBuf)> = LazyLock::new(|| {
    let (folder, root) = play::played(i64::MAX);
    let (_, _, state) = durable::look(&root).unwrap();
    assert_eq!(state.waiting, CurrentWait::Nothing);
    assert!(Settings::of(&Directory::at(&root)).unwrap().pictures);
    let out = folder.path().join("bundle");
    bundle::write(&root, &out).unwrap();
    (folder, root, out)
});

/// Every check of the dice, and all of the campaign's work done again.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn audit_of_a_bundle(bencher: Bencher<'_, '_>) {
    let bundle = &FINISHED.2;
    bencher.bench_local(|| {
        let report = bundle::audit(bundle, &mut |_, _| {}).unwrap();
        assert_eq!(report.verdict(), Verdict::Fits, "{report:?}");
    });
}

/// The same with the letters in the outboxes, every picture compared.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn audit_of_a_directory(bencher: Bencher<'_, '_>) {
    let root = &FINISHED.1;
    bencher.bench_local(|| assert_eq!(audit::campaign(root).unwrap().verdict(), Verdict::Fits));
}
