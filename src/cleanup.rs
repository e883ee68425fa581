//! The binding of clean-up: checked policies, and the state of one conversation whose outdated results are replaced.

use std::collections::HashMap;
use std::sync::Arc;

use napi::bindgen_prelude::{Float64ArraySlice, Result};
use napi::{Env, Unknown};
use napi_derive::napi;
use palimpsest_core::cleanup::reacquired::tallies;
use palimpsest_core::cleanup::rules::{Grouping, Rule};
use palimpsest_core::cleanup::{Cleanup, Policy};
use palimpsest_core::conversation::interruptions;
use palimpsest_core::tools::result_kind::ResultKind;

use crate::option_values::GivenOptions;
use crate::options::{read_ages, read_policy};
use crate::units::{TextArrays, Utf16, write_numbers};
use crate::{logging, wire};

/// Checked options in the core's form.
#[napi(js_name = "Policy")]
pub struct JsPolicy {
    policy: Arc<Policy>,
}

#[napi]
impl JsPolicy {
    /// `spec`: `{purpose, orphans, unknownAge, cwd, windows, options?, rules: [{preset?, label, options}]}`.
    #[napi(constructor, catch_unwind)]
    pub fn new(env: Env, spec: Unknown<'_>) -> Result<Self> {
        Ok(Self { policy: Arc::new(read_policy(&env, &spec)?) })
    }

    #[napi(catch_unwind)]
    pub fn rule_names(&self) -> Vec<String> {
        self.policy.rules.iter().map(|rule| rule.name.clone()).collect()
    }

    /// Null if the placeholder of rule `index` is a template.
    #[napi(catch_unwind, ts_return_type = "string | null")]
    pub fn fixed_placeholder(&self, index: u32) -> Option<Utf16> {
        let rule = self.policy.rules.get(index as usize)?;
        rule.placeholder.fixed().map(|text| Utf16(text.to_vec()))
    }

    #[napi(catch_unwind)]
    pub fn interrupted_answer(&self) -> &'static str {
        self.policy.interrupted_answer()
    }

    #[napi(catch_unwind)]
    pub fn groups_by_path(&self, index: u32) -> bool {
        let is_by_path = |rule: &Rule| matches!(rule.grouping, Grouping::Path { .. });
        self.policy.rules.get(index as usize).is_some_and(is_by_path)
    }

    /// True if results of the tool always stay.
    #[napi(catch_unwind)]
    pub fn keeps(&self, #[napi(ts_arg_type = "string")] name: Utf16) -> bool {
        self.policy.keeps(&name.0)
    }

    /// True if rule `index` reads the arguments of calls.
    #[napi(catch_unwind)]
    pub fn groups(&self, index: u32) -> bool {
        self.policy.rules.get(index as usize).is_some_and(Rule::reads_arguments)
    }

    /// True if results that no rule covers matter: for a rule that counts the newest results of every tool or tests
    /// contents, or because their number determines ages.
    #[napi(catch_unwind)]
    pub fn watches_all_tools(&self) -> bool {
        let trusts_clock = self.policy.purpose.trusts_clock();
        self.policy.rules.iter().any(|rule| {
            matches!(rule.grouping, Grouping::None { among_all_tools: true })
                || !rule.content_markers.is_empty()
                || (rule.max_age_ms.is_some() && !trusts_clock)
        })
    }
}

/// True if an agent wrote the result `text` for a call that never ended.
#[napi(catch_unwind)]
pub fn is_interruption(text: String) -> bool {
    interruptions::is_interruption(&text)
}

/// For each kind, after how many requests its results are outdated under `options`, `{ages}`.
#[napi(catch_unwind)]
pub fn ages_of(env: Env, options: Unknown<'_>) -> Result<Vec<u32>> {
    let ages = read_ages(&GivenOptions::new(&env, options, "options")?)?;
    Ok(ResultKind::ALL.iter().map(|&kind| ages.of(kind)).collect())
}

/// The rows of one conversation, and the last decision about them.
#[napi(js_name = "ConversationState")]
pub struct JsConversationState {
    cleanup: Cleanup,
}

#[napi]
impl JsConversationState {
    #[napi(constructor, catch_unwind)]
    pub fn new(policy: &JsPolicy) -> Self {
        Self { cleanup: Cleanup::new(Arc::clone(&policy.policy)) }
    }

    /// Registers a tool name: 0 if no rule covers the tool, 1 if one covers its results, 2 if one reads the arguments
    /// of its calls.
    #[napi(catch_unwind)]
    pub fn add_name(&mut self, #[napi(ts_arg_type = "string")] name: Utf16) -> u32 {
        self.cleanup.add_name(&name.0) as u32
    }

    /// Reads changes from `inbox`, decides, and writes the decision to `outbox`, both in the forms of `layouts`.
    /// `contents` (by row) and `callArguments` (by call) are plain arrays, read only if a rule needs them; `toOnly`
    /// returns the last units of a string up to the only occurrence of a unit in it. Returns the length of the decision
    /// in numbers.
    #[napi(
        catch_unwind,
        ts_args_type = "inbox: Float64Array, contents: unknown[], callArguments: unknown[], toOnly: (text: unknown, unit: number, units: number) => unknown, outbox: Float64Array"
    )]
    pub fn evaluate(
        &mut self,
        inbox: Float64ArraySlice<'_>,
        contents: Unknown<'_>,
        call_arguments: Unknown<'_>,
        to_only: Unknown<'_>,
        outbox: Unknown<'_>,
    ) -> Result<f64> {
        let update = wire::read_update(&inbox, &mut self.cleanup)?;
        let mut texts = TextArrays::new(&contents, &call_arguments, &to_only);
        let decided = logging::collected("cleanup", || self.cleanup.evaluate_requests(&mut texts, update));
        Ok(write_numbers(&outbox, |slots| wire::write_evaluation(decided, slots)) as f64)
    }

    /// Writes the last decision again, to an `outbox` that is large enough.
    #[napi(catch_unwind, ts_args_type = "outbox: Float64Array")]
    pub fn rewrite(&self, outbox: Unknown<'_>) {
        write_numbers(&outbox, |slots| wire::write_evaluation(self.cleanup.last_evaluation(), slots));
    }

    /// The filled-in placeholder of edit `index` of the last decision.
    #[napi(catch_unwind, ts_return_type = "string | null")]
    pub fn edit_text(&self, index: u32) -> Option<Utf16> {
        self.cleanup.last_evaluation().edits.get(index as usize)?.text.clone().map(Utf16)
    }

    /// The row of the result with this `handle`, as placeholders show it: `#41` or `#41.2`; null for any other text.
    #[napi(catch_unwind)]
    pub fn row_of(&self, handle: String) -> Option<u32> {
        self.cleanup.row_of(&handle).map(|row| row as u32)
    }

    /// The handle by which a model requests the result in `row`.
    #[napi(catch_unwind)]
    pub fn handle_of(&self, row: u32) -> String {
        self.cleanup.handle_of(row as usize).to_string()
    }

    /// For each kind, two numbers: how many results were replaced, and how many of those were fetched again. `removed`:
    /// pairs of a row and the row from which on it was no longer sent. The arrays are those of `evaluate`.
    #[napi(
        catch_unwind,
        ts_args_type = "removed: number[], contents: unknown[], callArguments: unknown[], toOnly: (text: unknown, unit: number, units: number) => unknown"
    )]
    pub fn reacquired(
        &mut self,
        removed: Vec<u32>,
        contents: Unknown<'_>,
        call_arguments: Unknown<'_>,
        to_only: Unknown<'_>,
    ) -> Vec<u32> {
        let mut texts = TextArrays::new(&contents, &call_arguments, &to_only);
        let (pairs, _) = removed.as_chunks();
        let removed_from: HashMap<_, _> = pairs.iter().map(|&[row, from]| (row as usize, from as usize)).collect();
        let tallies = tallies(self.cleanup.fetched(&mut texts, |row| removed_from.get(&row).copied()));
        tallies.into_iter().flat_map(|tally| [tally.replaced, tally.reacquired]).collect()
    }

    /// The key that the members of group `group` share under rule `rule`.
    #[napi(catch_unwind, ts_return_type = "string")]
    pub fn group_key(&self, rule: u32, group: u32) -> Utf16 {
        Utf16(self.cleanup.group_key(rule as usize, group).to_vec())
    }
}
