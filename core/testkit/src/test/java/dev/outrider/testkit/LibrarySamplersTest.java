package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.common.sampling.DistributionBuffer;
import dev.outrider.common.sampling.OperatorChain;
import dev.outrider.common.sampling.OperatorRow;
import dev.outrider.common.sampling.SamplingOperators.Dry;
import dev.outrider.common.sampling.SamplingOperators.DynamicTemperature;
import dev.outrider.common.sampling.SamplingOperators.Mirostat;
import dev.outrider.common.sampling.SamplingOperators.Xtc;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.TokenHistory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Operators against other libraries on 1,000 rows of logits each. `samplers.bin` has two weighted sums of every distribution: llama.cpp's
/// samplers computed theirs, called from a program; Transformers', vLLM's and SGLang's (its PyTorch back end's) steps were written
/// down with numpy in double precision. Rows, texts and weights come from a linear congruential generator, here and there.
class LibrarySamplersTest {
    private static final int ROWS = 1000;
    private static final int VOCABULARY = 32;
    private static final int TEXT = 24;
    private static final int PROMPT = 8;
    private static final double TEMPERATURE = .7;
    private static final double TOLERANCE = 1e-6;
    private static final SamplingPolicy PLAIN = SamplingPolicy.atTemperature(TEMPERATURE);
    private static final SamplingPolicy ALL = new SamplingPolicy(TEMPERATURE, 12, .9, .05, 1.2);
    private static final Object[] WRITTEN = {"presencePenalty", .4, "frequencyPenalty", .2};
    private static final Object[] SINGLE = {"banned", List.of(2), "bias", Map.of("9", 1.5)};

    private static final ByteBuffer NUMBERS = numbers();

    /// In the order of the file.
    private enum Case {
        EPSILON(PLAIN, "epsilon", .03),
        ETA(PLAIN, "eta", .2),
        TYPICAL_OF_TRANSFORMERS(PLAIN, "typical", .6),
        TOP_A(PLAIN, "topA", .3),
        TRANSFORMERS(ALL, "typical", .9, "epsilon", .01, "eta", .02),
        VLLM(ALL, joined(WRITTEN, SINGLE, "order", "vllm")),
        SGLANG(
                new SamplingPolicy(TEMPERATURE, 6, .9, .05, 1.2),
                joined(WRITTEN, SINGLE, "order", "sglang")),
        TOP_N_SIGMA(PLAIN, "order", "llama.cpp", "topNSigma", 1.2),
        TYPICAL(PLAIN, "order", "llama.cpp", "typical", .6),
        DYNAMIC_TEMPERATURE(
                PLAIN, "dynamicTemperature", Optional.of(new DynamicTemperature(.4, 1.3))),
        PENALTIES(PLAIN, WRITTEN),
        DRY(PLAIN, "dry", Optional.of(new Dry(.8, 1.75, 2, 0, List.of(3)))),
        XTC(PLAIN, "order", "llama.cpp", "xtc", Optional.of(new Xtc(.4, .1))),
        LLAMA_CPP(
                new SamplingPolicy(TEMPERATURE, 12, .95, .05, 1),
                joined(
                        WRITTEN,
                        new Object[] {
                            "dry", Optional.of(new Dry(.8, 1.75, 2, 0, List.of(0))),
                            "xtc", Optional.of(new Xtc(.5, .1))
                        },
                        "order",
                        "llama.cpp",
                        "topNSigma",
                        2.5,
                        "typical",
                        .9)),
        /// Its second position; the first of the file's numbers is the token that llama.cpp drew at the first.
        MIROSTAT(PLAIN, "mirostat", Optional.of(new Mirostat(2.5, .3)));

        final SamplingPolicy policy;
        final OperatorChain operators;

        Case(SamplingPolicy policy, Object... settings) {
            this.policy = policy;
            this.operators = OperatorChain.of(OperatorSettings.of(settings), VOCABULARY, Set.of());
        }

        private static Object[] joined(Object[] one, Object[] other, Object... rest) {
            return IntStream.range(0, 3)
                    .mapToObj(index -> List.of(one, other, rest).get(index))
                    .flatMap(Arrays::stream)
                    .toArray();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aThousandDistributionsAreThoseOfTheLibrary(Case each) {
        double largest = 0;
        double other = 0;
        for (int index = 0; index < ROWS; index++) {
            var row = Row.of(index);
            int at = 2 * (each.ordinal() * ROWS + index);
            double first = NUMBERS.getFloat(Float.BYTES * at);
            double second = NUMBERS.getFloat(Float.BYTES * (at + 1));
            double[] p = row.distribution(each, each.operators.firstState());
            if (each == Case.MIROSTAT) {
                double state =
                        each.operators.nextState(each.operators.firstState(), p[(int) first]);
                p = Row.of((index + 1) % ROWS).distribution(each, state);
                largest = Math.max(largest, Math.abs(row.sum(p, 0) - second));
            } else {
                largest = Math.max(largest, Math.abs(row.sum(p, 0) - first));
                largest = Math.max(largest, Math.abs(row.sum(p, 1) - second));
            }
            double[] unoperated = row.distribution(Case.EPSILON, 0);
            other = Math.max(other, Math.abs(row.sum(p, 0) - row.sum(unoperated, 0)));
        }

        assertThat(largest).isLessThan(TOLERANCE);
        assertThat(other > .01 || each == Case.EPSILON).isTrue();
    }

    private static ByteBuffer numbers() {
        try (var file = LibrarySamplersTest.class.getResourceAsStream("/samplers/samplers.bin")) {
            return ByteBuffer.wrap(file.readAllBytes()).order(ByteOrder.LITTLE_ENDIAN);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A row of logits, a text and the weights of its sums.
    private record Row(float[] logits, int[] text, double[][] weights) {
        static Row of(int index) {
            var random = new Congruences(index + 1);
            var logits = new float[VOCABULARY];
            for (int token = 0; token < VOCABULARY; token++) {
                logits[token] = (float) ((random.next() + random.next() + random.next() - 1.5) * 6);
            }
            var text = new int[TEXT];
            for (int place = 0; place < TEXT; place++) {
                text[place] = (int) (random.next() * 5);
            }
            var weights = new double[2][VOCABULARY];
            for (double[] each : weights) {
                Arrays.setAll(each, _ -> random.next());
            }
            return new Row(logits, text, weights);
        }

        double[] distribution(Case each, double state) {
            var buffer = new DistributionBuffer(VOCABULARY);
            // The last tokens are a draft.
            var history =
                    new TokenHistory(
                            text, TEXT - 3, Arrays.copyOfRange(text, TEXT - 3, TEXT), PROMPT);
            new OperatorRow(each.operators, VOCABULARY)
                    .fill(each.policy, MemorySegment.ofArray(logits), history, state, buffer);
            return buffer.distribution();
        }

        double sum(double[] p, int which) {
            return IntStream.range(0, VOCABULARY)
                    .mapToDouble(token -> p[token] * weights[which][token])
                    .sum();
        }
    }

    /// Knuth's MMIX generator.
    private static final class Congruences {
        private long state;

        Congruences(long seed) {
            state = seed;
            for (int skipped = 0; skipped < 8; skipped++) {
                next();
            }
        }

        double next() {
            state = state * 6364136223846793005L + 1442695040888963407L;
            return (state >>> 33) / (double) (1L << 31);
        }
    }
}
