use super::*;

const HANDLE: Handle = Handle { request: 41, nth: 2 };

fn call_of<'a>(tool: Option<&'a [u16]>, path: &'a [u16]) -> CallFields<'a> {
    CallFields { tool, path, about: path }
}

fn result_of(call: CallFields<'_>) -> ResultFields<'_> {
    ResultFields { call, lines: 12, handle: HANDLE, chars: 1, age_ms: 1_020_500.0 }
}

fn render(template: &str, chars: usize) -> String {
    let tool = units("bash");
    let path = units("src/a.ts");
    let fields = ResultFields { chars, ..result_of(call_of(Some(&tool), &path)) };
    String::from_utf16(&Placeholder::parse(&units(template)).render(&fields)).unwrap()
}

#[test]
fn known_placeholder_fields_are_filled_and_other_braces_stay() {
    assert_eq!(
        render("[{tool} {path}: {chars} units, {age} old, {other} {]", 42),
        "[bash src/a.ts: 42 units, 17 min old, {other} {]"
    );
    assert_eq!(render("", 1), "");
}

#[test]
fn only_a_placeholder_without_fields_is_fixed_text() {
    assert!(Placeholder::parse(&units("此命令返回内容已过时")).fixed().is_some());
    assert!(Placeholder::parse(&units("{chars}")).fixed().is_none());
    assert!(Placeholder::parse(&units("")).fixed().is_some());
}

#[test]
fn r1_6_only_a_filled_template_is_recognised_as_a_placeholder() {
    let matches = |template: &str, content: &str| {
        let (tool, path) = (units("bash"), units("a.ts"));
        let call = call_of(Some(&tool), &path);
        Placeholder::parse(&units(template)).matches(&units(content), call)
    };
    assert!(matches("[{tool}: {chars} units, {age}]", "[bash: 12 units, 3 min]"));
    assert!(!matches("[{tool}: {chars} units]", "[sh: 12 units]"));
    assert!(!matches("[{tool}: {chars} units]", "[bash: 12 units] and more"));
    assert!(!matches("[{tool}]", "[1, 2, 3]"), "a JSON array is not a placeholder");
    assert!(matches("{path} read before", "a.ts read before"));
    assert!(!matches("gone", "gone "));
    assert!(
        matches("{age} old", "? min old") && matches("{age} old", "17 min old") && !matches("{age} old", "?? min old")
    );
    assert!(matches("", ""));
}

#[test]
fn a_long_path_is_shortened_in_a_placeholder_and_still_recognised() {
    let path = units(&format!("src/{}/a.ts", "😀".repeat(500_000)));
    for times in [1, 7, 9, 100_000] {
        let placeholder = Placeholder::parse(&units(&"{path}".repeat(times)));
        let fields = result_of(call_of(None, &path));
        let rendered = placeholder.render(&fields);
        assert!(rendered.len() <= MAX_FILLED_UNITS + times, "{} units", rendered.len());
        assert!(placeholder.matches(&rendered, call_of(None, &path)));
        assert!(rendered.len() <= longest_of([&placeholder], call_of(None, &path)));
        let text = String::from_utf16(&rendered).expect("no half of a pair");
        assert!(text.starts_with("src/😀") && text.contains("😀/a.ts"));
    }
}

#[test]
fn r1_6_a_placeholder_with_all_fields_names_its_call_and_is_recognised() {
    let (tool, path) = (units("Read"), units("src/a.ts"));
    let call = call_of(Some(&tool), &path);
    let text = Placeholder::with_all_fields("[{handle}: {tool}{about}, {lines} lines]");
    let rendered = text.render(&result_of(call));
    assert_eq!(String::from_utf16(&rendered).unwrap(), "[#41.2: Read src/a.ts, 12 lines]");
    assert!(text.matches(&rendered, call) && text.matches(&units("[#7: Read src/a.ts, 3 lines]"), call));
    assert!(!text.matches(&units("[#7: Read src/b.ts, 3 lines]"), call));
    assert!(!text.matches(&units("[#7.: Read src/a.ts, 3 lines]"), call));
    let unnamed = result_of(CallFields { about: &[], ..call });
    assert_eq!(String::from_utf16(&text.render(&unnamed)).unwrap(), "[#41.2: Read, 12 lines]");
    assert_eq!(Placeholder::parse(&units("{lines}")).fixed(), Some(units("{lines}").as_slice()));
}

#[test]
fn a_path_that_fits_is_filled_in_whole() {
    let path = units(&"p".repeat(MAX_VALUE_UNITS));
    let fields = result_of(call_of(None, &path));
    assert_eq!(Placeholder::parse(&units("{path}")).render(&fields), path);
}
