//! The binding of token counts for a model: texts, messages, tools and images; and cutting texts to a number of tokens.

use napi::bindgen_prelude::{Float64ArraySlice, Object, Result};
use napi::{Env, Unknown};
use napi_derive::napi;
use palimpsest_core::compression::hard_limit::shorten::{TextPart, shorten_parts};
use palimpsest_core::text::utf16::to_utf8;
use palimpsest_core::tokens::encoding::{cl100k, o200k};
use palimpsest_core::tokens::images::{ASSUMED_SIZE, Pixels, data_start, from_base64, size_of};
use palimpsest_core::tokens::models::{EncodingName, Model};
use palimpsest_core::tokens::overhead::ToolShape;
use palimpsest_core::tokens::truncate::{Keep, truncate};

use crate::option_values::GivenOptions;
use crate::runtime::{Lane, blocking_promise};
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
        let encodings = [EncodingName::O200kBase, EncodingName::Cl100kBase].map(|name| (name.name(), name));
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
        self.model.encoding.name()
    }

    /// As published by its provider, if known.
    #[napi(getter, catch_unwind)]
    pub fn context_window(&self) -> Option<f64> {
        self.model.window.map(|window| window.tokens)
    }

    /// Tokens that every request has, whatever its content.
    #[napi(getter, catch_unwind)]
    pub fn request_overhead(&self) -> f64 {
        self.model.message_overhead.request
    }

    /// Not rounded; lone surrogates count as U+FFFD.
    #[napi(catch_unwind)]
    pub fn count(&self, #[napi(ts_arg_type = "string")] text: Utf16) -> f64 {
        self.model.count(&to_utf8(&text.0))
    }

    /// Like `count`, on another thread.
    #[napi(catch_unwind, ts_return_type = "Promise<number>")]
    pub fn count_elsewhere<'e>(&self, env: &'e Env, #[napi(ts_arg_type = "string")] text: Utf16) -> Result<Object<'e>> {
        let model = self.model;
        blocking_promise(env, Lane::Read, move || model.count(&to_utf8(&text.0)), |_, tokens| Ok(tokens))
    }

    #[napi(catch_unwind, ts_args_type = "texts: string[]")]
    pub fn count_each(&self, texts: Unknown<'_>) -> Vec<f64> {
        let mut texts = Strings::new(&texts);
        (0..texts.len()).map(|index| self.model.count(&texts.utf8(index))).collect()
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
            .map(|(index, &low)| self.model.image_formula.tokens(pixels(&mut images, index), low != 0.0))
            .sum();
        self.count_texts(&texts, enough)
            + image_tokens
            + self.model.message_overhead.tokens_of(tool_calls, has_name, pdf_bytes)
    }

    /// Not rounded.
    #[napi(catch_unwind, ts_args_type = "texts: string[], counts: CountedTools")]
    pub fn count_tools(&self, texts: Unknown<'_>, counts: CountedTools) -> f64 {
        let CountedTools { tools, with_properties, properties, enumerations, values } = counts;
        let shape = ToolShape { tools, with_properties, properties, enumerations, values };
        self.count_texts(&texts, f64::INFINITY) + self.model.tool_overhead.tokens_of(&shape)
    }

    /// Null if `text` is short enough.
    #[napi(catch_unwind, ts_return_type = "string | null")]
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
        let count_tokens = |text: &str| self.model.count(text).ceil() as usize;
        let kept = truncate(&count_tokens, &utf8, limit as usize, keep, &marker)?;
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
        let texts: Vec<Vec<u16>> = (0..strings.len()).map(|index| strings.head(index, usize::MAX).to_vec()).collect();
        let part = |(text, &output): (_, &f64)| TextPart { text, is_output: output != 0.0 };
        let parts: Vec<TextPart<'_>> = texts.iter().map(Vec::as_slice).zip(outputs.iter()).map(part).collect();
        shorten_parts(&parts, max_tokens, &self.model).into_iter().map(|cut| cut.map(Utf16)).collect()
    }

    fn count_texts(&self, texts: &Unknown<'_>, enough: f64) -> f64 {
        let mut texts = Strings::new(texts);
        let count = |text: &str| {
            if enough.is_finite() { self.model.count_or_more(text, enough) } else { self.model.count(text) }
        };
        (0..texts.len()).map(|index| count(&texts.utf8(index))).fold(0.0, std::ops::Add::add)
    }
}

fn pixels(images: &mut Strings, index: usize) -> Pixels {
    let mut size = |limit| {
        let head = images.head(index, limit);
        size_of(&from_base64(head.get(data_start(head)?..)?))
    };
    size(IMAGE_HEAD_UNITS).or_else(|| size(PHOTO_HEAD_UNITS)).unwrap_or(ASSUMED_SIZE)
}

/// Resolves when both vocabularies are in memory.
#[napi(catch_unwind, ts_return_type = "Promise<void>")]
pub fn preload_tokens(env: &Env) -> Result<Object<'_>> {
    let read = || o200k().count("").saturating_add(cl100k().count(""));
    blocking_promise(env, Lane::Read, read, |_, _| Ok(()))
}
