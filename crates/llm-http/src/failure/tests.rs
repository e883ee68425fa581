use super::*;

#[test]
fn r9_2_a_secret_that_begins_with_another_is_masked_whole() {
    let mut secrets = Secrets::default();
    secrets.add("sk-abcdef");
    secrets.add("sk-abcdef-longer");
    assert_eq!(secrets.masked("Bearer sk-abcdef-longer, sk-abcdef."), "Bearer [masked], [masked].");
    assert!(!format!("{secrets:?}").contains("sk-"));
}

#[test]
fn r9_2_an_empty_or_short_secret_masks_no_ordinary_text() {
    let mut secrets = Secrets::default();
    secrets.add("");
    secrets.add("1");
    assert_eq!(secrets.masked("HTTP/1.1"), "HTTP/1.1");
}
