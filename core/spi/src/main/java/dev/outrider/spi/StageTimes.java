package dev.outrider.spi;

import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// Where the time of one round went, in nanoseconds.
///
/// @param draft   [DraftSession#propose]
/// @param score   the target's pass
/// @param decide  the acceptance rule, laws included
/// @param commit  keeping the accepted cache rows
/// @param observe [DraftSession#observe]
/// @param rest    everything else the engine did
@API(status = Status.STABLE, since = "2")
public record StageTimes(
        long draft, long score, long decide, long commit, long observe, long rest) {
    /// {@return the whole round}
    public long total() {
        return draft + score + decide + commit + observe + rest;
    }

    /// {@return the engine's own part: everything but the drafter's and the target's work}
    public long engine() {
        return decide + rest;
    }
}
