//! Vectors of letters: their sheets, and the lists that dice entries bind.

use data_encoding::BASE64;
use serde::Deserialize;

use super::VectorReport;
use crate::dice::{
    hash::Digest,
    letters::LetterList,
    names::CampaignName,
    sheet::{Sheet, SheetContent, SheetField},
};

#[derive(Deserialize)]
pub(super) struct SheetVector {
    campaign: String,
    /// Name in small letters and decoded value, in any order.
    fields: Vec<(String, String)>,
    text: String,
    html: Option<String>,
    #[serde(default)]
    files: Vec<FileVector>,
    sheet: Option<String>,
    sha256: Digest,
}

#[derive(Deserialize)]
struct FileVector {
    name: String,
    text: Option<String>,
    html: Option<String>,
    base64: Option<String>,
}

pub(super) fn sheet(place: &str, vector: SheetVector, report: &mut VectorReport) {
    let Some(campaign) = report.made(place, vector.campaign.parse::<CampaignName>()) else {
        return;
    };
    let mut fields = Vec::new();
    for (name, value) in vector.fields {
        let named = |field: &SheetField| field.name().eq_ignore_ascii_case(&name);
        match SheetField::ALL.into_iter().find(named) {
            Some(field) => fields.push((field, value)),
            None => report.fail(format_args!("{place}: a sheet has no field `{name}`")),
        }
    }
    let mut files = Vec::new();
    for file in &vector.files {
        let bytes = file
            .base64
            .as_ref()
            .map(|text| BASE64.decode(text.as_bytes()));
        match (&file.text, &file.html, bytes) {
            (Some(text), None, None) => files.push((file.name.as_str(), Bytes::Text(text))),
            (None, Some(page), None) => files.push((file.name.as_str(), Bytes::Page(page))),
            (None, None, Some(Ok(bytes))) => files.push((file.name.as_str(), Bytes::Other(bytes))),
            _ => report.fail(format_args!(
                "{place}: the file {} has no content",
                file.name
            )),
        }
    }
    let files = files.iter().map(|(name, bytes)| {
        let content = match bytes {
            Bytes::Text(text) => SheetContent::Text(text),
            Bytes::Page(page) => SheetContent::Page(page),
            Bytes::Other(bytes) => SheetContent::Bytes(bytes),
        };
        (*name, content)
    });
    let found = Sheet::new(
        &campaign,
        &fields,
        &vector.text,
        vector.html.as_deref(),
        files,
    );
    report.compare_some(
        format_args!("{place} sheet"),
        vector.sheet.as_ref(),
        &found.to_string(),
    );
    report.compare(
        format_args!("{place} sha256"),
        &vector.sha256,
        &found.digest(),
    );
}

enum Bytes<'v> {
    Text(&'v str),
    Page(&'v str),
    Other(Vec<u8>),
}

#[derive(Deserialize)]
pub(super) struct ListVector {
    letters: Vec<(String, Digest)>,
    text: String,
}

pub(super) fn list(place: &str, vector: ListVector, report: &mut VectorReport) {
    let mut list = LetterList::default();
    for (id, digest) in vector.letters {
        list.push(id, digest);
    }
    report.compare(place, &vector.text, &list.to_string());
}
