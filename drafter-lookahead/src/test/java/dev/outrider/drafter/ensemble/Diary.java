package dev.outrider.drafter.ensemble;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Proposes given drafts and records what it observes.
public final class Diary implements DraftSession {
    public final List<String> seen = new ArrayList<>();
    public final List<Integer> budgets = new ArrayList<>();
    public final List<Verdict.Origin> origins = new ArrayList<>();
    public List<Integer> guess = List.of();
    public int root;
    private Optional<Draft> proposed = Optional.empty();

    @Override
    public void begin(int[] prompt, HiddenStates promptStates) {
        root = prompt[prompt.length - 1];
        Arrays.fill(prompt, -1); // a session may do with its prompt what it likes
    }

    @Override
    public Draft propose(DraftBudget budget, Randomness randomness) {
        assertThat(proposed).describedAs("proposes once a round").isEmpty();
        budgets.add(budget.maxNodes());
        int[] tokens =
                guess.stream().limit(budget.maxNodes()).mapToInt(Integer::intValue).toArray();
        var draft = new Draft(TokenTree.chain(root, tokens), new Selection.PointMass());
        proposed = Optional.of(draft);
        return draft;
    }

    @Override
    public void observe(Draft draft, Verdict verdict, TargetScores scores) {
        assertThat(proposed).describedAs("observes what it proposed").containsSame(draft);
        proposed = Optional.empty();
        root = verdict.nextToken();
        origins.add(verdict.origin());
        seen.add(
                "%s %d %s"
                        .formatted(
                                verdict.acceptedNodes(),
                                verdict.nextToken(),
                                scores.size() == 1
                                        ? "at node %d".formatted(scores.argmax(0))
                                        : "of %d nodes".formatted(scores.size())));
    }

    @Override
    public void close() {}
}
