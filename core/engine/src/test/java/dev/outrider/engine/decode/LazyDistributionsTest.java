package dev.outrider.engine.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.common.sampling.DistributionBuffer;
import dev.outrider.common.sampling.Distributions;
import dev.outrider.common.sampling.OperatorChain;
import dev.outrider.common.sampling.SamplingOperators;
import dev.outrider.common.sampling.SamplingOperators.Mirostat;
import dev.outrider.common.sampling.SamplingOperators.Xtc;
import dev.outrider.engine.processing.ProcessorChain;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.TokenHistory;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LazyDistributionsTest {
    private static final int VOCABULARY = 4096;
    private static final int NODES = 12;
    private static final SamplingPolicy POLICY = new SamplingPolicy(.8, 0, .9, 0, 1);

    private final TokenTree chain = TokenTree.chain(0, new int[NODES - 1]);

    @Test
    void distributionsAndSupportsArePolicysOwnInEveryRound() {
        var distributions = distributions(new Rows(1));
        for (int round = 0; round < 20; round++) {
            var rows = new Rows(round);
            distributions.next(rows, chain, TokenHistory.empty());
            int asked = 1 + round % NODES;
            for (int node = 0; node < asked; node++) {
                assertThat(distributions.distribution(node)).isEqualTo(rows.distribution(node));
                assertThat(distributions.support(node).size())
                        .isEqualTo(support(rows.distribution(node)));
            }
            assertThat(distributions.distribution(NODES - 1))
                    .isEqualTo(rows.distribution(NODES - 1));
        }
    }

    @Test
    void aRowInWhichAComputationEndedHalfwayIsNotUsedAgain() {
        var distributions = distributions(new Rows(1));
        for (int round = 0; round < 20; round++) {
            var broken = new Rows(round);
            broken.logits[3][VOCABULARY - 1] = Float.NaN;
            distributions.next(broken, chain, TokenHistory.empty());
            assertThat(distributions.distribution(0)).isEqualTo(broken.distribution(0));
            assertThatThrownBy(() -> distributions.distribution(3))
                    .isInstanceOf(OutriderException.class)
                    .hasMessageContaining("NaN");

            var sound = new Rows(100 + round);
            distributions.next(sound, chain, TokenHistory.empty());
            for (int node = 0; node < NODES; node++) {
                assertThat(distributions.distribution(node)).isEqualTo(sound.distribution(node));
            }
        }
    }

    @Test
    void copiesAreThePolicysOwnAndTheirMemoryIsUsedAgain() {
        for (var policy : List.of(POLICY, SamplingPolicy.atTemperature(1))) {
            var distributions = distributions(policy, ProcessorChain.none(), new Rows(0));
            Set<double[]> memory = Collections.newSetFromMap(new IdentityHashMap<>());
            for (int copied : new int[] {2, 4, 6}) {
                var rows = new Rows(copied);
                distributions.next(rows, chain, TokenHistory.empty());
                for (int node = 0; node < copied; node++) {
                    double[] copy = distributions.copy(node);
                    assertThat(copy).isEqualTo(rows.distribution(policy, node));
                    memory.add(copy);
                    memory.add(distributions.distribution(node));
                }
            }
            assertThat(memory).describedAs("rows and copies of six nodes").hasSize(2 * 6);
        }
    }

    @Test
    void aNodeThatTheTreeDoesNotHaveIsRefused() {
        var distributions = distributions(new Rows(1));
        distributions.next(new Rows(2), TokenTree.rootOnly(0), TokenHistory.empty());

        assertThatThrownBy(() -> distributions.distribution(1))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void aNodesHistoryIsTheTextAndThePathToIt() {
        var penalty = new SamplingPolicy(.8, 0, 1, 0, 2);
        var rows = new Rows(1);
        var text = TokenHistory.of(4, 2, 0);
        var distributions = distributions(penalty, ProcessorChain.none(), rows);
        distributions.next(rows, TokenTree.chain(0, 5, 7), text);

        assertThat(distributions.distribution(0)).isEqualTo(rows.distribution(penalty, 0, text));
        assertThat(distributions.distribution(2))
                .isEqualTo(rows.distribution(penalty, 2, text.followedBy(5, 7)));
        assertThat(distributions.position(0)).isEqualTo(3);
        assertThat(distributions.position(2)).isEqualTo(5);
    }

    @Test
    void thePenaltyOfANodesHistoryDecidesItsMode() {
        var rows = new Rows(1).with(0, 5, 6).with(2, 5, 6);
        var greedy = new SamplingPolicy(0, 0, 1, 0, 2);
        var distributions = distributions(greedy, ProcessorChain.none(), rows);
        distributions.next(rows, TokenTree.chain(0, 5, 7), TokenHistory.of(0));

        assertThat(distributions.mode(0)).isEqualTo(5);
        assertThat(distributions.mode(2)).isEqualTo(6);
    }

    @Test
    void withoutAHistoryTheScoresKnowTheMode() {
        var rows = new Rows(1).with(1, 5, 6);

        assertThat(distributions(rows).mode(1)).isEqualTo(5);
        assertThat(rows.argmaxes).isEqualTo(1);
    }

    /// The operator removes the best of two probable tokens, but nothing at temperature 0.
    @Test
    void theModeIsThatOfTheOperatorsDistribution() {
        var rows = new Rows(1).with(1, 5, 6);
        var operators = operators(Optional.of(new Xtc(1, .2)), Optional.empty());
        var sampled = SamplingPolicy.atTemperature(1);

        assertThat(distributions(sampled, operators, rows).mode(1)).isEqualTo(6);
        assertThat(distributions(SamplingPolicy.argmax(), operators, rows).mode(1)).isEqualTo(5);
    }

    @Test
    void theOperatorsStateMovesAlongThePathAndTheAcceptedTokens() {
        var operators = operators(Optional.empty(), Optional.of(new Mirostat(2, 1)));
        var policy = SamplingPolicy.atTemperature(1);
        var rows = new Rows(1);
        var distributions = distributions(policy, operators, rows);
        var tree = TokenTree.chain(0, rows.argmax(0), rows.argmax(1));
        distributions.next(rows, tree, TokenHistory.empty());

        var along = new ArrayList<double[]>();
        double state = operators.operators().firstState();
        for (int node = 0; node < tree.size(); node++) {
            along.add(rows.distribution(policy, operators, node, state));
            int next = node < 2 ? tree.token(node + 1) : 7;
            state = operators.operators().nextState(state, along.get(node)[next]);
        }
        assertThat(distributions.distribution(2)).isEqualTo(along.get(2));
        assertThat(distributions.distribution(1)).isEqualTo(along.get(1));
        distributions.commit(new Verdict(List.of(1, 2), 7, Verdict.Origin.BONUS));
        distributions.next(rows, tree, TokenHistory.empty());
        assertThat(distributions.distribution(0))
                .isEqualTo(rows.distribution(policy, operators, 0, state))
                .isNotEqualTo(along.getFirst());
    }

    private static ProcessorChain operators(Optional<Xtc> xtc, Optional<Mirostat> mirostat) {
        var settings =
                new SamplingOperators(
                        SamplingOperators.none().order(),
                        0,
                        0,
                        Map.of(),
                        List.of(),
                        List.of(),
                        0,
                        Optional.empty(),
                        0,
                        1,
                        0,
                        0,
                        0,
                        xtc,
                        Optional.empty(),
                        mirostat);
        return new ProcessorChain(
                List.of(), false, OperatorChain.of(settings, VOCABULARY, Set.of()));
    }

    private LazyDistributions distributions(TargetScores scores) {
        return distributions(POLICY, ProcessorChain.none(), scores);
    }

    private LazyDistributions distributions(
            SamplingPolicy policy, ProcessorChain processors, TargetScores scores) {
        return new LazyDistributions(
                policy, processors.on(VOCABULARY), VOCABULARY, scores, chain, TokenHistory.empty());
    }

    private static int support(double[] distribution) {
        int size = 0;
        for (double p : distribution) {
            size += p > 0 ? 1 : 0;
        }
        return size;
    }

    /// Random logits that decrease with the logarithm of a token's rank.
    private static final class Rows implements TargetScores {
        final float[][] logits = new float[NODES][VOCABULARY];
        int argmaxes;

        Rows(int seed) {
            var random = new Random(seed);
            for (int node = 0; node < NODES; node++) {
                for (int token = 0; token < VOCABULARY; token++) {
                    int rank = (int) ((token * 7919L + 131L * node) % VOCABULARY);
                    logits[node][token] =
                            (float) (-2 * Math.log(rank + 1) + .1 * random.nextGaussian());
                }
            }
        }

        /// Makes two tokens of a node probable, the first one more.
        Rows with(int node, int best, int second) {
            Arrays.fill(logits[node], -30);
            logits[node][best] = -1;
            logits[node][second] = -1.5f;
            return this;
        }

        double[] distribution(int node) {
            return distribution(POLICY, node);
        }

        double[] distribution(SamplingPolicy policy, int node) {
            return distribution(policy, node, TokenHistory.empty());
        }

        double[] distribution(SamplingPolicy policy, int node, TokenHistory history) {
            return Distributions.of(policy, logits(node), VOCABULARY, history);
        }

        double[] distribution(
                SamplingPolicy policy, ProcessorChain processors, int node, double state) {
            var row = new DistributionBuffer(VOCABULARY);
            processors.on(VOCABULARY).fill(policy, logits(node), TokenHistory.empty(), state, row);
            return row.distribution();
        }

        @Override
        public int argmax(int node) {
            argmaxes++;
            return TargetScores.super.argmax(node);
        }

        @Override
        public int vocabularySize() {
            return VOCABULARY;
        }

        @Override
        public MemorySegment logits(int node) {
            return MemorySegment.ofArray(logits[node]);
        }

        @Override
        public int size() {
            return NODES;
        }

        @Override
        public MemorySegment hidden(HiddenState which, int node) {
            throw new IllegalArgumentException(which + " was not asked for");
        }

        @Override
        public void close() {}
    }
}
