//! Checks option values before any work is done; errors name the option, the expected and the actual value.

use napi::bindgen_prelude::{FromNapiValue, JsObjectValue, Object, Result};
use napi::{Env, JsValue, Unknown, ValueType};
use palimpsest_core::results::Language;

use crate::error::{out_of_range, quoted, wrong_type};
use crate::units::Utf16;

/// An array may claim 2^32 − 1 elements and have none.
pub const LONGEST_LIST: u32 = 1 << 16;

/// An options object, and its name in errors. `null` and `undefined` mean "not given".
pub struct GivenOptions<'a> {
    pub env: &'a Env,
    object: Option<Object<'a>>,
    label: String,
}

impl<'a> GivenOptions<'a> {
    pub fn new(env: &'a Env, value: Unknown<'a>, label: impl Into<String>) -> Result<Self> {
        let label = label.into();
        let object = match value.get_type()? {
            ValueType::Undefined | ValueType::Null => None,
            ValueType::Object => Some(Object::from_unknown(value)?),
            _ => return Err(wrong_type(env, &label, "an object", &value)),
        };
        Ok(Self { env, object, label })
    }

    /// Options of which none is given.
    pub fn none(env: &'a Env) -> Self {
        Self { env, object: None, label: "options".to_owned() }
    }

    pub fn nested(&self, key: &str) -> Result<Self> {
        Self::new(self.env, self.get(key)?, self.name(key))
    }

    pub fn name(&self, key: &str) -> String {
        format!("{}.{key}", self.label)
    }

    pub fn refuse(&self, key: &str, expected: &str, actual: &str) -> napi::Error {
        out_of_range(self.env, &self.name(key), expected, actual)
    }

    pub fn get(&self, key: &str) -> Result<Unknown<'a>> {
        match &self.object {
            Some(object) => object.get_named_property_unchecked(key),
            None => Object::new(self.env)?.get_named_property_unchecked(key),
        }
    }

    /// `None` if the value isn't given; an error if it has another type.
    fn typed<T: FromNapiValue>(&self, key: &str, wanted: ValueType, expected: &str) -> Result<Option<T>> {
        let value = self.get(key)?;
        match value.get_type()? {
            ValueType::Undefined | ValueType::Null => Ok(None),
            actual if actual == wanted => T::from_unknown(value).map(Some),
            _ => Err(wrong_type(self.env, &self.name(key), expected, &value)),
        }
    }

    pub fn flag(&self, key: &str) -> Result<Option<bool>> {
        self.typed(key, ValueType::Boolean, "a boolean")
    }

    pub fn text(&self, key: &str) -> Result<Option<Vec<u16>>> {
        Ok(self.typed::<Utf16>(key, ValueType::String, "a string")?.map(|text| text.0))
    }

    /// A lone surrogate becomes U+FFFD.
    pub fn string(&self, key: &str) -> Result<Option<String>> {
        Ok(self.text(key)?.map(|text| String::from_utf16_lossy(&text)))
    }

    pub fn required_text(&self, key: &str) -> Result<Vec<u16>> {
        match self.text(key)? {
            Some(text) => Ok(text),
            None => Err(wrong_type(self.env, &self.name(key), "a string", &self.get(key)?)),
        }
    }

    pub fn number(&self, key: &str) -> Result<Option<f64>> {
        self.typed(key, ValueType::Number, "a number")
    }

    fn number_where(&self, key: &str, expected: &str, is_valid: fn(f64) -> bool) -> Result<Option<f64>> {
        let number = self.typed::<f64>(key, ValueType::Number, expected)?;
        match number {
            Some(number) if !is_valid(number) => Err(self.refuse(key, expected, &number.to_string())),
            _ => Ok(number),
        }
    }

    pub fn count(&self, key: &str) -> Result<Option<usize>> {
        let is_count = |number: f64| (0.0..=9_007_199_254_740_991.0).contains(&number) && number.fract() == 0.0;
        let number = self.number_where(key, "a non-negative safe integer", is_count)?;
        Ok(number.map(|number| number as usize))
    }

    pub fn amount(&self, key: &str, expected: &str) -> Result<Option<f64>> {
        self.number_where(key, expected, |number| number.is_finite() && number >= 0.0)
    }

    pub fn duration(&self, key: &str) -> Result<Option<f64>> {
        self.number_where(key, "a non-negative number of milliseconds", |number| number >= 0.0)
    }

    pub const fn is_absent(&self) -> bool {
        self.object.is_none()
    }

    pub fn is_given(&self, key: &str) -> Result<bool> {
        Ok(!matches!(self.get(key)?.get_type()?, ValueType::Undefined | ValueType::Null))
    }

    /// The value that belongs to the given word.
    pub fn choice<T: Copy>(&self, key: &str, choices: &[(&str, T)]) -> Result<Option<T>> {
        let expected = one_of(choices);
        let Some(Utf16(text)) = self.typed(key, ValueType::String, &expected)? else { return Ok(None) };
        let text = String::from_utf16_lossy(&text);
        let chosen = choices.iter().find(|(word, _)| *word == text).map(|&(_, value)| Some(value));
        chosen.ok_or_else(|| self.refuse(key, &expected, &quoted(&text)))
    }

    pub fn language(&self, key: &str) -> Result<Option<Language>> {
        self.choice(key, &[Language::Chinese, Language::English].map(|language| (language.name(), language)))
    }

    pub fn list(&self, key: &str) -> Result<Option<Vec<Unknown<'a>>>> {
        const EXPECTED: &str = "an array";
        let Some(object) = self.typed::<Object<'a>>(key, ValueType::Object, EXPECTED)? else {
            return Ok(None);
        };
        if !object.is_array()? {
            return Err(wrong_type(self.env, &self.name(key), EXPECTED, &self.get(key)?));
        }
        let length = object.get_array_length()?;
        if length > LONGEST_LIST {
            let expected = format!("an array of at most {LONGEST_LIST} elements");
            return Err(self.refuse(key, &expected, &format!("one of {length}")));
        }
        (0..length).map(|index| object.get_element(index)).collect::<Result<_>>().map(Some)
    }

    pub fn texts(&self, key: &str) -> Result<Option<Vec<Vec<u16>>>> {
        let read = |(index, value): (usize, Unknown<'a>)| match value.get_type()? {
            ValueType::String => Ok(Utf16::from_unknown(value)?.0),
            _ => Err(wrong_type(self.env, &format!("{}[{index}]", self.name(key)), "a string", &value)),
        };
        self.list(key)?.map(|list| list.into_iter().enumerate().map(read).collect()).transpose()
    }
}

/// `'a', 'b' or 'c'`, worded as on the JavaScript side.
fn one_of<T>(choices: &[(&str, T)]) -> String {
    let listed = choices.iter().map(|(word, _)| format!("'{word}'")).collect::<Vec<_>>().join(", ");
    listed.rsplit_once(", ").map(|(others, last)| format!("{others} or {last}")).unwrap_or(listed)
}

/// The JavaScript side has checked the tag.
pub fn language(tag: Option<&str>) -> Language {
    tag.and_then(Language::from_name).unwrap_or_default()
}
