package dev.outrider.engine.check;

import dev.outrider.spi.Coins;
import dev.outrider.spi.DecodeEvent.PluginFailed;
import dev.outrider.spi.Draft;
import dev.outrider.spi.DraftBudget;
import dev.outrider.spi.DraftRequest;
import dev.outrider.spi.DraftSession;
import dev.outrider.spi.Drafter;
import dev.outrider.spi.HiddenStates;
import dev.outrider.spi.OutriderException;
import dev.outrider.spi.TargetScores;
import dev.outrider.spi.Verdict;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// A draft session that cannot spoil the request it drafts for. What its drafts must be for the target and the rule to make sense
/// of them is checked in every round, at the cost of a look at every node; whatever goes wrong ends the drafting, and
/// with it the request if the guard says so. Without drafts every round is a step of plain decoding.
///
/// What cannot be seen here: laws that are not those drawn from (`verify-exactness` finds them), and failures that depend on
/// what was drawn, which change the law of the draws that remain (docs/algorithms.md I1).
///
/// Confined to one thread.
public final class GuardedSession implements DraftSession {
    private final Drafter drafter;
    private final int vocabulary;
    private final boolean greedy;
    private final GuardedCalls calls;

    /// What the drafter opened and nobody has closed. It may come late, on another thread.
    private final AtomicReference<Optional<DraftSession>> held =
            new AtomicReference<>(Optional.empty());

    private Optional<DraftSession> session = Optional.empty();
    private int root;
    private int round;

    /// Opens a session of the drafter.
    ///
    /// @param vocabulary number of the target's tokens
    /// @param failures   told about every failure
    /// @throws OutriderException if it cannot be opened and the request is to stop
    public GuardedSession(
            Drafter drafter,
            DraftRequest request,
            int vocabulary,
            Guard guard,
            Consumer<PluginFailed> failures) {
        this.drafter = drafter;
        this.vocabulary = vocabulary;
        this.greedy = request.policy().greedy();
        this.calls = GuardedCalls.of(drafter, guard, failures);
        try {
            if (call("open", () -> opened(request)).isPresent()) {
                session = held.get();
            }
        } catch (RuntimeException | Error e) {
            calls.close();
            throw e;
        }
    }

    private DraftSession opened(DraftRequest request) {
        var open = drafter.open(request);
        held.set(Optional.ofNullable(open));
        return open;
    }

    @Override
    public void begin(int[] prompt, HiddenStates promptStates) {
        root = prompt[prompt.length - 1];
        var states = calls.lent(promptStates);
        session.ifPresent(open -> run("begin", () -> open.begin(prompt, states)));
    }

    @Override
    public Draft propose(DraftBudget budget, Coins coins) {
        var lent = calls.lent(coins);
        return session.flatMap(open -> call("propose", () -> checked(open, budget, lent)))
                .orElseGet(() -> Draft.empty(root));
    }

    private Draft checked(DraftSession open, DraftBudget budget, Coins coins) {
        var draft = open.propose(budget, coins);
        new DraftContract(
                        drafter.traits(),
                        vocabulary,
                        greedy,
                        "drafter '%s' in round %d".formatted(Contract.nameOf(drafter), round))
                .checkNodes(draft, budget, root);
        return draft;
    }

    @Override
    public void observe(Verdict verdict, TargetScores scores) {
        root = verdict.nextToken();
        var lent = calls.lent(scores);
        session.ifPresent(open -> run("observe", () -> open.observe(verdict, lent)));
        round++;
    }

    @Override
    public void close() {
        try {
            if (session.isPresent()) {
                run("close", this::closeHeld);
            }
            session = Optional.empty();
        } finally {
            calls.close();
        }
    }

    private void closeHeld() {
        held.getAndSet(Optional.empty()).ifPresent(DraftSession::close);
    }

    private void run(String what, Runnable call) {
        call(
                what,
                () -> {
                    call.run();
                    return true;
                });
    }

    private <T> Optional<T> call(String what, Supplier<T> call) {
        return calls.call(round, what, call, this::abandon);
    }

    /// Nothing is asked of the session any more. It may still free what it holds.
    private void abandon() {
        session = Optional.empty();
        calls.release(this::closeHeld);
    }
}
