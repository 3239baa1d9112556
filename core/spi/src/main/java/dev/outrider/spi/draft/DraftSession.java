package dev.outrider.spi.draft;

import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.Capabilities;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.Verdict;
import java.util.Optional;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// Drafts for one sequence. Calls come as `begin`, then `propose` and `observe` in every round; between rounds [#restart] may replace
/// the text.
///
/// A session may also implement [TimedDrafting]; the engine finds it by [#capability].
///
/// Used by one thread at a time. A session holds no state that a verdict cannot roll back.
@API(status = Status.STABLE, since = "2")
public interface DraftSession extends Capabilities, AutoCloseable {
    /// Tells the session the prompt.
    ///
    /// @param prompt       at least one token; the last one is the root of the first draft
    /// @param promptStates the requested hidden states of all prompt tokens but the last; empty (`size()` 0)
    ///                     if none were requested. Valid during the call only.
    void begin(int[] prompt, HiddenStates promptStates);

    /// Guesses the tokens after the last committed token.
    ///
    /// @param budget     limits that hold for this round
    /// @param randomness the round's randomness; draws use [Randomness.Role#DRAFT][dev.outrider.spi.sampling.Randomness.Role#DRAFT]
    /// @return a draft whose root is the last committed token; possibly without guesses
    Draft propose(DraftBudget budget, Randomness randomness);

    /// Tells the session the verdict on its last draft. Afterwards `verdict.nextToken()` is the root.
    ///
    /// @param draft   the draft that was judged, as [#propose] returned it
    /// @param verdict the accepted part of it
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

    /// {@return this session, if it implements the type; otherwise empty} A session that wraps another one passes the call on.
    ///
    /// @param <T>  type of the facility
    /// @param type the facility, such as [TimedDrafting]
    @Override
    default <T> Optional<T> capability(Class<T> type) {
        return type.isInstance(this) ? Optional.of(type.cast(this)) : Optional.empty();
    }

    /// Releases the session's cache. Idempotent.
    @Override
    void close();

    /// For sessions that compare the gain of a draft with its time.
    @FunctionalInterface
    interface TimedDrafting {
        /// Tells the session how long the round took that it has just observed: the target's pass, drafting and everything else. Not
        /// called after the last round of a sequence, nor if time is not measured, as in a beam search.
        ///
        /// @param nanos nanoseconds, at least 0
        void onRoundTime(long nanos);
    }
}
