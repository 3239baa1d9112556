package dev.outrider.nn.vector;

/// Which keys of a cache the rows of a block attend to, and what is added to their scores.
interface Sight {
    /// Number of keys from the first to the last that a row and those before it may see.
    int reach(int row);

    /// Adds what is to be added, and makes the score of a key that a row may not see minus infinity.
    ///
    /// @param scores of the row by one head
    /// @param at     the first one
    /// @param head   query head
    /// @param seen   keys with a score
    void adjust(float[] scores, int at, int head, int row, int seen);
}
