//! Requests with any weights, pauses, rewinds and outdated results: each decision removes only pending results.
#![no_main]

use libfuzzer_sys::fuzz_target;
use palimpsest_core::cache::bill::Bill;
use palimpsest_core::cache::cuts::Pending;
use palimpsest_core::cache::fold::{ConversationHead, Fold, FoldOptions, Request};
use palimpsest_core::cache::prices::PRESETS;
use palimpsest_core::cache::request_tokens::RequestReport;
use palimpsest_fuzz_targets::Numbers;

const MAX_REQUESTS: usize = 200;
const MAX_MESSAGES_PER_REQUEST: usize = 8;
const LARGEST_MESSAGE: f64 = 100_000.0;
/// Maximum rounding error of a sum of many products.
const ROUNDING: f64 = 1e-6;

fuzz_target!(|bytes: &[u8]| {
    let mut numbers = Numbers::new(bytes);
    let (Some(kind), Some(head)) = (numbers.byte(), numbers.byte()) else { return };
    let prices = PRESETS[usize::from(kind) % PRESETS.len()].prices;
    let options = FoldOptions {
        uses_breakpoints: kind & 0x80 != 0,
        budget_tokens: (kind & 0x40 != 0).then_some(50_000.0),
        ..FoldOptions::new(prices)
    };
    let head = ConversationHead {
        fixed_tokens: f64::from(head & 3) * 1_500.0,
        system_len: usize::from(head >> 2 & 1),
        head_breakpoints: usize::from(head >> 3 & 1),
        message_breakpoints: usize::from(head >> 4 & 3),
    };
    let mut session = Session::new(options, head);
    for _ in 0..MAX_REQUESTS {
        let Some(action) = numbers.byte() else { return };
        session.act(action, &mut numbers);
    }
});

struct Session {
    options: FoldOptions,
    fold: Fold,
    bill: Bill,
    number: f64,
    /// Tokens that each message can still lose.
    left: Vec<f64>,
    removed: Vec<u32>,
    next_row: u32,
}

impl Session {
    fn new(options: FoldOptions, head: ConversationHead) -> Self {
        let fold = Fold::new(options, head);
        Self { options, fold, bill: Bill::default(), number: 0.0, left: vec![], removed: vec![], next_row: 0 }
    }

    fn act(&mut self, action: u8, numbers: &mut Numbers<'_>) {
        for _ in 0..usize::from(action & 7).min(MAX_MESSAGES_PER_REQUEST) {
            let tokens = weight(numbers);
            self.fold.push(tokens, f64::from(action >> 3 & 7));
            self.left.push(tokens);
        }
        for _ in 0..action >> 6 {
            self.outdate(numbers);
        }
        let elapsed = numbers.next().filter(|elapsed| !elapsed.is_nan()).map(|elapsed| elapsed * 1_000.0);
        self.add_request(Request {
            elapsed_ms: elapsed,
            least_elapsed_ms: elapsed,
            time_ms: self.number,
            is_side: action & 0x28 == 0x28,
        });
        let [prompt_tokens, cached_tokens] = [weight(numbers), weight(numbers)];
        let report = RequestReport { prompt_tokens, cached_tokens };
        let count = self.bill.count_ratio(self.fold.requests());
        self.bill.report(None, report, count);
        let costs = self.bill.costs(&self.fold, 0, &self.options.prices);
        assert!(costs.cost.sent >= 0.0 && costs.cost.unmodified >= 0.0, "{costs:?}");
    }

    fn outdate(&mut self, numbers: &mut Numbers<'_>) {
        let Some(place) = numbers.byte() else { return };
        let Some(position) = usize::from(place).checked_rem(self.left.len()) else { return };
        let saved = weight(numbers).min(0.9 * self.left[position]);
        self.left[position] -= saved;
        self.fold.outdate(Pending { row: self.next_row, position, saved });
        self.next_row += 1;
    }

    fn add_request(&mut self, request: Request) {
        let planned = self.fold.plan(request);
        let pending: Vec<u32> = self.fold.pending().iter().map(|entry| entry.row).collect();
        let before = self.fold.prompt().total().sent;
        let decision = self.fold.add_request(request);
        assert_eq!(planned, decision, "a plan is what would be done");
        assert!(pending.ends_with(&decision.rows), "a suffix of what is pending");
        assert!(decision.rows.iter().all(|row| !self.removed.contains(row)), "nothing is removed twice");
        assert!(!request.is_side || decision.rows.is_empty(), "nothing is removed with a side request");
        let sent = self.fold.prompt().total().sent;
        assert!((before - decision.tokens_saved - sent).abs() <= ROUNDING * before.max(1.0));
        assert!(decision.tokens.cached.sent <= sent + ROUNDING && decision.tokens.cached.unmodified >= 0.0);
        let breakpoints = self.fold.breakpoints();
        assert!(
            breakpoints.len() <= 4
                && breakpoints.is_sorted()
                && breakpoints.iter().all(|&breakpoint| breakpoint <= self.left.len())
        );
        let sum = self.fold.promised_sum();
        assert!(sum.sent >= 0.0 && sum.unmodified.is_finite(), "{sum:?}");
        self.removed.extend(&decision.rows);
        self.bill.register(self.number, Some(self.fold.requests().len() - 1), decision.tokens);
        self.number += 1.0;
    }
}

/// Tokens: finite and not negative.
fn weight(numbers: &mut Numbers<'_>) -> f64 {
    let number = numbers.next().unwrap_or_default();
    if number.is_finite() { number.abs().min(LARGEST_MESSAGE) } else { LARGEST_MESSAGE }
}
