package dev.outrider.drafter.bandit;

/// Chooses arms for the sequences of one variant. Thread-safe.
interface Bandit {
    /// An arm and why.
    ///
    /// @param chance with which it was drawn; 1 if nothing was drawn
    /// @param reason a few words
    record Pull(int arm, double chance, String reason) {}

    /// What the rounds that an arm was pulled for gave.
    ///
    /// @param tokens emitted
    /// @param nanos  that they took
    /// @param rounds number of them; 0 if none says what such rounds take
    record Block(int tokens, double nanos, int rounds) {
        static final Block EMPTY = new Block(0, 0, 0);

        Block with(int emitted, double time) {
            return new Block(tokens + emitted, nanos + time, rounds + 1);
        }
    }

    /// The next arm.
    Pull pull();

    /// Learns what came of a pull.
    void reward(Pull pull, Block block);
}
