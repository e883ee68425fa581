//! Converts costs between models.

use super::super::{PriceList, main_model};
use crate::model::Session;

/// Converts units of one model's costs to units of the session's main model.
#[derive(Debug, Clone, Copy)]
pub(super) struct ModelUnits<'a> {
    list: &'a PriceList,
    /// US dollars per input token of the main model; `None` if a model's price isn't known.
    pub(super) usd: Option<f64>,
}

impl<'a> ModelUnits<'a> {
    pub(super) fn of(session: &Session, list: &'a PriceList) -> Self {
        let usd_of = |model: Option<&str>| list.rates(model).input_usd;
        let mains = session.threads.iter().map(|thread| usd_of(main_model(thread)));
        let requests = session.requests().map(|request| usd_of(request.model.as_deref()));
        let is_known = mains.chain(requests).all(|usd| usd.is_some());
        let main = session.threads.first().and_then(|thread| usd_of(main_model(thread)));
        Self { list, usd: main.filter(|_| is_known) }
    }

    pub(super) fn units_of(&self, model: Option<&str>) -> f64 {
        self.units(self.list.rates(model).input_usd)
    }

    /// Main-model units per unit of a model whose input token costs `usd` dollars.
    pub(super) fn units(&self, usd: Option<f64>) -> f64 {
        usd.zip(self.usd).map_or(1.0, |(own, main)| own / main)
    }
}
