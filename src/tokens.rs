use napi::bindgen_prelude::{AsyncTask, Float64ArraySlice, Result};
use napi::{Env, Task, Unknown};
use napi_derive::napi;
use palimpsest_core::compression::hard_limit::parts::{TextPart, shorten_parts};
use palimpsest_core::text::utf16::to_utf8;
use palimpsest_core::tokens::encoding::{cl100k, o200k};
use palimpsest_core::tokens::images::{ASSUMED, Pixels, data_start, from_base64, size_of};
use palimpsest_core::tokens::messages::{MessageShape, ToolShape};
use palimpsest_core::tokens::models::{EncodingName, Model};
use palimpsest_core::tokens::truncate::{Keep, truncate};

use crate::option_values::GivenOptions;
use crate::units::{Strings, Utf16};

/// Most images state their size within this many units.
const IMAGE_HEAD_UNITS: usize = 4096;
/// A photograph's size follows its metadata, which may include a preview.
const PHOTO_HEAD_UNITS: usize = 1 << 19;

#[napi(object, object_to_js = false)]
pub struct CountedTools {
    pub tools: f64,
    pub with_properties: f64,
    pub properties: f64,
    /// Properties with allowed values.
    pub enumerations: f64,
    pub values: f64,
}

/// Vocabularies are shared by all threads and read on first use.
#[napi(js_name = "TokenModel")]
pub struct JsTokenModel {
    model: Model,
}

#[napi]
impl JsTokenModel {
    /// `options`: `{model?, encoding?}`; if both are given, the encoding decides how texts are counted.
    #[napi(constructor, catch_unwind)]
    pub fn new(env: Env, options: Unknown<'_>) -> Result<Self> {
        let options = GivenOptions::new(&env, options, "options")?;
        let encodings = [EncodingName::O200kBase, EncodingName::Cl100kBase].map(|name| (name.as_str(), name));
        let encoding = options.choice("encoding", &encodings)?;
        Ok(Self { model: Model::choose(options.string("model")?.as_deref(), encoding) })
    }

    /// True if texts are counted exactly as the provider counts them.
    #[napi(getter, catch_unwind)]
    pub fn is_exact(&self) -> bool {
        self.model.is_exact()
    }

    /// `o200k_base` or `cl100k_base`.
    #[napi(getter, catch_unwind)]
    pub fn encoding(&self) -> &'static str {
        self.model.encoding.as_str()
    }

    /// As published by its provider, if known.
    #[napi(getter, catch_unwind)]
    pub fn context_window(&self) -> Option<f64> {
        self.model.window.map(|window| window.tokens)
    }

    /// Tokens that every request has, whatever its content.
    #[napi(getter, catch_unwind)]
    pub fn request_overhead(&self) -> f64 {
        self.model.message.request
    }

    /// Not rounded; lone surrogates count as U+FFFD.
    #[napi(catch_unwind)]
    pub fn count(&self, #[napi(ts_arg_type = "string")] text: Utf16) -> f64 {
        self.model.count(&to_utf8(&text.0))
    }

    /// Like `count`, on a thread of Node's pool.
    #[napi(catch_unwind, ts_return_type = "Promise<number>")]
    pub fn count_elsewhere(&self, #[napi(ts_arg_type = "string")] text: Utf16) -> AsyncTask<Count> {
        AsyncTask::new(Count { model: self.model, text: text.0 })
    }

    #[napi(catch_unwind, ts_args_type = "texts: string[]")]
    pub fn count_each(&self, texts: Unknown<'_>) -> Vec<f64> {
        let mut texts = Strings::new(&texts);
        let length = texts.len();
        let mut count =
            |index| texts.head(index, usize::MAX).map_or(0.0, |(text, _)| self.model.count(&to_utf8(text)));
        (0..length).map(&mut count).collect()
    }

    #[napi(catch_unwind)]
    pub fn fits(&self, #[napi(ts_arg_type = "string")] text: Utf16, limit: f64) -> bool {
        self.model.fits(&to_utf8(&text.0), limit)
    }

    /// Not rounded; for a text with more than `enough` tokens, an estimate above `enough`. `images`: data URLs, base64
    /// or links. `media`: for each image whether it has low detail, then each PDF's bytes.
    #[napi(
        catch_unwind,
        ts_args_type = "texts: string[], images: string[], toolCalls: number, hasName: boolean, media: Float64Array, enough: number"
    )]
    pub fn count_message(
        &self,
        texts: Unknown<'_>,
        images: Unknown<'_>,
        tool_calls: f64,
        has_name: bool,
        media: Float64ArraySlice<'_>,
        enough: f64,
    ) -> f64 {
        let mut images = Strings::new(&images);
        let (low_detail, pdf_bytes) = media.split_at_checked(images.len()).unwrap_or_default();
        let image_tokens: f64 = (0..)
            .zip(low_detail)
            .map(|(index, &low)| self.model.image.tokens(pixels(&mut images, index), low != 0.0))
            .sum();
        let shape = MessageShape { tool_calls, has_name, pdf_bytes: pdf_bytes.to_vec() };
        self.count_texts(&texts, enough) + image_tokens + self.model.message.of(&shape)
    }

    /// Not rounded.
    #[napi(catch_unwind, ts_args_type = "texts: string[], counts: CountedTools")]
    pub fn count_tools(&self, texts: Unknown<'_>, counts: CountedTools) -> f64 {
        let CountedTools { tools, with_properties, properties, enumerations, values } = counts;
        let shape = ToolShape { tools, with_properties, properties, enumerations, values };
        self.count_texts(&texts, f64::INFINITY) + self.model.tools.of(&shape)
    }

    /// Null if `text` is short enough.
    #[napi(catch_unwind, ts_return_type = "string | null")]
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // the JavaScript side has checked `limit` and `keep`
    pub fn truncate(
        &self,
        #[napi(ts_arg_type = "string")] text: Utf16,
        limit: f64,
        keep: String,
        #[napi(ts_arg_type = "string | undefined")] marker: Option<Utf16>,
    ) -> Option<Utf16> {
        let keep = Keep::from_name(&keep)?;
        let marker = marker.map_or_else(|| Keep::MARKER.to_owned(), |marker| to_utf8(&marker.0));
        let utf8 = to_utf8(&text.0);
        let count = |text: &str| self.model.count(text).ceil() as usize;
        let kept = truncate(&count, &utf8, limit as usize, keep, &marker)?;
        Some(Utf16(kept.of_units(&text.0, &utf8, &marker)))
    }

    /// The texts of one message cut to about `max_tokens` in all; null for one that stays unchanged. `outputs`: for
    /// each text, whether it is a tool's output.
    #[napi(
        catch_unwind,
        ts_args_type = "texts: string[], outputs: Float64Array, maxTokens: number",
        ts_return_type = "(string | null)[]"
    )]
    pub fn shorten_texts(
        &self,
        texts: Unknown<'_>,
        outputs: Float64ArraySlice<'_>,
        max_tokens: f64,
    ) -> Vec<Option<Utf16>> {
        let mut strings = Strings::new(&texts);
        let texts: Vec<Vec<u16>> = (0..strings.len())
            .map(|index| strings.head(index, usize::MAX).map_or_else(Vec::new, |(text, _)| text.to_vec()))
            .collect();
        let part = |(text, &output): (_, &f64)| TextPart { text, is_output: output != 0.0 };
        let parts: Vec<TextPart<'_>> =
            texts.iter().map(Vec::as_slice).zip(outputs.iter()).map(part).collect();
        shorten_parts(&parts, max_tokens, &self.model).into_iter().map(|cut| cut.map(Utf16)).collect()
    }

    fn count_texts(&self, texts: &Unknown<'_>, enough: f64) -> f64 {
        let mut texts = Strings::new(texts);
        let mut total = 0.0;
        for index in 0..texts.len() {
            let Some((text, _)) = texts.head(index, usize::MAX) else { continue };
            let text = to_utf8(text);
            total += if enough.is_finite() {
                self.model.count_or_more(&text, enough)
            } else {
                self.model.count(&text)
            };
        }
        total
    }
}

fn pixels(images: &mut Strings, index: usize) -> Pixels {
    let mut size = |limit| {
        let (head, _) = images.head(index, limit)?;
        size_of(&from_base64(head.get(data_start(head)?..)?))
    };
    size(IMAGE_HEAD_UNITS).or_else(|| size(PHOTO_HEAD_UNITS)).unwrap_or(ASSUMED)
}

/// Counts a text on a thread of Node's pool.
pub struct Count {
    model: Model,
    text: Vec<u16>,
}

impl Task for Count {
    type Output = f64;
    type JsValue = f64;

    fn compute(&mut self) -> Result<f64> {
        // A panic here would abort the application.
        let count = std::panic::AssertUnwindSafe(|| self.model.count(&to_utf8(&self.text)));
        std::panic::catch_unwind(count).map_err(|_| napi::Error::from_reason("the text could not be counted"))
    }

    fn resolve(&mut self, _env: Env, tokens: f64) -> Result<f64> {
        Ok(tokens)
    }
}

/// Reads vocabularies on a thread of Node's pool.
pub struct Preload;

impl Task for Preload {
    type Output = ();
    type JsValue = ();

    fn compute(&mut self) -> Result<()> {
        // A panic here would abort the application. Reading cannot fail, because the data is laid out at build time.
        let read = std::panic::catch_unwind(|| o200k().count("").saturating_add(cl100k().count("")));
        read.map(|_| ()).map_err(|_| napi::Error::from_reason("the vocabularies could not be read"))
    }

    fn resolve(&mut self, _env: Env, (): ()) -> Result<()> {
        Ok(())
    }
}

/// Resolves when both vocabularies are in memory.
#[napi(catch_unwind, ts_return_type = "Promise<void>")]
pub fn preload_tokens() -> AsyncTask<Preload> {
    AsyncTask::new(Preload)
}
