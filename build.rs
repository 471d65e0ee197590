//! Builds again when a file of a game, of its rules, of its guide or of the letters is added,
//! changed or removed: they are embedded.

fn main() {
    println!("cargo::rerun-if-changed=games");
    println!("cargo::rerun-if-changed=rules");
    println!("cargo::rerun-if-changed=templates");
    println!("cargo::rerun-if-changed=docs/games");
}
