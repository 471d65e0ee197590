//! Builds again when a file of a game or of its rules is added, changed or removed: they are embedded.

fn main() {
    println!("cargo::rerun-if-changed=games");
    println!("cargo::rerun-if-changed=rules");
}
