package dev.outrider.spi.run;

import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// Where the time of one round went, in nanoseconds.
///
/// @param draft   [DraftSession#propose][dev.outrider.spi.draft.DraftSession#propose], and what was waited for the end of its work
///                [ahead][dev.outrider.spi.draft.DraftSession#ahead] after the target was done
/// @param score   the target's pass
/// @param decide  the acceptance rule, distributions included
/// @param commit  keeping the accepted cache rows
/// @param observe [DraftSession#observe][dev.outrider.spi.draft.DraftSession#observe]
/// @param rest    everything else the engine did
@API(status = Status.STABLE, since = "2")
public record StageTimes(
        long draft, long score, long decide, long commit, long observe, long rest) {
    private static final StageTimes ZERO = new StageTimes(0, 0, 0, 0, 0, 0);

    /// {@return no time at all: what is added up begins here}
    public static StageTimes zero() {
        return ZERO;
    }

    /// {@return the times of both, stage by stage}
    ///
    /// @param other times of other rounds
    public StageTimes plus(StageTimes other) {
        return new StageTimes(
                draft + other.draft,
                score + other.score,
                decide + other.decide,
                commit + other.commit,
                observe + other.observe,
                rest + other.rest);
    }

    /// {@return the whole round}
    public long total() {
        return draft + score + decide + commit + observe + rest;
    }

    /// {@return the engine's own part: everything but the drafter's and the target's work}
    public long engine() {
        return decide + rest;
    }
}
