//! Campaigns whose dice wait for the public beacon, or for a witness.

use estafette::{
    campaign::model::state::CurrentWait,
    dice::{CampaignName, Chain, Master, source::witness_lane},
};

use super::{NAME, Plan, Test};

/// Real rounds of quicknet: the clock of [`sealed_with`] stands so that the first seal names round
/// 42.
pub const ROUND_42: &str = "95a9f9f5b231b7714de1553105d8ffdf3dcda24cfdb1e689319bccf79a9c8ce430a91b811fbfaf763900bc998b5d686a";
/// The moment of round 42: nobody has its value before.
pub const MOMENT_42: &str = "2023-08-23T15:11:30Z";
/// Another round, for values that are genuine and not asked for.
pub const ROUND_1000: &str = "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39";

/// A campaign with these dice, whose first orders are sealed a minute before the moment of round
/// 42.
pub fn sealed_with(dice: &str) -> Test {
    let plan = Test::campaign("castiglione").scenario("lonato");
    sealed_in(plan.questions(0).dice(dice))
}

/// The campaign of a plan, whose first orders are sealed a minute before the moment of round 42.
pub fn sealed_in(plan: Plan) -> Test {
    let mut test = plan.beginning("2023-08-23T15:00:00Z").begin();
    test.clock("2023-08-23T15:10:30Z");
    test.mail("french", "RIEN")
        .mail("austrian", "PURSUE NEVER")
        .run();
    test
}

/// Returns true if the dice wait for nothing any more.
pub fn is_rolled(test: &Test) -> bool {
    !matches!(test.state().waiting, CurrentWait::Dice { .. })
}

/// Cleo's chain, and a source that names her; she has a day.
pub fn witness() -> (Chain, String) {
    let name: CampaignName = NAME.parse().unwrap();
    let secret = Master::simulated("cleo", &name);
    let chain = Chain::of_master(&secret, &name, &witness_lane("cleo"), 1000);
    let anchor = chain.anchor();
    let source = format!(
        "{{source: witness, name: cleo, address: cleo@example.org, anchor: {anchor}, hours: 24}}"
    );
    (chain, source)
}
