//! A session as a list shows it: its first prompt, its main thread at a glance, and which requests it shares with others.

use palimpsest_core::tools::label;

use super::bill::Bill;
use super::prompt::amount;
use super::waterfall::Currency;
use crate::model::{Part, Role, Session};

const MOST_POINTS: usize = 60;

/// What agents put ahead of the first prompt themselves begins with a mark.
pub(super) fn title_of(session: &Session) -> Option<String> {
    let prompts = session.messages.iter().filter(|message| message.role == Role::User);
    let texts = prompts.flat_map(|message| &message.parts).filter_map(|part| match part {
        Part::Text(text) => Some(label::of_text(text)),
        _ => None,
    });
    let mut titles = texts.filter(|text| !text.is_empty());
    let first = titles.next()?;
    let is_words = |text: &String| !text.starts_with(['<', '#']);
    if is_words(&first) { Some(first) } else { titles.find(is_words).or(Some(first)) }
}

pub(super) fn outline_of(session: &Session, bill: &Bill) -> Vec<(f64, bool)> {
    let requests = session.threads.first().map_or(&[][..], |thread| &thread.requests);
    let lost = |request| bill.busts.iter().any(|bust| bust.thread == 0 && bust.request == request);
    let every = requests.len().div_ceil(MOST_POINTS).max(1);
    let stretch = |(number, part): (usize, &[crate::model::Request])| {
        let largest = part.iter().filter_map(|request| request.usage.map(|usage| usage.total())).max();
        (amount(largest.unwrap_or(0)), (number * every..number * every + part.len()).any(lost))
    };
    requests.chunks(every).enumerate().map(stretch).collect()
}

#[allow(clippy::cast_possible_truncation)] // half of a hash is enough to tell requests of one machine apart
pub(super) fn identified(session: &Session, bill: &Bill) -> Vec<(u32, f64)> {
    let currency = bill.waterfall.as_ref().map_or(Currency::Units, |bill| bill.currency);
    let threads = session.threads.iter().zip(&bill.charges);
    let requests = threads.flat_map(|(thread, charges)| thread.requests.iter().zip(charges));
    let told = requests.filter_map(|(request, charge)| Some((request.id?, charge.as_ref()?)));
    told.map(|(id, charge)| (id as u32, currency.worth(charge) * (charge.prompt + charge.output))).collect()
}
