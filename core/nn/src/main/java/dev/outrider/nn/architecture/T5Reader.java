package dev.outrider.nn.architecture;

import dev.outrider.nn.network.BlockForm;
import dev.outrider.nn.network.BlockForm.Activation;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Part;
import dev.outrider.nn.network.Positions;
import java.util.List;
import java.util.Optional;

/// Reads what a configuration of T5 1.0, 1.1, Flan-T5 or mT5 says of its stacks.
///
/// @see "Raffel et al. 2020, section 2.1; Shazeer 2020 (gated feed-forward layers of 1.1)"
final class T5Reader {
    private static final String GATED = "gated-";

    private final ConfigNode root;

    private T5Reader(ConfigNode root) {
        this.root = root;
    }

    static Stacks read(ConfigNode root) {
        return new T5Reader(root).stacks();
    }

    private Stacks stacks() {
        try {
            int layers = root.positive("num_layers");
            return new Stacks(
                    stack(root.positive("num_decoder_layers", layers), Part.CROSS_DECODER),
                    Optional.of(new EncoderConfig(stack(layers, Part.ENCODER), start())));
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw root.invalid("describes no encoder-decoder: " + e.getMessage());
        }
    }

    /// The decoder begins with the pad token.
    private List<Integer> start() {
        int pad = root.natural("pad_token_id", 0);
        return List.of(root.natural("decoder_start_token_id", pad));
    }

    private DecoderConfig stack(int layers, Part part) {
        int hidden = root.positive("d_model");
        int heads = root.positive("num_heads");
        boolean tied = root.truth("tie_word_embeddings", false);
        var kind = root.text("feed_forward_proj", "relu");
        var positions =
                new Positions.Relative(
                        root.positive("relative_attention_num_buckets", 32),
                        root.positive("relative_attention_max_distance", 128));
        boolean gated = kind.startsWith(GATED);
        return DecoderConfig.builder()
                .vocabularySize(root.positive("vocab_size"))
                .hiddenSize(hidden)
                .intermediateSize(root.positive("d_ff"))
                .layers(layers)
                .heads(heads)
                .headSize(root.positive("d_kv"))
                .maxPositions(root.positive("n_positions"))
                .normEpsilon(root.number("layer_norm_epsilon", 1e-6))
                .tiedHead(tied)
                .form(
                        BlockForm.t5(
                                activation(kind),
                                gated,
                                positions,
                                tied ? 1 / Math.sqrt(hidden) : 1))
                .part(part)
                .build();
    }

    /// The gated GELU of 1.1 is the approximation.
    private Activation activation(String kind) {
        return switch (kind) {
            case "relu", "gated-relu" -> Activation.RELU;
            case "gated-gelu", "gated-gelu_new", "gelu_new" -> Activation.GELU_TANH;
            case "gelu" -> Activation.GELU;
            case "silu", "gated-silu" -> Activation.SILU;
            default ->
                    throw root.unsupported(
                            "feed_forward_proj '%s'".formatted(kind),
                            "relu, gelu, gelu_new and silu, with 'gated-' before them or not");
        };
    }
}
