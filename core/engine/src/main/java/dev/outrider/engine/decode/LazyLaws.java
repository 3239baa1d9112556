package dev.outrider.engine.decode;

import dev.outrider.spi.SamplingPolicy;
import dev.outrider.spi.TargetLaws;
import dev.outrider.spi.TargetScores;
import dev.outrider.spi.TokenHistory;
import dev.outrider.spi.TokenTree;
import java.util.ArrayDeque;
import java.util.Arrays;

/// The target's laws at the nodes a rule asks about, each with its own root path as history. Rows are used
/// again in the next round. Confined to one thread.
final class LazyLaws implements TargetLaws {
    private static final double[] ABSENT = new double[0];

    private final SamplingPolicy policy;
    private final int vocabulary;
    private final ArrayDeque<double[]> spare = new ArrayDeque<>();
    private Round round;

    /// One round's inputs and the rows computed for it.
    private record Round(
            TargetScores scores, TokenTree tree, TokenHistory committed, double[][] rows) {}

    LazyLaws(
            SamplingPolicy policy,
            int vocabulary,
            TargetScores scores,
            TokenTree tree,
            TokenHistory committed) {
        this.policy = policy;
        this.vocabulary = vocabulary;
        this.round = begin(scores, tree, committed);
    }

    /// Forgets the last round's laws and answers for new scores.
    ///
    /// @param committed the committed tokens, the root included
    void next(TargetScores scores, TokenTree tree, TokenHistory committed) {
        for (double[] row : round.rows()) {
            if (row.length > 0) {
                spare.push(row);
            }
        }
        round = begin(scores, tree, committed);
    }

    private static Round begin(TargetScores scores, TokenTree tree, TokenHistory committed) {
        var rows = new double[tree.size()][];
        Arrays.fill(rows, ABSENT);
        return new Round(scores, tree, committed, rows);
    }

    @Override
    public int vocabularySize() {
        return vocabulary;
    }

    @Override
    public double[] law(int node) {
        double[] row = round.rows()[node];
        if (row.length == 0) {
            row = spare.isEmpty() ? new double[vocabulary] : spare.pop();
            policy.law(round.scores().logits(node), history(node), row);
            round.rows()[node] = row;
        }
        return row;
    }

    @Override
    public int position(int node) {
        return round.committed().length() + round.tree().depth(node);
    }

    @Override
    public int mode(int node) {
        return policy.usesHistory()
                ? policy.mode(round.scores().logits(node), vocabulary, history(node))
                : round.scores().argmax(node);
    }

    private TokenHistory history(int node) {
        if (!policy.usesHistory()) {
            return TokenHistory.empty();
        }
        var tree = round.tree();
        var path = new int[tree.depth(node)];
        for (int walker = node, index = path.length; index > 0; walker = tree.parent(walker)) {
            path[--index] = tree.token(walker);
        }
        return round.committed().followedBy(path);
    }
}
