//! What is believed of a model's tokenizer before its provider has reported anything (TOKENS.md 4.1, 4.3, 4.5).

use super::line::Line;

/// What the host's estimates are made of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum EstimatedIn {
    /// Tokens of the model itself, as `TokenCounter` estimates them: the class factors are in them.
    #[default]
    Model,
    /// Plain `o200k_base` tokens.
    O200k,
}

/// Standard deviation of what a host may send that isn't among its messages: system prompts and tools of coding
/// agents take from nothing to some 20,000 tokens.
const OVERHEAD_SD: f64 = 8_000.0;

struct Family {
    /// Any of these in the model's name, in lower case.
    names: &'static [&'static str],
    /// Tokens of the model per `o200k_base` token in an agent's mixed text.
    over_o200k: f64,
    /// Standard deviation of the slope once the class factors are in the estimate.
    corrected_sd: f64,
}

/// The first family with a name in the model's name. Standard deviations are the mean errors of TOKENS.md 4.3,
/// rounded up; for Claude, whose tokenizer nobody outside has, they are the spread of what users measured (4.5).
const FAMILIES: &[Family] = &[
    Family {
        names: &["gpt-4o", "gpt-4.1", "gpt-4.5", "gpt-5", "chatgpt-4o", "o200k"],
        over_o200k: 1.0,
        corrected_sd: 0.01,
    },
    Family { names: &["gpt-4", "gpt-3.5", "cl100k"], over_o200k: 1.07, corrected_sd: 0.01 },
    Family { names: &["deepseek"], over_o200k: 1.0, corrected_sd: 0.03 },
    Family { names: &["qwen", "qwq"], over_o200k: 1.03, corrected_sd: 0.04 },
    Family { names: &["kimi", "moonshot"], over_o200k: 0.95, corrected_sd: 0.03 },
    Family { names: &["glm"], over_o200k: 0.97, corrected_sd: 0.03 },
    Family { names: &["minimax"], over_o200k: 0.94, corrected_sd: 0.03 },
    Family { names: &["llama"], over_o200k: 1.0, corrected_sd: 0.02 },
    Family { names: &["mistral", "devstral", "codestral"], over_o200k: 1.12, corrected_sd: 0.03 },
    Family { names: &["gemini", "gemma"], over_o200k: 1.1, corrected_sd: 0.05 },
    Family {
        names: &[
            "claude-2",
            "claude-3",
            "sonnet-4",
            "haiku-4",
            "opus-4-0",
            "opus-4-2025",
            "opus-4-1",
            "opus-4-5",
            "opus-4-6",
        ],
        over_o200k: 1.22,
        corrected_sd: 0.1,
    },
    Family { names: &["claude", "opus", "sonnet", "fable", "mythos"], over_o200k: 1.4, corrected_sd: 0.15 },
];
/// Errs high: to compress early is a nuisance, to overflow is a failed request.
const UNKNOWN: Family = Family { names: &[], over_o200k: 1.15, corrected_sd: 0.15 };
/// What class factors would have taken out of the error.
const UNCORRECTED_SD: f64 = 0.06;

/// The line to start from for `model`.
#[must_use]
pub fn prior(model: &str, estimated_in: EstimatedIn) -> Line {
    // Versions are written 4.6 or 4-6, and gateways put the vendor before the name.
    let name = model.to_ascii_lowercase();
    let dashed = name.replace('.', "-");
    let named =
        |family: &&Family| family.names.iter().any(|part| name.contains(part) || dashed.contains(part));
    let family = FAMILIES.iter().find(named).unwrap_or(&UNKNOWN);
    match estimated_in {
        EstimatedIn::Model => Line::prior(OVERHEAD_SD, 1.0, family.corrected_sd),
        EstimatedIn::O200k => {
            Line::prior(OVERHEAD_SD, family.over_o200k, family.corrected_sd.hypot(UNCORRECTED_SD))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_known_by_their_usual_names() {
        let slope = |model| prior(model, EstimatedIn::O200k).slope;
        for (model, expected) in [
            ("gpt-5.1-codex", 1.0),
            ("openai/gpt-4o-mini", 1.0),
            ("gpt-4-turbo", 1.07),
            ("deepseek-chat", 1.0),
            ("Qwen/Qwen3-Coder", 1.03),
            ("claude-opus-4.6", 1.22),
            ("claude-opus-4-7", 1.4),
            ("claude-sonnet-4-5-20250929", 1.22),
            ("gemini-3-pro", 1.1),
            ("", 1.15),
        ] {
            assert!((slope(model) - expected).abs() < 1e-9, "{model}: {}", slope(model));
        }
        assert!((prior("claude-opus-4-7", EstimatedIn::Model).slope - 1.0).abs() < 1e-9);
    }
}
