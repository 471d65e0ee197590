//! PGP's clear-signed texts (RFC 9580, section 7): the lines around the words, and the changes to
//! the words.

/// The line that opens an encrypted message.
pub(super) const ENCRYPTED: &str = "-----BEGIN PGP MESSAGE-----";

#[derive(Clone, Copy, PartialEq, Eq)]
enum ArmourPlace {
    Outside,
    /// Between the first line and the blank one: names of digests.
    Head,
    Signed,
    Signature,
}

/// Removes what signing added to the lines of a text (`- ` before lines that begin with a dash),
/// and returns for each line whether it belongs to the armour.
pub(super) fn take_off(lines: &mut [String]) -> Vec<bool> {
    let mut place = ArmourPlace::Outside;
    let mut armour = Vec::with_capacity(lines.len());
    for line in lines {
        let was = place;
        place = match (place, line.as_str()) {
            (ArmourPlace::Outside, "-----BEGIN PGP SIGNED MESSAGE-----") => ArmourPlace::Head,
            (ArmourPlace::Head, "") => ArmourPlace::Signed,
            (ArmourPlace::Outside | ArmourPlace::Signed, "-----BEGIN PGP SIGNATURE-----") => {
                ArmourPlace::Signature
            }
            (ArmourPlace::Signature, "-----END PGP SIGNATURE-----") => ArmourPlace::Outside,
            (place, _) => place,
        };
        let is_words = was == place && matches!(place, ArmourPlace::Outside | ArmourPlace::Signed);
        if is_words
            && place == ArmourPlace::Signed
            && let Some(rest) = line.strip_prefix("- ")
        {
            *line = rest.to_owned();
        }
        armour.push(!is_words);
    }
    armour
}

#[cfg(test)]
mod tests {
    use super::take_off;

    #[test]
    fn a_signed_text_is_what_was_signed() {
        let text = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nHOLD\n- -- \n- REST\n-----BEGIN PGP SIGNATURE-----\n\niQ==\n\
                    -----END PGP SIGNATURE-----\nlist";
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let armour = take_off(&mut lines);
        let kept: Vec<&str> = lines
            .iter()
            .zip(&armour)
            .filter(|(_, armour)| !**armour)
            .map(|(line, _)| line.as_str())
            .collect();
        assert_eq!(kept, ["HOLD", "-- ", "REST", "list"]);
    }

    #[test]
    fn a_list_of_the_player_s_keeps_its_strokes() {
        let mut lines = vec!["- HOLD".to_owned(), "- REST".to_owned()];
        assert_eq!(take_off(&mut lines), [false, false]);
        assert_eq!(lines, ["- HOLD", "- REST"]);
    }
}
