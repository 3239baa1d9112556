package dev.outrider.engine.length;

import dev.outrider.spi.DecodeEvent.RoundCompleted;

/// Decides, for one sequence, how deep the next draft may be. It sees finished rounds only, never the token
/// that is being drafted, so that no draft depends on what it would have to leave out (docs/algorithms.md I1).
///
/// Confined to one thread.
public interface DraftLength {
    /// Depth of the next draft, at least 0. The drafter's own limit and the room left also apply.
    int next();

    /// Learns from a finished round.
    default void observe(RoundCompleted round) {}
}
