package dev.outrider.engine.metrics;

import java.util.List;
import java.util.stream.IntStream;

/// What happened to guesses at one depth, over many rounds.
///
/// @param reached  rounds in which everything above was accepted and a candidate stood here
/// @param accepted rounds in which a candidate here was accepted
public record PositionCounts(long reached, long accepted) {
    static final PositionCounts NONE = new PositionCounts(0, 0);

    /// The depths of one round that were reached.
    ///
    /// @param accepted guesses accepted
    /// @param rejected whether candidates stood where the round ended
    static List<PositionCounts> ofRound(int accepted, boolean rejected) {
        return IntStream.range(0, accepted + (rejected ? 1 : 0))
                .mapToObj(position -> new PositionCounts(1, position < accepted ? 1 : 0))
                .toList();
    }

    PositionCounts plus(PositionCounts other) {
        return new PositionCounts(reached + other.reached, accepted + other.accepted);
    }

    /// Share of the guesses reached that were accepted; NaN if none was reached.
    public double conditional() {
        return (double) accepted / reached;
    }
}
