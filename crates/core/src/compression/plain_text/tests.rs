use super::*;

#[test]
fn edge_28_escape_sequences_and_control_characters_are_removed_from_text() {
    let colours = "\u{1b}[31mError:\u{1b}[0m not \u{1b}]8;;file://x\u{7}found\u{1b}]8;;\u{1b}\\\0\u{8}!";
    assert_eq!(plain_text(colours), "Error: not found!");
    assert_eq!(plain_text("10%\r20%\r\ndone\tok"), "10%\n20%\ndone\tok");
    assert_eq!(plain_text("\u{1b}(Bplain\u{9b}1mtext\u{1b}"), "plaintext");
    assert_eq!(plain_text("\u{1b}]0;a title without end\nthe text"), "\nthe text");
    assert_eq!(plain_text("\u{1b}你好"), "你好");
}

#[test]
fn edge_29_binary_data_is_not_sent_as_text() {
    let data = "QUJD".repeat(300);
    let text = format!("before data:image/png;base64,{data} after {data}");
    let plain = plain_text(&text);
    assert_eq!(plain, "before data:image/png;base64,[LARGE_DATA_FILTERED: 1.2KB] after [LARGE_DATA_FILTERED: 1.2KB]");
    let path = "/usr/lib/node_modules/some-package/dist/index.js";
    assert_eq!(plain_text(path), path);
}
