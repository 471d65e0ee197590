//! Completions and manual pages: made from the commands that there are.

use std::fs;

use crate::support::program::estafette;

#[test]
fn shells_get_their_completions() {
    for (shell, words) in [
        ("bash", "_estafette()"),
        ("zsh", "#compdef estafette"),
        ("fish", "complete -c estafette"),
    ] {
        let ran = estafette(&["completions", shell], b"");
        assert_eq!(ran.code, 0, "{ran:?}");
        for words in [words, "missed", "new-game"] {
            assert!(ran.out.contains(words), "{shell} lacks {words}");
        }
    }
    assert_eq!(estafette(&["completions", "cmd"], b"").code, 2);
}

#[test]
fn commands_have_manual_pages() {
    let program = estafette(&["man"], b"");
    assert_eq!(program.code, 0, "{program:?}");
    let words = [".TH estafette 1", "estafette\\-new", "estafette\\-serve"];
    for words in words {
        assert!(program.out.contains(words), "{words}: {}", program.out);
    }
    assert!(!program.out.contains("isolated"), "hidden commands");
    let new = estafette(&["man", "new"], b"");
    assert!(new.out.contains(".TH estafette-new 1"), "{}", new.out);
    assert!(new.out.contains("standing orders"), "{}", new.out);
    assert_eq!(estafette(&["man", "isolated"], b"").code, 2);
    assert_eq!(estafette(&["man", "nothing"], b"").code, 2);
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man");
    let all = estafette(&["man", "--into", pages.to_str().unwrap()], b"");
    assert_eq!(all.code, 0, "{all:?}");
    for page in ["estafette.1", "estafette-new.1", "estafette-umpire.1"] {
        assert!(fs::read(pages.join(page)).is_ok(), "{page}");
    }
}
