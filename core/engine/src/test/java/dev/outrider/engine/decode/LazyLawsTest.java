package dev.outrider.engine.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.spi.HiddenState;
import dev.outrider.spi.OutriderException;
import dev.outrider.spi.SamplingPolicy;
import dev.outrider.spi.TargetScores;
import dev.outrider.spi.TokenHistory;
import dev.outrider.spi.TokenTree;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LazyLawsTest {
    private static final int VOCABULARY = 4096;
    private static final int NODES = 12;
    private static final SamplingPolicy POLICY = new SamplingPolicy(.8, 0, .9, 0, 1);

    private final TokenTree chain = TokenTree.chain(0, new int[NODES - 1]);

    @Test
    void lawsAndSupportsArePolicysOwnInEveryRound() {
        var laws = laws(new Rows(1));
        for (int round = 0; round < 20; round++) {
            var rows = new Rows(round);
            laws.next(rows, chain, TokenHistory.empty());
            int asked = 1 + round % NODES;
            for (int node = 0; node < asked; node++) {
                assertThat(laws.law(node)).isEqualTo(rows.law(node));
                assertThat(laws.support(node).size()).isEqualTo(support(rows.law(node)));
            }
            assertThat(laws.law(NODES - 1)).isEqualTo(rows.law(NODES - 1));
        }
    }

    @Test
    void aRowInWhichAComputationEndedHalfwayIsNotUsedAgain() {
        var laws = laws(new Rows(1));
        for (int round = 0; round < 20; round++) {
            var broken = new Rows(round);
            broken.logits[3][VOCABULARY - 1] = Float.NaN;
            laws.next(broken, chain, TokenHistory.empty());
            assertThat(laws.law(0)).isEqualTo(broken.law(0));
            assertThatThrownBy(() -> laws.law(3))
                    .isInstanceOf(OutriderException.class)
                    .hasMessageContaining("NaN");

            var sound = new Rows(100 + round);
            laws.next(sound, chain, TokenHistory.empty());
            for (int node = 0; node < NODES; node++) {
                assertThat(laws.law(node)).isEqualTo(sound.law(node));
            }
        }
    }

    private LazyLaws laws(TargetScores scores) {
        return new LazyLaws(POLICY, VOCABULARY, scores, chain, TokenHistory.empty());
    }

    private static int support(double[] law) {
        int size = 0;
        for (double p : law) {
            size += p > 0 ? 1 : 0;
        }
        return size;
    }

    /// Random logits that fall with the logarithm of a token's rank.
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

        double[] law(int node) {
            return POLICY.law(logits(node), VOCABULARY, TokenHistory.empty());
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
