package dev.outrider.drafter.medusa.sequence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.drafter.medusa.sequence.RedrafterCheckpoint.RedrafterNames;
import dev.outrider.drafting.TinyTarget;
import dev.outrider.drafting.head.BackendKey;
import dev.outrider.drafting.head.DraftBackend;
import dev.outrider.drafting.head.HeadFile;
import dev.outrider.drafting.head.HeadMatrices;
import dev.outrider.drafting.head.SequenceHeads;
import dev.outrider.drafting.head.TargetWeights;
import dev.outrider.nn.network.Precision;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests the authors' layouts, tensor by tensor: heads that were read compute the same as plain loops over the same numbers; files
/// with missing or unknown tensors or wrong shapes are refused.
class LayoutTest {
    private static final int HIDDEN = 5;
    private static final int VOCABULARY = 7;
    private static final int HEADS = 3;

    @TempDir Path folder;

    private final HeadFile tensors = new HeadFile(4);
    private final float[] embeddings = tensors.random("e", VOCABULARY, HIDDEN).values("e");
    private final float[] targetHead = tensors.random("t", VOCABULARY, HIDDEN).values("t");

    @ParameterizedTest
    @CsvSource({
        "1, true, true, VECTOR",
        "1, true, false, VECTOR",
        "3, true, true, VECTOR",
        "2, false, false, VECTOR",
        "3, true, true, TORNADO",
        "2, false, false, TORNADO"
    })
    void hydrasTensorsComputeWhatPlainLoopsDo(
            int layers, boolean own, boolean biased, DraftBackend backend) {
        writeHydra(layers, own, biased);
        hydraConfig(layers, "mlp", "true", 0);

        try (var target = TinyTarget.SHALLOW.open();
                var checkpoint = HydraCheckpoint.open(folder, HIDDEN, VOCABULARY);
                var heads =
                        checkpoint.load(
                                HEADS,
                                new HeadMatrices(
                                        "hydra",
                                        checkpoint.matrices(),
                                        Optional.of(Precision.F32),
                                        new BackendKey(backend),
                                        target),
                                new Lent())) {
            assertThat(checkpoint.sizes().heads()).isEqualTo(HEADS);
            assertThat(checkpoint.sizes().blocks()).isEqualTo(layers);
            for (int guess = 0; guess < HEADS; guess++) {
                var path = new int[] {3, 6, 1};
                double[] x = widened(hidden());
                for (int token = 0; token <= guess; token++) {
                    x = joined(x, embedding(path[token]));
                }
                var first = HydraCheckpoint.NAMES.block(guess, 0);
                double[] y =
                        sum(
                                affine(HydraCheckpoint.NAMES.residual(guess), x),
                                silu(affine(first, x)));
                for (int layer = 1; layer < layers; layer++) {
                    y = sum(y, silu(affine(HydraCheckpoint.NAMES.block(guess, layer), y)));
                }
                var projection = HydraCheckpoint.NAMES.projection(guess);
                double[] expected =
                        !own
                                ? product(targetHead, y)
                                : biased
                                        ? affine(projection, y)
                                        : product(tensors.values(projection + ".weight"), y);
                assertClose(logits(heads, guess, path), expected);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"true, 10, 2, true", "false, 10, 1, true", "true, 6, 1, true", "true, 5, 0, false"})
    void redraftersTensorsComputeWhatPlainLoopsDo(boolean rnn, int exit, int layers, boolean own) {
        writeRedrafter(rnn, exit, layers, own);
        redrafterConfig(rnn, exit, layers);

        try (var checkpoint = RedrafterCheckpoint.open(folder, HIDDEN, VOCABULARY);
                var head = checkpoint.load(9, Precision.F32, new Lent())) {
            var path = new int[] {3, 6, 1, 1};
            double[] state = new double[HIDDEN];
            for (int guess = 0; guess < path.length; guess++) {
                double[] e = embedding(path[guess]);
                state =
                        rnn
                                ? silu(
                                        sum(
                                                affine(RedrafterNames.STATE, state),
                                                product(
                                                        tensors.values(
                                                                RedrafterNames.TOKEN + ".weight"),
                                                        e)))
                                : sum(state, e);
                double[] y = joined(widened(hidden()), state);
                if (exit != 2 * HIDDEN) {
                    y = affine(RedrafterNames.INPUT, y);
                }
                for (int layer = 0; layer < layers; layer++) {
                    y = sum(y, silu(affine(RedrafterNames.blockName(layer), y)));
                }
                double[] expected =
                        product(
                                own
                                        ? tensors.values(
                                                RedrafterNames.projectionName(layers) + ".weight")
                                        : targetHead,
                                y);
                assertClose(logits(head, guess, path), expected);
            }
        }
    }

    @Test
    void theTargetsEmbeddingBesideTheHeadsIsIgnored() {
        writeHydra(1, true, true);
        tensors.random("input_embed_fn.weight", VOCABULARY, HIDDEN).write(folder);

        HydraCheckpoint.open(folder, HIDDEN, VOCABULARY).close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "hydra_mlp.1.0.linear.weight | CHECKPOINT_INCOMPLETE",
                "hydra_mlp.2.0.res_connection.bias | CHECKPOINT_INCOMPLETE",
                "hydra_mlp.0.1.linear.bias | CHECKPOINT_INCOMPLETE",
                "hydra_lm_head.1.weight | CHECKPOINT_INCOMPLETE",
                "hydra_lm_head.0.weight | CHECKPOINT_UNSUPPORTED",
            })
    void hydraWithoutATensorIsRefused(String name, String code) {
        writeHydra(2, true, true);
        tensors.remove(name).write(folder);

        assertThatThrownBy(() -> HydraCheckpoint.open(folder, HIDDEN, VOCABULARY))
                .hasMessageContaining(code)
                .hasMessageContaining(name.startsWith("hydra_lm_head.0") ? "hydra_lm_head" : name);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "hydra_mlp.1.0.linear.weight | 5, 10 | CHECKPOINT_SHAPE_MISMATCH",
                "hydra_mlp.0.0.res_connection.weight | 10, 5 | CHECKPOINT_SHAPE_MISMATCH",
                "hydra_mlp.0.0.linear.bias | 4 | CHECKPOINT_SHAPE_MISMATCH",
                "hydra_lm_head.2.weight | 8, 5 | DRAFTER_VOCABULARY_MISMATCH",
                "hydra_lm_head.2.bias | 8 | CHECKPOINT_SHAPE_MISMATCH",
                "hydra_mlp.99.0.linear.weight | 1 | CHECKPOINT_UNSUPPORTED",
                "hydra_mlp.0.0.linear.scale | 1 | CHECKPOINT_UNSUPPORTED",
                "prefix_embeding_layer.norm.weight | 5 | CHECKPOINT_UNSUPPORTED",
            })
    void hydraOfAnotherShapeIsRefused(String name, String shape, String code) {
        writeHydra(1, true, true);
        tensors.random(name, shape(shape)).write(folder);

        assertThatThrownBy(() -> HydraCheckpoint.open(folder, HIDDEN, VOCABULARY))
                .hasMessageContaining(code);
    }

    @Test
    void hydraThatIsConfiguredOtherwiseIsRefused() {
        writeHydra(1, true, true);
        hydraConfig(1, "prefix-mlp", "true", 0);
        assertRefused("CHECKPOINT_UNSUPPORTED", "hydra_head_arch 'prefix-mlp'; expected 'mlp'");
        hydraConfig(1, "mlp", "false", 0);
        assertRefused("CHECKPOINT_UNSUPPORTED", "grounded_heads false");
        hydraConfig(1, "mlp", "true", 2);
        assertRefused("CHECKPOINT_UNSUPPORTED", "hidden_state_offset 2");
        hydraConfig(2, "mlp", "true", 0);
        assertRefused("MODEL_CONFIG_INVALID", "hydra_num_layers 2");
    }

    @Test
    void hydraAsAPickleIsRefused() throws IOException {
        Files.writeString(folder.resolve("hydra_lm_head.pt"), "anything");
        assertRefused("PICKLE_REFUSED", "'hydra_lm_head.pt'");
    }

    @Test
    void headsOfAnotherKindAreNotHydras() {
        writeRedrafter(true, 10, 1, true);
        assertRefused("CHECKPOINT_UNSUPPORTED", "there is no tensor like hydra_mlp.0.0.linear");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rnn_u.weight",
                "rnn_u.bias",
                "rnn_w.weight",
                "lm_head.0.linear.weight",
                "lm_head.0.linear.bias",
                "lm_head.1.weight",
                "input_proj.bias"
            })
    void redrafterWithoutATensorIsRefused(String name) {
        writeRedrafter(true, 6, 1, true);
        redrafterConfig(true, 6, 1);
        tensors.remove(name).write(folder);

        assertThatThrownBy(() -> RedrafterCheckpoint.open(folder, HIDDEN, VOCABULARY))
                .hasMessageContaining("CHECKPOINT_INCOMPLETE")
                .hasMessageContaining(name);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rnn_u.weight | 5, 6 | CHECKPOINT_SHAPE_MISMATCH",
                "rnn_w.weight | 5 | CHECKPOINT_SHAPE_MISMATCH",
                "lm_head.0.linear.weight | 6, 6 | CHECKPOINT_SHAPE_MISMATCH",
                "lm_head.1.weight | 9, 10 | DRAFTER_VOCABULARY_MISMATCH",
                "input_proj.weight | 10, 10 | CHECKPOINT_UNSUPPORTED",
                "gru.weight | 1 | CHECKPOINT_UNSUPPORTED",
            })
    void redrafterOfAnotherShapeIsRefused(String name, String shape, String code) {
        writeRedrafter(true, 10, 1, true);
        redrafterConfig(true, 10, 1);
        tensors.random(name, shape(shape)).write(folder);

        assertThatThrownBy(() -> RedrafterCheckpoint.open(folder, HIDDEN, VOCABULARY))
                .hasMessageContaining(code);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'rnn': false, 'exit_dim': 10, 'num_draft_layers': 1 | CHECKPOINT_UNSUPPORTED",
                "'rnn': true, 'exit_dim': 10, 'num_draft_layers': 99 | CHECKPOINT_UNSUPPORTED",
                "'rnn': true, 'exit_dim': -1, 'num_draft_layers': 1 | MODEL_CONFIG_INVALID",
                "'rnn': true, 'num_draft_layers': 1 | MODEL_CONFIG_INVALID",
                "'rnn': 'gru', 'exit_dim': 10, 'num_draft_layers': 1 | MODEL_CONFIG_INVALID",
                "'rnn': true, 'exit_dim': 10, 'num_draft_layers': 1, 'hidden_size': 8 | CHECKPOINT_SHAPE_MISMATCH",
                "'rnn': true, 'exit_dim': 10, 'num_draft_layers': 1, 'vocab_size': 8 | DRAFTER_VOCABULARY_MISMATCH",
            })
    void redrafterThatIsConfiguredOtherwiseIsRefused(String config, String code) {
        writeRedrafter(true, 10, 1, true);
        HeadFile.config(folder, "{" + config.replace('\'', '"') + "}");

        assertThatThrownBy(() -> RedrafterCheckpoint.open(folder, HIDDEN, VOCABULARY))
                .hasMessageContaining(code);
    }

    private void assertRefused(String code, String part) {
        assertThatThrownBy(() -> HydraCheckpoint.open(folder, HIDDEN, VOCABULARY))
                .hasMessageContaining(code)
                .hasMessageContaining(part);
    }

    private void writeHydra(int layers, boolean own, boolean biased) {
        forgetTarget();
        for (int head = 0; head < HEADS; head++) {
            for (int layer = 0; layer < layers; layer++) {
                var name = HydraCheckpoint.NAMES.block(head, layer);
                biased(name, HIDDEN, layer == 0 ? (head + 2) * HIDDEN : HIDDEN);
            }
            biased(HydraCheckpoint.NAMES.residual(head), HIDDEN, (head + 2) * HIDDEN);
            if (own) {
                tensors.random(
                        HydraCheckpoint.NAMES.projection(head) + ".weight", VOCABULARY, HIDDEN);
                if (biased) {
                    tensors.random(HydraCheckpoint.NAMES.projection(head) + ".bias", VOCABULARY);
                }
            }
        }
        tensors.write(folder);
    }

    private void writeRedrafter(boolean rnn, int exit, int layers, boolean own) {
        forgetTarget();
        if (exit != 2 * HIDDEN) {
            biased(RedrafterNames.INPUT, exit, 2 * HIDDEN);
        }
        for (int layer = 0; layer < layers; layer++) {
            biased(RedrafterNames.blockName(layer), exit, exit);
        }
        if (own) {
            tensors.random(RedrafterNames.projectionName(layers) + ".weight", VOCABULARY, exit);
        }
        if (rnn) {
            biased(RedrafterNames.STATE, HIDDEN, HIDDEN);
            tensors.random(RedrafterNames.TOKEN + ".weight", HIDDEN, HIDDEN);
        }
        tensors.write(folder);
    }

    private void forgetTarget() {
        tensors.remove("e").remove("t");
    }

    private void biased(String name, int rows, int columns) {
        tensors.random(name + ".weight", rows, columns).random(name + ".bias", rows);
    }

    private void hydraConfig(int layers, String architecture, String grounded, int offset) {
        HeadFile.config(
                folder,
                """
                {"hydra_num_heads": 3, "hydra_num_layers": %d, "hydra_head_arch": "%s", "grounded_heads": %s, "hidden_state_offset": %d}
                """
                        .formatted(layers, architecture, grounded, offset));
    }

    private void redrafterConfig(boolean rnn, int exit, int layers) {
        HeadFile.config(
                folder,
                """
                {"vocab_size": 7, "hidden_size": 5, "exit_dim": %d, "num_draft_layers": %d, "rnn": %s, "num_lookback_tokens": -1}
                """
                        .formatted(exit, layers, rnn));
    }

    /// Returns the logits of two rows; the test looks at the second row, and the first row gets other tokens.
    private float[] logits(SequenceHeads heads, int guess, int[] path) {
        var states = List.of(heads.start(hidden()), heads.start(hidden()));
        for (int token = 0; token <= guess; token++) {
            states = heads.after(states, new int[] {2, path[token]});
        }
        var logits = new float[2 * VOCABULARY];
        heads.logits(guess, states, logits);
        return Arrays.copyOfRange(logits, VOCABULARY, 2 * VOCABULARY);
    }

    private static float[] hidden() {
        return new float[] {0.5f, -1, 0.25f, 2, -0.75f};
    }

    private static void assertClose(float[] found, double[] expected) {
        for (int token = 0; token < VOCABULARY; token++) {
            assertThat((double) found[token]).isCloseTo(expected[token], within(1e-4));
        }
    }

    private double[] embedding(int token) {
        return widened(Arrays.copyOfRange(embeddings, token * HIDDEN, (token + 1) * HIDDEN));
    }

    private double[] affine(String name, double[] x) {
        return sum(
                product(tensors.values(name + ".weight"), x),
                widened(tensors.values(name + ".bias")));
    }

    private static double[] product(float[] matrix, double[] x) {
        var y = new double[matrix.length / x.length];
        for (int row = 0; row < y.length; row++) {
            for (int column = 0; column < x.length; column++) {
                y[row] += matrix[row * x.length + column] * x[column];
            }
        }
        return y;
    }

    private static double[] sum(double[] one, double[] other) {
        var sum = new double[one.length];
        for (int i = 0; i < sum.length; i++) {
            sum[i] = one[i] + other[i];
        }
        return sum;
    }

    private static double[] silu(double[] x) {
        return Arrays.stream(x).map(value -> value / (1 + Math.exp(-value))).toArray();
    }

    private static double[] joined(double[] one, double[] other) {
        var joined = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, joined, one.length, other.length);
        return joined;
    }

    private static double[] widened(float[] values) {
        var wide = new double[values.length];
        for (int i = 0; i < wide.length; i++) {
            wide[i] = values[i];
        }
        return wide;
    }

    private static long[] shape(String text) {
        var sizes = new ArrayList<Long>();
        for (var size : text.split(", ", -1)) {
            sizes.add(Long.valueOf(size));
        }
        return sizes.stream().mapToLong(Long::longValue).toArray();
    }

    /// The weights that the target lends.
    private final class Lent implements TargetWeights {
        @Override
        public float[] embeddings(int[] tokens) {
            var rows = new float[tokens.length * HIDDEN];
            for (int row = 0; row < tokens.length; row++) {
                System.arraycopy(embeddings, tokens[row] * HIDDEN, rows, row * HIDDEN, HIDDEN);
            }
            return rows;
        }

        @Override
        public void head(float[] states, int rows, float[] logits) {
            for (int row = 0; row < rows; row++) {
                var y =
                        product(
                                targetHead,
                                widened(
                                        Arrays.copyOfRange(
                                                states, row * HIDDEN, (row + 1) * HIDDEN)));
                for (int token = 0; token < VOCABULARY; token++) {
                    logits[row * VOCABULARY + token] = (float) y[token];
                }
            }
        }
    }
}
