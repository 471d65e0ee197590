//! Dates and deadlines in words.

use jiff::{SignedDuration, Timestamp, civil::Date, tz::TimeZone};
use minijinja::context;

use super::Words;
use crate::{dispatch::phrases::Phrases, game::Lang};

/// A moment in a campaign's time zone: "Monday 24 November 2026, 20:00 (Europe/Rome)".
#[must_use]
pub fn moment(words: &Words, at: Timestamp, zone: &TimeZone) -> String {
    let local = at.to_zoned(zone.clone());
    let zone = match zone.iana_name() {
        Some(name) => name.to_owned(),
        None => format!("UTC{}", local.offset()),
    };
    words.say(
        "moment",
        context! {
            weekday => weekday(words.lang(), local.date()),
            date => date_words(words.lang(), local.date()),
            time => format!("{:02}:{:02}", local.hour(), local.minute()),
            zone,
        },
    )
}

/// A date of the game's world in words; anything else (a season, an hour) stays as it is.
#[must_use]
pub fn game_date(lang: Lang, text: &str) -> String {
    match text.parse::<Date>() {
        Ok(date) => date_words(lang, date),
        Err(_) => text.to_owned(),
    }
}

fn date_words(lang: Lang, date: Date) -> String {
    let phrases = Phrases::of(lang);
    let month = usize::try_from(date.month()).unwrap_or(1).saturating_sub(1);
    let month = phrases.months.get(month).map_or("", String::as_str);
    // Some languages count the first day of a month.
    let day = match date.day() {
        1 => phrases.get("first_day").to_owned(),
        day => day.to_string(),
    };
    format!("{day} {month} {}", date.year())
}

fn weekday(lang: Lang, date: Date) -> &'static str {
    let day = usize::try_from(date.weekday().to_monday_zero_offset()).unwrap_or(0);
    Phrases::of(lang).days.get(day).map_or("", String::as_str)
}

/// A span of time in hours and minutes, the same in all languages: "24 h", "1 h 30 min".
#[must_use]
pub fn span(time: SignedDuration) -> String {
    let minutes = time.as_mins();
    match (minutes / 60, minutes % 60) {
        (0, minutes) => format!("{minutes} min"),
        (hours, 0) => format!("{hours} h"),
        (hours, minutes) => format!("{hours} h {minutes} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_hours_and_minutes() {
        let of = |minutes| span(SignedDuration::from_mins(minutes));
        assert_eq!(
            [of(24 * 60), of(90), of(5)],
            ["24 h", "1 h 30 min", "5 min"]
        );
    }

    #[test]
    fn dates_are_words() {
        assert_eq!(game_date(Lang::En, "1796-08-05"), "5 August 1796");
        assert_eq!(game_date(Lang::Fr, "1796-08-01"), "1er août 1796");
        assert_eq!(game_date(Lang::En, "Spring 1915"), "Spring 1915");
    }
}
