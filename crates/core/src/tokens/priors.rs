//! Decides the assumptions about a model's tokenizer before its provider has reported anything.

use super::fitted_line::{FittedLine, sd_of_sum};
use super::models::{Family, Model};

/// Which tokens the application's estimates count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum EstimatedIn {
    /// The model's own tokens, as [`Model::count`] estimates them with class factors.
    #[default]
    Model,
    /// Tokens of `o200k_base`, without class factors.
    O200k,
}

impl EstimatedIn {
    /// Names in options; the default first.
    pub const NAMES: [&str; 2] = ["model", "o200k_base"];
}

/// Standard deviation of the tokens that an application may send in addition to its messages: system prompts and tools of coding
/// agents take from none to some 20,000 tokens.
const OVERHEAD_SD: f64 = 8_000.0;
/// Shares of text and code, digits, and CJK in an agent's conversation, in `o200k_base` tokens (a judgement).
const MIXTURE: [f64; 3] = [0.85, 0.1, 0.05];
/// The additional error without class factors.
const UNCORRECTED_SD: f64 = 0.06;

/// The line to assume before the first report.
pub fn prior(model: &str, estimated_in: EstimatedIn) -> FittedLine {
    let Model { family, factors, .. } = Model::named(model);
    let slope_sd = slope_sd_of(family);
    match estimated_in {
        EstimatedIn::Model => FittedLine::prior(OVERHEAD_SD, 1.0, slope_sd),
        EstimatedIn::O200k => {
            let [other, digits, cjk] = MIXTURE;
            let slope = other * factors.other + digits * factors.digits + cjk * factors.cjk;
            FittedLine::prior(OVERHEAD_SD, slope, sd_of_sum(slope_sd, UNCORRECTED_SD))
        }
    }
}

/// Standard deviation of the slope if the estimate includes class factors: the mean errors on texts that the factors were not
/// fitted on, rounded up; for Claude, whose tokenizer is not public, the spread of its users' measurements.
const fn slope_sd_of(family: Family) -> f64 {
    match family {
        Family::OpenAi | Family::OpenAiOld => 0.01,
        Family::Llama | Family::Glm | Family::Kimi => 0.02,
        Family::DeepSeek | Family::Qwen | Family::MiniMax | Family::Mistral => 0.03,
        Family::Qwen35 | Family::Gemini => 0.05,
        Family::Claude => 0.1,
        Family::ClaudeNew | Family::Unknown => 0.15,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_tokens_start_from_the_familys_factors_and_the_models_own_from_one() {
        for (model, expected) in
            [("gpt-5", 1.0), ("gemini-3-pro", 1.147), ("claude-opus-4-6", 1.2265), ("?", 1.1625)]
        {
            let slope = prior(model, EstimatedIn::O200k).slope;
            assert!((slope - expected).abs() < 1e-3, "{model}: {slope}");
            assert!((prior(model, EstimatedIn::Model).slope - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn the_less_is_known_of_a_tokenizer_the_wider_the_margin() {
        let sd = |model| prior(model, EstimatedIn::Model).slope_sd();
        assert!(sd("gpt-5") < sd("deepseek-chat") && sd("deepseek-chat") < sd("claude-opus-4-7"));
    }
}
