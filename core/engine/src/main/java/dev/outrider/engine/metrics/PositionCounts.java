package dev.outrider.engine.metrics;

/// What happened to guesses at one depth, over many rounds.
///
/// @param reached  rounds in which everything above was accepted and a candidate stood here
/// @param accepted rounds in which a candidate here was accepted
public record PositionCounts(long reached, long accepted) {
    static final PositionCounts NONE = new PositionCounts(0, 0);

    PositionCounts plus(PositionCounts other) {
        return new PositionCounts(reached + other.reached, accepted + other.accepted);
    }

    /// Share of the guesses reached that were accepted; NaN if none was reached.
    public double conditional() {
        return (double) accepted / reached;
    }
}
