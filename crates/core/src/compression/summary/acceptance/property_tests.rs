use proptest::prelude::*;

use super::tests::reply;
use super::{judge, missing_sections, shorten_summary};
use crate::compression::summary::prompt::sections_named_in;
use crate::results::Language;

/// Valid summaries of different kinds, in both languages.
fn good_summary() -> impl Strategy<Value = String> {
    let info = prop::sample::select(vec![
        "The request failed with 429 Too Many Requests; a retry with backoff was added in src/http.rs.",
        "Error: ECONNRESET came from the proxy, not from the server.",
        "The model refused: \"I'm sorry, but I can't help with that.\" The prompt was changed.",
        "`npm test` passes; `npm run lint` reports 3 errors in lib/a.js.",
        "The page showed <html><body>502 Bad Gateway</body></html> until the port was 8443.",
        "undefined was returned where null was expected (src/parse.ts:12).",
        "服务器繁忙时返回“请稍后再试”，已在 src/retry.rs 中处理。",
        "用户不要使用外部库；抱歉之类的提示语要去掉。",
        "错误：端口 8080 被占用，改用 8443。",
        "The log says {\"error\":\"overloaded\"} and then null.",
    ]);
    let english = ["Goal", "Decisions", "Done", "Open", "Files", "Failed attempts", "Discoveries"];
    let chinese = ["任务目标", "重要决策", "已完成", "待办", "文件", "失败尝试", "发现"];
    let forms = prop::sample::select(vec!["## ", "### ", "**", "# "]);
    (prop::collection::vec(info, 7..12), any::<bool>(), forms, any::<bool>()).prop_map(
        move |(info, is_chinese, form, lists)| {
            let names = if is_chinese { chinese } else { english };
            let end = if form == "**" { "**" } else { "" };
            let bullet = if lists { "- " } else { "" };
            let section = |(at, name): (usize, &&str)| format!("{form}{name}{end}\n{bullet}{}\n", info[at]);
            names.iter().enumerate().map(section).collect()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn r7_6_a_good_summary_is_accepted_whatever_it_reports(text in good_summary(), is_fenced in any::<bool>()) {
        let sections = sections_named_in(Language::English);
        let fenced = if is_fenced { format!("```markdown\n{text}```") } else { text.clone() };
        let accepted = judge(&reply(&fenced), &sections);
        prop_assert_eq!(accepted.map(|accepted| accepted.missing_sections.len()), Ok(0));
    }

    #[test]
    fn r7_6_an_error_or_refusal_is_refused_in_any_wrapping(
        text in prop::sample::select(vec![
            "I'm sorry, but I encountered an error", "The server is overloaded, please try again", "抱歉，我无法继续", "对不起，作为AI我不能这样做",
            "undefined", "null", "[object Object]", "ok", "npm test", "503 Service Unavailable", "{\"error\":\"x\"}",
        ]),
        before in "[ \n\t]{0,3}",
        after in "[ \n\t.!。]{0,3}",
        is_fenced in any::<bool>(),
    ) {
        let text = if text.starts_with('{') { format!("{before}{text}") } else { format!("{before}{text}{after}") };
        let text = if is_fenced { format!("```\n{text}\n```") } else { text };
        prop_assert!(judge(&reply(&text), &[]).is_err(), "{}", text);
    }

    #[test]
    fn r7_6_a_shortened_summary_keeps_every_section_and_is_within_its_limit(
        bodies in prop::collection::vec("((- )?(\\PC{0,30}|`src/[a-z]{1,9}.rs`|port [0-9]{4}|[你好世界]{1,20})\n){0,30}", 2..8),
        limit in 80_u32..600,
    ) {
        let sections = sections_named_in(Language::English);
        let model = crate::tokens::models::Model::named("gpt-4o");
        let text = sections.iter().zip(&bodies).map(|(section, body)| format!("## {}\n{}", section.name, body.replace('#', ""))).collect::<Vec<_>>().concat();
        let short = shorten_summary(&text, &sections, f64::from(limit), &model);
        prop_assert!(model.count(&short) <= f64::from(limit));
        prop_assert_eq!(missing_sections(&short, &sections), missing_sections(&text, &sections));
        for line in short.lines().filter(|line| line.starts_with("## ")) {
            prop_assert!(text.contains(line));
        }
    }
}
