package dev.outrider.engine.decode;

import dev.outrider.common.sampling.DistributionBuffer;
import dev.outrider.common.sampling.Distributions;
import dev.outrider.engine.processing.ProcessorChain.ProcessedLogits;
import dev.outrider.spi.rule.TargetDistributions;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.Support;
import dev.outrider.spi.sampling.TokenHistory;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The target's distributions at the nodes a rule asks about, each with its own root path as history. Rows are used
/// again in the next round, and so are the copies that rules compute with. Confined to one thread.
public final class LazyDistributions implements TargetDistributions {
    private final SamplingPolicy policy;
    private final ProcessedLogits processed;
    private final int vocabulary;
    private final ArrayDeque<DistributionBuffer> spareRows = new ArrayDeque<>();
    private final ArrayDeque<double[]> spareZeros = new ArrayDeque<>();
    private final List<Copy> copies = new ArrayList<>();
    private Round round;
    private double state;

    /// One round's inputs and the distributions computed so far.
    private record Round(
            TargetScores scores,
            TokenTree tree,
            TokenHistory committed,
            List<Optional<DistributionBuffer>> rows) {}

    /// A copy that a rule computes with: positive only within the support.
    private record Copy(double[] distribution, Support support) {}

    /// @param policy    makes distributions of logits
    /// @param processed what is done to the logits first
    /// @param scores    valid until [#next] or for as long as this is asked
    /// @param tree      what was scored
    /// @param committed the committed tokens, the root included
    public LazyDistributions(
            SamplingPolicy policy,
            ProcessedLogits processed,
            int vocabulary,
            TargetScores scores,
            TokenTree tree,
            TokenHistory committed) {
        this.policy = policy;
        this.processed = processed;
        this.vocabulary = vocabulary;
        this.round = begin(scores, tree, committed);
        this.state = processed.operators().firstState();
    }

    /// Takes over the result of a round: the operators' state moves along the accepted path. Called while the scores are valid,
    /// before [#next].
    ///
    /// @param verdict about the tree
    public void commit(Verdict verdict) {
        if (policy.greedy() || !processed.operators().stateful()) {
            return;
        }
        int last = verdict.lastNode();
        state =
                processed
                        .operators()
                        .nextState(state(last), distribution(last)[verdict.nextToken()]);
    }

    private double state(int node) {
        if (node == 0 || !processed.operators().stateful()) {
            return state;
        }
        int parent = round.tree().parent(node);
        return processed
                .operators()
                .nextState(state(parent), distribution(parent)[round.tree().token(node)]);
    }

    /// Forgets the last round's distributions and answers for new scores.
    ///
    /// @param committed the committed tokens, the root included
    public void next(TargetScores scores, TokenTree tree, TokenHistory committed) {
        takeBack();
        round.rows().forEach(row -> row.ifPresent(spareRows::push));
        round = begin(scores, tree, committed);
    }

    /// Takes back the copies that rules compute with, for a rule that decides about the same draft again.
    public void takeBack() {
        for (var copy : copies) {
            for (int index = 0; index < copy.support().size(); index++) {
                copy.distribution()[copy.support().token(index)] = 0;
            }
            spareZeros.push(copy.distribution());
        }
        copies.clear();
    }

    private static Round begin(TargetScores scores, TokenTree tree, TokenHistory committed) {
        var rows = new ArrayList<Optional<DistributionBuffer>>(tree.size());
        for (int node = 0; node < tree.size(); node++) {
            rows.add(Optional.empty());
        }
        return new Round(scores, tree, committed, rows);
    }

    @Override
    public int vocabularySize() {
        return vocabulary;
    }

    @Override
    public double[] distribution(int node) {
        return row(node).distribution();
    }

    @Override
    public Support support(int node) {
        return row(node).support();
    }

    @Override
    public double[] copy(int node) {
        var row = row(node);
        double[] copy = spareZeros.isEmpty() ? new double[vocabulary] : spareZeros.pop();
        for (int index = 0; index < row.support().size(); index++) {
            int token = row.support().token(index);
            copy[token] = row.distribution()[token];
        }
        copies.add(new Copy(copy, row.support()));
        return copy;
    }

    private DistributionBuffer row(int node) {
        var known = round.rows().get(node);
        if (known.isPresent()) {
            return known.get();
        }
        var row = spareRows.isEmpty() ? new DistributionBuffer(vocabulary) : spareRows.pop();
        // A row whose computation fails is not used: it may differ from its support.
        double before = state(node); // may compute the rows of the nodes before
        processed.fill(policy, round.scores().logits(node), history(node), before, row);
        round.rows().set(node, Optional.of(row));
        return row;
    }

    @Override
    public int position(int node) {
        return round.committed().length() + round.tree().depth(node);
    }

    @Override
    public int mode(int node) {
        if (!policy.greedy() && !processed.operators().isEmpty()) {
            return Distributions.argmax(distribution(node)); // operators can remove the best logit
        }
        return usesHistory()
                ? processed.mode(policy, round.scores().logits(node), history(node))
                : round.scores().argmax(node);
    }

    private boolean usesHistory() {
        return policy.usesHistory() || processed.usesHistory();
    }

    private TokenHistory history(int node) {
        if (!usesHistory()) {
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
