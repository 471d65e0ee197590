//! The baseline that a campaign keeps and an audit compares its replay with.

use std::borrow::Cow;

use crate::{
    campaign::{
        durable::{CampaignError, memory::MemoryCampaign, replay},
        model::{context::Context, events::Creation, recipient::Recipient},
        post::Letter,
    },
    mail::maildir::file_name,
    store::Directory,
};

/// Where an audited campaign keeps what its replay is compared with.
pub(super) trait Baseline {
    /// Checks whether it is the campaign that this record began.
    fn check_origin(&self, context: &Context, created: &Creation) -> Result<(), CampaignError>;

    /// The bytes of a letter that went out; none if it was taken away.
    fn sent(
        &self,
        to: &Recipient,
        message_id: &str,
    ) -> Result<Option<Cow<'_, [u8]>>, CampaignError>;

    /// All letters that went out and are still there, by outbox and key.
    fn names(&self) -> Result<Vec<(String, String)>, CampaignError>;
}

impl Baseline for Directory {
    fn check_origin(&self, context: &Context, created: &Creation) -> Result<(), CampaignError> {
        let pinned = self.pinned()?.digest();
        replay::check_origin(context.settings(), pinned, created)
    }

    fn sent(
        &self,
        to: &Recipient,
        message_id: &str,
    ) -> Result<Option<Cow<'_, [u8]>>, CampaignError> {
        let outbox = self.outbox(&to.address_name());
        Ok(outbox.find(message_id)?.map(Cow::Owned))
    }

    fn names(&self) -> Result<Vec<(String, String)>, CampaignError> {
        let mut names = Vec::new();
        for name in self.outboxes()? {
            let keys = self.outbox(&name).keys()?;
            names.extend(keys.into_iter().map(|key| (name.clone(), key)));
        }
        Ok(names)
    }
}

impl Baseline for MemoryCampaign {
    fn check_origin(&self, _: &Context, created: &Creation) -> Result<(), CampaignError> {
        self.check_origin(created)
    }

    fn sent(
        &self,
        to: &Recipient,
        message_id: &str,
    ) -> Result<Option<Cow<'_, [u8]>>, CampaignError> {
        let found = self
            .letters()
            .iter()
            .find(|sent| sent.message_id == message_id && sent.to == *to);
        Ok(found.map(Letter::bytes).transpose()?)
    }

    fn names(&self) -> Result<Vec<(String, String)>, CampaignError> {
        let letters = self.letters().iter();
        let names = letters.map(|sent| (sent.to.address_name(), file_name(&sent.message_id)));
        Ok(names.collect())
    }
}
