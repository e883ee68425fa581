use super::*;
use proptest::prelude::*;

#[test]
fn the_estimated_percentage_grows_linearly_from_30_to_80_r5_8() {
    let at = |seconds: f64| estimated_percent(seconds * 1000.0, 60_000.0, WORKING_FROM, WORKING_TO);
    for (seconds, percent) in [(0.0, 30.0), (6.0, 35.0), (30.0, 55.0), (60.0, 80.0), (600.0, 80.0), (-5.0, 30.0)] {
        assert!((at(seconds) - percent).abs() < 1e-9, "{seconds} s");
    }
}

#[test]
fn a_timeout_text_has_the_seconds_and_advice_in_the_language_of_the_user_r5_8() {
    assert!(timeout_text("image_generate", 90_000.0, Language::Chinese).starts_with("图片生成超时。\n\nFLUX"));
    assert!(timeout_text("search", 60_000.0, Language::Chinese).starts_with("search 超时（60 秒）。"));
    assert!(timeout_text("search", 60_000.0, Language::English).contains("after 60 s"));
}

proptest! {
    #[test]
    fn progress_never_goes_backwards_r5_8(steps in prop::collection::vec((-1e7..1e7_f64, -10.0..120.0_f64, -10.0..120.0_f64), 0..50)) {
        let mut shown = 0.0;
        for (elapsed, from, to) in steps {
            let next = never_backwards(shown, estimated_percent(elapsed, 60_000.0, from, to));
            prop_assert!(next >= shown && next <= 100.0);
            shown = next;
        }
    }
}
