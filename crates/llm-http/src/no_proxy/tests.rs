use super::*;

fn is_excluded(list: &str, url: &str) -> bool {
    excludes(list, &Url::parse(url).unwrap())
}

#[test]
fn r7_2_each_entry_of_no_proxy_excludes_exactly_its_hosts() {
    for (list, url, expected) in [
        ("*", "https://api.example.com/v1", true),
        ("a.test, * ,b.test", "http://10.1.2.3:8080", true),
        ("", "https://api.example.com", false),
        (" , ", "https://api.example.com", false),
        ("example.com", "https://example.com", true),
        ("example.com", "https://api.example.com", true),
        (".example.com", "https://api.example.com", true),
        ("*.example.com", "https://api.example.com", true),
        ("EXAMPLE.com.", "https://Api.Example.COM", true),
        ("example.com", "https://notexample.com", false),
        ("api.example.com", "https://example.com", false),
        (".", "https://example.com", false),
        ("*.", "https://example.com", false),
        ("example.com:443", "https://example.com", true),
        ("example.com:8443", "https://example.com", false),
        ("example.com:8443", "https://example.com:8443/v1", true),
        ("example.com:x", "https://example.com", false),
        ("localhost:11434", "http://localhost:11434/v1", true),
        ("localhost:11434", "http://localhost:8080/v1", false),
        ("127.0.0.1", "http://127.0.0.1:11434", true),
        ("127.0.0.1:11434", "http://127.0.0.1:11434", true),
        ("127.0.0.1:80", "http://127.0.0.1:11434", false),
        ("127.0.0.1", "http://127.0.0.11", false),
        ("0.0.1", "http://127.0.0.1", false),
        ("10.0.0.0/8", "https://10.200.3.4", true),
        ("10.0.0.0/8", "https://11.0.0.1", false),
        ("192.168.1.77/32", "https://192.168.1.77", true),
        ("0.0.0.0/0", "https://8.8.8.8", true),
        ("10.0.0.0/33", "https://10.0.0.1", false),
        ("10.0.0.0/x", "https://10.0.0.1", false),
        ("10.0.0.0/8", "https://example.com", false),
        ("::1", "http://[::1]:8080", true),
        ("[::1]", "http://[::1]:8080", true),
        ("[::1]:8080", "http://[::1]:8080", true),
        ("[::1]:81", "http://[::1]:8080", false),
        ("fd00::/8", "http://[fd12::1]", true),
        ("fd00::/8", "http://[fe80::1]", false),
        ("::ffff:127.0.0.1", "http://127.0.0.1", true),
        ("a.test b.test\tc.test", "https://c.test", true),
        (",,,example.com,", "https://example.com", true),
        ("example.com,", "https://other.test", false),
        ("com", "https://example.com", true),
        ("..example.com", "https://api.example.com", true),
        ("example.com", "https://example.com.", true),
        ("[::1", "http://[::1]", false),
        ("[::1]:", "http://[::1]", false),
        ("0:0:0:0:0:0:0:1", "http://[::1]", true),
        ("::/0", "http://[::1]", true),
        ("::/0", "http://127.0.0.1", false),
        ("127.0.0.1/", "http://127.0.0.1", false),
        ("127.0.0.1/-1", "http://127.0.0.1", false),
        ("10.0.0.0/8:443", "https://10.0.0.1", false),
        ("http://example.com", "https://example.com", false),
        ("example.com:99999", "https://example.com", false),
        ("**", "https://example.com", false),
        ("*example.com", "https://notexample.com", false),
    ] {
        assert_eq!(is_excluded(list, url), expected, "{list} {url}");
    }
}
