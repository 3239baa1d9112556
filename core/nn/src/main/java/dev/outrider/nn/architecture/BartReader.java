package dev.outrider.nn.architecture;

import dev.outrider.nn.architecture.FormReader.Activations;
import dev.outrider.nn.architecture.ModelConfigReader.Stacks;
import dev.outrider.nn.network.BlockForm;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Part;
import dev.outrider.nn.network.Positions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Reads the stacks of a BART or Marian configuration.
///
/// @see "Lewis et al. 2020 (BART), section 2; Junczys-Dowmunt et al. 2018 (Marian)"
record BartReader(ConfigNode root, Family family) {
    /// Rows of BART's table before that of position 0.
    private static final int PADDING_ROWS = 2;

    private static final double EPSILON = 1e-5;

    static Stacks read(ConfigNode root, Family family) {
        return new BartReader(root, family).stacks();
    }

    private Stacks stacks() {
        refuse("normalize_before");
        refuse("add_final_layer_norm");
        if (!root.truth("share_encoder_decoder_embeddings", true)
                || root.positive("decoder_vocab_size", root.positive("vocab_size"))
                        != root.positive("vocab_size")) {
            throw root.unsupported(
                    "vocabularies of its own for encoder and decoder", "one for both");
        }
        try {
            return new Stacks(
                    stack("decoder", Part.CROSS_DECODER),
                    Optional.of(new EncoderConfig(stack("encoder", Part.ENCODER), start())));
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw root.invalid("describes no encoder-decoder: " + e.getMessage());
        }
    }

    private void refuse(String key) {
        if (root.truth(key, false)) {
            throw root.unsupported(
                    "%s = true".formatted(key),
                    "stacks with a norm after every block and none at the end");
        }
    }

    /// The forced first token is a part of the decoder's start tokens.
    private List<Integer> start() {
        var start = new ArrayList<>(root.ids("decoder_start_token_id"));
        if (start.isEmpty()) {
            start.addAll(root.ids(family == Family.BART ? "eos_token_id" : "pad_token_id"));
        }
        if (start.isEmpty()) {
            throw root.invalid("has no decoder_start_token_id");
        }
        start.addAll(root.ids("forced_bos_token_id"));
        return start;
    }

    private DecoderConfig stack(String name, Part part) {
        int hidden = root.positive("d_model");
        int heads = root.positive(name + "_attention_heads");
        int positions = root.positive("max_position_embeddings");
        if (hidden % heads != 0) {
            throw root.invalid("d_model %d is not divisible by %d heads".formatted(hidden, heads));
        }
        boolean sines = root.truth("static_position_embeddings", false);
        return DecoderConfig.builder()
                .vocabularySize(root.positive("vocab_size"))
                .hiddenSize(hidden)
                .intermediateSize(root.positive(name + "_ffn_dim"))
                .layers(root.positive(name + "_layers"))
                .heads(heads)
                .maxPositions(positions)
                .normEpsilon(EPSILON)
                .tiedHead(root.truth("tie_word_embeddings", true))
                .queryKeyValueBias(true)
                .outputBias(true)
                .feedForwardBias(true)
                .form(
                        BlockForm.bart(
                                root.truth("normalize_embedding", false),
                                Activations.named(root, "activation_function", "gelu"),
                                sines
                                        ? new Positions.Sinusoidal()
                                        : new Positions.Learned(
                                                Math.addExact(positions, PADDING_ROWS),
                                                PADDING_ROWS),
                                root.truth("scale_embedding", false) ? Math.sqrt(hidden) : 1))
                .part(part)
                .build();
    }
}
