package dev.outrider.engine.decode;

import dev.outrider.spi.SamplingPolicy;
import dev.outrider.spi.Support;
import dev.outrider.spi.TargetLaws;
import dev.outrider.spi.TargetScores;
import dev.outrider.spi.TokenHistory;
import dev.outrider.spi.TokenTree;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/// The target's laws at the nodes a rule asks about, each with its own root path as history. Rows are used
/// again in the next round, and so are the copies that rules compute with. Confined to one thread.
final class LazyLaws implements TargetLaws {
    private final SamplingPolicy policy;
    private final int vocabulary;
    private final int helpers;
    private final ArrayDeque<Row> spareRows = new ArrayDeque<>();
    private final ArrayDeque<double[]> spareZeros = new ArrayDeque<>();
    private final List<Row> copies = new ArrayList<>();
    private Round round;
    private Optional<LawsAhead> ahead = Optional.empty();
    private final Backoff backoff = new Backoff();

    /// Whether a computation of the round ended halfway, so that a row may not be what its support says.
    private final AtomicBoolean spoilt = new AtomicBoolean();

    /// One round's inputs, the rows given to its nodes, and which of them hold the node's law.
    private record Round(
            TargetScores scores,
            TokenTree tree,
            TokenHistory committed,
            List<Optional<Row>> rows,
            BitSet known) {}

    /// A law that is 0 outside its support.
    private record Row(double[] law, Support support) {}

    LazyLaws(
            SamplingPolicy policy,
            int vocabulary,
            TargetScores scores,
            TokenTree tree,
            TokenHistory committed) {
        this.policy = policy;
        this.vocabulary = vocabulary;
        this.helpers =
                vocabulary < TargetScores.LARGE_VOCABULARY
                                || policy.greedy()
                                || policy.usesHistory()
                        ? 0
                        : LawsAhead.helpers();
        this.round = begin(scores, tree, committed);
    }

    /// Forgets the last round's laws and answers for new scores.
    ///
    /// @param committed the committed tokens, the root included
    void next(TargetScores scores, TokenTree tree, TokenHistory committed) {
        rest();
        for (var copy : copies) {
            for (int index = 0; index < copy.support().size(); index++) {
                copy.law()[copy.support().token(index)] = 0;
            }
            spareZeros.push(copy.law());
        }
        copies.clear();
        if (!spoilt.getAndSet(false)) {
            round.rows().forEach(row -> row.ifPresent(spareRows::push));
        }
        round = begin(scores, tree, committed);
    }

    /// Ends what is computed ahead. To be called when the rule has decided: the scores may be closed then.
    void rest() {
        ahead.ifPresent(running -> {
            running.stop();
            backoff.waited(running.waited());
        });
        ahead = Optional.empty();
    }

    @Override
    public void expect(int nodes) {
        Objects.checkFromIndexSize(0, nodes, round.rows().size());
        rest();
        if (helpers > 0 && nodes > 1 && backoff.tries()) {
            ahead =
                    Optional.of(
                            new LawsAhead(
                                    nodes,
                                    round.known()::get,
                                    this::offer,
                                    this::compute,
                                    helpers));
        }
    }

    private static Round begin(TargetScores scores, TokenTree tree, TokenHistory committed) {
        var rows = new ArrayList<Optional<Row>>(tree.size());
        for (int node = 0; node < tree.size(); node++) {
            rows.add(Optional.empty());
        }
        return new Round(scores, tree, committed, rows, new BitSet());
    }

    @Override
    public int vocabularySize() {
        return vocabulary;
    }

    @Override
    public double[] law(int node) {
        return row(node).law();
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
            copy[token] = row.law()[token];
        }
        copies.add(new Row(copy, row.support()));
        return copy;
    }

    private Row row(int node) {
        var row = give(node);
        if (!round.known().get(node)) {
            if (ahead.isPresent() && ahead.get().covers(node)) {
                ahead.get().await(node);
            } else {
                compute(node, round.scores().logits(node));
            }
            round.known().set(node);
        }
        return row;
    }

    /// The row of a node, whatever it holds.
    private Row give(int node) {
        if (round.rows().get(node).isEmpty()) {
            var row =
                    spareRows.isEmpty()
                            ? new Row(new double[vocabulary], new Support())
                            : spareRows.pop();
            round.rows().set(node, Optional.of(row));
        }
        return round.rows().get(node).orElseThrow();
    }

    /// What other threads need to compute a node's law.
    private MemorySegment offer(int node) {
        give(node);
        return round.scores().logits(node);
    }

    private void compute(int node, MemorySegment logits) {
        var row = round.rows().get(node).orElseThrow();
        try {
            policy.law(logits, history(node), row.law(), row.support());
        } catch (RuntimeException failure) {
            spoilt.set(true);
            throw failure;
        }
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
