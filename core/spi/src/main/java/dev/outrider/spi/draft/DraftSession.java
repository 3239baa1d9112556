package dev.outrider.spi.draft;

import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.Capabilities;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.Verdict;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// Drafts for one sequence. Calls come as `begin`, then `propose` and `observe` in every round; between rounds [#restart] may replace
/// the text.
///
/// A session may also implement [ParallelDrafting] or [TimedDrafting]; the engine finds them by [#capability].
///
/// Used by one thread at a time: its own, and while the target scores perhaps another one for [ParallelDrafting]. A session holds no
/// state that a verdict cannot roll back.
@API(status = Status.STABLE, since = "2")
public interface DraftSession extends Capabilities, AutoCloseable {
    /// Tells the session the prompt.
    ///
    /// @param prompt       at least one token; the last one is the root of the first draft
    /// @param promptStates the requested hidden states of all prompt tokens but the last; empty (`size()` 0)
    ///                     when none were requested. Valid during the call only.
    void begin(int[] prompt, HiddenStates promptStates);

    /// Guesses what follows the last committed token.
    ///
    /// @param budget     limits that hold for this round
    /// @param randomness the round's randomness; draws use [Randomness.Role#DRAFT][dev.outrider.spi.sampling.Randomness.Role#DRAFT]
    /// @return a draft whose root is the last committed token; possibly without guesses
    Draft propose(DraftBudget budget, Randomness randomness);

    /// Tells the session the verdict on its last draft. Afterwards `verdict.nextToken()` is the root.
    ///
    /// @param draft   the draft that was judged, as [#propose] returned it
    /// @param verdict what was accepted of it
    /// @param scores  the target's scores for the draft; valid during the call only
    void observe(Draft draft, Verdict verdict, TargetScores scores);

    /// Continues with another text, of which the session may already have read a part. A beam search uses it: several texts take turns
    /// in the sessions that draft for them.
    ///
    /// @param text the whole text, prompt included; the last token is the root of the next draft
    /// @return whether the session can do this; by default false. If not, the engine closes the session and begins another one with the text
    default boolean restart(int[] text) {
        return false;
    }

    /// {@return this session, if it implements the type; otherwise nothing} A session that wraps another one passes the call on.
    ///
    /// @param <T>  type of the facility
    /// @param type the facility, such as [ParallelDrafting]
    @Override
    default <T> Optional<T> capability(Class<T> type) {
        return type.isInstance(this) ? Optional.of(type.cast(this)) : Optional.empty();
    }

    /// Releases the session's cache. Idempotent.
    @Override
    void close();

    /// For sessions that compare what a draft gives with the time it costs.
    @FunctionalInterface
    interface TimedDrafting {
        /// Tells the session how long the round took that it has just observed: the target's pass, drafting and everything else. Not
        /// called after the last round of a sequence, nor where time is not measured, as in a beam search.
        ///
        /// @param nanos nanoseconds, at least 0
        void onRoundTime(long nanos);
    }

    /// For sessions that prepare the next draft while the target still scores the last one. Such a session computes what the next draft
    /// needs for some outcomes of the round, such as the whole draft accepted and a guess after it, and keeps it. It drops what was
    /// computed for outcomes that do not come.
    ///
    /// Only time may change: [DraftSession#propose] returns what it would have returned without this, whatever was guessed and however
    /// far the work came.
    ///
    /// @see "Liu et al. 2024 (PEARL), post-verify; Kumar et al. 2026 (Saguaro), the speculation cache"
    interface ParallelDrafting {
        /// Makes room for the work. Called once, before [DraftSession#begin]; without this call [#draftAhead] is never called.
        ///
        /// @param branches maximum number of outcomes of a round to work on at the same time, at least 1
        void prepare(int branches);

        /// Works until there is nothing left to do or the work is no longer wanted. An exception is a failure of the session.
        ///
        /// Called at most once a round, after [DraftSession#propose] and before [DraftSession#observe], on a thread that need not be
        /// the session's. Until it has returned, nothing else of the session is called; the session then sees everything that was written.
        /// It must not use the target's session ([DraftRequest#target]): the target is at work.
        ///
        /// @param upcoming what is known of the round that comes next
        void draftAhead(Upcoming upcoming);

        /// Facts about the next round. Valid during the call only.
        ///
        /// @param budget the next budget, given how many tokens this round commits: accepted ones and the one that follows, from 1
        ///               to one more than the draft is deep. The real budget may differ
        /// @param ending randomness of the current round, in a state of its own: the rule takes its draws from an equal one. The token that
        ///               the rule would draw if the drafter's distribution were the target's is a good guess
        /// @param next   gives randomness of the next round, each time in a state of its own: the next [DraftSession#propose] gets an equal one
        /// @param wanted to be asked between steps: after it returns false, the target is done and the work should end soon. Thread-safe
        record Upcoming(
                IntFunction<DraftBudget> budget,
                Randomness ending,
                Supplier<Randomness> next,
                BooleanSupplier wanted) {}
    }
}
