package dev.outrider.drafter.medusa;

import dev.outrider.drafting.head.HeadFile;
import dev.outrider.nn.architecture.Family;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.architecture.ModelConfigWriter;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.network.WeightSource;
import dev.outrider.nn.target.NetworkTarget;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.target.TargetDescription;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.LetterTokenizer;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// A real decoder whose most probable successor of token t is t + 7 modulo 24, after any earlier tokens: embeddings are unit
/// vectors, layers add nothing to the residual stream, and row t + 7 of the head is the unit vector of t. It is therefore easy to
/// write heads that are always right.
final class Cycle {
    static final int TOKENS = 24;
    private static final int STEP = 7;
    static final DecoderConfig CONFIG =
            DecoderConfig.builder()
                    .vocabularySize(TOKENS)
                    .hiddenSize(TOKENS)
                    .intermediateSize(16)
                    .layers(1)
                    .heads(2)
                    .keyValueHeads(1)
                    .headSize(4)
                    .maxPositions(256)
                    .firstWindowLayer(1)
                    .build();

    private Cycle() {}

    /// Returns the token `count` places after a token.
    static int after(int token, int count) {
        return (token + STEP * count) % TOKENS;
    }

    /// Returns a projection `[V, d]` whose argmax is the token `count` places after the token of a hidden state.
    static float[] projection(int count) {
        var rows = new float[TOKENS * TOKENS];
        for (int token = 0; token < TOKENS; token++) {
            rows[after(token, count) * TOKENS + token] = 1;
        }
        return rows;
    }

    static TargetModel target() {
        return new NetworkTarget(
                new TargetDescription(
                        "cycle", "vector/f32", TOKENS, TOKENS, 1, 256, 0, Set.of(), "00"),
                new LetterTokenizer(TOKENS),
                new VectorNetwork(CONFIG, new Weights(), Precision.F32),
                1,
                () -> Long.MAX_VALUE);
    }

    /// Writes the same decoder as a checkpoint folder.
    static Path write(Path folder) {
        var tensors = new HeadFile(1);
        for (var weight : Weight.values()) {
            if (weight.present(CONFIG)) {
                tensors.put(name(weight), Weights.values(weight), weight.shape(CONFIG, 0));
            }
        }
        ModelConfigWriter.write(
                new ModelConfig(Family.LLAMA, CONFIG, List.of(), List.of(), Optional.empty()),
                folder);
        return tensors.write(folder);
    }

    private static String name(Weight weight) {
        var layer = "model.layers.0.";
        return switch (weight) {
            case EMBEDDING -> "model.embed_tokens.weight";
            case FINAL_NORM -> "model.norm.weight";
            case HEAD -> "lm_head.weight";
            case INPUT_NORM -> layer + "input_layernorm.weight";
            case FEED_FORWARD_NORM -> layer + "post_attention_layernorm.weight";
            case QUERY -> layer + "self_attn.q_proj.weight";
            case KEY -> layer + "self_attn.k_proj.weight";
            case VALUE -> layer + "self_attn.v_proj.weight";
            case OUTPUT -> layer + "self_attn.o_proj.weight";
            case GATE -> layer + "mlp.gate_proj.weight";
            case UP -> layer + "mlp.up_proj.weight";
            case DOWN -> layer + "mlp.down_proj.weight";
            default -> throw new IllegalArgumentException(weight + " is not part of the cycle");
        };
    }

    private static final class Weights implements WeightSource {
        @Override
        public void read(Weight weight, int layer, Consumer<MemorySegment> reader) {
            reader.accept(MemorySegment.ofArray(values(weight)));
        }

        static float[] values(Weight weight) {
            var values =
                    switch (weight) {
                        case EMBEDDING -> projection(0);
                        case HEAD -> projection(1);
                        default -> new float[Math.toIntExact(weight.elements(CONFIG, 0))];
                    };
            if (weight == Weight.FINAL_NORM
                    || weight == Weight.INPUT_NORM
                    || weight == Weight.FEED_FORWARD_NORM) {
                Arrays.fill(values, 1);
            }
            return values;
        }
    }
}
