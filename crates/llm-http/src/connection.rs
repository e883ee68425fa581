//! Builds the HTTP connection (certificates, proxies, redirects), and classifies connection errors.

use std::error::Error;
use std::io;

use reqwest::Client;
use reqwest::redirect::{Attempt, Policy};

use crate::failure::{FailureKind, HttpFailure};
use crate::options::CheckedOptions;
use crate::retry::RetryAdvice::{self, Never, Soon};

const MAX_REDIRECTS: usize = 3;

/// Reads the system's certificates, which takes some ms, unless nothing is encrypted.
pub fn open(checked: &CheckedOptions) -> Result<Client, HttpFailure> {
    // Fails if a provider is already installed, which is fine.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = Client::builder()
        .user_agent(concat!("palimpsest/", env!("CARGO_PKG_VERSION")))
        .no_proxy()
        .referer(false)
        .redirect(Policy::custom(within_origin))
        .connect_timeout(checked.options.connect_timeout);
    for proxy in checked.proxies.iter().cloned() {
        builder = builder.proxy(proxy);
    }
    let certificates = checked.certificates.iter().cloned();
    builder =
        if checked.is_plain() { builder.tls_certs_only(certificates) } else { builder.tls_certs_merge(certificates) };
    builder.build().map_err(|error| {
        let failure = checked.failure(FailureKind::Tls, "expected certificates to trust, got none");
        HttpFailure { cause: Some(innermost(&error)), ..failure }
    })
}

/// Follows only redirects that keep method and origin: the key and the history must not go to another origin.
fn within_origin(attempt: Attempt<'_>) -> reqwest::redirect::Action {
    let first = attempt.previous().first();
    let keeps_origin = first.is_some_and(|first| first.origin() == attempt.url().origin());
    let keeps_method = matches!(attempt.status().as_u16(), 307 | 308);
    let has_login = !attempt.url().username().is_empty() || attempt.url().password().is_some();
    if keeps_origin && keeps_method && !has_login && attempt.previous().len() <= MAX_REDIRECTS {
        attempt.follow()
    } else {
        attempt.stop()
    }
}

pub fn failure(error: reqwest::Error, checked: &CheckedOptions) -> (HttpFailure, RetryAdvice) {
    let (kind, message, advice) = if causes(&error).any(<dyn Error>::is::<rustls::Error>) {
        (FailureKind::Tls, "expected a certificate that can be verified, got none", Never)
    } else if error.is_timeout() && error.is_connect() {
        let limit = checked.options.connect_timeout.as_millis();
        (FailureKind::Timeout, &*format!("expected a connection within {limit} ms, got none"), Soon)
    } else if error.is_connect() {
        (FailureKind::Connect, "expected a connection, got none", Soon)
    } else if is_undecodable(&error) {
        (FailureKind::BadResponse, "expected a JSON answer, got one that can't be decoded", Never)
    } else {
        (FailureKind::Connect, "expected an answer, got a connection that was cut", Soon)
    };
    let cause = checked.secrets.masked(&innermost(&error.without_url()));
    (HttpFailure { cause: Some(cause), ..checked.failure(kind, message) }, advice)
}

/// The library also reports a connection that ends during a response as a decoding error.
fn is_undecodable(error: &reqwest::Error) -> bool {
    let unpacking = error.source().and_then(|source| source.downcast_ref::<io::Error>());
    error.is_decode() && unpacking.is_some_and(|unpacking| unpacking.kind() != io::ErrorKind::UnexpectedEof)
}

/// The outer errors only repeat that something failed.
fn innermost(error: &reqwest::Error) -> String {
    causes(error).last().map_or_else(|| "unknown".to_owned(), ToString::to_string)
}

fn causes<'e>(error: &'e reqwest::Error) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    std::iter::successors(Some(error as &'e (dyn Error + 'static)), |error| {
        // An I/O error returns its inner error's source as its own, and so skips the inner error.
        match error.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
            Some(inner) => Some(inner as &(dyn Error + 'static)),
            None => (*error).source(),
        }
    })
}
