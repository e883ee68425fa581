//! Decides whether `NO_PROXY` excludes an endpoint from the proxy. Libraries differ: some support no addresses, some no
//! ports, and some not even `*`.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use reqwest::Url;

/// True if an entry of `list`, the value of `NO_PROXY`, names the URL's host. Entries are separated by commas or white
/// space, and each may be
///
/// - `*`: everything;
/// - a host, which includes its subdomains; so do `.host` and `*.host`;
/// - an address, also with brackets, or a range of them such as `10.0.0.0/8`;
/// - any of these except a range with `:port`, and then only that port.
pub fn excludes(list: &str, url: &Url) -> bool {
    let Some(host) = url.host_str() else { return false };
    let target = ProxiedHost { host: plain(host), address: address(host), port: url.port_or_known_default() };
    list.split(|unit: char| unit == ',' || unit.is_whitespace()).any(|entry| target.is_named_by(entry))
}

struct ProxiedHost {
    host: String,
    address: Option<IpAddr>,
    port: Option<u16>,
}

impl ProxiedHost {
    fn is_named_by(&self, entry: &str) -> bool {
        if entry == "*" {
            return true;
        }
        if let Some((network, bits)) = entry.split_once('/') {
            return self.is_within(network, bits);
        }
        // Without brackets, a colon belongs to an IPv6 address or precedes a port.
        let (name, port) = match entry.rsplit_once(':') {
            Some((name, port)) if address(entry).is_none() => (name, Some(port)),
            _ => (entry, None),
        };
        if port.is_some_and(|port| port.parse().ok() != self.port) {
            return false;
        }
        match (address(name), self.address) {
            (Some(named), Some(own)) => named == own,
            (None, None) => self.is_below(name),
            _ => false,
        }
    }

    fn is_below(&self, name: &str) -> bool {
        let name = plain(name.strip_prefix('*').unwrap_or(name));
        let name = name.trim_start_matches('.');
        if name.is_empty() {
            return false;
        }
        let subdomain = self.host.strip_suffix(name);
        subdomain.is_some_and(|subdomain| subdomain.is_empty() || subdomain.ends_with('.'))
    }

    fn is_within(&self, network: &str, bits: &str) -> bool {
        let (difference, all_bits): (u128, u32) = match (address(network), self.address) {
            (Some(IpAddr::V4(network)), Some(IpAddr::V4(own))) => {
                ((network.to_bits() ^ own.to_bits()).into(), Ipv4Addr::BITS)
            }
            (Some(IpAddr::V6(network)), Some(IpAddr::V6(own))) => (network.to_bits() ^ own.to_bits(), Ipv6Addr::BITS),
            _ => return false,
        };
        let rest = bits.parse().ok().and_then(|bits: u32| all_bits.checked_sub(bits));
        rest.is_some_and(|rest| difference.checked_shr(rest).unwrap_or(0) == 0)
    }
}

/// Ignores case, and the dot at the end of a fully qualified name.
fn plain(name: &str) -> String {
    name.trim_end_matches('.').to_ascii_lowercase()
}

/// An IPv4 address in IPv6 notation counts as that IPv4 address.
fn address(text: &str) -> Option<IpAddr> {
    let text = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    text.parse::<IpAddr>().ok().map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests;
