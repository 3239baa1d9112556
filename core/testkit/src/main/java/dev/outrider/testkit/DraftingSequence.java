package dev.outrider.testkit;

import dev.outrider.engine.check.GuardedSession;
import dev.outrider.engine.check.OnFailure;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.target.TargetSession;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.spi.tree.Verdict.Origin;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// One sequence, decoded round by round with verdicts that accept different parts of the draft.
/// Confined to one thread.
final class DraftingSequence implements AutoCloseable {
    private static final int ROOM = 160;

    private final TargetSession target;
    private final DraftSession drafting;
    private final RandomnessSource randomness;
    private final int vocabulary;
    private final List<Integer> committed;
    private Optional<Draft> undecided = Optional.empty();
    private int round;

    /// @param checked whether drafts, and what the drafter reads of the target, are checked against its contract
    DraftingSequence(
            TargetModel model,
            Drafter drafter,
            int[] prompt,
            List<Integer> source,
            RandomnessSource randomness,
            boolean checked) {
        this.randomness = randomness;
        this.vocabulary = model.description().vocabularySize();
        this.committed = new ArrayList<>(Arrays.stream(prompt).boxed().toList());
        int capacity = Math.min(ROOM, model.description().maxPositions());
        this.target = model.open(new SessionRequest(capacity, drafter.hiddenStates(), source));
        var request =
                new DraftRequest(
                        capacity, SamplingPolicy.atTemperature(1), source, target::capability);
        this.drafting =
                checked
                        ? new GuardedSession(
                                drafter, request, vocabulary, true, OnFailure.STOP, _ -> {})
                        : drafter.open(request);
        try (var states = target.prefill(Arrays.copyOf(prompt, prompt.length - 1))) {
            drafting.begin(prompt.clone(), states);
        }
    }

    /// The part of a draft that a verdict accepts.
    enum Keep {
        NOTHING,
        SOMETHING,
        DEEPEST_LEAF
    }

    /// Runs one whole round; the round's randomness determines how much is accepted.
    Draft round(DraftBudget budget) {
        return round(budget, Keep.SOMETHING);
    }

    Draft round(DraftBudget budget, Keep keep) {
        var draft = propose(budget);
        decide(keep);
        return draft;
    }

    Draft propose(DraftBudget budget) {
        var draft = drafting.propose(budget, randomness.round(round));
        undecided = Optional.of(draft);
        return draft;
    }

    /// Returns what the session proposes for another text, or nothing if it cannot restart. The
    /// sequence ends with this call.
    Optional<Draft> restarted(int[] text, DraftBudget budget) {
        return drafting.restart(text.clone())
                ? Optional.of(drafting.propose(budget, randomness.round(round)))
                : Optional.empty();
    }

    /// Scores the draft, accepts a path and draws the next token from the round's randomness.
    void decide(Keep keep) {
        var draft = undecided.orElseThrow();
        var tree = draft.tree();
        var generator = randomness.round(round);
        int next = (int) (generator.uniform(Randomness.Role.BONUS, 0) * vocabulary);
        int leaf =
                switch (keep) {
                    case NOTHING -> 0;
                    case SOMETHING ->
                            (int) (generator.uniform(Randomness.Role.ACCEPT, 0) * tree.size());
                    case DEEPEST_LEAF -> deepest(tree);
                };
        while (!tree.verified(leaf)) {
            leaf = tree.parent(leaf);
        }
        var nodes = Arrays.stream(tree.path(leaf)).skip(1).boxed().toList();
        var origin = tree.candidates(leaf).length > 0 ? Origin.CORRECTION : Origin.BONUS;
        var verdict = new Verdict(nodes, next, origin);
        try (var scores = target.score(tree)) {
            target.commit(verdict);
            drafting.observe(draft, verdict, scores);
        }
        for (int token : verdict.emitted(tree)) {
            committed.add(token);
        }
        undecided = Optional.empty();
        round++;
    }

    private static int deepest(TokenTree tree) {
        int deepest = 0;
        for (int node = 1; node < tree.size(); node++) {
            if (tree.verified(node) && tree.depth(node) > tree.depth(deepest)) {
                deepest = node;
            }
        }
        return deepest;
    }

    /// Returns all tokens so far, the root of the next draft included.
    int[] committed() {
        return committed.stream().mapToInt(Integer::intValue).toArray();
    }

    /// Returns the randomness of the next rounds, for a sequence that starts here.
    RandomnessSource randomnessFromHere() {
        int offset = round;
        return later -> randomness.round(offset + later);
    }

    @Override
    public void close() {
        drafting.close();
        target.close();
    }
}
