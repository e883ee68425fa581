use super::*;

/// Shared with the tests of the core and of the JavaScript side.
const FIXTURE: &str = include_str!("../../../../__test__/fixtures/usage.json");

#[test]
fn r12_3_a_usage_report_of_a_session_file_has_the_same_classes_as_in_the_core() {
    let fixture = Json::parse(FIXTURE, &[]).unwrap();
    for entry in fixture.list() {
        let read = super::read(entry.get("report")).unwrap_or_default();
        let expected = entry.get("usage");
        let classes = [
            ("total", read.total()),
            ("uncached", read.uncached),
            ("cacheRead", read.cache_read),
            ("cacheWrite", read.cache_write),
            ("output", read.output),
            ("reasoning", read.reasoning),
        ];
        for (name, tokens) in classes {
            assert_eq!(tokens, expected.count(name), "{name} of {:?}", entry.str("form"));
        }
    }
}
