package dev.outrider.drafter.lookahead;

import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.target.TargetSession;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.spi.tree.Verdict.Origin;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Runs a session through greedy rounds one at a time, so that a test can inspect it in between.
final class Driven implements AutoCloseable {
    private final TargetSession target;
    private final DraftSession session;
    private final RandomnessSource randomness = RandomnessSource.of(new KeyedRandomStreams(1, 0));
    private int round;

    Driven(TargetModel model, DraftSession session, int... prompt) {
        this.target = model.open(SessionRequest.ofCapacity(model.description().maxPositions()));
        this.session = session;
        try (var states = target.prefill(Arrays.copyOf(prompt, prompt.length - 1))) {
            session.begin(prompt.clone(), states);
        }
    }

    Draft propose(DraftBudget budget) {
        return session.propose(budget, randomness.round(round++));
    }

    /// Decides greedily; returns the emitted tokens.
    List<Integer> decide(TokenTree tree) {
        try (var scores = target.score(tree)) {
            return decide(tree, scores);
        }
    }

    List<Integer> decide(TokenTree tree, TargetScores scores) {
        var accepted = new ArrayList<Integer>();
        int node = 0;
        int token = scores.argmax(0);
        for (int child = childWith(tree, 0, token);
                child > 0;
                child = childWith(tree, node, token)) {
            accepted.add(child);
            node = child;
            token = scores.argmax(node);
        }
        var verdict = new Verdict(accepted, token, Origin.CORRECTION);
        target.commit(verdict);
        session.observe(new Draft(tree, new Selection.PointMass()), verdict, scores);
        return Arrays.stream(verdict.emitted(tree)).boxed().toList();
    }

    TargetScores score(TokenTree tree) {
        return target.score(tree);
    }

    private static int childWith(TokenTree tree, int node, int token) {
        return Arrays.stream(tree.candidates(node))
                .filter(child -> tree.token(child) == token)
                .findFirst()
                .orElse(-1);
    }

    @Override
    public void close() {
        session.close();
        target.close();
    }
}
