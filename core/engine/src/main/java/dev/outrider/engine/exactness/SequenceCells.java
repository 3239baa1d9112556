package dev.outrider.engine.exactness;

import dev.outrider.common.sampling.DistributionBuffer;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.processing.ProcessorChain;
import dev.outrider.engine.processing.ProcessorChain.ProcessedLogits;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.TokenHistory;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.target.TargetSession;
import dev.outrider.spi.tree.TokenTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A partition of all continuations of a prompt (and source) into cells whose probabilities are known exactly. The cells are the
/// prefixes that are probable enough under the target's distribution to be counted, and for each of them one more cell for all other
/// continuations. So joint distributions of several tokens become a chi-square test, for a vocabulary of any size.
///
/// The target scores the beginnings of one length in one pass. Nothing depends on what a decoder has written.
/// Immutable.
public final class SequenceCells {
    private static final int MAX_BEGINNINGS_A_LEVEL = 24;

    private final Branch root;
    private final double[] distribution;
    private final int tokens;

    private SequenceCells(Branch root, double[] distribution, int tokens) {
        this.root = root;
        this.distribution = distribution;
        this.tokens = tokens;
    }

    /// Works out the cells.
    ///
    /// @param processors applied to the target's logits first
    /// @param request what is continued and how tokens are chosen; its `maxTokens` are the most of a beginning
    /// @param samples observations to come: a beginning is told apart when at least
    ///                [GoodnessOfFit#MIN_EXPECTED] of them should show it
    public static SequenceCells of(
            TargetModel target, ProcessorChain processors, DecodeRequest request, long samples) {
        var builder = new Builder(target, processors, request, samples);
        return builder.build(request.maxTokens());
    }

    /// Probability of each cell, summing to 1 up to rounding. The caller owns the array.
    public double[] distribution() {
        return distribution.clone();
    }

    /// Number of cells.
    public int size() {
        return distribution.length;
    }

    /// Tokens of the longest beginning that is told apart.
    public int tokens() {
        return tokens;
    }

    /// Entropy of the cells' distribution in nats: it limits the effects that a test can find.
    public double entropy() {
        return -Arrays.stream(distribution).filter(p -> p > 0).map(p -> p * Math.log(p)).sum();
    }

    /// The cell of a continuation and how many of its tokens decide that.
    ///
    /// @param continuation at least [#tokens()] tokens
    public Place place(int[] continuation) {
        var branch = root;
        int depth = 0;
        while (true) {
            int token = continuation[depth++];
            var next = branch.next.get(token);
            if (next != null) {
                branch = next;
                continue;
            }
            return new Place(branch.cells.getOrDefault(token, branch.rest), depth);
        }
    }

    /// The cell of a continuation.
    ///
    /// @param cell   index of the cell
    /// @param tokens tokens that were looked at
    public record Place(int cell, int tokens) {}

    /// A prefix: the tokens that lead to longer prefixes, the tokens that are cells of their own, and the cell of all others.
    private static final class Branch {
        final Map<Integer, Branch> next = new HashMap<>();
        final Map<Integer, Integer> cells = new HashMap<>();
        int rest;
    }

    private static final class Builder {
        private final TargetModel target;
        private final ProcessedLogits processed;
        private final SamplingPolicy policy;
        private final int[] prompt;
        private final List<Integer> source;
        private final long samples;
        private final List<Double> distribution = new ArrayList<>();
        private int longest;

        Builder(
                TargetModel target,
                ProcessorChain processors,
                DecodeRequest request,
                long samples) {
            this.target = target;
            this.processed = processors.on(target.description().vocabularySize());
            this.policy = request.policy();
            this.prompt = request.prompt().clone();
            this.source = request.source();
            this.samples = samples;
        }

        /// A prefix whose cells are not computed yet.
        ///
        /// @param state the operators' after it
        private record Open(Branch branch, int[] tokens, double mass, double state) {}

        SequenceCells build(int tokens) {
            var root = new Branch();
            int rows = prompt.length + MAX_BEGINNINGS_A_LEVEL * tokens;
            int capacity = Math.min(rows, target.description().maxPositions());
            try (var session = target.open(new SessionRequest(capacity, Set.of(), source))) {
                session.prefill(Arrays.copyOf(prompt, prompt.length - 1)).close();
                var level =
                        List.of(new Open(root, new int[0], 1, processed.operators().firstState()));
                for (int depth = 0; depth < tokens && !level.isEmpty(); depth++) {
                    level = split(session, level, depth + 1 == tokens);
                    longest = depth + 1;
                }
            }
            return new SequenceCells(
                    root,
                    distribution.stream().mapToDouble(Double::doubleValue).toArray(),
                    longest);
        }

        private List<Open> split(TargetSession session, List<Open> level, boolean last) {
            var below = new ArrayList<Open>();
            var tree = TokenTree.builder(prompt[prompt.length - 1]);
            var known = new HashMap<List<Integer>, Integer>();
            var nodes = new int[level.size()];
            for (int index = 0; index < nodes.length; index++) {
                nodes[index] = node(tree, known, level.get(index).tokens);
            }
            try (var scores = session.score(tree.build())) {
                for (int index = 0; index < nodes.length; index++) {
                    var open = level.get(index);
                    var history =
                            new TokenHistory(prompt, prompt.length, open.tokens, prompt.length);
                    var buffer = new DistributionBuffer(scores.vocabularySize());
                    processed.fill(
                            policy, scores.logits(nodes[index]), history, open.state, buffer);
                    double[] next = buffer.distribution();
                    split(open, next, last, below);
                }
            }
            below.sort(Comparator.comparingDouble(Open::mass).reversed());
            int kept = Math.min(below.size(), MAX_BEGINNINGS_A_LEVEL);
            for (var tooMany : below.subList(kept, below.size())) {
                tooMany.branch.rest = cell(tooMany.mass);
            }
            return List.copyOf(below.subList(0, kept));
        }

        /// Returns the node of a prefix; prefixes share the nodes of their own prefixes.
        private static int node(
                TokenTree.Builder tree, Map<List<Integer>, Integer> known, int[] tokens) {
            int node = 0;
            for (int length = 1; length <= tokens.length; length++) {
                var path = Arrays.stream(tokens, 0, length).boxed().toList();
                int parent = node;
                int token = tokens[length - 1];
                node = known.computeIfAbsent(path, _ -> tree.add(parent, token));
            }
            return node;
        }

        private void split(Open open, double[] next, boolean last, List<Open> below) {
            double rest = open.mass;
            for (int token = 0; token < next.length; token++) {
                double mass = open.mass * next[token];
                if (mass * samples < GoodnessOfFit.MIN_EXPECTED) {
                    continue;
                }
                rest -= mass;
                if (last || mass * samples < 4 * GoodnessOfFit.MIN_EXPECTED) {
                    open.branch.cells.put(token, cell(mass));
                } else {
                    var branch = new Branch();
                    open.branch.next.put(token, branch);
                    var tokens = Arrays.copyOf(open.tokens, open.tokens.length + 1);
                    tokens[open.tokens.length] = token;
                    double state = processed.operators().nextState(open.state, next[token]);
                    below.add(new Open(branch, tokens, mass, state));
                }
            }
            open.branch.rest = cell(Math.max(0, rest));
        }

        private int cell(double mass) {
            distribution.add(mass);
            return distribution.size() - 1;
        }
    }
}
