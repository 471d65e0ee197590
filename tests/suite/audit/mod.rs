//! Audits of directories, bundles and mails, and the page that checks them in a browser.

mod bundle;
mod guide;
mod mails;
mod page;
