package dev.outrider.nn.shape;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.HalfFloats;
import dev.outrider.nn.checkpoint.SafetensorsWriter;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.nn.checkpoint.TensorType;
import dev.outrider.nn.network.CheckpointWeights;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.target.HiddenState;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A checkpoint in a larger shape computes the same logits and hidden states.
class ShapedCheckpointTest extends ShapeFiles {
    private static final int[] TEXT = {3, 17, 4, 4, 30, 9, 22, 1, 12, 39, 8, 25};

    /// The root of half of what the epsilon adds, 24 * 0.01 * 0.5, cut to bfloat16.
    private static final float MARKER = 0.345703125f;

    private static final float EXCLUDED = -32768;

    private record Computed(float[][] logits, float[][] states) {
        static Computed of(Path folder) {
            var directory = new Checkpoint(folder);
            var model = ModelConfig.read(directory);
            var wanted =
                    List.<HiddenState>of(
                            new HiddenState.AfterLayer(1),
                            new HiddenState.AfterLayer(LAYERS),
                            new HiddenState.AfterFinalNorm());
            try (var tensors = directory.openTensors();
                    var network =
                            new VectorNetwork(
                                    model.decoder(),
                                    CheckpointWeights.of(
                                            model.decoder(), tensors, model.quantisation()),
                                    Precision.F32);
                    var cache = network.newCache(TEXT.length);
                    var result =
                            network.forward(
                                    List.of(RowBlock.continuing(cache, TEXT)),
                                    new PassOutputs(
                                            PassOutputs.LogitRows.ALL, Set.copyOf(wanted)))) {
                var logits = new float[TEXT.length][];
                var states = new float[TEXT.length * wanted.size()][];
                for (int row = 0; row < TEXT.length; row++) {
                    logits[row] = result.logits(row).toArray(ValueLayout.JAVA_FLOAT);
                    for (int state = 0; state < wanted.size(); state++) {
                        states[row * wanted.size() + state] =
                                result.hidden(wanted.get(state), row)
                                        .toArray(ValueLayout.JAVA_FLOAT);
                    }
                }
                return new Computed(logits, states);
            }
        }

        /// Greatest difference of logits and states from those of the small model, in what that has.
        double differenceFrom(Computed small) {
            return Math.max(difference(logits, small.logits), difference(states, small.states));
        }

        private static double difference(float[][] mine, float[][] small) {
            double most = 0;
            for (int row = 0; row < small.length; row++) {
                for (int at = 0; at < small[row].length; at++) {
                    most = Math.max(most, Math.abs(mine[row][at] - small[row][at]));
                }
            }
            return most;
        }

        /// The same where a row's logits are compared by their distances: with the embedding as head, the constant in the residual
        /// stream adds one number to all of them.
        Computed apart() {
            var apart = new float[logits.length][];
            for (int row = 0; row < apart.length; row++) {
                apart[row] = logits[row].clone();
                for (int token = 0; token < apart[row].length; token++) {
                    apart[row][token] -= logits[row][0];
                }
            }
            return new Computed(apart, states);
        }

        /// Greatest logit of a token that the small model does not have, less the smallest of its own.
        double furtherTokens() {
            double most = Double.NEGATIVE_INFINITY;
            for (var row : logits) {
                double least = Double.POSITIVE_INFINITY;
                for (int token = 0; token < VOCABULARY; token++) {
                    least = Math.min(least, row[token]);
                }
                for (int token = VOCABULARY; token < row.length; token++) {
                    most = Math.max(most, row[token] - least);
                }
            }
            return most;
        }
    }

    private void assertSameFunction(Small small, boolean tied) {
        var source = small.write(folder.resolve("small"));
        var shaped = Computed.of(shaped(source, tied));
        var expected = Computed.of(source);

        assertThat(
                        tied
                                ? shaped.apart().differenceFrom(expected.apart())
                                : shaped.differenceFrom(expected))
                .isLessThan(2e-4);
        assertThat(shaped.furtherTokens()).isLessThan(-100);
    }

    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, false"})
    void aDecoderComputesTheSame(boolean tied, boolean tiedShape) {
        assertSameFunction(new Small("llama", "model.", tied), tiedShape);
    }

    @Test
    void namesWithoutAPrefixAreThoseOfADecoderToo() {
        assertSameFunction(new Small("llama", "", true), false);
    }

    @Test
    void whatTheFileLeavesOutIsWritten() {
        var small = new Small("llama", "model.", true);
        small.config.remove(List.of("rms_norm_eps", "num_key_value_heads"));
        for (int layer = 0; layer < LAYERS; layer++) {
            small.put("model.layers.%d.self_attn.k_proj.weight".formatted(layer), 24, HIDDEN);
            small.put("model.layers.%d.self_attn.v_proj.weight".formatted(layer), 24, HIDDEN);
        }

        assertSameFunction(small, false);
    }

    @Test
    void theBaseOfRotationsMayBeInAnObject() {
        var small = new Small("llama", "model.", true);
        small.config
                .putObject("rope_parameters")
                .put("rope_type", "default")
                .put("rope_theta", 500_000);

        assertSameFunction(small, true);
    }

    @Test
    void biasesAndNormsOfQueriesAndKeysAreKept() {
        var biased = new Small("qwen2", "model.", true);
        for (int layer = 0; layer < LAYERS; layer++) {
            var start = "model.layers.%d.self_attn.".formatted(layer);
            biased.put(start + "q_proj.bias", 24);
            biased.put(start + "k_proj.bias", 12);
            biased.put(start + "v_proj.bias", 12);
        }
        biased.config.putArray("layer_types").add("full_attention").add("full_attention");

        assertSameFunction(biased, false);
    }

    @Test
    void noLayerGetsAWindow() {
        var listed = new Small("mistral", "model.", false);
        listed.config.put("sliding_window", 4);
        listed.config.putArray("layer_types").add("full_attention").add("full_attention");

        assertSameFunction(listed, false);
    }

    @Test
    void furtherLayersGetNoWindow() {
        var counted = new Small("qwen3", "model.", true);
        counted.config
                .put("head_dim", 6)
                .put("use_sliding_window", true)
                .put("sliding_window", 4)
                .put("max_window_layers", LAYERS);
        for (int layer = 0; layer < LAYERS; layer++) {
            counted.put("model.layers.%d.self_attn.q_norm.weight".formatted(layer), 6);
            counted.put("model.layers.%d.self_attn.k_norm.weight".formatted(layer), 6);
        }
        var shaped = shaped(counted.write(folder.resolve("small")), false);

        assertThat(ModelConfig.read(new Checkpoint(shaped)).decoder().slidingWindow()).isEmpty();
    }

    /// The norms of a head take the epsilon of the others, so it is small here.
    @Test
    void normsOfQueriesAndKeysAreKept() {
        var normed = new Small("qwen3", "model.", false);
        normed.config.put("head_dim", 8).put("rms_norm_eps", 1e-6);
        normed.layers("model.", 8);
        for (int layer = 0; layer < LAYERS; layer++) {
            normed.put("model.layers.%d.self_attn.q_norm.weight".formatted(layer), 8);
            normed.put("model.layers.%d.self_attn.k_norm.weight".formatted(layer), 8);
        }

        assertSameFunction(normed, false);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rope_theta", "rms_norm_eps", "model.norm.weight", "q_proj"})
    void aWrongFactorIsNoticed(String what) throws IOException {
        var source = new Small("llama", "model.", false).write(folder.resolve("small"));
        var shaped = shaped(source, false);
        var file = shaped.resolve("config.json");
        var config = (ObjectNode) MAPPER.readTree(file.toFile());
        if (config.has(what)) {
            config.put(what, config.required(what).doubleValue() * 1.05);
            Files.writeString(file, config.toString());
        } else {
            scale(shaped, what);
        }

        assertThat(Computed.of(shaped).differenceFrom(Computed.of(source))).isGreaterThan(1e-3);
    }

    private static void scale(Path shaped, String what) {
        var changed = new TreeMap<String, StoredTensor>();
        try (var tensors = new Checkpoint(shaped).openTensors()) {
            for (var name : tensors.names()) {
                var tensor = tensors.tensor(name);
                var numbers = tensor.toFloats();
                for (int index = 0; name.contains(what) && index < numbers.length; index++) {
                    numbers[index] *= 1.02f;
                }
                var shape = tensor.shape().stream().mapToLong(Long::longValue).toArray();
                changed.put(name, StoredTensor.ofFloats(name, numbers, shape));
            }
        }
        SafetensorsWriter.write(shaped.resolve("model.safetensors"), changed.values(), Map.of());
    }

    @ParameterizedTest
    @CsvSource({"F32, true", "F16, true", "BF16, true", "F32, false", "F16, false", "BF16, false"})
    void matricesKeepTheirTypeAndNumbers(TensorType type, boolean tied) {
        var small = new Small("llama", "model.", true);
        var embedding = "model.embed_tokens.weight";
        var queries = "model.layers.1.self_attn.q_proj.weight";
        small.as(type, embedding);
        small.as(type, queries);
        small.as(type, "model.norm.weight");
        var shaped = shaped(small.write(folder.resolve("small")), tied);
        var own = small.numbers(embedding);

        try (var tensors = new Checkpoint(shaped).openTensors()) {
            var written = tensors.tensor(embedding);
            assertThat(written.type()).isEqualTo(type);
            assertThat(written.toFloats()).isEqualTo(wide(own, MARKER, tied ? EXCLUDED : 0));
            if (!tied) {
                var head = tensors.tensor("lm_head.weight");
                assertThat(head.type()).isEqualTo(type);
                assertThat(head.toFloats()).isEqualTo(wide(own, 0, EXCLUDED));
            }
            assertThat(tensors.tensor(queries).type()).isEqualTo(type);
            assertThat(tensors.tensor(queries).toFloats())
                    .isEqualTo(wideQueries(small.numbers(queries), type));
            assertThat(tensors.tensor("model.norm.weight").type()).isEqualTo(TensorType.F32);
        }
    }

    /// The corner, the column of the constant, and the rows of tokens that the small model does not have.
    private static float[] wide(float[] own, float marker, float excluded) {
        var wide = new float[55 * 40];
        for (int row = 0; row < 55; row++) {
            boolean known = row < VOCABULARY;
            if (known) {
                System.arraycopy(own, row * HIDDEN, wide, row * 40, HIDDEN);
            }
            wide[row * 40 + HIDDEN] = known ? marker : excluded;
        }
        return wide;
    }

    /// Heads of 6 become the first of 8 heads of 10, each half of one at the beginning of a half.
    private static float[] wideQueries(float[] own, TensorType type) {
        var wide = new float[80 * 40];
        for (int row = 0; row < 24; row++) {
            int number = row % 6;
            int wideRow = row / 6 * 10 + (number < 3 ? number : number + 2);
            for (int column = 0; column < HIDDEN; column++) {
                float scaled = (float) (own[row * HIDDEN + column] * (1 / Math.sqrt(6 / 10.0)));
                wide[wideRow * 40 + column] = rounded(scaled, type);
            }
        }
        return wide;
    }

    private static float rounded(float number, TensorType type) {
        return switch (type) {
            case F16 -> Float.float16ToFloat(Float.floatToFloat16(number));
            case BF16 -> HalfFloats.fromBfloat16(HalfFloats.toBfloat16(number));
            default -> number;
        };
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatNothingReadsIsLeftOut(boolean tied) {
        var small = new Small("llama", "model.", true);
        var read = new TreeSet<>(small.tensors.keySet());
        small.put("lm_head.weight", VOCABULARY, HIDDEN);
        small.put("model.layers.0.self_attn.rotary_emb.inv_freq", 3);

        assertSameFunction(small, tied);
        try (var tensors = new Checkpoint(folder.resolve("shaped")).openTensors()) {
            var expected = new TreeSet<>(read);
            for (var name : read) {
                for (int layer = LAYERS; layer < LAYERS + 2; layer++) {
                    expected.add(name.replace("layers.0.", "layers.%d.".formatted(layer)));
                }
            }
            if (!tied) {
                expected.add("lm_head.weight");
            }
            assertThat(tensors.names()).containsExactlyInAnyOrderElementsOf(expected);
        }
    }
}
