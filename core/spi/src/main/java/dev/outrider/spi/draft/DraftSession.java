package dev.outrider.spi.draft;

import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.Verdict;
import java.util.Optional;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// Drafts for one sequence. Calls come as `begin`, then for every round `propose` and `observe`; between rounds the sequence may be
/// exchanged by [#restart].
///
/// Used by one thread at a time: its own, and while the target scores perhaps another one for [#ahead]. A session holds no state that a
/// verdict cannot roll back.
@API(status = Status.STABLE, since = "2")
public interface DraftSession extends AutoCloseable {
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

    /// {@return why the last [#propose] drafted as it did, a few words for the record of the round; by default nothing} For drafters that choose
    /// between others. Asked after every proposal.
    default String reason() {
        return "";
    }

    /// Tells the session what became of its last draft. Afterwards `verdict.nextToken()` is the root.
    ///
    /// @param draft   the draft that was judged, as [#propose] returned it
    /// @param verdict what was accepted of it
    /// @param scores  the target's scores for the draft; valid during the call only
    void observe(Draft draft, Verdict verdict, TargetScores scores);

    /// Tells the session how long the round took that it has just observed: the target's pass, drafting and everything else. For
    /// drafters that weigh what a draft gives against its time; the others need not look. Not called after a sequence's last round, nor where
    /// nobody measures, as in a beam search.
    ///
    /// @param nanos nanoseconds, at least 0
    default void took(long nanos) {}

    /// Goes on with another text, most of which it may have read: the texts of a beam search take turns in the sessions that draft
    /// for them.
    ///
    /// @param text the whole text, prompt included; the last token is the root of the next draft
    /// @return whether it does. A session that says no is not asked again but closed, and another one begins with the text
    default boolean restart(int[] text) {
        return false;
    }

    /// {@return what it does for its next draft while the target scores the last one; empty if it has nothing to do then} Asked once,
    /// before `begin`, and only where that is wanted.
    ///
    /// @param branches most outcomes of a round to work on at a time, at least 1
    default Optional<WorkAhead> ahead(int branches) {
        return Optional.empty();
    }

    /// Releases the session's cache. Idempotent.
    @Override
    void close();
}
