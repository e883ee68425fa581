use super::*;
use crate::compression::record::digest::commands::FailingCommand;
use crate::compression::record::digest::tests::char_count;
use crate::compression::record::digest::user_requests::UserRequests;

fn long_digest() -> Digest {
    let requests = UserRequests {
        first: Some("the task".into()),
        newest: (0..30).map(|number| format!("wish {number}")).collect(),
        forgotten: 4,
    };
    let mut digest = Digest { requests, ..Digest::default() };
    digest.files.read = (0..200).map(|number| format!("src/file_{number}.rs")).collect();
    digest.files.forgotten = [11, 0, 0];
    digest.files.written = (0..20).map(|number| format!("out/{number}.js")).collect();
    digest.failing.commands =
        (0..5).map(|number| FailingCommand { command: format!("make {number}"), error: "x".into() }).collect();
    digest
}

/// A part's entry count and the count of missing entries that it states; `None` if there is no such part.
fn listed_and_missing(text: &str, title: &str, more: &str) -> Option<(usize, u32)> {
    let lines = text.split_once(&format!("\n{title}\n"))?.1.lines().take_while(|line| line.starts_with("- "));
    let lines: Vec<&str> = lines.collect();
    let missing = lines.iter().find_map(|line| line.strip_prefix(more)?.split(' ').next()?.parse().ok());
    Some((lines.len() - usize::from(missing.is_some()), missing.unwrap_or(0)))
}

#[test]
fn r7_6_a_shortened_list_states_how_many_entries_it_lacks() {
    let digest = long_digest();
    let totals = [("What the user asked, word for word:", 35), ("Files changed:", 20), ("Files read:", 211)];
    for limit in [600, 900, 1_500, 2_500, 4_000, 9_000] {
        let text = digest.render(Language::English, f64::from(limit), &char_count).unwrap();
        for (title, total) in totals {
            let Some((listed, missing)) = listed_and_missing(&text, title, "- … and ") else {
                assert!(text.contains(&format!("{title} {total}")), "{limit}: {title} is silently missing: {text}");
                continue;
            };
            assert_eq!(u32::try_from(listed).unwrap() + missing, total, "{limit}: {title}: {text}");
        }
    }
    let chinese = digest.render(Language::Chinese, 900.0, &char_count).unwrap();
    assert!(chinese.contains("\n- ……另有 "), "{chinese}");
}

#[test]
fn r7_6_dropped_entries_are_still_counted_after_saving_and_loading() {
    let text =
        Digest::from_json(&long_digest().to_value().to_string()).render(Language::English, 1e6, &char_count).unwrap();
    assert_eq!(listed_and_missing(&text, "Files read:", "- … and "), Some((200, 11)));
    assert_eq!(listed_and_missing(&text, "What the user asked, word for word:", "- … and "), Some((31, 4)));
    assert_eq!(listed_and_missing(&text, "Files changed:", "- … and "), Some((20, 0)));
}
