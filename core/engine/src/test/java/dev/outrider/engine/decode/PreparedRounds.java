package dev.outrider.engine.decode;

import dev.outrider.common.sampling.Distributions;
import dev.outrider.engine.processing.ProcessorChain;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.StreamRandomness;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftDistributions;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.rule.RuleTraits;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.TokenHistory;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.TreeShape;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/// Rounds over a large vocabulary with distributions similar to those of language models: logits
/// decrease with 1.5 times the logarithm of a token's rank, with noise of half a nat; the drafter's
/// logits differ from the target's by noise of .7 nats. Every node has its own logits.
final class PreparedRounds {
    static final int VOCABULARY = 131_072;
    static final SamplingPolicy POLICY = new SamplingPolicy(1, 0, .9, 0, 1);

    private static final int ROUNDS = 32;
    private static final int ROWS = 65;
    private static final double ZIPF = 1.5;

    private final List<MemorySegment> logits = new ArrayList<>();
    private final List<double[]> distributions = new ArrayList<>();

    /// Generates the rows, the same in every run.
    PreparedRounds() {
        var random = new SplittableRandom(1);
        for (int row = 0; row < ROWS; row++) {
            var target = new float[VOCABULARY];
            var draft = new float[VOCABULARY];
            int[] ranks = ranks(random);
            for (int token = 0; token < VOCABULARY; token++) {
                double logit = -ZIPF * Math.log(ranks[token] + 1) + .5 * random.nextGaussian();
                target[token] = (float) logit;
                draft[token] = (float) (logit + .7 * random.nextGaussian());
            }
            logits.add(MemorySegment.ofArray(target));
            distributions.add(
                    Distributions.of(
                            POLICY,
                            MemorySegment.ofArray(draft),
                            VOCABULARY,
                            TokenHistory.empty()));
        }
    }

    /// A prepared round.
    ///
    /// @param draft  guesses drawn as the rule requires
    /// @param scores the target's logits
    record Prepared(Draft draft, TargetScores scores) {
        LazyDistributions distributions() {
            return new LazyDistributions(
                    POLICY,
                    ProcessorChain.none().on(VOCABULARY),
                    VOCABULARY,
                    scores,
                    draft.tree(),
                    TokenHistory.of(0));
        }
    }

    /// Returns rounds for a rule.
    List<Prepared> of(AcceptanceRule rule, int nodes) {
        return IntStream.range(0, ROUNDS)
                .mapToObj(round -> {
                    var randomness = new StreamRandomness(new KeyedRandomStreams(2, 2), round);
                    int shift = 2 * round;
                    var draft = draft(rule.traits(), nodes, distributions, shift, randomness);
                    return new Prepared(draft, new Scores(logits, shift));
                })
                .toList();
    }

    private static int[] ranks(SplittableRandom random) {
        int[] ranks = IntStream.range(0, VOCABULARY).toArray();
        for (int token = VOCABULARY - 1; token > 0; token--) {
            int other = random.nextInt(token + 1);
            int rank = ranks[token];
            ranks[token] = ranks[other];
            ranks[other] = rank;
        }
        return ranks;
    }

    private static Draft draft(
            RuleTraits traits,
            int nodes,
            List<double[]> distributions,
            int shift,
            Randomness randomness) {
        boolean distinct = traits.judges().contains(Selection.Kind.WITHOUT_REPLACEMENT);
        var tree = TokenTree.builder(0);
        var recorded = DraftDistributions.builder();
        var level = List.of(0);
        for (int width : widths(traits, nodes)) {
            var below = new ArrayList<Integer>();
            for (int node : level) {
                double[] distribution = distributions.get((node + shift) % distributions.size());
                recorded.put(node, distribution);
                double[] urn = distribution.clone();
                for (int child = 0; child < width; child++) {
                    int token = randomness.draw(Randomness.Role.DRAFT, node, urn);
                    below.add(tree.add(node, token));
                    urn[token] = distinct ? 0 : urn[token];
                }
            }
            level = below;
        }
        var selection =
                distinct
                        ? new Selection.WithoutReplacement(recorded.build())
                        : new Selection.Independent(recorded.build());
        return new Draft(tree.build(), selection);
    }

    /// Returns a chain for rules that judge chains; else a tree of the same number of nodes.
    private static int[] widths(RuleTraits traits, int nodes) {
        if (traits.shape() == TreeShape.CHAIN) {
            var chain = new int[nodes];
            Arrays.fill(chain, 1);
            return chain;
        }
        return nodes == 8 ? new int[] {2, 1, 1, 1} : new int[] {4, 3, 2, 1};
    }

    /// Rows of logits, a different one for every node.
    private record Scores(List<MemorySegment> rows, int shift) implements TargetScores {
        @Override
        public int vocabularySize() {
            return VOCABULARY;
        }

        @Override
        public MemorySegment logits(int node) {
            return rows.get((node + shift) % rows.size());
        }

        @Override
        public int size() {
            return rows.size();
        }

        @Override
        public MemorySegment hidden(HiddenState which, int index) {
            throw new IllegalArgumentException("there are no hidden states here");
        }

        @Override
        public void close() {}
    }
}
