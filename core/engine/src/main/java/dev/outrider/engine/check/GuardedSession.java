package dev.outrider.engine.check;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.run.DecodeEvent.PluginFailed;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.Verdict;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// A draft session that cannot break the request it drafts for. Every round checks that the draft is valid for the target and the rule,
/// at the cost of a look at every node and at its distribution. Every error ends the drafting, and
/// with it the request if a failure is to stop it. Without drafts every round is a step of plain decoding.
///
/// Not detected here: distributions that are not those drawn from (`verify-exactness` finds them), and failures that depend on
/// what was drawn, which change the distribution of the draws that remain (docs/reference/algorithms.md I1).
///
/// Confined to one thread.
public final class GuardedSession implements DraftSession, DraftSession.TimedDrafting {
    private final String label;
    private final DrafterTraits traits;
    private final int vocabulary;
    private final boolean greedy;
    private final Optional<Set<HiddenState>> declared;
    private final GuardedCalls calls;
    private Optional<DraftSession> session = Optional.empty();
    private int root;
    private int round;

    /// Opens a session of the drafter.
    ///
    /// @param vocabulary number of the target's tokens
    /// @param checked    whether what the drafter reads of the target is checked against what it declares
    /// @param onFailure  what becomes of the request if the drafter fails
    /// @param failures   told about every failure
    /// @throws OutriderException if it cannot be opened and the request is to stop
    public GuardedSession(
            Drafter drafter,
            DraftRequest request,
            int vocabulary,
            boolean checked,
            OnFailure onFailure,
            Consumer<PluginFailed> failures) {
        this.label = "drafter '%s'".formatted(Contract.nameOf(drafter));
        this.traits = drafter.traits();
        this.vocabulary = vocabulary;
        this.greedy = request.policy().greedy();
        this.declared = checked ? Optional.of(drafter.hiddenStates()) : Optional.empty();
        this.calls = GuardedCalls.of(drafter, onFailure, failures);
        this.session = call("open", () -> drafter.open(request));
    }

    @Override
    public void begin(int[] prompt, HiddenStates promptStates) {
        root = prompt[prompt.length - 1];
        session.ifPresent(open -> run("begin", () -> begin(open, prompt, promptStates)));
    }

    private void begin(DraftSession open, int[] prompt, HiddenStates promptStates) {
        if (declared.isEmpty()) {
            open.begin(prompt, promptStates);
            return;
        }
        var reader = label + " at the prompt";
        try (var states = DeclaredReads.ofPrompt(promptStates, declared.get(), reader)) {
            open.begin(prompt, states);
        }
    }

    /// A drafter that has failed accepts every new text, but drafts nothing for it.
    @Override
    public boolean restart(int[] text) {
        root = text[text.length - 1];
        return session.flatMap(open -> call("restart", () -> open.restart(text))).orElse(true);
    }

    @Override
    public Draft propose(DraftBudget budget, Randomness randomness) {
        return session.flatMap(open -> call("propose", () -> checked(open, budget, randomness)))
                .orElseGet(() -> Draft.empty(root));
    }

    private Draft checked(DraftSession open, DraftBudget budget, Randomness randomness) {
        var draft = open.propose(budget, randomness);
        new DraftContract(traits, vocabulary, greedy, named()).check(draft, budget, root);
        return draft;
    }

    /// Returns the drafter's name with the round.
    private String named() {
        return label + " in round " + round;
    }

    @Override
    public void observe(Draft draft, Verdict verdict, TargetScores scores) {
        root = verdict.nextToken();
        session.ifPresent(open -> run("observe", () -> observe(open, draft, verdict, scores)));
        round++;
    }

    private void observe(DraftSession open, Draft draft, Verdict verdict, TargetScores scores) {
        if (declared.isEmpty()) {
            open.observe(draft, verdict, scores);
            return;
        }
        boolean rejected = traits.readsRejectedNodes();
        try (var reads =
                DeclaredReads.ofRound(scores, verdict, declared.get(), rejected, named())) {
            open.observe(draft, verdict, reads);
        }
    }

    @Override
    public void onRoundTime(long nanos) {
        session.ifPresent(open -> run("onRoundTime", () -> tell(open, nanos)));
    }

    private static void tell(DraftSession open, long nanos) {
        open.capability(TimedDrafting.class).ifPresent(timed -> timed.onRoundTime(nanos));
    }

    @Override
    public void close() {
        var open = session;
        session = Optional.empty();
        open.ifPresent(last -> run("close", last::close));
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

    /// Stops all calls to the session except its close. It may still free what it holds.
    private void abandon() {
        var open = session;
        session = Optional.empty();
        open.ifPresent(last -> calls.release(last::close));
    }
}
