//! Licences and origins of all dependencies, of every platform, against `deny.toml`: what
//! `cargo deny check licenses bans sources` says of them, on machines that do not have it.

use std::{collections::BTreeSet, fs, path::Path, process::Command};

use serde_json::Value;
use spdx::{Expression, Licensee};

/// What `deny.toml` allows.
struct Policy {
    licenses: Vec<Licensee>,
    registries: BTreeSet<String>,
}

fn strings(table: &toml::Table, section: &str, key: &str) -> BTreeSet<String> {
    let list = table[section][key].as_array().unwrap();
    list.iter()
        .map(|entry| entry.as_str().unwrap().to_owned())
        .collect()
}

fn policy() -> Policy {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("deny.toml");
    let table: toml::Table = fs::read_to_string(path).unwrap().parse().unwrap();
    Policy {
        licenses: strings(&table, "licenses", "allow")
            .iter()
            .map(|license| Licensee::parse(license).unwrap())
            .collect(),
        registries: strings(&table, "sources", "allow-registry"),
    }
}

/// All packages of the lock file, ours left out.
fn packages() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version=1",
            "--locked",
            "--manifest-path",
        ])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let mut metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array_mut().unwrap();
    packages.retain(|package| package["name"] != "estafette");
    std::mem::take(packages)
}

impl Policy {
    /// What is wrong with a package.
    fn complaint(&self, package: &Value) -> Option<String> {
        let origin = package["source"].as_str().unwrap_or("a folder");
        let known = origin
            .strip_prefix("registry+")
            .is_some_and(|url| self.registries.contains(url));
        if !known {
            return Some(format!("comes from {origin}"));
        }
        let Some(license) = package["license"].as_str() else {
            return Some("names no licence".to_owned());
        };
        match Expression::parse_mode(license, spdx::ParseMode::LAX) {
            Ok(terms)
                if terms
                    .evaluate(|wanted| self.licenses.iter().any(|ours| ours.satisfies(wanted))) =>
            {
                None
            }
            Ok(_) => Some(format!("is licensed as {license}")),
            Err(error) => Some(format!("has a licence that can't be read: {error}")),
        }
    }
}

#[test]
fn licences_and_origins_are_allowed() {
    let policy = policy();
    let packages = packages();
    assert!(
        packages.len() > 100,
        "only {} packages were found",
        packages.len()
    );
    let complaints = packages.iter().filter_map(|package| {
        let complaint = policy.complaint(package)?;
        Some(format!("{} {}", package["name"], complaint))
    });
    assert_eq!(complaints.collect::<Vec<_>>(), Vec::<String>::new());
}

#[test]
fn a_package_that_is_not_allowed_is_found() {
    let policy = policy();
    let registry = policy.registries.first().unwrap();
    let package = |license: &str, source: &str| serde_json::json!({"name": "x", "license": license, "source": source});
    let genuine = format!("registry+{registry}");
    let complaint = |license, source| policy.complaint(&package(license, source));
    assert_eq!(complaint("GPL-3.0-only OR MIT", &genuine), None);
    assert!(
        complaint("GPL-3.0-only", &genuine)
            .unwrap()
            .contains("GPL-3.0-only")
    );
    assert!(complaint("MIT AND GPL-3.0-only", &genuine).is_some());
    assert!(
        complaint("MIT", "git+https://example.org/x")
            .unwrap()
            .contains("example.org")
    );
    assert!(
        complaint("nonsense", &genuine)
            .unwrap()
            .contains("can't be read")
    );
}
