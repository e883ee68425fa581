use super::{cursor_ms, iso_ms};

#[test]
fn times_written_for_people_are_read_with_their_zone() {
    let at = iso_ms("2026-09-16T15:37:00-04:00");
    assert!(at.is_some());
    assert_eq!(cursor_ms("Wednesday, Sep 16, 2026, 3:37 PM (UTC-4)"), at);
    assert_eq!(cursor_ms("September 16, 2026, 7:37 PM (UTC)"), at);
    assert_eq!(cursor_ms("Thursday, Sep 17, 2026, 1:07 AM (UTC+5:30)"), at);
    assert_eq!(cursor_ms("Sep 16, 2026, 12:00 AM (UTC)"), iso_ms("2026-09-16T00:00:00Z"));
    for text in [
        "",
        "(UTC)",
        "Sep 31, 2026, 1:00 PM (UTC)",
        "Sep 1, 2026, 13:00 PM (UTC)",
        "x, y, z (UTC-4)",
        "Sep 1, 2026, 1:00 PM (UTC+99999999999)",
        "Sep 1, 2026, 1:00 PM",
        "é 1, 2026, 1:00 PM (UTC)",
    ] {
        assert_eq!(cursor_ms(text), None, "{text}");
    }
}

#[test]
fn iso_times_are_read_with_and_without_zone_and_fraction() {
    assert_eq!(iso_ms("1970-01-01T00:00:00Z"), Some(0));
    assert_eq!(iso_ms("2026-01-28T22:26:46.518Z"), Some(1_769_639_206_518));
    assert_eq!(iso_ms("2025-07-09T13:38:00.940512"), Some(1_752_068_280_940));
    assert_eq!(iso_ms("2025-07-09T15:38:00+02:00"), Some(1_752_068_280_000));
    assert_eq!(iso_ms("2025-07-09 15:38:00+0200"), Some(1_752_068_280_000));
    assert_eq!(iso_ms("2024-02-29"), Some(1_709_164_800_000));
}

#[test]
fn text_that_is_not_a_time_has_none() {
    for text in
        ["", "2026", "2026-13-01T00:00:00Z", "2026-02-30", "2026-01-01X00:00:00Z", "2026-01-01T00:00:00 noon", "é"]
    {
        assert_eq!(iso_ms(text), None, "{text}");
    }
}
