//! `format=flowed` (RFC 3676): long lines that a mail program broke, put together again.

/// Undoes the soft line breaks of a flowed text. With `del_sp` (the parameter `DelSp=yes`), the
/// blank that marks a soft break is not part of the text.
///
/// Quoted lines keep a prefix of `>` signs. A player's own line that begins with a (stuffed) `>`
/// then reads as a quotation, which is what any reader would take it for.
pub(super) fn unflow(text: &str, del_sp: bool) -> String {
    let mut paragraphs: Vec<(usize, String)> = Vec::new();
    let mut open = false;
    for line in text.replace("\r\n", "\n").lines() {
        let (depth, content) = quote_depth(line);
        let signature = content == "-- ";
        let soft = content.ends_with(' ') && !signature;
        let kept = if soft && del_sp {
            content.get(..content.len() - 1).unwrap_or(content)
        } else {
            content
        };
        match paragraphs.last_mut() {
            // A change of depth ends a paragraph whatever its last line says (4.5).
            Some((above, paragraph)) if open && *above == depth && !signature => {
                paragraph.push_str(kept)
            }
            _ => paragraphs.push((depth, kept.to_owned())),
        }
        open = soft;
    }
    let prefixed = paragraphs
        .into_iter()
        .map(|(depth, paragraph)| match depth {
            0 => paragraph,
            _ => format!("{} {paragraph}", ">".repeat(depth)),
        });
    prefixed.collect::<Vec<_>>().join("\n")
}

/// The number of leading `>` signs, and the rest without its stuffed space (4.4).
fn quote_depth(line: &str) -> (usize, &str) {
    let content = line.trim_start_matches('>');
    (
        line.len() - content.len(),
        content.strip_prefix(' ').unwrap_or(content),
    )
}

#[cfg(test)]
mod tests {
    use super::unflow;

    #[test]
    fn soft_breaks_join_and_hard_breaks_stay() {
        assert_eq!(
            unflow("MOVE Alpha by \nLonato to Salo\nHOLD Beta\n", false),
            "MOVE Alpha by Lonato to Salo\nHOLD Beta"
        );
    }

    #[test]
    fn del_sp_removes_the_marking_blank() {
        assert_eq!(
            unflow("MOVE Al \npha  \nto Salo", true),
            "MOVE Alpha to Salo"
        );
    }

    #[test]
    fn stuffing_is_undone() {
        assert_eq!(unflow(" From here\n  two", false), "From here\n two");
    }

    #[test]
    fn quotes_of_another_depth_and_signatures_do_not_join() {
        assert_eq!(
            unflow("> quoted \n>> deeper \nmine \n-- \nAda", false),
            "> quoted \n>> deeper \nmine \n-- \nAda"
        );
    }
}
