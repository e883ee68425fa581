//! Puts values into the slots of a text, literally: a value that looks like a slot or like `$&` stays unchanged (EDGE 18).

pub type Slots<'s> = [(&'s str, &'s str)];

/// Replaces each `{name}` of `template` that is in `slots`; other braces stay. O(result).
pub fn fill(template: &str, slots: &Slots<'_>) -> String {
    let mut filled = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let slot = slots.iter().find_map(|(name, value)| {
            let after = after.strip_prefix(name)?.strip_prefix('}')?;
            Some((value, after))
        });
        if let Some((value, after)) = slot {
            filled.push_str(value);
            rest = after;
        } else {
            filled.push('{');
            rest = after;
        }
    }
    filled.push_str(rest);
    filled
}

pub fn uses_of(template: &str, name: &str) -> usize {
    template.matches(&format!("{{{name}}}")).count()
}
