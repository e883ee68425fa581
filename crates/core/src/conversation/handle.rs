//! Defines a result's handle in the prompt, with which a model can fetch the result again.

use std::fmt;

/// The number of the request that first sent a result, from 0, and its place among that request's new results, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Handle {
    pub request: u32,
    pub nth: u32,
}

impl Handle {
    pub const MARK: char = '#';

    /// The leading `#` may be missing.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let text = text.strip_prefix(Self::MARK).unwrap_or(text);
        let (request, nth) = text.split_once('.').unwrap_or((text, "1"));
        let number =
            |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok());
        Some(Self { request: number(request)??, nth: number(nth)?.filter(|&nth: &u32| nth > 0)? })
    }
}

/// `#41`, and `#41.2` for the second result that request 41 first sent.
impl fmt::Display for Handle {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}{}", Self::MARK, self.request)?;
        if self.nth > 1 { write!(formatter, ".{}", self.nth) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_22_7_a_handle_is_read_as_it_is_written() {
        for handle in
            [Handle { request: 41, nth: 2 }, Handle { request: 0, nth: 1 }, Handle { request: 7, nth: 1 }]
        {
            assert_eq!(Handle::parse(&handle.to_string()), Some(handle));
        }
        assert_eq!(Handle::parse(" 41.2 "), Some(Handle { request: 41, nth: 2 }));
        for wrong in ["", "#", "#x", "#-1", "#1.", "#1.0", "#1.2.3", "#99999999999", "c3f1-41"] {
            assert_eq!(Handle::parse(wrong), None, "{wrong}");
        }
    }
}
