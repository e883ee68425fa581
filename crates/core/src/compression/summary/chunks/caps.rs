//! How long quoted texts may be.

/// Length limits in tokens: for tool results and arguments, and for what the user and the model wrote. The first pair
/// that fits is then widened until the room is used up.
pub(super) const RUNGS: [Caps; 10] = [
    Caps::of(2_000.0, f64::INFINITY),
    Caps::of(800.0, f64::INFINITY),
    Caps::of(300.0, f64::INFINITY),
    Caps::of(SHORTEST_RESULT, f64::INFINITY),
    Caps::of(SHORTEST_RESULT, 8_000.0),
    Caps::of(SHORTEST_RESULT, 2_000.0),
    Caps::of(SHORTEST_RESULT, 800.0),
    Caps::of(SHORTEST_RESULT, 300.0),
    Caps::of(60.0, 150.0),
    Caps::of(30.0, 80.0),
];

/// Results and arguments keep this many tokens until the texts of the user and the model are short, too.
pub(super) const SHORTEST_RESULT: f64 = 100.0;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Caps {
    pub(super) tools: f64,
    pub(super) texts: f64,
    /// Results and arguments may also have this many tokens for each unit of their weight; the higher limit applies.
    pub(super) level: f64,
}

impl Caps {
    pub(super) const fn of(tools: f64, texts: f64) -> Self {
        Self { tools, texts, level: 0.0 }
    }

    pub(super) const fn at_most(self, tokens: f64) -> Self {
        Self::of(self.tools.min(tokens), self.texts.min(tokens))
    }
}
