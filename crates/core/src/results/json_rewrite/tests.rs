use super::*;
use crate::results::base64_runs::tests::base64;
use crate::text::utf16::units;

fn sanitized(json: &str) -> Option<String> {
    sanitize_results_json(&units(json), &default_fields()).map(|text| String::from_utf16(&text).unwrap())
}

/// Pseudo-random base64 that begins as a PNG does.
fn data(length: usize) -> String {
    let mut data = "iVBORw0KGgo+".to_owned() + &base64(length, 1);
    data.truncate(length);
    data
}

#[test]
fn known_fields_become_placeholders_at_every_depth_r5_4() {
    let (image, audio) = (data(1_024), data(2_048));
    let json = format!(
        r#"[{{"toolCallId":"a","metadata":{{"imageBase64":"{image}","x":{{"y":[{{"audioData" : "{audio}"}}]}}}}}}]"#
    );
    assert_eq!(
        sanitized(&json).unwrap(),
        r#"[{"toolCallId":"a","metadata":{"imageBase64":"[BINARY_DATA_FILTERED: 1.0KB]","x":{"y":[{"audioData" : "[BINARY_DATA_FILTERED: 2.0KB]"}]}}}]"#
    );
}

#[test]
fn sizes_count_the_decoded_units_of_every_string_inside_r5_2() {
    let json = format!(r#"[{{"pdfImages":["{}",{{"key":["{}",1,"\u0041\n\\"]}}]}}]"#, "x".repeat(128), "y".repeat(125));
    assert_eq!(sanitized(&json).unwrap(), r#"[{"pdfImages":"[BINARY_DATA_FILTERED: 0.3KB]"}]"#);
}

#[test]
fn a_known_field_with_at_most_a_hundred_units_of_data_stays_r5_2() {
    let short = data(100);
    for value in ["null", "false", "true", "0", "-1e300", "\"\"", "\"see /a.png\"", "[]", "{}"] {
        assert_eq!(sanitized(&format!(r#"[{{"imageBase64":{value}}}]"#)), None, "{value}");
    }
    assert_eq!(sanitized(&format!(r#"[{{"imageBase64":"{short}","data":"ab"}}]"#)), None);
    assert!(sanitized(&format!(r#"[{{"imageBase64":"{short}x"}}]"#)).is_some());
    assert!(sanitized(&format!(r#"[{{"imageBase64":["{short}","x"]}}]"#)).is_some());
    // An escape counts as one unit, however it is written.
    assert_eq!(sanitized(&format!(r#"[{{"imageBase64":"{}"}}]"#, r"\u0041".repeat(100))), None);
}

#[test]
fn paths_and_urls_in_known_fields_stay_r5_2() {
    let deep = "deep".repeat(50);
    for value in [
        format!(r#""/tmp/{deep}/a.png""#),
        format!(r#""\/tmp\/{deep}\/a.png""#),
        format!(r#""C:\\tmp\\{deep}.png""#),
        format!(r#"["https://host/{deep}","/tmp/{deep}.png"]"#),
    ] {
        assert_eq!(sanitized(&format!(r#"[{{"pdfImages":{value}}}]"#)), None, "{value}");
    }
    let page = format!(r#"{{"path":"/tmp/{deep}.png","data":"{}"}}"#, data(4_096));
    assert!(sanitized(&format!(r#"[{{"pdfImages":[{page}]}}]"#)).unwrap().contains("FILTERED: 4.2KB"));
}

#[test]
fn other_large_strings_become_placeholders_and_keys_stay_r5_3() {
    let image = data(20_480);
    let json =
        format!(r#"[ {{"content":[{{"type":"image","data":"{image}","mimeType":"image/png"}}], "{image}": 1}} ]"#);
    let expected = format!(
        r#"[ {{"content":[{{"type":"image","data":"[LARGE_DATA_FILTERED: 20.0KB]","mimeType":"image/png"}}], "{image}": 1}} ]"#
    );
    assert_eq!(sanitized(&json).unwrap(), expected);
}

#[test]
fn escapes_in_data_and_keys_are_decoded_r5_5() {
    let url = format!(r#"[{{"u":"data:image\/png;base64,{}"}}]"#, data(10_240 - 22));
    assert_eq!(sanitized(&url).unwrap(), r#"[{"u":"[LARGE_DATA_FILTERED: 10.0KB]"}]"#);
    let late = format!(r#"[{{"u":"data:text/plain,{}\u0041\n"}}]"#, "x ".repeat(5200));
    assert_eq!(sanitized(&late).unwrap(), r#"[{"u":"[LARGE_DATA_FILTERED: 10.2KB]"}]"#);
    let inside = format!(r#"[{{"u":"\u0041 \"{}\" \n"}}]"#, data(10_240));
    assert_eq!(sanitized(&inside).unwrap(), r#"[{"u":"\u0041 \"[LARGE_DATA_FILTERED: 10.0KB]\" \n"}]"#);
    let wrapped = data(15_200)
        .as_bytes()
        .chunks(76)
        .map(|line| std::str::from_utf8(line).unwrap().to_owned() + "\\r\\n")
        .collect::<String>();
    assert!(sanitized(&format!(r#"[{{"u":"{wrapped}"}}]"#)).unwrap().contains("LARGE"));
    assert_eq!(
        sanitized(&format!(r#"[{{"image\u0042ase64":"{}"}}]"#, data(1_024))).unwrap(),
        r#"[{"image\u0042ase64":"[BINARY_DATA_FILTERED: 1.0KB]"}]"#
    );
}

#[test]
fn everything_else_stays_as_written_r5_5() {
    let literals = r#"1.0, 1e+2, -0, 12345678901234567890, "\u00e9\/", {"a":1,"a":2,"__proto__":{"imageBase64":0}}"#;
    let video = data(1_024);
    let json = format!("\n[ {{ \"x\" : [{literals}] , \"videoData\":\"{video}\"\t}} ]\r\n");
    assert_eq!(sanitized(&json).unwrap(), json.replace(&video, "[BINARY_DATA_FILTERED: 1.0KB]"));
    let mut lone = units(r#"[{"x":""#);
    lone.push(0xD800);
    lone.extend(units(&format!(r#"","audioData":"{}\ud800"}}]"#, data(200))));
    let result = sanitize_results_json(&lone, &default_fields()).unwrap();
    assert_eq!(result[..9], lone[..9]);
}

#[test]
fn text_that_is_not_a_json_array_of_objects_is_unchanged_r5_5() {
    let field = format!(r#"{{"imageBase64":"{}"}}"#, data(200));
    for json in [
        String::new(),
        "[]".into(),
        field.clone(),
        format!("[{field},1]"),
        format!("[{field},[{field}]]"),
        format!("[{field},null]"),
        format!("[{field},]"),
        format!("[{field}] x"),
        format!("[{field}"),
        format!("\u{feff}[{field}]"),
        format!("[{field},{{'a':1}}]"),
        format!("[{field},{{\"a\":01}}]"),
        format!("[{field},{{\"a\":\"\t\"}}]"),
        format!("[{field},{{\"a\":\"\\x41\"}}]"),
    ] {
        assert_eq!(sanitized(&json), None, "{json}");
    }
}

#[test]
fn two_hundred_thousand_levels_do_not_overflow_the_stack_r5_4() {
    let depth = 200_000;
    let (open, close) = ("[".repeat(depth), "]".repeat(depth));
    let json = format!(r#"[{{"a":{open}{{"imageBase64":"{}"}}{close}}}]"#, data(1_024));
    assert!(sanitized(&json).unwrap().contains("[BINARY_DATA_FILTERED: 1.0KB]"));
}

#[test]
fn long_text_with_escapes_stays_r5_3() {
    for text in [r"line\n".repeat(5000), r#"{\"a\":1}"#.repeat(3000), r"\u0041 ".repeat(3000), "中文".repeat(9000)] {
        assert_eq!(sanitized(&format!(r#"[{{"output":"{text}"}}]"#)), None);
    }
}

fn listed(count: usize) -> String {
    (0..count).map(|n| (n * 7 % 256).to_string()).collect::<Vec<_>>().join(",")
}

fn indexed(count: usize) -> String {
    (0..count).map(|n| format!(r#""{n}":{}"#, n * 7 % 256)).collect::<Vec<_>>().join(",")
}

#[test]
fn lists_and_objects_of_bytes_become_placeholders_r5_3() {
    for bytes in [format!("[{}]", listed(5_120)), format!("{{ {} }}", indexed(5_120))] {
        let json = format!(r#"[{{"a":[1,2],"x":{bytes},"b":"text"}},{{"y":[[{bytes}]]}}]"#);
        let placeholder = r#""[LARGE_DATA_FILTERED: 5.0KB]""#;
        assert_eq!(
            sanitized(&json).unwrap(),
            format!(r#"[{{"a":[1,2],"x":{placeholder},"b":"text"}},{{"y":[[{placeholder}]]}}]"#)
        );
        let known = format!(r#"[{{"imageBase64":{bytes}}}]"#);
        assert_eq!(sanitized(&known).unwrap(), r#"[{"imageBase64":"[BINARY_DATA_FILTERED: 5.0KB]"}]"#);
    }
    for few in [format!("[{}]", listed(5_000)), format!("{{{}}}", indexed(1_250)), "[300]".to_owned()] {
        assert_eq!(sanitized(&format!(r#"[{{"x":{few}}}]"#)), None);
    }
    let pages = format!(r#"[{{"pdfImages":{{"data":"{}","pages":[1,2,3]}}}}]"#, "x".repeat(100));
    assert_eq!(sanitized(&pages), None);
    let zeros = format!("[{}0]", "0,".repeat(6_000));
    assert_eq!(sanitized(&format!(r#"[{{"x":{zeros}}}]"#)), None);
    let buffer = format!(r#"[{{"x":{{"type":"Buffer","data":{zeros}}}}}]"#);
    assert!(sanitized(&buffer).unwrap().contains(r#""data":"[LARGE_DATA_FILTERED: 5.9KB]""#));
}

#[test]
fn a_list_of_bytes_in_a_text_leaves_valid_json_r5_5() {
    let placeholder = r#"\"[LARGE_DATA_FILTERED: 5.9KB]\""#;
    for text in ["", r"\n"] {
        let json = format!(r#"[{{"output":"{text}[{}]{text}"}}]"#, listed(6_000));
        assert_eq!(sanitized(&json).unwrap(), format!(r#"[{{"output":"{text}{placeholder}{text}"}}]"#));
    }
}

#[test]
fn sanitising_twice_changes_nothing_more_r5_5() {
    let first_result = sanitized(&format!(r#"[{{"imageBase64":"{}","data":"{0}"}}]"#, data(500_000))).unwrap();
    assert!(
        first_result.contains("[BINARY_DATA_FILTERED: 488.3KB]")
            && first_result.contains("[LARGE_DATA_FILTERED: 488.3KB]")
    );
    assert_eq!(sanitized(&first_result), None);
}
