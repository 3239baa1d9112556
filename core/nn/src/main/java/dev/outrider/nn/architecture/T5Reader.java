package dev.outrider.nn.architecture;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.common.Require;
import dev.outrider.nn.architecture.ModelConfigReader.Stacks;
import dev.outrider.nn.network.BlockForm;
import dev.outrider.nn.network.BlockForm.Activation;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Part;
import dev.outrider.nn.network.Positions;
import java.util.List;
import java.util.Optional;

/// Reads the stacks of a configuration of T5 1.0, 1.1, Flan-T5 or mT5.
///
/// @see "Raffel et al. 2020, section 2.1; Shazeer 2020 (gated feed-forward layers of 1.1)"
record T5Reader(ConfigNode root) {
    private static final String GATED = "gated-";

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

    /// Writes the configuration that [T5Reader] reads.
    static final class T5Writer {
        private T5Writer() {}

        /// @throws IllegalArgumentException if a configuration of T5 cannot express the stacks
        static void write(ModelConfig config, EncoderConfig encoder, ObjectNode root) {
            var decoder = config.decoder();
            if (config.family() != Family.T5
                    || !(decoder.form().positions() instanceof Positions.Relative positions)
                    || !decoder.form().equals(form(decoder, positions))
                    || !encoder.stack().equals(encoderOf(decoder, encoder.stack().layers()))
                    || encoder.start().size() != 1) {
                throw new IllegalArgumentException(
                        "model type %s cannot express the decoder %s with the encoder %s"
                                .formatted(config.family().modelType(), decoder, encoder));
            }
            int start = encoder.start().getFirst();
            root.put("is_encoder_decoder", true);
            root.put("d_model", decoder.hiddenSize());
            root.put("d_kv", decoder.headSize());
            root.put("d_ff", decoder.intermediateSize());
            root.put("num_layers", encoder.stack().layers());
            root.put("num_decoder_layers", decoder.layers());
            root.put("num_heads", decoder.heads());
            root.put("relative_attention_num_buckets", positions.buckets());
            root.put("relative_attention_max_distance", positions.maxDistance());
            root.put("n_positions", decoder.maxPositions());
            root.put("layer_norm_epsilon", decoder.normEpsilon());
            root.put("dropout_rate", 0.0);
            root.put("feed_forward_proj", feedForward(decoder.form()));
            root.put("tie_word_embeddings", decoder.tiedHead());
            root.put("pad_token_id", start);
            root.put("decoder_start_token_id", start);
        }

        private static BlockForm form(DecoderConfig decoder, Positions.Relative positions) {
            double headScale = decoder.tiedHead() ? 1 / Math.sqrt(decoder.hiddenSize()) : 1;
            return BlockForm.t5(
                    decoder.form().feedForward().activation(),
                    decoder.form().feedForward().gated(),
                    positions,
                    headScale);
        }

        /// Returns the encoder: it has the sizes of the decoder.
        private static DecoderConfig encoderOf(DecoderConfig decoder, int layers) {
            return decoder.toBuilder().part(Part.ENCODER).layers(layers).build();
        }

        /// In Transformers "gated-gelu" means the approximation, and "gelu" alone the exact function.
        private static String feedForward(BlockForm form) {
            var function =
                    switch (form.feedForward().activation()) {
                        case RELU -> "relu";
                        case SILU -> "silu";
                        case GELU_TANH -> form.feedForward().gated() ? "gelu" : "gelu_new";
                        case GELU -> {
                            Require.that(
                                    !form.feedForward().gated(),
                                    "model type t5 has no gated GELU but the approximation");
                            yield "gelu";
                        }
                    };
            return form.feedForward().gated() ? "gated-" + function : function;
        }
    }
}
