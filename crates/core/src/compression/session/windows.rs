//! Decides which window sizes a session uses: those that providers reported, configured ones, or those of known models.

use std::collections::BTreeMap;

use super::settings::{GUESSED_WINDOW, Settings, WindowSource};
use crate::tokens::windows::window_of;

/// Windows that providers have reported, by model; the empty name is that of an unnamed model.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LearntWindows(BTreeMap<String, f64>);

impl LearntWindows {
    /// False if `tokens` can't be a window.
    pub fn learn(&mut self, model: &str, tokens: f64) -> bool {
        // A smaller figure is no window: the error text used the number for something else.
        let is_possible = tokens.is_finite() && tokens >= 256.0;
        if is_possible {
            self.0.insert(model.to_owned(), tokens);
        }
        is_possible
    }

    /// The conversation's window and its source.
    pub fn window_for(&self, model: &str, configured: Option<f64>) -> (f64, WindowSource) {
        let reported = self.reported(model).map(|tokens| (tokens, WindowSource::Provider));
        let configured = configured.map(|tokens| (tokens, WindowSource::Configured));
        let listed = || window_of(model).map(|window| (window.prompt_tokens, WindowSource::Model));
        reported.or(configured).or_else(listed).unwrap_or((GUESSED_WINDOW, WindowSource::Guess))
    }

    fn reported(&self, model: &str) -> Option<f64> {
        self.0.get(model).copied()
    }
}

impl Settings {
    /// Fills in the windows that were not given; a window reported by the provider overrides a setting.
    pub(super) fn with_windows(mut self, model: Option<&str>, learnt: &LearntWindows) -> Self {
        let configured = Some(self.max_context_tokens).filter(|&tokens| tokens > 0.0);
        (self.max_context_tokens, self.window_source) =
            learnt.window_for(model.unwrap_or_default(), configured);
        self.summary_context_tokens = self.summary_window(learnt);
        self
    }

    /// An unknown summary model gets the conversation's window if the application has configured that, otherwise at
    /// most the guess: summary models tend to be small.
    fn summary_window(&self, learnt: &LearntWindows) -> f64 {
        let model = self.summary_model.as_deref().unwrap_or_default();
        let configured = Some(self.summary_context_tokens).filter(|&tokens| tokens > 0.0);
        let unknown = match self.window_source {
            WindowSource::Configured => self.max_context_tokens,
            _ => self.max_context_tokens.min(GUESSED_WINDOW),
        };
        let reported = learnt.reported(model).filter(|_| !model.is_empty());
        let listed = || window_of(model).map(|window| window.prompt_tokens);
        reported.or(configured).or_else(listed).unwrap_or(unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compression::session::settings::{Given, read_settings, setting_names};

    fn windows(
        given: &[(&str, Given)],
        model: Option<&str>,
        learnt: &[(&str, f64)],
    ) -> (f64, &'static str, f64) {
        let value = |(flat, _): (&str, &str)| {
            let found = given.iter().find(|(key, _)| *key == flat);
            found.map_or(Given::Missing, |(_, value)| value.clone())
        };
        let mut known = LearntWindows::default();
        for (model, tokens) in learnt {
            known.learn(model, *tokens);
        }
        let (settings, _) = read_settings(&setting_names().map(value).collect::<Vec<_>>());
        let settings = settings.with_windows(model, &known);
        (settings.max_context_tokens, settings.window_source.name(), settings.summary_context_tokens)
    }

    #[test]
    fn r7_3_the_window_comes_from_the_provider_else_the_setting_else_the_table_else_a_guess() {
        let set = [("maxContextTokens", Given::Number(150_000.0))];
        assert_eq!(windows(&[], None, &[]), (128_000.0, "guess", 128_000.0));
        assert_eq!(windows(&[], Some("agent-large"), &[]), (128_000.0, "guess", 128_000.0));
        assert_eq!(windows(&[], Some("gpt-5"), &[]), (272_000.0, "model", 128_000.0));
        assert_eq!(windows(&set, Some("gpt-5"), &[]), (150_000.0, "configured", 150_000.0));
        let learnt = [("gpt-5", 100_000.0), ("other", 1_000.0), ("gpt-5", f64::NAN), ("gpt-5", 3.0)];
        assert_eq!(windows(&set, Some("gpt-5"), &learnt), (100_000.0, "provider", 100_000.0));
        assert_eq!(windows(&set, None, &[("", 90_000.0)]), (90_000.0, "provider", 90_000.0));
    }

    #[test]
    fn r7_3_the_summary_model_has_a_window_of_its_own() {
        let model = |name: &str| ("autoCompressionSummaryModel", Given::Text(name.to_owned()));
        let set = ("autoCompressionSummaryContextTokens", Given::Number(64_000.0));
        assert_eq!(windows(&[model("gpt-4o-mini")], Some("gpt-4.1"), &[]), (1_047_576.0, "model", 128_000.0));
        assert_eq!(windows(&[model("small")], Some("gpt-4.1"), &[]), (1_047_576.0, "model", 128_000.0));
        let learnt = [("gpt-4o-mini", 16_000.0)];
        assert_eq!(windows(&[model("gpt-4o-mini")], None, &learnt), (128_000.0, "guess", 16_000.0));
        assert_eq!(windows(&[model("gpt-4.1"), set], None, &[]), (128_000.0, "guess", 64_000.0));
    }
}
