//! Random and adversarial sessions, against a bill that shares no sums with the schedule.

mod events;
mod host;
mod provider;

use proptest::prelude::*;

use self::events::{Event, any_events, any_fixed};
use self::host::{Host, News, Setup, tell};
use super::decision::Decision;
use super::hindsight::cost_in_hindsight;
use super::moment::Moment;
use super::policies::{EveryRequest, LeaveAlone, View};
use super::prices::{PRESETS, Prices};
use super::schedule::{MAX_EXTRA_COST, Schedule, ScheduleOptions};
use super::simulation::{Sent, SimulatedMessage, SimulatedSession, play};
use super::state::State;

/// Sums are made in another order by the two sides.
const ROUNDING: f64 = 1e-9;

fn is_near(one: f64, other: f64) -> bool {
    (one - other).abs() <= ROUNDING * one.abs().max(other.abs()).max(1.0)
}

fn any_prices() -> impl Strategy<Value = Prices> {
    (0..PRESETS.len()).prop_map(|preset| PRESETS[preset].prices)
}

fn any_setup() -> impl Strategy<Value = Setup> {
    (any_prices(), any_fixed(), 0_usize..2).prop_map(|(prices, fixed, system)| Setup {
        options: ScheduleOptions::new(prices),
        scale: 1.0,
        fixed,
        system,
        mends_replaced: false,
    })
}

fn marked(setup: Setup) -> Setup {
    Setup { options: ScheduleOptions { has_marks: true, ..setup.options }, ..setup }
}

fn uncarried(setup: Setup) -> Setup {
    Setup { options: ScheduleOptions { is_carried: false, ..setup.options }, ..setup }
}

fn without(events: Vec<Event>, is_left_out: impl Fn(&Event) -> bool) -> impl Iterator<Item = Event> {
    events.into_iter().filter(move |event| !is_left_out(event))
}

/// The requests on the path cost at most so much more than left alone.
fn holds(host: &Host) -> Result<(), TestCaseError> {
    let (actual, alone) = (host.actual.cost, host.left_alone.cost);
    let most = (1.0 + MAX_EXTRA_COST) * alone * (1.0 + ROUNDING);
    prop_assert!(actual <= most, "{actual} for {alone}: {}", actual / alone);
    Ok(())
}

/// The same decision, whoever keeps a bill.
fn unbilled(decision: Decision) -> Decision {
    Decision { number: -1.0, ..decision }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    #[test]
    fn r10_16_at_every_request_the_requests_on_the_path_cost_at_most_what_is_promised(
        setup in any_setup(), events in any_events(),
    ) {
        let mut host = Host::new(setup);
        for event in without(events, |event| event.is_loss() || event.is_report()) {
            let known = host.decisions.len();
            host.meet(event);
            holds(&host)?;
            if let Some(decision) = host.decisions.get(known) {
                prop_assert!(is_near(host.billed.0, decision.cost), "billed {:?}, foreseen {decision:?}", host.billed);
                prop_assert!(is_near(host.billed.1, decision.cost_left_alone), "{:?}, foreseen {decision:?}", host.billed);
                let cost = host.schedule.bill().cost;
                prop_assert!(is_near(cost.actual, host.all_billed.0) && is_near(cost.left_alone, host.all_billed.1));
            }
        }
    }

    #[test]
    fn r10_16_a_provider_that_loses_the_same_prefixes_of_both_changes_nothing_about_that(
        setup in any_setup(), events in any_events(),
    ) {
        let mut host = Host::new(setup);
        for event in without(events, Event::is_report) {
            host.meet(event);
            holds(&host)?;
        }
    }

    #[test]
    fn r10_16_nor_does_another_count_in_proportion(
        setup in any_setup(), events in any_events(), scale in 0.8..1.3,
    ) {
        let mut host = Host::new(Setup { scale, ..setup });
        for event in without(events, Event::is_report) {
            host.meet(event);
            holds(&host)?;
        }
    }

    #[test]
    fn r10_14_nor_does_a_provider_that_reads_only_what_the_request_before_marked(
        setup in any_setup(), events in any_events(), loses: bool,
    ) {
        let mut host = Host::new(marked(setup));
        let is_other = |event: &Event| if loses { event.is_mend() } else { event.is_loss() };
        for event in without(events, |event| event.is_report() || is_other(event)) {
            host.meet(event);
            prop_assert!(host.decisions.last().is_none_or(|decision| decision.marks.len() <= 4));
            holds(&host)?;
        }
    }

    #[test]
    fn r10_12_a_schedule_that_plays_a_path_again_decides_as_the_one_that_was_there(
        setup in any_setup(), events in any_events(), has_marks: bool,
    ) {
        let setup = uncarried(if has_marks { marked(setup) } else { setup });
        let mut host = Host::new(setup);
        without(events, Event::is_mend).for_each(|event| host.meet(event));
        let Some(last) = host.news.iter().rposition(|news| matches!(news, News::Request(_))) else { return Ok(()) };
        let mut later = Schedule::new(setup.options);
        for (index, &news) in host.news[..=last].iter().enumerate() {
            let news = match news {
                News::Request(moment) if index < last => {
                    let elapsed_ms = later.path().last().map(|last| moment.now_ms - last.now_ms);
                    News::Request(Moment::replayed(moment.now_ms, elapsed_ms))
                }
                news => news,
            };
            tell(&mut later, news, setup.system);
        }
        // The accounts at each request, its marks, and what was replaced with it.
        prop_assert_eq!(later.path(), host.schedule.path());
        let sent = |schedule: &Schedule| schedule.prompt().replaced().collect::<Vec<_>>();
        prop_assert_eq!(sent(&later), sent(&host.schedule));
    }

    #[test]
    fn r10_12_a_rewound_schedule_goes_on_as_one_that_was_only_on_the_path(
        setup in any_setup(), events in any_events(), further in any_events(), to: usize, has_marks: bool,
    ) {
        let setup = uncarried(if has_marks { marked(setup) } else { setup });
        let mut host = Host::new(setup);
        without(events, Event::is_mend).for_each(|event| host.meet(event));
        host.meet(Event::Rewind(to));
        let mut fresh = Schedule::new(setup.options);
        for &news in &host.news {
            tell(&mut fresh, news, setup.system);
        }
        prop_assert_eq!(fresh.prompt(), host.schedule.prompt());
        prop_assert_eq!(fresh.pending(), host.schedule.pending());
        prop_assert_eq!(fresh.path(), host.schedule.path());
        let known = (host.news.len(), host.decisions.len());
        let is_other_path = |event: &Event| matches!(event, Event::Rewind(_) | Event::Edit(..) | Event::Fixed(_) | Event::Compress);
        without(further, is_other_path).for_each(|event| host.meet(event));
        let decided = host.news[known.0..].iter().filter_map(|&news| tell(&mut fresh, news, setup.system));
        let decided: Vec<Decision> = decided.map(unbilled).collect();
        let expected: Vec<Decision> = host.decisions.split_off(known.1).into_iter().map(unbilled).collect();
        prop_assert_eq!(decided, expected);
    }

    #[test]
    fn r10_7_an_exported_schedule_goes_on_as_if_uninterrupted(
        setup in any_setup(), events in any_events(), at: usize, has_marks: bool,
    ) {
        let setup = Setup { mends_replaced: true, ..if has_marks { marked(setup) } else { setup } };
        let (mut whole, mut moved) = (Host::new(setup), Host::new(setup));
        for (index, &event) in events.iter().enumerate() {
            if index == at % events.len() {
                moved.schedule = Schedule::from_json(setup.options, &moved.schedule.to_json()).unwrap();
            }
            whole.meet(event);
            moved.meet(event);
        }
        prop_assert!(whole.decisions == moved.decisions);
        // What a host marks, and what was edited just now, is told with each request.
        for event in [Event::Push { tokens: 500.0, after: 20.0, blocks: 1.0 }, Event::Request(1.0)] {
            whole.meet(event);
            moved.meet(event);
        }
        prop_assert_eq!(whole.schedule.bill(), moved.schedule.bill());
        prop_assert_eq!(whole.schedule.ledger(), moved.schedule.ledger());
        prop_assert_eq!(whole.schedule.path(), moved.schedule.path());
        prop_assert!(whole.schedule == moved.schedule);
    }

    #[test]
    fn r15_4_a_state_and_all_its_deltas_are_the_state_that_there_is_now(
        setup in any_setup(), events in any_events(), has_marks: bool, every in 1_usize..5,
    ) {
        let mut host = Host::new(Setup { mends_replaced: true, ..if has_marks { marked(setup) } else { setup } });
        let first = host.schedule.to_json();
        let (mut told, mut deltas) = (host.schedule.export(), Vec::new());
        for (index, event) in events.into_iter().enumerate() {
            host.meet(event);
            if index % every == 0 {
                let next = host.schedule.export();
                deltas.push(told.delta_to(&next).to_json());
                told = next;
            }
        }
        let merged = State::merged_json(&first, deltas.iter().map(String::as_str)).unwrap();
        prop_assert_eq!(serde_json::from_str::<State>(&merged).unwrap(), told);
    }
}

/// A session for `play`: results are outdated some time after they were sent first.
fn any_session() -> impl Strategy<Value = SimulatedSession> {
    let turn = (
        1_u32..600,
        prop_oneof![3 => 1_u32..9000, 1 => 9000_u32..90_000],
        0_u32..60,
        0_usize..12,
        1_u32..500,
    );
    (any_fixed(), prop::collection::vec(turn, 1..50)).prop_map(|(fixed_tokens, turns)| {
        let mut session = SimulatedSession { fixed_tokens, ..SimulatedSession::default() };
        let mut now_ms = 0.0;
        for (request, (asked, result, after, age, gap)) in turns.into_iter().enumerate() {
            now_ms += f64::from(gap) * 1000.0;
            let stale_at = (age > 3).then_some(request + age);
            let (asked, result) = (f64::from(asked), f64::from(result));
            session.messages.push(SimulatedMessage { tokens: asked, tokens_after: asked, stale_at: None });
            session.messages.push(SimulatedMessage {
                tokens: result,
                tokens_after: f64::from(after),
                stale_at,
            });
            session.requests.push(Sent { len: session.messages.len(), now_ms });
        }
        session
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn r10_1_between_two_changes_the_prompt_only_grows_and_what_is_replaced_stays(session in any_session()) {
        for preset in &PRESETS {
            let mut view = View::new(ScheduleOptions::new(preset.prices));
            let bill = play(&session, &preset.prices, &mut view, &mut |_| ());
            let schedule = view.schedule();
            prop_assert!(is_near(bill.cost, schedule.bill().cost.actual));
            // The bill counts every request whose prompt didn't begin with the one before: each is in the ledger.
            prop_assert!(bill.prefix_changes <= schedule.ledger().changes);
        }
    }

    #[test]
    fn hindsight_is_never_dearer_than_what_needs_none(session in any_session()) {
        for preset in &PRESETS {
            let best = cost_in_hindsight(&session, &preset.prices, None);
            for cost in [
                play(&session, &preset.prices, &mut LeaveAlone, &mut |_| ()).cost,
                play(&session, &preset.prices, &mut EveryRequest, &mut |_| ()).cost,
            ] {
                prop_assert!(best <= cost * (1.0 + ROUNDING), "{}: {best} over {cost}", preset.name);
            }
        }
    }
}
