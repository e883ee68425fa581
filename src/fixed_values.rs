//! The core's fixed values that the JavaScript side needs: names, limits, defaults, and valid values of options, which it
//! checks before it calls the core.

use std::time::Duration;

use napi_derive::napi;
use palimpsest_archive::{ArchiveSettings, BatchKind, CONTEXT_CHARS, DEFAULT_HITS, MAX_HITS, MAX_RANKED};
use palimpsest_core::cleanup::rules::subject::Subject;
use palimpsest_core::compression::record::{REQUEST_FIELDS, USAGE_FIELDS};
use palimpsest_core::compression::session::settings;
use palimpsest_core::conversation::NOW_IN_SECONDS;
use palimpsest_core::output::{LIMIT_VARIABLE, OutputKeep, PIECE};
use palimpsest_core::provider::answer;
use palimpsest_core::provider::usage::{REPORT_FIELDS, field_names};
use palimpsest_core::references::MIN_UNITS_SAVED;
use palimpsest_core::results::byte_lists::{MAX_INDEXED, MAX_LISTED};
use palimpsest_core::results::{Language, binary_data, progress};
use palimpsest_core::tokens::models::EstimatedIn;
use palimpsest_core::tokens::{truncate, weights};
use palimpsest_core::tools::label::KINDS;
use palimpsest_core::tools::result_kind::ResultKind;

use crate::option_values::LONGEST_LIST;
use crate::options::RULE_OPTIONS;

/// Exports functions that return fixed values: for each its name, the type and the value.
macro_rules! fixed_values {
    ($($(#[$about:meta])* $name:ident: $type:ty = $value:expr;)+) => {$(
        $(#[$about])*
        #[napi(catch_unwind)]
        pub fn $name() -> $type {
            $value
        }
    )+};
}

fixed_values! {
    archive_limits: ArchiveLimits = ().into();
    option_choices: OptionChoices = ().into();
    #[doc = "The presets, in the order in which they are applied."]
    preset_defaults: Vec<PresetListing> = Subject::ALL.map(Into::into).into();
    #[doc = "The names of a rule's options; the JavaScript side reads no others."]
    rule_option_names: Vec<&'static str> = RULE_OPTIONS.to_vec();
    #[doc = "Two numbers: a current time between them is in seconds."]
    now_in_seconds: Vec<f64> = NOW_IN_SECONDS.to_vec();
    longest_option_list: u32 = LONGEST_LIST;
    #[doc = "The kinds of results, in the order used for figures by kind."]
    result_kinds: Vec<&'static str> = ResultKind::ALL.iter().map(|kind| kind.key()).collect();
    request_field_names: Vec<&'static str> = REQUEST_FIELDS.to_vec();
    #[doc = "All paths that are read from a model's reply: dots before nested names, `0` for a list's first element, `*` for each."]
    answer_paths: Vec<String> = answer::paths().collect();
    #[doc = "The fields that a compression makes wrong (R7.7)."]
    usage_statistics_names: Vec<&'static str> = USAGE_FIELDS.to_vec();
    #[doc = "In the order in which `configure` takes their values."]
    setting_names: Vec<SettingName> = settings::setting_names().map(Into::into).collect();
    output_limit_variable: &'static str = LIMIT_VARIABLE;
    #[doc = "The size of the pieces that the JavaScript side must cut a text into for `truncateOutput`."]
    output_piece_units: u32 = PIECE as u32;
    #[doc = "Texts with fewer UTF-16 units neither contain references nor are referred to."]
    fewest_repeated_units: u32 = MIN_UNITS_SAVED as u32;
    picture_kinds: Vec<&'static str> = KINDS.to_vec();
    binary_data_rules: BinaryDataRules = ().into();
    progress_numbers: ProgressNumbers = ().into();
    usage_names: UsageNames = ().into();
    view_weights: JsWeights = ().into();
}

to_js! {
    #[doc = "Default values and limits of options."]
    ArchiveLimits from (): () {
        kinds: Vec<&'static str> = BatchKind::NAMES.to_vec(),
        busy_timeout_ms: f64 = in_ms(ArchiveSettings::default().busy_timeout),
        search_timeout_ms: f64 = in_ms(ArchiveSettings::default().search_timeout),
        hits: u32 = DEFAULT_HITS,
        most_hits: u32 = MAX_HITS,
        context: u32 = CONTEXT_CHARS,
        #[doc = "How many of the newest matches are ranked."]
        most_ranked: u32 = MAX_RANKED as u32,
    }

    #[doc = "The values of options that are words; the first is the default."]
    OptionChoices from (): () {
        language: Vec<&'static str> = Language::NAMES.to_vec(),
        estimated_in: Vec<&'static str> = EstimatedIn::NAMES.to_vec(),
        keep_tokens: Vec<&'static str> = truncate::Keep::NAMES.to_vec(),
        #[doc = "The default way, that of the original function, has no name."]
        keep_output: Vec<&'static str> = OutputKeep::NAMES.to_vec(),
    }

    #[doc = "A preset, and whether it is active by default in `prepareMessages` and in a view."]
    PresetListing from preset: Subject {
        name: &'static str = preset.name(),
        in_prepare: bool = preset.is_on_in_prepare(),
        in_view: bool = true,
    }

    SettingName from (flat, nested): (&'static str, &'static str) {
        flat: &'static str = flat,
        #[doc = "Below `conversation.autoCompression`."]
        nested: &'static str = nested,
    }

    #[doc = "Limits that the JavaScript object walk needs."]
    BinaryDataRules from (): () {
        #[doc = "Names of fields that are binary data whatever their value looks like."]
        large_data_fields: Vec<&'static str> = binary_data::LARGE_DATA_FIELDS.to_vec(),
        #[doc = "Strings up to this many units stay."]
        size_threshold: u32 = binary_data::SIZE_THRESHOLD as u32,
        #[doc = "Longer strings are neither a path nor a URL."]
        longest_reference: u32 = binary_data::LONGEST_LOCATION as u32,
        #[doc = "Lists of up to this many bytes stay, except in known fields."]
        most_listed: u32 = MAX_LISTED as u32,
        #[doc = "Objects with up to this many indexed bytes stay."]
        most_indexed: u32 = MAX_INDEXED as u32,
    }

    #[doc = "Intervals and bounds of a progress bar, in ms and percent."]
    ProgressNumbers from (): () {
        tick_ms: f64 = in_ms(progress::UPDATE_INTERVAL),
        estimate_ms: f64 = in_ms(progress::DEFAULT_ESTIMATE),
        working_from: f64 = progress::WORKING_FROM,
        working_to: f64 = progress::WORKING_TO,
        cloud_proxy_timeout_ms: f64 = in_ms(progress::CLOUD_PROXY_TIMEOUT),
        direct_api_timeout_ms: f64 = in_ms(progress::DIRECT_API_TIMEOUT),
        prompt_expand_timeout_ms: f64 = in_ms(progress::PROMPT_EXPAND_TIMEOUT),
    }

    #[doc = "The fields of a message that hold a report, and the names to look up in it: a dot before a nested"]
    #[doc = "one, `*` for the sum of a list."]
    UsageNames from (): () {
        reports: Vec<&'static str> = REPORT_FIELDS.to_vec(),
        figures: Vec<&'static str> = field_names().collect(),
    }

    #[doc = "Parameters of a view's token estimate: see `palimpsest_core::tokens::weights`."]
    JsWeights from (): () {
        window_units: u32 = weights::WINDOW_UNITS,
        fewest_windows: u32 = weights::MIN_WINDOWS,
        most_windows: u32 = weights::MAX_WINDOWS,
        units_per_window: u32 = weights::UNITS_PER_WINDOW,
        cut_tokens: f64 = weights::CUT_TOKENS,
        message: f64 = weights::MESSAGE_TOKENS,
        call: f64 = weights::CALL_TOKENS,
        media: f64 = weights::MEDIA_TOKENS,
        bytes_per_token: f64 = weights::BYTES_PER_TOKEN,
    }
}

fn in_ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}
