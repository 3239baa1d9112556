package dev.outrider.nn.architecture;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.nn.network.BlockForm;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Part;
import dev.outrider.nn.network.Positions;

/// Writes what [T5Reader] reads.
final class T5Writer {
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
                decoder.form().feedForward().activation(), decoder.form().feedForward().gated(), positions, headScale);
    }

    /// The encoder has the sizes of the decoder.
    private static DecoderConfig encoderOf(DecoderConfig decoder, int layers) {
        return decoder.toBuilder().part(Part.ENCODER).layers(layers).build();
    }

    /// Transformers takes "gated-gelu" for the approximation, and "gelu" alone for the function itself.
    private static String feedForward(BlockForm form) {
        var function =
                switch (form.feedForward().activation()) {
                    case RELU -> "relu";
                    case SILU -> "silu";
                    case GELU_TANH -> form.feedForward().gated() ? "gelu" : "gelu_new";
                    case GELU -> {
                        if (form.feedForward().gated()) {
                            throw new IllegalArgumentException(
                                    "model type t5 has no gated GELU but the approximation");
                        }
                        yield "gelu";
                    }
                };
        return form.feedForward().gated() ? "gated-" + function : function;
    }
}
