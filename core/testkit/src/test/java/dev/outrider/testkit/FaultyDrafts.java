package dev.outrider.testkit;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftDistributions;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.tree.TokenTree;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/// Faults that were seen in drafters, applied to correct drafts of the first round, after
/// [Toy#PROMPT].
final class FaultyDrafts {
    private FaultyDrafts() {}

    /// Declares independent draws from a model's distribution at some temperature, whatever the
    /// tokens were drawn from.
    static Draft declaring(Draft draft, TableModel model, double temperature) {
        var policy = SamplingPolicy.atTemperature(temperature);
        return declaring(draft, node -> model.distribution(policy, prefix(draft.tree(), node)));
    }

    /// Declares independent draws from given distributions.
    static Draft declaring(Draft draft, IntFunction<double[]> distribution) {
        var distributions = DraftDistributions.builder();
        for (int node = 0; node < draft.tree().size(); node++) {
            if (draft.tree().childCount(node) > 0) {
                distributions.put(node, distribution.apply(node));
            }
        }
        return new Draft(draft.tree(), new Selection.Independent(distributions.build()));
    }

    /// Declares draws without replacement as independent.
    static Draft forgettingReplacement(Draft draft) {
        return draft.selection() instanceof Selection.WithoutReplacement(var distributions)
                ? new Draft(draft.tree(), new Selection.Independent(distributions))
                : draft;
    }

    /// Sorts the root's children by falling q instead of draw order and keeps the first few.
    static Draft ranked(Draft draft, int most) {
        var distributions = ((Selection.WithoutReplacement) draft.selection()).distributions();
        var tree = TokenTree.builder(draft.tree().token(0));
        drawn(draft).stream()
                .sorted(Comparator.comparingDouble(token -> -distributions.row(0)[token]))
                .limit(most)
                .forEach(token -> tree.add(0, token));
        return new Draft(tree.build(), draft.selection());
    }

    /// Keeps the tokens and declares no distributions.
    static Draft unknown(Draft draft) {
        return new Draft(draft.tree(), new Selection.PointMass());
    }

    private static List<Integer> drawn(Draft draft) {
        var tree = draft.tree();
        return IntStream.range(0, tree.childCount(0))
                .mapToObj(index -> tree.token(tree.child(0, index)))
                .toList();
    }

    private static int[] prefix(TokenTree tree, int node) {
        return IntStream.concat(
                        Arrays.stream(Toy.PROMPT),
                        Arrays.stream(tree.path(node)).skip(1).map(tree::token))
                .toArray();
    }
}
