//! Decides how to count tokens for a model, by its name, and what its calibration assumes before the provider has reported anything.
//! `docs/tokens.md` has the sources.

use super::encoding::{Encoding, Factors, cl100k, o200k};
use super::family::family_of;
use super::fitted_line::{FittedLine, sd_of_sum};
use super::images::ImageFormula;
use super::overhead::{MessageOverhead, ToolOverhead};
use super::windows::{ContextWindow, window_of};

pub use super::family::Family;

named_enum! {
    /// The encodings whose vocabulary is included.
    EncodingName {
        O200kBase = "o200k_base",
        Cl100kBase = "cl100k_base",
    }
}

impl EncodingName {
    pub fn encoding(self) -> &'static Encoding {
        match self {
            Self::O200kBase => o200k(),
            Self::Cl100kBase => cl100k(),
        }
    }
}

named_enum! {
    /// Which tokens the application's estimates count.
    #[derive(Default)]
    EstimatedIn {
        /// The model's own tokens, as [`Model::count`] estimates them with class factors.
        #[default]
        Model = "model",
        /// Tokens of `o200k_base`, without class factors.
        O200k = "o200k_base",
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Model {
    pub family: Family,
    pub encoding: EncodingName,
    /// Multiply the encoding's counts of each class.
    pub factors: Factors,
    pub message_overhead: MessageOverhead,
    pub tool_overhead: ToolOverhead,
    pub image_formula: ImageFormula,
    pub window: Option<ContextWindow>,
    /// Standard deviation of real tokens per estimated one if the estimate includes the factors.
    slope_sd: f64,
}

/// Longer texts are sampled first: this many samples of this length.
const SAMPLED_FROM_BYTES: usize = 1 << 19;
const SAMPLES: usize = 64;
const SAMPLE_BYTES: usize = 2_048;
/// Standard deviation of the tokens outside the messages: agents' system prompts and tools take from none to some 20,000.
const OVERHEAD_SD: f64 = 8_000.0;
/// Shares of text and code, digits, and CJK in an agent's conversation, in `o200k_base` tokens (a judgement).
const MIXTURE: [f64; 3] = [0.85, 0.1, 0.05];
/// The additional error without class factors.
const UNCORRECTED_SD: f64 = 0.06;

impl Model {
    /// The model of this name in any gateway's spelling (`openai/gpt-4o`, `claude-opus-4.7`).
    pub fn named(name: &str) -> Self {
        let window = window_of(name);
        let name = name.to_ascii_lowercase();
        let name = name.rsplit(['/', ':']).find(|part| family_of(part) != Family::Unknown).unwrap_or(&name);
        Self { window, ..Self::of_family(family_of(name), name) }
    }

    /// The model for a model name, an encoding, both or neither (then `o200k_base`). With both, the encoding counts texts;
    /// overheads and images are the model's. With an encoding alone, they are those of `OpenAI`'s models.
    pub fn choose(name: Option<&str>, encoding: Option<EncodingName>) -> Self {
        match (name, encoding) {
            (Some(name), None) => Self::named(name),
            (Some(name), Some(encoding)) => Self { encoding, factors: Factors::ONE, ..Self::named(name) },
            (None, Some(EncodingName::Cl100kBase)) => Self::of_family(Family::OpenAiOld, ""),
            (None, _) => Self::of_family(Family::OpenAi, ""),
        }
    }

    /// True if text counts are exact. Overheads and images are always estimates.
    pub fn is_exact(&self) -> bool {
        self.factors == Factors::ONE
    }

    /// Tokens of `text`; a whole number if [`Model::is_exact`].
    pub fn count(&self, text: &str) -> f64 {
        let encoding = self.encoding.encoding();
        if self.is_exact() { encoding.count(text) as f64 } else { self.factors.apply(encoding.count_by_class(text)) }
    }

    /// True if `text` has at most `limit` tokens. A short text needs no counting, as no token is empty; a long one is counted up to the limit.
    pub fn fits(&self, text: &str, limit: f64) -> bool {
        let Factors { other, digits, cjk } = self.factors;
        if text.len() as f64 * other.max(digits).max(cjk) <= limit {
            return true;
        }
        let (tokens, bytes) = self.count_up_to(text, limit);
        bytes == text.len() && tokens <= limit
    }

    /// Tokens and bytes of a start of `text` with at least `limit` tokens, or of all of a shorter text.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // `as` saturates
    fn count_up_to(&self, text: &str, limit: f64) -> (f64, usize) {
        let Factors { other, digits, cjk } = self.factors;
        let encoded_limit = (limit / other.min(digits).min(cjk)).ceil() as usize;
        let (classes, bytes) = self.encoding.encoding().count_by_class_up_to(text, encoded_limit);
        (self.factors.apply(classes), bytes)
    }

    /// Tokens of `text` if they are at most `enough`; for a longer text an estimate above it, from its start or from samples: counting all
    /// of 8 MB would delay a caller who only needs to know that they exceed any window. O(`enough`).
    pub fn count_or_more(&self, text: &str, enough: f64) -> f64 {
        if text.len() > SAMPLED_FROM_BYTES {
            let estimate = self.sampled(text);
            if estimate > 2.0 * enough {
                return estimate;
            }
        }
        let (tokens, bytes) = self.count_up_to(text, enough);
        if bytes < text.len() { tokens * (text.len() as f64 / bytes.max(1) as f64) } else { tokens }
    }

    fn sampled(&self, text: &str) -> f64 {
        let boundary_from = |offset| (offset..text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
        let (mut tokens, mut bytes) = (0.0, 0);
        for start in (0..SAMPLES).map(|sample| text.len() / SAMPLES * sample) {
            let range = boundary_from(start)..boundary_from(start + SAMPLE_BYTES);
            let sample = text.get(range).unwrap_or_default();
            tokens += self.count(sample);
            bytes += sample.len();
        }
        tokens * (text.len() as f64 / bytes.max(1) as f64)
    }

    /// Factors and their mean errors: fitted on one half of the texts, tested on the other; Claude's are from published comparisons and its
    /// users' measurements, an unknown model's are a judgement.
    /// Overheads: `OpenAI`'s are the cookbook's figures, which its notebook checks against the API (three per message and one for its role).
    /// Others are constants fitted by ai-tokenizer, the middle of each range; ten for a call in open chat templates is a judgement.
    fn of_family(family: Family, name: &str) -> Self {
        const OPENAI: [f64; 4] = [3.0, 4.0, 6.0, 1_100.0];
        const OPEN: [f64; 4] = [3.0, 4.0, 10.0, 1_500.0];
        const CLAUDE_TOOLS: [f64; 6] = [346.0, 53.0, 1.0, 12.0, 9.0, 3.0];
        const OPEN_TOOLS: [f64; 6] = [140.0, 40.0, 2.0, 3.0, 0.0, 3.0];
        const QWEN_TOOLS: [f64; 6] = [200.0, 40.0, 2.0, 3.0, 0.0, 3.0];
        let ([other, digits, cjk], slope_sd, messages, tools) = match family {
            Family::OpenAi => ([1.0; 3], 0.01, OPENAI, [12.0, 7.0, 3.0, 3.0, -3.0, 3.0]),
            Family::OpenAiOld => ([1.0; 3], 0.01, OPENAI, [12.0, 10.0, 3.0, 3.0, -3.0, 3.0]),
            // No figure for digits is published, so the factor for other text is used.
            Family::Claude => ([1.22, 1.22, 1.35], 0.1, [6.0, 2.0, 10.0, 2_250.0], CLAUDE_TOOLS),
            Family::ClaudeNew => ([1.53, 1.53, 1.35], 0.15, [6.0, 2.0, 13.0, 3_000.0], CLAUDE_TOOLS),
            Family::Gemini => ([1.131, 1.438, 0.839], 0.05, [0.0, 5.0, 6.0, 258.0], [0.0, 8.0, 2.0, 3.0, 0.0, 3.0]),
            Family::DeepSeek => ([1.063, 0.879, 0.793], 0.03, OPEN, [145.0, 55.0, 2.0, 3.0, 0.0, 3.0]),
            Family::Qwen => ([0.993, 1.589, 0.904], 0.03, OPEN, QWEN_TOOLS),
            Family::Qwen35 => ([1.053, 1.507, 0.801], 0.05, OPEN, QWEN_TOOLS),
            Family::Kimi => ([0.995, 0.936, 0.770], 0.02, OPEN, OPEN_TOOLS),
            Family::Glm => ([0.998, 1.034, 0.827], 0.02, OPEN, [128.0, 28.0, 2.0, 3.0, 0.0, 3.0]),
            Family::MiniMax => ([1.009, 0.901, 0.714], 0.03, OPEN, OPEN_TOOLS),
            Family::Llama => ([0.995, 0.962, 1.041], 0.02, OPEN, OPEN_TOOLS),
            Family::Mistral => ([1.038, 1.588, 1.267], 0.03, OPEN, OPEN_TOOLS),
            // Errs high: a prompt that is too long fails, one that is compressed a little early does not.
            Family::Unknown => ([1.15, 1.3, 1.1], 0.15, OPEN, OPEN_TOOLS),
        };
        let [request, message, tool_call, pdf_page] = messages;
        let [once, tool, properties, property, enumeration, value] = tools;
        Self {
            family,
            encoding: if family == Family::OpenAiOld { EncodingName::Cl100kBase } else { EncodingName::O200kBase },
            factors: Factors { other, digits, cjk },
            message_overhead: MessageOverhead { request, message, name: 1.0, tool_call, pdf_page },
            tool_overhead: ToolOverhead { once, tool, properties, property, enumeration, value },
            image_formula: image_formula_of(family, name),
            window: None,
            slope_sd,
        }
    }
}

/// The line to assume before the first report.
pub fn prior_line(model: &str, estimated_in: EstimatedIn) -> FittedLine {
    let Model { factors, slope_sd, .. } = Model::named(model);
    match estimated_in {
        EstimatedIn::Model => FittedLine::prior(OVERHEAD_SD, 1.0, slope_sd),
        EstimatedIn::O200k => {
            let [other, digits, cjk] = MIXTURE;
            let slope = other * factors.other + digits * factors.digits + cjk * factors.cjk;
            FittedLine::prior(OVERHEAD_SD, slope, sd_of_sum(slope_sd, UNCORRECTED_SD))
        }
    }
}

/// The image formula from the providers' guides. `name`: the model's, in lower case.
fn image_formula_of(family: Family, name: &str) -> ImageFormula {
    let is_small = |generation: &str| name.starts_with(generation) && name.contains("-mini");
    let patches = |multiplier| ImageFormula::Patches { multiplier };
    let tiles = |base, tile| ImageFormula::Tiles { base, tile };
    match family {
        Family::OpenAi if name.contains("-nano") => patches(2.46),
        Family::OpenAi if name.starts_with("o4-mini") => patches(1.72),
        Family::OpenAi if is_small("gpt-4.1") || is_small("gpt-5") => patches(1.62),
        Family::OpenAi if name.starts_with("gpt-4o-mini") => tiles(2833.0, 5667.0),
        Family::OpenAi if name.starts_with("gpt-5") => tiles(70.0, 140.0),
        Family::OpenAi if name.starts_with("o1") || name.starts_with("o3") => tiles(75.0, 150.0),
        Family::OpenAi | Family::OpenAiOld => tiles(85.0, 170.0),
        Family::ClaudeNew => ImageFormula::LargePatches,
        Family::Gemini => ImageFormula::GeminiTiles,
        _ => ImageFormula::Area,
    }
}

#[cfg(test)]
mod tests;
