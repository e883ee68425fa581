//! One JSON value, borrowed from its line. Agents change their formats every week, so a missing value or one of another
//! type reads as nothing, and the format decides whether that matters.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use serde_json::Number;

use crate::{ModelName, iso_ms, number_ms};

#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) enum Json<'a> {
    #[default]
    Null,
    Bool(bool),
    Number(Number),
    Text(Cow<'a, str>),
    List(Vec<Json<'a>>),
    Object(Vec<(Cow<'a, str>, Json<'a>)>),
}

const NULL: &Json<'static> = &Json::Null;
/// Reads values within an object or list, of which nothing is skipped.
const INNER: ValueReader<'static> = ValueReader { skipped: &[] };

impl<'a> Json<'a> {
    /// Without the values of top-level `skipped` keys: UI copies of results make up half of some files.
    pub(crate) fn parse(text: &'a str, skipped: &[&str]) -> Result<Self, serde_json::Error> {
        let mut reader = serde_json::Deserializer::from_str(text);
        let value = ValueReader { skipped }.deserialize(&mut reader)?;
        reader.end()?;
        Ok(value)
    }

    /// The value of `key`, or `Null`. The last value of a duplicate key counts.
    pub(crate) fn get(&self, key: &str) -> &Json<'a> {
        let Self::Object(fields) = self else { return NULL };
        fields.iter().rev().find(|(name, _)| name == key).map_or(NULL, |(_, value)| value)
    }

    pub(crate) fn get_path(&self, path: &[&str]) -> &Json<'a> {
        path.iter().fold(self, |value, key| value.get(key))
    }

    pub(crate) fn take(&mut self, key: &str) -> Json<'a> {
        let Self::Object(fields) = self else { return Json::Null };
        let found = fields.iter_mut().rev().find(|(name, _)| name == key);
        found.map_or(Json::Null, |(_, value)| std::mem::take(value))
    }

    pub(crate) fn take_string(&mut self, key: &str) -> Option<String> {
        self.take(key).into_string()
    }

    pub(crate) fn take_text(&mut self, key: &str) -> String {
        self.take_string(key).unwrap_or_default()
    }

    pub(crate) fn take_nonempty(&mut self, key: &str) -> Option<String> {
        self.take_string(key).filter(|text| !text.is_empty())
    }

    pub(crate) fn take_list(&mut self, key: &str) -> Vec<Json<'a>> {
        if let Self::List(items) = self.take(key) { items } else { Vec::new() }
    }

    pub(crate) fn str(&self, key: &str) -> Option<&str> {
        self.get(key).as_str()
    }

    pub(crate) fn string(&self, key: &str) -> Option<String> {
        self.str(key).map(str::to_owned)
    }

    pub(crate) fn model(&self, key: &str) -> Option<ModelName> {
        self.str(key).map(ModelName::from)
    }

    pub(crate) fn count(&self, key: &str) -> u64 {
        self.get(key).as_count().unwrap_or(0)
    }

    pub(crate) fn time_ms(&self, key: &str) -> Option<i64> {
        self.get(key).as_ms()
    }

    /// True for any value but `null`.
    pub(crate) fn has(&self, key: &str) -> bool {
        !matches!(self.get(key), Json::Null)
    }

    pub(crate) fn is_true(&self, key: &str) -> bool {
        *self.get(key) == Json::Bool(true)
    }

    pub(crate) fn as_str(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    pub(crate) fn into_string(self) -> Option<String> {
        if let Self::Text(text) = self { Some(text.into_owned()) } else { None }
    }

    pub(crate) fn as_f64(&self) -> Option<f64> {
        if let Self::Number(number) = self { number.as_f64() } else { None }
    }

    /// A count of tokens: a number that is not negative, rounded down.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // `as` saturates, and is guarded
    pub(crate) fn as_count(&self) -> Option<u64> {
        let Self::Number(number) = self else { return None };
        number.as_u64().or_else(|| number.as_f64().filter(|count| *count >= 0.0).map(|count| count as u64))
    }

    pub(crate) fn as_index(&self) -> Option<usize> {
        self.as_count().and_then(|count| usize::try_from(count).ok())
    }

    /// A time in milliseconds since 1970, from an ISO string or a number of seconds or milliseconds.
    pub(crate) fn as_ms(&self) -> Option<i64> {
        match self {
            Self::Text(text) => iso_ms(text),
            Self::Number(number) => number_ms(number.as_f64()?),
            _ => None,
        }
    }

    pub(crate) fn list(&self) -> &[Json<'a>] {
        if let Self::List(items) = self { items } else { &[] }
    }

    /// The elements of a list; any other value alone.
    pub(crate) fn values(&self) -> &[Json<'a>] {
        if let Self::List(items) = self { items } else { std::slice::from_ref(self) }
    }

    pub(crate) fn into_values(self) -> Vec<Json<'a>> {
        if let Self::List(items) = self { items } else { vec![self] }
    }

    pub(crate) fn is_list(&self) -> bool {
        matches!(self, Self::List(_))
    }

    pub(crate) fn is_object(&self) -> bool {
        matches!(self, Self::Object(_))
    }

    pub(crate) fn fields(&self) -> &[(Cow<'a, str>, Json<'a>)] {
        if let Self::Object(fields) = self { fields } else { &[] }
    }

    pub(crate) fn text_bytes(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::List(items) => items.iter().map(Json::text_bytes).sum(),
            Self::Object(fields) => fields.iter().map(|(_, value)| value.text_bytes()).sum(),
            Self::Null | Self::Bool(_) | Self::Number(_) => 0,
        }
    }

    pub(crate) fn to_text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// A string unchanged, anything else as JSON text, as agents do with tool results.
    pub(crate) fn into_plain(self) -> String {
        match self {
            Self::Text(text) => text.into_owned(),
            Self::Null => String::new(),
            other => other.to_text(),
        }
    }
}

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => out.serialize_unit(),
            Self::Bool(value) => out.serialize_bool(*value),
            Self::Number(value) => value.serialize(out),
            Self::Text(text) => out.serialize_str(text),
            Self::List(items) => out.collect_seq(items),
            Self::Object(fields) => out.collect_map(fields.iter().map(|(key, value)| (key, value))),
        }
    }
}

struct ValueReader<'s> {
    skipped: &'s [&'s str],
}

/// An object's key, not copied unless it has escapes.
#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'de> DeserializeSeed<'de> for ValueReader<'_> {
    type Value = Json<'de>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Json<'de>, D::Error> {
        from.deserialize_any(self)
    }
}

macro_rules! visit_scalars {
    ($($visit:ident($value:ident: $type:ty) => $json:expr,)*) => {
        $(fn $visit<E>(self, $value: $type) -> Result<Json<'de>, E> {
            Ok($json)
        })*
    };
}

impl<'de> Visitor<'de> for ValueReader<'_> {
    type Value = Json<'de>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json<'de>, E> {
        Ok(Json::Null)
    }

    fn visit_none<E>(self) -> Result<Json<'de>, E> {
        Ok(Json::Null)
    }

    visit_scalars! {
        visit_bool(value: bool) => Json::Bool(value),
        visit_u64(value: u64) => Json::Number(value.into()),
        visit_i64(value: i64) => Json::Number(value.into()),
        visit_f64(value: f64) => Number::from_f64(value).map_or(Json::Null, Json::Number),
        visit_borrowed_str(text: &'de str) => Json::Text(Cow::Borrowed(text)),
        visit_str(text: &str) => Json::Text(Cow::Owned(text.to_owned())),
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Json<'de>, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = from.next_element_seed(INNER)? {
            items.push(item);
        }
        Ok(Json::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Json<'de>, A::Error> {
        let mut fields = Vec::with_capacity(8);
        while let Some(Key(key)) = from.next_key()? {
            if self.skipped.contains(&key.as_ref()) {
                from.next_value::<IgnoredAny>()?;
            } else {
                fields.push((key, from.next_value_seed(INNER)?));
            }
        }
        Ok(Json::Object(fields))
    }
}

impl<'de> Deserialize<'de> for Json<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(INNER)
    }
}
