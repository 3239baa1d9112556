package dev.outrider.drafter.ensemble;

import dev.outrider.drafting.CallOrder;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.Verdict;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// One session of each drafter of an ensemble. All sessions follow every token, independent of the drafter that drafted it.
/// Confined to one thread.
public abstract class EnsembleSession implements DraftSession, DraftSession.TimedDrafting {
    private final List<DraftSession> sessions;
    private final List<String> names;
    private final CallOrder order = new CallOrder();
    private Optional<Randomness> drawnFrom = Optional.empty();
    private int root;

    /// Creates a session before the prompt.
    ///
    /// @param sessions closed with this one
    /// @param names    their names in reports
    protected EnsembleSession(List<DraftSession> sessions, List<String> names) {
        this.sessions = List.copyOf(sessions);
        this.names = List.copyOf(names);
    }

    /// Drafts a round.
    protected abstract Draft draft(DraftBudget budget, Randomness randomness);

    /// Tells all sessions the result of the draft.
    ///
    /// @param draft the result of [#draft]
    /// @param round updates the sessions that did not draft
    protected abstract void tell(Draft draft, Follower round);

    /// Returns the sessions, in the order of the configuration.
    protected final List<DraftSession> sessions() {
        return sessions;
    }

    /// Returns a session's name in reports.
    protected final String name(int session) {
        return names.get(session);
    }

    /// Returns the last committed token.
    protected final int root() {
        return root;
    }

    @Override
    public final void begin(int[] prompt, HiddenStates promptStates) {
        order.begin();
        root = prompt[prompt.length - 1];
        for (var session : sessions) {
            session.begin(prompt.clone(), promptStates);
        }
    }

    @Override
    public final Draft propose(DraftBudget budget, Randomness randomness) {
        order.propose();
        drawnFrom = Optional.of(randomness);
        return draft(budget, randomness);
    }

    @Override
    public final void observe(Draft draft, Verdict verdict, TargetScores scores) {
        order.observe();
        var emitted = Arrays.stream(verdict.emitted(draft.tree())).boxed().toList();
        tell(draft, new Follower(verdict, emitted, scores, drawnFrom.orElseThrow()));
        root = verdict.nextToken();
    }

    @Override
    public void onRoundTime(long nanos) {
        for (var session : sessions) {
            session.capability(TimedDrafting.class).ifPresent(timed -> timed.onRoundTime(nanos));
        }
    }

    @Override
    public final boolean restart(int[] text) {
        order.restart();
        root = text[text.length - 1];
        return sessions.stream().allMatch(session -> session.restart(text.clone()));
    }

    @Override
    public final void close() {
        sessions.reversed().forEach(DraftSession::close);
    }
}
