package dev.outrider.spi.draft;

import dev.outrider.spi.sampling.Randomness;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// What a session does for its next draft while the target still scores the last one. It computes what the next draft needs for some
/// outcomes of the round, such as the whole draft accepted and a guess after it, and keeps it; what was computed for outcomes that do not
/// come, it drops.
///
/// Only time may change: [DraftSession#propose] returns what it would have returned without, whatever was guessed and however
/// far the work came.
///
/// Called at most once a round, after [DraftSession#propose] and before [DraftSession#observe], on a thread that need not be the session's.
/// Until it has returned nothing else of the session is called; the session then sees all that was written. It must not touch
/// what the target's session offers ([DraftRequest#target]): the target is at work.
///
/// @see "Liu et al. 2024 (PEARL), post-verify; Kumar et al. 2026 (Saguaro), the speculation cache"
@FunctionalInterface
@API(status = Status.EXPERIMENTAL, since = "5")
public interface WorkAhead {
    /// Works until there is nothing left to do or the work is no longer wanted. What it throws is a failure of the session.
    ///
    /// @param upcoming what is known of the round that comes next
    void run(Upcoming upcoming);

    /// What is known of the next round. Valid during the call only.
    ///
    /// @param budget what the next draft may be like once so many tokens are committed, accepted ones and the one that follows, from 1
    ///               to one more than the draft is deep; the real budget may be another one
    /// @param ending randomness of the round that the target is at work for, in a state of its own: the rule will take its draws from
    ///               an equal one. The token that the rule would draw if the drafter's distribution were the target's is a good guess
    /// @param next   gives randomness of the next round, each time in a state of its own: the next [DraftSession#propose] gets an equal one
    /// @param wanted asked between steps: once it says no, the target is done, and the work is to end soon. Thread-safe
    record Upcoming(
            IntFunction<DraftBudget> budget,
            Randomness ending,
            Supplier<Randomness> next,
            BooleanSupplier wanted) {}
}
