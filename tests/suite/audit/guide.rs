//! The commands of `docs/verify.md` print what the page says they print.
use std::{
    io::Write,
    process::{Command, Stdio},
};

const GUIDE: &str = include_str!("../../../docs/verify.md");

#[test]
fn the_commands_print_what_the_guide_says() {
    let blocks = GUIDE.split("```sh\n").skip(1);
    let script: String = blocks
        .map(|block| block.split("```").next().unwrap())
        .collect();
    let expected: Vec<&str> = script
        .lines()
        .filter_map(|line| line.strip_prefix("# => "))
        .collect();
    assert!(expected.len() >= 9);
    let tools = Command::new("bash")
        .args([
            "-c",
            "openssl version && sha256sum --version && od --version && date --version",
        ])
        .output();
    if !tools.is_ok_and(|output| output.status.success()) {
        let words = "\nSKIPPED: docs/verify.md is not tested, as bash, openssl or the GNU tools are not installed\n\n";
        return std::io::stderr().write_all(words.as_bytes()).unwrap();
    }
    let output = Command::new("bash")
        .args(["-euo", "pipefail", "-c", &script])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(printed.lines().collect::<Vec<_>>(), expected, "{error}");
}
