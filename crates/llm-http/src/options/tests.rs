use super::*;

fn options() -> ClientOptions {
    ClientOptions::new("https://x.test/v1".to_owned())
}

fn refused(options: ClientOptions) -> String {
    options.check().err().map(|invalid| invalid.option).unwrap_or_default()
}

#[test]
fn r0_3_a_header_that_could_split_a_request_is_refused() {
    for (name, value) in
        [("x-a", "b\r\nx-c: d"), ("x-a", "b\0"), ("x\r\ny", "b"), ("", "b"), ("Host", "evil"), ("Content-Length", "0")]
    {
        let headers = vec![(name.to_owned(), value.to_owned())];
        assert_eq!(refused(ClientOptions { headers, ..options() }), "headers", "{name}");
    }
    assert_eq!(refused(ClientOptions { api_key: Some("sk\n".to_owned()), ..options() }), "apiKey");
}

#[test]
fn r9_2_an_error_does_not_show_the_refused_value() {
    let api_key = Some("sk-secret\n".to_owned());
    let invalid = ClientOptions { api_key, ..options() }.check().err().unwrap();
    assert!(!format!("{invalid} {invalid:?}").contains("sk-secret"));
}

#[test]
fn r7_2_the_key_is_sent_in_the_header_of_the_style_and_a_given_header_overrides_it() {
    let api_key = Some("sk-secret".to_owned());
    let openai = ClientOptions { api_key: api_key.clone(), ..options() }.check().unwrap().headers;
    assert_eq!(openai[AUTHORIZATION], "Bearer sk-secret");
    assert!(openai[AUTHORIZATION].is_sensitive());
    let style = Some(Style::Anthropic);
    let anthropic = ClientOptions { api_key: api_key.clone(), style, ..options() }.check().unwrap().headers;
    assert_eq!(
        (&anthropic["x-api-key"], &anthropic["anthropic-version"]),
        (&HeaderValue::from_static("sk-secret"), &HeaderValue::from_static("2023-06-01"))
    );
    let headers = vec![("authorization".to_owned(), "Token other".to_owned())];
    let overridden = ClientOptions { api_key, headers, ..options() }.check().unwrap().headers;
    assert_eq!(overridden[AUTHORIZATION], "Token other");
}

#[test]
fn r0_3_an_invalid_proxy_or_certificate_is_refused_at_once() {
    for invalid_value in ["ftp://x", "http://", "::"] {
        let https_proxy = Some(invalid_value.to_owned());
        assert_eq!(refused(ClientOptions { https_proxy, ..options() }), "proxy", "{invalid_value}");
    }
    let pem = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    for invalid_value in ["", "x", pem] {
        assert_eq!(
            refused(ClientOptions { ca_certificates: vec![invalid_value.to_owned()], ..options() }),
            "caCertificates"
        );
    }
    let http_proxy = Some("user:password@127.0.0.1:3128".to_owned());
    let checked = ClientOptions { http_proxy, ..options() }.check().unwrap();
    assert_eq!(checked.secrets.masked("password"), "[masked]");
}
