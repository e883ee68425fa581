//! Pictures of recorded sessions agree with the sessions' accounts.

use palimpsest_core::cache::prices::Prices;
use palimpsest_sessions::account::picture::{Cell, POLICIES, SessionHistory, SessionPicture, ThreadPicture};
use palimpsest_sessions::account::{Account, AccountSettings, Currency};
use palimpsest_sessions::{Context, ContextStart, Session, Thread};

use crate::{every_source, recordings};

fn options() -> AccountSettings {
    let deepseek = ("deepseek".to_owned(), Prices::named("deepseek").unwrap());
    AccountSettings { lists: vec![deepseek], ..crate::support::settings() }
}

fn accounts_of(session: &Session) -> [Account; 2] {
    [Vec::new(), options().lists].map(|lists| Account::of(session, &AccountSettings { lists, ..options() }))
}

fn is_near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-6 * a.abs().max(1.0)
}

fn sum(picture: &SessionPicture, each: impl Fn(&ThreadPicture) -> f64) -> f64 {
    picture.threads.iter().map(each).sum()
}

fn costs_of<'a>(thread: &'a ThreadPicture, list: usize, policy: &str) -> &'a [f64] {
    let index = POLICIES.iter().position(|(known, _)| *known == policy);
    &thread.costs[list].policies.by_policy[index.unwrap_or_else(|| panic!("no such policy: {policy}"))]
}

#[test]
fn r12_3_the_costs_in_every_picture_are_those_of_the_account() {
    let Some(folder) = recordings() else { return };
    for (name, sessions) in every_source(&folder) {
        for session in &sessions {
            let picture = SessionPicture::of(session, &options());
            let usd = picture.threads[0].costs[0].usd_per_million.map(|usd| usd / 1e6);
            for (list, account) in accounts_of(session).iter().enumerate() {
                for policy in &account.simulations[0].policies {
                    let cost = sum(&picture, |thread| costs_of(thread, list, policy.policy).iter().sum());
                    let expected = usd.map_or(policy.cost, |_| policy.usd.unwrap());
                    assert!(is_near(cost * usd.unwrap_or(1.0), expected), "{name}: {} {cost}", policy.policy);
                }
            }
            let [account, _] = accounts_of(session);
            let view = account.simulations[0].policies.iter().find(|policy| policy.policy == "view");
            if let Some((tokens, cached)) = view.and_then(|view| view.tokens.zip(view.cached)) {
                let requests = |of: fn(&ThreadPicture) -> f64| sum(&picture, of);
                let sent = requests(|thread| thread.requests.iter().map(|request| request.tokens_view).sum());
                let read = requests(|thread| thread.requests.iter().map(|request| request.cached_tokens).sum());
                assert!(is_near(sent, tokens) && is_near(read, cached), "{name}: {sent} {read}");
            }
            let paid = |thread: &ThreadPicture| -> f64 {
                let paid = thread.costs[0].policies.paid.iter().flatten();
                paid.flatten().sum()
            };
            let paid = sum(&picture, paid) * usd.unwrap_or(1.0);
            // Usage recorded per session belongs to no request.
            let bill = account.bill.filter(|bill| !bill.is_of_session);
            let billed = bill.map_or(0.0, |bill| usd.map_or(bill.paid, |_| bill.paid_usd.unwrap()));
            assert!(is_near(paid, billed), "{name}: {paid} {billed}");
        }
    }
}

#[test]
fn r12_3_cache_misses_in_a_picture_have_the_request_cause_and_cost_of_the_account() {
    let Some(folder) = recordings() else { return };
    for (name, sessions) in every_source(&folder) {
        for session in &sessions {
            let picture = SessionPicture::of(session, &options());
            let [account, _] = accounts_of(session);
            let requests = picture
                .threads
                .iter()
                .zip(&session.threads)
                .flat_map(|(in_picture, thread)| in_picture.requests.iter().zip(&thread.requests));
            let usd = picture.threads[0].costs[0].usd_per_million.map(|usd| usd / 1e6);
            let in_picture: Vec<_> = requests
                .filter_map(|(in_picture, request)| {
                    let miss = in_picture.cache_miss.as_ref()?;
                    Some((request.line, miss.cause, miss.cost * usd.unwrap_or(1.0)))
                })
                .collect();
            let billed = account.bill.map(|bill| bill.cache_misses).unwrap_or_default();
            assert_eq!(in_picture.len(), billed.len(), "{name}");
            for ((line, cause, cost), miss) in in_picture.into_iter().zip(billed) {
                assert_eq!((line, cause), (miss.line, miss.cause), "{name}");
                let expected = usd.map_or(miss.cost, |_| miss.usd.unwrap());
                assert!(is_near(cost, expected), "{name}: {cost} {expected}");
            }
        }
    }
}

#[test]
fn r12_3_every_bill_adds_up_and_is_attributed_to_the_sent_items() {
    let Some(folder) = recordings() else { return };
    let mut billed = 0;
    for (name, sessions) in every_source(&folder) {
        for session in &sessions {
            let picture = SessionPicture::of(session, &options());
            let [account, _] = accounts_of(session);
            let (Some(bill), Some(account_bill)) = (&picture.bill, &account.bill) else {
                assert!(picture.bill.is_none() && account.bill.is_none(), "{name}");
                continue;
            };
            billed += 1;
            assert_eq!(Some(bill), account_bill.waterfall.as_ref(), "{name}: the same bill in picture and account");
            let losses: f64 = bill.losses.iter().map(|loss| loss.cost).sum();
            let steps = bill.new_input + bill.reread + losses + bill.output;
            assert!(is_near(steps, bill.paid) && is_near(bill.prompts + bill.output, bill.paid), "{name}");
            assert!(bill.new_input >= -1e-9 && bill.reread >= -1e-9 && losses >= -1e-9, "{name}: {bill:?}");
            let prompts =
                if bill.currency == Currency::Usd { account_bill.paid_usd.unwrap() } else { account_bill.paid };
            assert!(is_near(bill.prompts, prompts), "{name}: {} {prompts}", bill.prompts);
            let listed: usize = bill.losses.iter().map(|loss| loss.requests.len()).sum();
            assert_eq!(listed, account_bill.cache_misses.len(), "{name}");
            for loss in &bill.losses {
                for &(thread, request, _) in &loss.requests {
                    assert!(picture.threads[thread].requests[request].cache_miss.is_some(), "{name}");
                }
            }
            for item in &picture.items {
                let thread = &picture.threads[item.thread];
                assert!(item.cost <= bill.prompts + 1e-9 && item.stale_cost <= item.cost + 1e-9, "{name}");
                if let Some(cell) = item.cell {
                    let sent = &thread.requests[item.request].prompt;
                    assert!(sent.iter().any(|&(from, to)| from <= cell && cell < to), "{name}: {item:?}");
                }
            }
        }
    }
    assert!(billed > 20, "{billed} sessions have a bill");
}

#[test]
fn r12_2_each_prompt_in_a_picture_consists_of_existing_cells_with_its_tokens() {
    let Some(folder) = recordings() else { return };
    for (name, sessions) in every_source(&folder) {
        for session in &sessions {
            let picture = SessionPicture::of(session, &options());
            assert_eq!(picture.threads.len(), session.threads.len());
            for thread in &picture.threads {
                check(&name, &picture, thread);
            }
        }
    }
}

/// Tokens of a cell that the agent had cleared before `request`.
fn cleared_tokens(cell: &Cell, request: usize) -> f64 {
    if cell.cleared_from.is_some_and(|from| from <= request) { cell.tokens_cleared } else { 0.0 }
}

fn check(name: &str, picture: &SessionPicture, thread: &ThreadPicture) {
    for (number, request) in thread.requests.iter().enumerate() {
        let mut tokens = thread.fixed_tokens;
        let mut cells = 0;
        for &(from, to) in &request.prompt {
            assert!(from < to && to <= thread.cells.len(), "{name}");
            tokens += thread.cells[from..to].iter().map(|cell| cell.tokens - cleared_tokens(cell, number)).sum::<f64>();
            cells += to - from;
        }
        assert!(is_near(tokens, request.tokens), "{name}: {tokens} of {}", request.tokens);
        assert!(is_near(request.tokens_by_kind.iter().sum(), tokens), "{name}");
        assert!(request.cached_cells <= cells && request.cached_tokens <= request.tokens_view + 1e-6, "{name}");
        let saved: f64 = request
            .prompt
            .iter()
            .flat_map(|&(from, to)| &thread.cells[from..to])
            .map(|cell| {
                let is_replaced = cell.replaced_from.is_some_and(|from| from <= number);
                let with_references = cell.tokens_short.unwrap_or(cell.tokens);
                let sent = if is_replaced { cell.tokens_replaced.unwrap() } else { with_references };
                cell.tokens - sent - cleared_tokens(cell, number)
            })
            .sum();
        assert!(is_near(request.tokens - saved, request.tokens_view), "{name}: request {number}");
        if let Some(usage) = request.usage.filter(|usage| usage.prompt > 0) {
            let counted = usage.prompt as f64;
            let sent = request.prompt.iter().flat_map(|&(from, to)| &thread.cells[from..to]);
            let is_removable = |cell: &Cell| {
                ["result", "reasoning", "image", "other"].contains(&picture.kinds[cell.kind])
                    && cell.cleared_from.is_none()
            };
            let has_removable = sent.into_iter().any(is_removable);
            assert!(
                !has_removable || request.tokens - counted <= 1_024.0 + 1e-6,
                "{name}: request {number} sends {} of {counted}",
                request.tokens
            );
        }
    }
    for cell in &thread.cells {
        assert!((cell.message as usize) < picture.messages && cell.kind < picture.kinds.len(), "{name}");
        assert!(cell.tool.is_none_or(|tool| tool < picture.tools.len()), "{name}");
        assert!(cell.label.encode_utf16().count() <= 120, "{name}: {}", cell.label.len());
        assert_eq!(cell.stale_from.is_some(), cell.rule.is_some(), "{name}");
        if let Some(replaced) = cell.replaced_from {
            assert!(cell.stale_from.is_some_and(|stale| stale <= replaced), "{name}");
        }
    }
}

#[test]
fn r12_2_each_recorded_compaction_is_in_the_picture_and_begins_with_a_summary() {
    let Some(folder) = recordings() else { return };
    let mut compactions = 0;
    for (name, sessions) in every_source(&folder) {
        for session in &sessions {
            let picture = SessionPicture::of(session, &options());
            for (in_picture, thread) in picture.threads.iter().zip(&session.threads) {
                let is_sent = |(number, context): &(u32, &Context)| {
                    matches!(context.start, ContextStart::Compaction { .. })
                        && thread.requests.iter().any(|request| request.context == *number)
                };
                let sent = (0..).zip(&thread.contexts).filter(is_sent).count();
                let starts = in_picture.requests.iter().filter(|request| request.begins == Some("compaction"));
                assert_eq!(starts.count(), sent, "{name}");
                let summaries = in_picture.cells.iter().filter(|cell| picture.kinds[cell.kind] == "summary").count();
                assert!(summaries >= sent, "{name}: {summaries} of {sent}");
                compactions += sent;
            }
        }
    }
    assert!(compactions > 3, "{compactions} compactions were recorded");
}

#[test]
fn r8_1_each_compaction_of_the_main_thread_has_its_original_messages() {
    let Some(folder) = recordings() else { return };
    let mut compactions = 0;
    for (name, sessions) in every_source(&folder) {
        for session in &sessions {
            let history = SessionHistory::of(session, 0);
            assert_eq!(history.points.len(), session.threads.first().map_or(0, Thread::compaction_count), "{name}");
            compactions += history.points.len();
            let mut messages = history.messages.as_slice();
            for point in history.points.iter().rev() {
                let found = messages.iter().find(|message| message["compression"]["id"] == point.id.as_str());
                let Some(found) = found else { continue };
                let originals = found["compression"]["originalMessages"].as_array().unwrap();
                assert_eq!(originals.len(), point.original_count, "{name}");
                assert!(!originals.is_empty(), "{name}");
                messages = originals;
            }
        }
    }
    assert!(compactions > 5, "{compactions} compactions were recorded");
}
