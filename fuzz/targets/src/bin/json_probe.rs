//! The JSON scanner, compared with `serde_json`, which rejects lone surrogates and is otherwise as strict.
#![no_main]

use std::fmt;

use libfuzzer_sys::fuzz_target;
use palimpsest_core::results::json_rewrite::{default_fields, sanitize_results_json};
use palimpsest_core::text::json_probe::{Value, ValueKind, array_elements, key_is, leading_members, object_members};
use palimpsest_fuzz_targets::units_of;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

type Found = Vec<(Vec<u16>, String)>;

struct Members(Vec<(String, String)>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Each;
        impl<'de> Visitor<'de> for Each {
            type Value = Members;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some((key, value)) = map.next_entry::<String, Box<RawValue>>()? {
                    members.push((key, value.get().to_owned()));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Each)
    }
}

fuzz_target!(|bytes: &[u8]| {
    let units = units_of(bytes);
    let (is_object, members) = members_of(&units);
    let (is_array, elements) = elements_of(&units);
    assert!(!(is_object && is_array));
    if is_object {
        check_looser_walks(&units, &members);
    }
    check_rewriting(&units, is_array, elements.len());
    let Ok(text) = String::from_utf16(&units) else { return };
    let object = serde_json::from_str::<Members>(&text);
    let array = serde_json::from_str::<Vec<Box<RawValue>>>(&text);
    if !text.contains("\\u") {
        assert_eq!((is_object, is_array), (object.is_ok(), array.is_ok()), "{text:?}");
    }
    if let Ok(Members(expected)) = object {
        let expected: Found =
            expected.into_iter().map(|(key, raw)| (key.encode_utf16().collect(), raw)).collect();
        assert!(is_object);
        assert_eq!(members, expected, "{text:?}");
    }
    if let Ok(expected) = array {
        assert!(is_array);
        assert_eq!(elements, expected.iter().map(|raw| raw.get().to_owned()).collect::<Vec<_>>(), "{text:?}");
    }
});

fn members_of(units: &[u16]) -> (bool, Found) {
    let mut found = Vec::new();
    let is_object = object_members(units, |key, value| {
        check_value(&value);
        found.push(member(key, &value));
    });
    (is_object, found)
}

fn elements_of(units: &[u16]) -> (bool, Vec<String>) {
    let mut found = Vec::new();
    let is_array = array_elements(units, |value| {
        check_value(&value);
        found.push(String::from_utf16_lossy(value.text));
    });
    (is_array, found)
}

fn member(key: &[u16], value: &Value<'_>) -> (Vec<u16>, String) {
    let quoted = [&[0x22], key, &[0x22]].concat();
    let decoded = Value { text: &quoted, kind: ValueKind::String }.decode_string().unwrap();
    assert!(key_is(key, &decoded), "a key is what it means");
    (decoded, String::from_utf16_lossy(value.text))
}

/// Compares decoded strings, numbers and empty arrays with `serde_json`.
fn check_value(value: &Value<'_>) {
    let text = String::from_utf16_lossy(value.text);
    if let Some(decoded) = value.decode_string()
        && let Ok(expected) = serde_json::from_str::<String>(&text)
        && String::from_utf16(value.text).is_ok()
    {
        assert_eq!(decoded, expected.encode_utf16().collect::<Vec<_>>());
    }
    if let (Some(number), Ok(expected)) = (value.number(), serde_json::from_str::<f64>(&text)) {
        assert_eq!(number.to_bits(), expected.to_bits(), "{text}");
    }
    if let Ok(expected) = serde_json::from_str::<Vec<IgnoredAny>>(&text) {
        assert_eq!(value.has_elements(), !expected.is_empty(), "{text}");
    }
}

/// Functions that accept more texts must find the same members.
fn check_looser_walks(units: &[u16], members: &Found) {
    let longer = [units, &[0x7D, 0x22, 0x5B]].concat();
    let mut leading = Vec::new();
    assert!(leading_members::<true>(&longer, |key, value| leading.push(member(key, &value))));
    assert_eq!(&leading, members);
    let mut unchecked = Vec::new();
    assert!(leading_members::<false>(&longer, |key, value| unchecked.push(member(key, &value))));
    assert_eq!(&unchecked, members);
}

fn check_rewriting(units: &[u16], is_array: bool, elements: usize) {
    let Some(rewritten) = sanitize_results_json(units, &default_fields()) else { return };
    let (still_array, as_many) = elements_of(&rewritten);
    assert!(is_array && still_array && as_many.len() == elements);
    assert_eq!(sanitize_results_json(&rewritten, &default_fields()), None, "once is enough");
}
