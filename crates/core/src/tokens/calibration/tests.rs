//! Tests with simulated providers, whose bill is known, and with it the error of each prediction.

use super::*;
use crate::provider::usage::Unusable;

const PLAIN: SampleConditions = SampleConditions { prefix_unchanged: true, media_share: 0.0 };
const HIDDEN: f64 = 14_000.0;
const PER_MESSAGE: f64 = 4.0;
const COMPACT_AT: f64 = 120_000.0;

/// A small deterministic generator, so that the tests run the same everywhere.
struct Random(u64);

impl Random {
    /// Uniform in 0..1.
    #[allow(clippy::cast_precision_loss)]
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
        let index = (self.next() * choices.len() as f64) as usize;
        choices[index.min(choices.len() - 1)]
    }
}

#[derive(Clone, Copy)]
struct CountedMessage {
    estimate: f64,
    real: f64,
}

/// Messages of a session: phases of one kind of text each, whose estimate is off by that kind's factor.
fn message(random: &mut Random, ratio: f64) -> CountedMessage {
    let estimate = 20.0 + 2_000.0 * random.next().powi(3);
    let real = estimate * ratio * (0.95 + 0.1 * random.next()) + PER_MESSAGE;
    CountedMessage { estimate, real }
}

fn totals(messages: &[CountedMessage]) -> Sample {
    let estimate = messages.iter().map(|message| message.estimate).sum();
    Sample { estimate, real: HIDDEN + messages.iter().map(|message| message.real).sum::<f64>() }
}

#[derive(Default)]
struct Errors {
    growing: Vec<f64>,
    compacted: Vec<f64>,
}

impl Errors {
    fn mean(errors: &[f64]) -> f64 {
        #[allow(clippy::cast_precision_loss)]
        let count = errors.len() as f64;
        errors.iter().sum::<f64>() / count
    }

    fn worst(errors: &[f64]) -> f64 {
        errors.iter().copied().fold(0.0, f64::max)
    }
}

/// Plays `turns` requests; `ratios`: real tokens per estimated one for each kind of text.
fn play(model: &str, ratios: &[f64], turns: usize, seed: u64) -> Errors {
    let mut random = Random(seed);
    let mut calibration = Calibration::new(model, EstimatedIn::Model, 200_000.0);
    let (mut errors, mut messages, mut ratio) = (Errors::default(), Vec::new(), ratios[0]);
    let mut unchanged = true;
    for turn in 0..turns {
        if turn % 10 == 0 {
            ratio = random.pick(ratios);
        }
        messages.push(message(&mut random, ratio));
        messages.push(message(&mut random, ratio));
        let Sample { estimate, real } = totals(&messages);
        let predicted = calibration.predict(estimate, unchanged);
        let off = (predicted.tokens - real).abs() / real;
        if predicted.settled {
            if unchanged { &mut errors.growing } else { &mut errors.compacted }.push(off);
        }
        assert_eq!(calibration.observe(estimate, Ok(real), PLAIN), Learning::Learned);
        unchanged = real < COMPACT_AT;
        if !unchanged {
            let dropped = messages.len() * 6 / 10;
            messages.drain(..dropped);
        }
    }
    errors
}

/// For each model, real tokens per estimated token for each kind of text, with class factors included in the estimate, as
/// measured on text, code, digits and CJK; worse for Claude and an unknown model, whose factors are guesses.
const MODELS: &[(&str, &[f64])] = &[
    ("gpt-5", &[1.0]),
    ("deepseek-chat", &[0.98, 1.0, 1.02, 1.03]),
    ("qwen3-coder", &[0.97, 1.0, 1.03, 1.05]),
    ("gemini-3-pro", &[0.95, 1.0, 1.04, 1.08]),
    ("claude-opus-4-7", &[0.85, 0.95, 0.9, 0.8]),
    ("nobody-knows-1", &[1.15, 1.2, 1.3, 1.25]),
];

#[test]
fn r6_3_the_error_is_below_0_1_percent_while_growing_and_below_3_after_each_compaction() {
    for &(model, ratios) in MODELS {
        for seed in 0..5 {
            let errors = play(model, ratios, 600, seed);
            assert!(errors.compacted.len() >= 5, "{} compactions", errors.compacted.len());
            let (growing, worst) = (Errors::mean(&errors.growing), Errors::worst(&errors.compacted));
            assert!(growing <= 0.001, "{model}, seed {seed}: {growing}");
            assert!(worst <= 0.03, "{model}, seed {seed}: {worst} after one compaction");
        }
    }
}

/// A conversation of `count` requests that each add 1,000 tokens to a hidden 14,000, at 1.05 real to 1 estimated.
fn calibrated(count: u32) -> Calibration {
    let mut calibration = Calibration::new("deepseek-chat", EstimatedIn::Model, 200_000.0);
    for turn in 1..=count {
        let sample = request(f64::from(turn));
        assert_eq!(calibration.observe(sample.estimate, Ok(sample.real), PLAIN), Learning::Learned);
    }
    calibration
}

fn request(turn: f64) -> Sample {
    Sample { estimate: 1_000.0 * turn, real: (1_050.0 * turn) + HIDDEN }
}

fn assert_near(actual: f64, expected: f64, share: f64) {
    assert!((actual - expected).abs() <= share * expected, "{actual}, expected {expected}");
}

#[test]
fn r6_3_the_first_report_anchors_the_prediction_and_the_third_settles_it() {
    let none = Calibration::new("deepseek-chat", EstimatedIn::Model, f64::INFINITY).predict(1_000.0, true);
    assert!(!none.settled && none.margin > 10_000.0 && (none.tokens - 1_000.0).abs() < 1e-9);
    let one = calibrated(1).predict(2_000.0, true);
    assert!(!one.settled && one.margin > 0.0 && one.margin < 100.0);
    assert_near(one.tokens, request(2.0).real, 0.005);
    let three = calibrated(3).predict(4_000.0, true);
    assert!(three.settled && three.margin < 1e-9);
    assert_near(three.tokens, request(4.0).real, 0.005);
    let line = calibrated(60).state().line;
    assert_near(line.overhead, HIDDEN, 0.02);
    assert_near(line.slope, 1.05, 0.01);
}

#[test]
fn r6_3_usage_from_before_a_compaction_is_ignored() {
    let mut calibration = calibrated(100);
    let before = request(100.0);
    // The application reports the old figure again, twice.
    for estimate in [30_000.0, 30_500.0] {
        let outcome = calibration.observe(estimate, Ok(before.real), PLAIN);
        assert_eq!(outcome, Learning::Ignored(LearningReason::Stale));
        assert_near(calibration.predict(estimate, true).tokens, 1.05 * estimate + HIDDEN, 0.02);
    }
    // The same with a figure older than the last.
    assert_eq!(calibration.observe(30_000.0, Ok(request(95.0).real), PLAIN), Learning::Ignored(LearningReason::Stale));
}

#[test]
fn r6_3_doubled_usage_is_an_outlier_and_usage_above_the_window_is_impossible() {
    let mut calibration = calibrated(40);
    let (state, next) = (calibration.state().clone(), request(41.0));
    assert_eq!(
        calibration.observe(next.estimate, Ok(2.0 * next.real), PLAIN),
        Learning::Ignored(LearningReason::Outlier)
    );
    assert_eq!(calibration.observe(next.estimate, Ok(200_001.0), PLAIN), Learning::Ignored(LearningReason::Impossible));
    assert_eq!(*calibration.state(), state);
    assert_eq!(calibration.observe(next.estimate, Ok(next.real), PLAIN), Learning::Learned);
}

#[test]
fn r6_3_usage_of_zero_leaves_the_estimate_unchanged() {
    let mut calibration = calibrated(5);
    let state = calibration.state().clone();
    assert_eq!(calibration.observe(6_000.0, Err(Unusable::Zero), PLAIN), Learning::Ignored(LearningReason::Zero));
    assert_eq!(calibration.observe(6_000.0, Err(Unusable::Missing), PLAIN), Learning::Ignored(LearningReason::Missing));
    assert_eq!(*calibration.state(), state);
    assert_near(calibration.predict(6_000.0, true).tokens, request(6.0).real, 0.005);
}

#[test]
fn r6_3_usage_without_the_cached_part_is_impossible() {
    let mut calibration = calibrated(40);
    let outcome = calibration.observe(41_000.0, Ok(1_500.0), PLAIN);
    assert_eq!(outcome, Learning::Ignored(LearningReason::Impossible));
}

#[test]
fn r6_3_a_repeated_report_changes_nothing() {
    let mut calibration = calibrated(5);
    let (state, last) = (calibration.state().clone(), request(5.0));
    assert_eq!(calibration.observe(last.estimate, Ok(last.real), PLAIN), Learning::Ignored(LearningReason::Repeated));
    assert_eq!(*calibration.state(), state);
}

#[test]
fn r6_3_a_doubled_first_report_is_corrected_by_later_ones() {
    let mut calibration = Calibration::new("deepseek-chat", EstimatedIn::Model, 200_000.0);
    calibration.observe(20_000.0, Ok(2.0 * request(20.0).real), PLAIN);
    for turn in 21..=30 {
        let sample = request(f64::from(turn));
        calibration.observe(sample.estimate, Ok(sample.real), PLAIN);
    }
    assert_near(calibration.predict(31_000.0, true).tokens, request(31.0).real, 0.005);
    assert_near(calibration.predict(10_000.0, false).tokens, request(10.0).real, 0.1);
}

#[test]
fn r6_3_added_tools_change_the_overhead_and_not_the_slope() {
    let mut calibration = calibrated(40);
    for turn in 41..=50 {
        let Sample { estimate, real } = request(f64::from(turn));
        assert_eq!(calibration.observe(estimate, Ok(real + 9_000.0), PLAIN), Learning::Learned);
    }
    assert_near(calibration.predict(51_000.0, true).tokens, request(51.0).real + 9_000.0, 0.005);
    assert_near(calibration.predict(20_000.0, false).tokens, request(20.0).real + 9_000.0, 0.03);
}

#[test]
fn r6_3_usage_of_an_edited_prompt_changes_neither_line_nor_anchor() {
    let mut calibration = calibrated(10);
    let line = calibration.state().line;
    let edited = SampleConditions { prefix_unchanged: false, ..PLAIN };
    assert_eq!(calibration.observe(11_000.0, Ok(20_000.0), edited), Learning::Ignored(LearningReason::Edited));
    assert_eq!(calibration.state().line, line);
    assert_near(calibration.predict(11_000.0, true).tokens, request(11.0).real, 0.02);
}

#[test]
fn r6_3_usage_with_images_anchors_and_does_not_change_the_line() {
    let mut calibration = calibrated(10);
    let line = calibration.state().line;
    let images = SampleConditions { media_share: 0.2, ..PLAIN };
    // 3,000 tokens of images, billed at 4,500.
    let real = request(11.0).real + 4_500.0;
    assert_eq!(calibration.observe(14_000.0, Ok(real), images), Learning::Anchored(LearningReason::Media));
    assert_eq!(calibration.state().line, line);
    assert_near(calibration.predict(15_000.0, true).tokens, real + 1_050.0, 0.005);
}

#[test]
fn r6_3_a_stored_state_is_restored_and_an_invalid_one_is_refused() {
    let calibration = calibrated(30);
    let fresh = || Calibration::new("deepseek-chat", EstimatedIn::Model, 200_000.0);
    let restored = fresh().restore(calibration.state().clone()).unwrap();
    assert_eq!(restored.predict(31_000.0, true), calibration.predict(31_000.0, true));
    let broken: [fn(&mut LearntState); 6] = [
        |state| state.line.slope = 3.0,
        |state| state.line.overhead = -1.0,
        |state| state.line.overhead = f64::NAN,
        |state| state.line.covariance = [1.0, 5.0, 1.0],
        |state| state.anchor = Some(Sample { estimate: -1.0, real: 5.0 }),
        |state| state.anchor = Some(Sample { estimate: 1.0, real: f64::INFINITY }),
    ];
    for spoil in broken {
        let mut state = calibration.state().clone();
        spoil(&mut state);
        assert!(fresh().restore(state).is_none());
    }
}

#[test]
fn r6_3_any_reports_leave_a_possible_line() {
    let mut random = Random(7);
    for model in ["gpt-5", "claude-opus-4-7", "?"] {
        let mut calibration = Calibration::new(model, EstimatedIn::O200k, 1e6);
        for _ in 0..5_000 {
            let scale = random.pick(&[0.0, 1.0, 1e3, 1e5, 1e8]);
            let estimate = scale * random.next();
            let real = if random.next() < 0.5 { estimate * 3.0 * random.next() } else { 1e6 * random.next() };
            let media_share = random.next() * 0.2;
            let conditions = SampleConditions { prefix_unchanged: random.next() < 0.9, media_share };
            calibration.observe(estimate, Ok(real.max(1.0)), conditions);
            assert!(calibration.state().line.is_possible(), "{:?}", calibration.state());
            let predicted = calibration.predict(estimate, random.next() < 0.5);
            assert!(predicted.tokens >= 0.0 && predicted.margin >= 0.0 && predicted.tokens.is_finite());
        }
    }
}
