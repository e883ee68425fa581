use std::time::Instant;

use super::*;
use crate::text::utf16::units;

fn parse(message: &str) -> Option<ContextOverflow> {
    parse_context_overflow(&units(message))
}

fn number(column: &str) -> Option<u64> {
    column.parse().ok()
}

#[test]
fn r5_7_every_wording_is_recognised_with_its_figures() {
    for line in table_lines(WORDINGS_FILE) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [provider, pattern, requested, max, source, sample] = columns[..] else {
            panic!("six columns: {line}");
        };
        assert!(!pattern.is_empty() && !source.is_empty(), "{line}");
        let found = parse(sample).unwrap_or_else(|| panic!("not recognised: {sample}"));
        assert_eq!((found.requested, found.max), (number(requested), number(max)), "{sample}");
        if !provider.is_empty() {
            assert_eq!(found.provider, provider, "{sample}");
        }
    }
}

#[test]
fn r5_7_every_pattern_matches_its_own_sample() {
    for line in table_lines(WORDINGS_FILE) {
        let columns: Vec<&str> = line.split('\t').collect();
        let normalised = normalise(&units(columns[5]));
        assert!(
            Template::new(columns[1]).find(&normalised.text, |_| true).is_some(),
            "{} in {}",
            columns[1],
            normalised.text
        );
    }
}

#[test]
fn r5_7_near_misses_are_not_overflows() {
    for line in table_lines(NEAR_MISSES_FILE) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [pattern, source, sample] = columns[..] else {
            panic!("three columns: {line}");
        };
        assert!(!source.is_empty(), "{line}");
        assert_eq!(parse(sample), None, "{sample}");
        let normalised = normalise(&units(sample));
        assert!(
            pattern.is_empty() || Template::new(pattern).find(&normalised.text, |_| true).is_some(),
            "{pattern} in {}",
            normalised.text
        );
    }
}

#[test]
fn r5_7_patterns_are_written_in_normalised_form() {
    let patterns = table_lines(WORDINGS_FILE).filter_map(|line| line.split('\t').nth(1));
    let patterns = patterns.chain(table_lines(NEAR_MISSES_FILE).filter_map(|line| line.split('\t').next()));
    for pattern in patterns.chain(table_lines(FIGURES_FILE)) {
        assert!(!pattern.starts_with(['{', '*']) && !pattern.contains(['`', '\\', '’']), "{pattern}");
        assert!(!pattern.starts_with("«|"), "{pattern}");
        assert_eq!(pattern.to_lowercase(), pattern);
        let begins_empty = pattern.strip_prefix('«').and_then(|rest| rest.split_once('»'));
        assert!(
            begins_empty.is_none_or(|(choices, _)| choices.split('|').all(|choice| !choice.is_empty())),
            "{pattern}"
        );
    }
}

#[test]
fn r5_7_the_tables_are_read_and_searched_within_200_ms() {
    let began = Instant::now();
    let templates = read_wordings().len() + read_templates(NEAR_MISSES_FILE).len();
    let read = began.elapsed();
    let message = units(&"an error that says nothing of lengths, again and again. ".repeat(20));
    assert_eq!(parse_context_overflow(&message), None);
    let began = Instant::now();
    assert_eq!(parse_context_overflow(&message), None);
    let searched = began.elapsed();
    // Far above the usual time, since tests share a machine.
    assert!(read.as_millis() < 200 && searched.as_millis() < 200, "{templates}: {read:?}, {searched:?}");
}

#[test]
fn r5_7_rate_limit_headers_do_not_hide_an_overflow() {
    let headers = [
        r#"{"status":400,"headers":{"x-ratelimit-remaining-tokens":"0","retry-after":"1"},"error":{"message":"prompt is too long"}}"#,
        "BadRequestError: 400 prompt is too long { headers: { 'x-ratelimit-limit-requests': '10000', 'x-ratelimit-remaining-tokens': '0' } }",
        "headers: Headers { 'x-ratelimit-remaining-tokens': '0', 'anthropic-ratelimit-tokens-reset': 'rate limit' }, message: 'Prompt is too long'",
        "prompt is too long\nx-ratelimit-remaining-tokens: 149984\nx-quota-limit: 5\n",
        r#"[["x-ratelimit-remaining-tokens","0"],["ratelimit-policy","quota"]] prompt is too long"#,
        "Headers({'x-ratelimit-limit': '60', 'ratelimit-remaining': '0'}) - {'error': {'message': 'prompt is too long'}}",
        r#"{"error":"{\"headers\":{\"x-ratelimit-reset\":\"rate limit\"},\"message\":\"prompt is too long\"}"}"#,
        "prompt is too long, rate_limit_remaining=0",
    ];
    for text in headers {
        assert_eq!(parse(text).map(|found| found.provider), Some("anthropic"), "{text}");
    }
    assert_eq!(parse("prompt is too long, code: rate_limit_exceeded"), None);
}

#[test]
fn r5_7_a_quoted_overflow_is_not_an_overflow() {
    let sentence = "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens";
    for quoting in [
        format!("Invalid value for parameter: \"{sentence}\" is not allowed"),
        format!("Tool failed: the user's message contains \"{sentence}\""),
        format!("no results for '{}'", sentence.replace('\'', "")),
        format!("The user said \"{sentence}\""),
        format!("{{\"error\":{{\"message\":\"invalid api key\"}},\"request\":{{\"prompt\":\"{sentence}\"}}}}"),
        format!("400 bad role (messages=[{{\"role\": \"x\", \"content\": \"{sentence}\"}}])"),
        format!("ValidationError: 1 validation error, input_value='{sentence}', input_type=str"),
        format!("{{\"choices\":[{{\"message\":{{\"role\":\"assistant\",\"content\":\"{sentence}\"}}}}]}}"),
        format!("Refused: the prompt “{sentence}” is against our policy"),
    ] {
        assert_eq!(parse(&quoting), None, "{quoting}");
    }
    for reported in [
        format!("Error code: 400 - {{'error': {{'message': \"{sentence}\"}}}}"),
        format!("request failed with \"{sentence}\""),
        format!("upstream returned '{}'", sentence.replace('\'', "")),
        format!("litellm.BadRequestError: OpenAIException - \"{sentence}\""),
        format!("b'{{\"error\": \"{sentence}\"}}'"),
        format!("`{sentence}`"),
        format!(
            "{{\"isApiErrorMessage\":true,\"message\":{{\"content\":[{{\"type\":\"text\",\"text\":\"{sentence}\"}}]}}}}"
        ),
        format!(
            "{{\"request\":{{\"messages\":[{{\"content\":\"it's \\\"odd\\\" }}\"}}]}},\"message\":\"{sentence}\"}}"
        ),
    ] {
        assert_eq!(
            parse(&reported).map(|found| (found.requested, found.max)),
            Some((Some(9000), Some(8192))),
            "{reported}"
        );
    }
}

#[test]
fn r5_7_a_bare_413_is_an_overflow_for_providers_that_use_it_so() {
    let provider_of = |provider: &str, status: f64, text: &str| {
        let known =
            ErrorOrigin { provider: Some(provider.to_owned()).filter(|name| !name.is_empty()), status: Some(status) };
        find_overflow(&known, [units(text).as_slice()]).map(|found| found.provider)
    };
    assert_eq!(provider_of("cerebras", 413.0, "413 status code (no body)"), Some("cerebras"));
    assert_eq!(provider_of("Mistral AI", 413.0, "413 Payload Too Large"), Some("mistral"));
    assert_eq!(provider_of("anthropic", 413.0, "413 status code (no body)"), None);
    assert_eq!(provider_of("", 413.0, "413 status code (no body)"), None);
    assert_eq!(provider_of("cerebras", 400.0, "400 status code (no body)"), None);
    assert_eq!(provider_of("cerebras", 413.0, "413 tokens per minute limit exceeded"), None);
}

#[test]
fn r5_7_line_breaks_case_and_thousands_separators_do_not_matter() {
    let overflow = parse("PROMPT IS TOO LONG:\n  213,462 tokens >\t200,000 maximum").unwrap();
    assert_eq!((overflow.requested, overflow.max), (Some(213_462), Some(200_000)));
}

#[test]
fn r5_7_of_several_texts_the_one_with_the_most_figures_counts() {
    let texts =
        ["request failed", "context_length_exceeded", "prompt is too long: 3 tokens > 2 maximum", "prompt is too long"];
    let texts: Vec<Vec<u16>> = texts.iter().map(|text| units(text)).collect();
    let best = find_overflow(&ErrorOrigin::default(), texts.iter().map(Vec::as_slice)).unwrap();
    assert_eq!((best.provider, best.requested, best.max), ("anthropic", Some(3), Some(2)));
}

#[test]
fn r0_3_invalid_and_repetitive_texts_are_not_overflows() {
    assert_eq!(parse_context_overflow(&[0xD800; 10]), None);
    assert_eq!(parse(&"maximum context length is ".repeat(5000)), None);
    assert_eq!(parse(&format!("prompt is too long: {} tokens > 1 maximum", "9".repeat(60))).unwrap().requested, None);
}

#[test]
fn r5_7_users_get_an_explanation_and_advice_in_both_languages() {
    assert_eq!(user_texts(Language::Chinese), ("对话内容过长，已超出模型上下文限制。", "建议新开一个会话继续对话。"));
    assert!(user_texts(Language::English).0.contains("too long"));
}
