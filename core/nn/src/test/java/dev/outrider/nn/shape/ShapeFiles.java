package dev.outrider.nn.shape;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.HalfFloats;
import dev.outrider.nn.checkpoint.SafetensorsWriter;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.nn.checkpoint.TensorType;
import dev.outrider.nn.network.DecoderConfig;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;

/// Small checkpoints, and a larger shape for them.
abstract class ShapeFiles {
    static final int VOCABULARY = 40;
    static final int LAYERS = 2;
    static final int HIDDEN = 24;
    static final ObjectMapper MAPPER = new ObjectMapper();
    private static final ValueLayout.OfShort HALF =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final ValueLayout.OfFloat FLOAT =
            ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    @TempDir Path folder;

    /// A small decoder with random weights, and files that a test may change.
    static final class Small {
        final ObjectNode config = MAPPER.createObjectNode();
        final Map<String, StoredTensor> tensors = new TreeMap<>();
        private final Random random = new Random(7);

        Small(String family, String prefix, boolean tied) {
            config.put("model_type", family)
                    .put("vocab_size", VOCABULARY)
                    .put("hidden_size", HIDDEN)
                    .put("intermediate_size", 20)
                    .put("num_hidden_layers", LAYERS)
                    .put("num_attention_heads", 4)
                    .put("num_key_value_heads", 2)
                    .put("max_position_embeddings", 64)
                    .put("rms_norm_eps", 0.01)
                    .put("tie_word_embeddings", tied);
            layers(prefix, 6);
            put(prefix + "embed_tokens.weight", VOCABULARY, HIDDEN);
            put(prefix + "norm.weight", HIDDEN);
            if (!tied) {
                put("lm_head.weight", VOCABULARY, HIDDEN);
            }
        }

        void layers(String prefix, int headSize) {
            for (int layer = 0; layer < LAYERS; layer++) {
                var start = "%slayers.%d.".formatted(prefix, layer);
                put(start + "input_layernorm.weight", HIDDEN);
                put(start + "post_attention_layernorm.weight", HIDDEN);
                put(start + "self_attn.q_proj.weight", 4L * headSize, HIDDEN);
                put(start + "self_attn.k_proj.weight", 2L * headSize, HIDDEN);
                put(start + "self_attn.v_proj.weight", 2L * headSize, HIDDEN);
                put(start + "self_attn.o_proj.weight", HIDDEN, 4L * headSize);
                put(start + "mlp.gate_proj.weight", 20, HIDDEN);
                put(start + "mlp.up_proj.weight", 20, HIDDEN);
                put(start + "mlp.down_proj.weight", HIDDEN, 20);
            }
        }

        void put(String name, long... shape) {
            long elements = Arrays.stream(shape).reduce(1, (a, b) -> a * b);
            var numbers = new float[(int) elements];
            boolean norm = name.endsWith("norm.weight");
            for (int index = 0; index < numbers.length; index++) {
                numbers[index] = (float) (random.nextGaussian() * 0.4 + (norm ? 1 : 0));
            }
            tensors.put(name, StoredTensor.ofFloats(name, numbers, shape));
        }

        float[] numbers(String name) {
            return Objects.requireNonNull(tensors.get(name)).toFloats();
        }

        /// Keeps a tensor in a type, and its numbers as that rounds them.
        void as(TensorType type, String name) {
            var numbers = numbers(name);
            var data = Arena.ofAuto().allocate((long) type.bits() / 8 * numbers.length, 4);
            for (int index = 0; index < numbers.length; index++) {
                switch (type) {
                    case F16 -> data.setAtIndex(HALF, index, Float.floatToFloat16(numbers[index]));
                    case BF16 ->
                            data.setAtIndex(HALF, index, HalfFloats.toBfloat16(numbers[index]));
                    default -> data.setAtIndex(FLOAT, index, numbers[index]);
                }
            }
            var shape = Objects.requireNonNull(tensors.get(name)).shape();
            tensors.put(name, new StoredTensor(name, type, shape, data));
        }

        Path write(Path folder) {
            try {
                Files.createDirectories(folder);
                Files.writeString(folder.resolve("config.json"), config.toString());
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            SafetensorsWriter.write(
                    folder.resolve("model.safetensors"), tensors.values(), Map.of());
            return folder;
        }
    }

    /// More of everything: heads of another size, groups of another size, layers, tokens.
    static DecoderConfig larger(boolean tied) {
        return DecoderConfig.builder()
                .vocabularySize(55)
                .hiddenSize(40)
                .intermediateSize(28)
                .layers(LAYERS + 2)
                .heads(8)
                .keyValueHeads(8)
                .headSize(10)
                .maxPositions(64)
                .tiedHead(tied)
                .firstWindowLayer(LAYERS + 2)
                .build();
    }

    Path shaped(Path source, boolean tied) {
        var out = folder.resolve("shaped");
        ShapedCheckpoint.write(new Checkpoint(source), "larger", larger(tied), false, out);
        return out;
    }
}
