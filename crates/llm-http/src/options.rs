//! Defines the options of a client with their defaults, and checks them once, before a connection is opened.

use std::time::Duration;

use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Certificate, Proxy, Url};
use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;

use crate::endpoint::{self, Style};
use crate::failure::{FailureKind, HttpFailure, Invalid, Secrets};
use crate::no_proxy;

const ANTHROPIC_VERSION: &str = "2023-06-01";
/// Headers that belong to the connection; set by a user they would split one request into two.
const NOT_FOR_USERS: [&str; 6] = ["connection", "content-length", "host", "te", "transfer-encoding", "upgrade"];
const PROXY_SCHEMES: [&str; 6] = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"];

#[derive(Clone)]
pub struct ClientOptions {
    pub base_url: String,
    /// Derived from the URL if `None`.
    pub style: Option<Style>,
    pub api_key: Option<String>,
    /// These override the headers that the client sets.
    pub headers: Vec<(String, String)>,
    /// By the scheme of the endpoint; the caller reads the environment. A URL without a scheme is an HTTP proxy.
    pub http_proxy: Option<String>,
    pub https_proxy: Option<String>,
    /// Hosts that bypass the proxy, as in `NO_PROXY`.
    pub no_proxy: Option<String>,
    /// For a connection, TLS included: 10 s by default.
    pub connect_timeout: Duration,
    /// For the time without a byte: 60 s by default.
    pub read_timeout: Duration,
    /// For the whole call, including retries and waits. None by default.
    pub total_timeout: Option<Duration>,
    /// 2 by default.
    pub max_retries: u32,
    /// 20 s by default; if a provider demands a longer wait, the request isn't repeated.
    pub max_retry_delay: Duration,
    /// 8 MiB by default, after decompression.
    pub max_response_bytes: u64,
    /// PEM texts, each with one or more certificates; trusted in addition to the system's.
    pub ca_certificates: Vec<String>,
    pub anthropic_version: String,
}

impl ClientOptions {
    pub fn new(base_url: String) -> Self {
        Self {
            base_url,
            style: None,
            api_key: None,
            headers: Vec::new(),
            http_proxy: None,
            https_proxy: None,
            no_proxy: None,
            connect_timeout: Duration::from_secs(10),
            read_timeout: Duration::from_secs(60),
            total_timeout: None,
            max_retries: 2,
            max_retry_delay: Duration::from_secs(20),
            max_response_bytes: 8 << 20,
            ca_certificates: Vec::new(),
            anthropic_version: ANTHROPIC_VERSION.to_owned(),
        }
    }

    pub(crate) fn check(self) -> Result<CheckedOptions, Invalid> {
        let (url, style) = endpoint::resolve(&self.base_url, self.style)?;
        let mut secrets = Secrets::default();
        add_secrets_of(&url, &mut secrets);
        let http_proxy = self.http_proxy.as_deref();
        Ok(CheckedOptions {
            headers: self.headers(style, &mut secrets)?,
            proxies: self.proxies(&url, &mut secrets)?,
            has_encrypted_proxy: http_proxy.is_some_and(|proxy| proxy.trim_start().starts_with("https:")),
            certificates: self.certificates()?,
            options: self,
            url,
            style,
            secrets,
        })
    }

    fn headers(&self, style: Style, secrets: &mut Secrets) -> Result<HeaderMap, Invalid> {
        let json = HeaderValue::from_static("application/json");
        let mut headers = HeaderMap::from_iter([(CONTENT_TYPE, json.clone()), (ACCEPT, json)]);
        let version = header_value("anthropicVersion", &self.anthropic_version)?;
        if style == Style::Anthropic {
            headers.insert("anthropic-version", version);
        }
        if let Some(key) = &self.api_key {
            secrets.add(key);
            match style {
                Style::OpenAi => headers.insert(AUTHORIZATION, header_value("apiKey", &format!("Bearer {key}"))?),
                Style::Anthropic => headers.insert("x-api-key", header_value("apiKey", key)?),
            };
        }
        for (name, value) in &self.headers {
            let invalid = |actual| Invalid::new("headers", "names and values of HTTP headers", actual);
            let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| invalid("another name"))?;
            if NOT_FOR_USERS.contains(&name.as_str()) {
                return Err(invalid("one that belongs to the connection"));
            }
            secrets.add(value);
            // `Authorization: Bearer key`: the key must be masked on its own too.
            value.split_whitespace().for_each(|word| secrets.add(word));
            headers.insert(name, header_value("headers", value)?);
        }
        Ok(headers)
    }

    fn proxies(&self, target: &Url, secrets: &mut Secrets) -> Result<Vec<Proxy>, Invalid> {
        let mut proxies = Vec::new();
        for (given, is_https) in [(&self.http_proxy, false), (&self.https_proxy, true)] {
            let given = given.as_deref().unwrap_or_default().trim();
            if given.is_empty() {
                continue;
            }
            let invalid = |actual| Invalid::new("proxy", "the URL of an HTTP or SOCKS proxy", actual);
            let url = if given.contains("://") { given.to_owned() } else { format!("http://{given}") };
            let url = Url::parse(&url).map_err(|_| invalid("something else"))?;
            if !PROXY_SCHEMES.contains(&url.scheme()) || !url.has_host() {
                return Err(invalid("another scheme, or no host"));
            }
            add_secrets_of(&url, secrets);
            let proxy = if is_https { Proxy::https(url) } else { Proxy::http(url) };
            proxies.push(proxy.map_err(|_| invalid("something else"))?);
        }
        // A client has one endpoint, and follows no redirect away from it.
        let is_excepted = self.no_proxy.as_deref().is_some_and(|list| no_proxy::excludes(list, target));
        Ok(if is_excepted { Vec::new() } else { proxies })
    }

    fn certificates(&self) -> Result<Vec<Certificate>, Invalid> {
        let invalid = |actual| Invalid::new("caCertificates", "certificates in PEM", actual);
        let mut certificates = Vec::new();
        for bundle in &self.ca_certificates {
            let before = certificates.len();
            for der in CertificateDer::pem_slice_iter(bundle.as_bytes()) {
                let der = der.map_err(|_| invalid("something else"))?;
                let is_usable = RootCertStore::empty().add(der.clone()).is_ok();
                let certificate = Certificate::from_der(&der).ok().filter(|_| is_usable);
                certificates.push(certificate.ok_or_else(|| invalid("one that can't be read"))?);
            }
            if certificates.len() == before {
                return Err(invalid("a text without any"));
            }
        }
        Ok(certificates)
    }
}

/// Valid options, and what follows from them.
pub struct CheckedOptions {
    pub options: ClientOptions,
    pub url: Url,
    pub style: Style,
    pub headers: HeaderMap,
    pub proxies: Vec<Proxy>,
    /// True if the connection to the proxy of an `http` endpoint is encrypted.
    pub has_encrypted_proxy: bool,
    pub certificates: Vec<Certificate>,
    pub secrets: Secrets,
}

impl CheckedOptions {
    /// True if nothing on the way is encrypted, so that no certificates are needed.
    pub fn is_plain(&self) -> bool {
        self.url.scheme() == "http" && !self.has_encrypted_proxy
    }

    /// A failure whose message begins with the endpoint's origin.
    pub fn failure(&self, kind: FailureKind, message: &str) -> HttpFailure {
        HttpFailure {
            kind,
            message: format!("{}: {message}", self.url.origin().ascii_serialization()),
            status: None,
            retry_after: None,
            request_id: None,
            provider_message: None,
            body: None,
            cause: None,
        }
    }
}

fn header_value(option: &str, value: &str) -> Result<HeaderValue, Invalid> {
    let invalid = || Invalid::new(option, "text without line breaks or other control characters", "other text");
    let mut value =
        HeaderValue::from_str(value).or_else(|_| HeaderValue::from_bytes(value.as_bytes())).map_err(|_| invalid())?;
    value.set_sensitive(true);
    Ok(value)
}

fn add_secrets_of(url: &Url, secrets: &mut Secrets) {
    secrets.add(url.username());
    secrets.add(url.password().unwrap_or_default());
    secrets.add(url.query().unwrap_or_default());
    for (_, value) in url.query_pairs() {
        secrets.add(&value);
    }
}

#[cfg(test)]
mod tests;
