package dev.outrider.engine.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.common.sampling.Distributions;
import dev.outrider.engine.processing.ProcessorChain;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.TokenHistory;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.TokenTree;
import java.lang.foreign.MemorySegment;
import java.util.Random;
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

    private LazyDistributions distributions(TargetScores scores) {
        return new LazyDistributions(
                POLICY,
                ProcessorChain.none().on(VOCABULARY),
                VOCABULARY,
                scores,
                chain,
                TokenHistory.empty());
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

        double[] distribution(int node) {
            return Distributions.of(POLICY, logits(node), VOCABULARY, TokenHistory.empty());
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
