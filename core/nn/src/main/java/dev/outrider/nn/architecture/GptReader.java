package dev.outrider.nn.architecture;

import dev.outrider.nn.architecture.FormReader.Activations;
import dev.outrider.nn.network.BlockForm;
import dev.outrider.nn.network.BlockForm.Activation;
import dev.outrider.nn.network.BlockForm.FeedForward;
import dev.outrider.nn.network.BlockForm.NormKind;
import dev.outrider.nn.network.BlockForm.NormPlace;
import dev.outrider.nn.network.BlockForm.Norms;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.DecoderConfigBuilder;
import dev.outrider.nn.network.Positions;

/// Reads configurations of decoders whose positions are learned: GPT-2 and OPT.
///
/// @see "Radford et al. 2019, section 2.3; Zhang et al. 2022 (OPT), section 2.1"
record GptReader(ConfigNode root) {
    /// Rows of OPT's table before that of position 0.
    private static final int PADDING_ROWS = 2;

    static DecoderConfig read(ConfigNode root, Family family) {
        var reader = new GptReader(root);
        return family == Family.GPT2 ? reader.gpt2() : reader.opt();
    }

    private DecoderConfig gpt2() {
        if (root.truth("scale_attn_by_inverse_layer_idx", false)
                || !root.truth("scale_attn_weights", true)) {
            throw root.unsupported(
                    "scores that are scaled by layer or not at all", "scores as in GPT-2 itself");
        }
        int hidden = root.positive("n_embd");
        int positions = root.positive("n_positions", root.positive("n_ctx"));
        return stack(hidden, root.positive("n_head"))
                .intermediateSize(root.positive("n_inner", Math.multiplyExact(4, hidden)))
                .layers(root.positive("n_layer"))
                .maxPositions(positions)
                .normEpsilon(root.number("layer_norm_epsilon", 1e-5))
                .form(
                        form(
                                Activations.named(root, "activation_function", "gelu_new"),
                                new Positions.Learned(positions, 0)))
                .build();
    }

    private DecoderConfig opt() {
        int hidden = root.positive("hidden_size");
        if (root.positive("word_embed_proj_dim", hidden) != hidden
                || !root.truth("do_layer_norm_before", true)
                || root.truth("_remove_final_layer_norm", false)
                || !root.truth("enable_bias", true)
                || !root.truth("layer_norm_elementwise_affine", true)) {
            throw root.unsupported(
                    "a projection of its embedding, norms behind its blocks, or none with weights (as opt-350m and Galactica)",
                    "OPT with norms before the blocks and biases");
        }
        int positions = root.positive("max_position_embeddings");
        return stack(hidden, root.positive("num_attention_heads"))
                .intermediateSize(root.positive("ffn_dim"))
                .layers(root.positive("num_hidden_layers"))
                .maxPositions(positions)
                .form(
                        form(
                                Activations.named(root, "activation_function", "relu"),
                                new Positions.Learned(
                                        Math.addExact(positions, PADDING_ROWS), PADDING_ROWS)))
                .build();
    }

    private DecoderConfigBuilder stack(int hidden, int heads) {
        if (hidden % heads != 0) {
            throw root.invalid(
                    "a width of %d is not divisible by %d heads".formatted(hidden, heads));
        }
        return DecoderConfig.builder()
                .vocabularySize(root.positive("vocab_size"))
                .hiddenSize(hidden)
                .heads(heads)
                .tiedHead(root.truth("tie_word_embeddings", true))
                .queryKeyValueBias(true)
                .outputBias(true)
                .feedForwardBias(true);
    }

    private static BlockForm form(Activation activation, Positions positions) {
        return BlockForm.llama()
                .with(new Norms(NormKind.LAYER, NormPlace.BEFORE))
                .with(new FeedForward(activation, false))
                .with(positions);
    }

    /// Reads a configuration of GPT-NeoX, such as Pythia's.
    ///
    /// @see "Black et al. 2022, section 2; Biderman et al. 2023 (Pythia)"
    static final class NeoxReader {
        private NeoxReader() {}

        static DecoderConfig read(ConfigNode root) {
            int hidden = root.positive("hidden_size");
            int heads = root.positive("num_attention_heads");
            if (hidden % heads != 0) {
                throw root.invalid(
                        "hidden_size %d is not divisible by %d heads".formatted(hidden, heads));
            }
            int positions = root.positive("max_position_embeddings");
            var activation = Activations.named(root, "hidden_act", "gelu");
            double part =
                    root.object("rope_parameters")
                            .map(rope -> rope.number("partial_rotary_factor", 0.25))
                            .orElseGet(() -> root.number("rotary_pct", 0.25));
            boolean bias = root.truth("attention_bias", true);
            var rope =
                    RopeReader.readPartial(root, positions, root.number("rotary_emb_base", 10_000));
            return DecoderConfig.builder()
                    .vocabularySize(root.positive("vocab_size"))
                    .hiddenSize(hidden)
                    .intermediateSize(root.positive("intermediate_size"))
                    .layers(root.positive("num_hidden_layers"))
                    .heads(heads)
                    .maxPositions(positions)
                    .normEpsilon(root.number("layer_norm_eps", 1e-5))
                    .tiedHead(root.truth("tie_word_embeddings", false))
                    .queryKeyValueBias(bias)
                    .outputBias(bias)
                    .feedForwardBias(true)
                    .rotarySize((int) (hidden / heads * part))
                    .ropeTheta(rope.theta())
                    .ropeScaling(rope.scaling())
                    .form(
                            BlockForm.llama()
                                    .with(new Norms(NormKind.LAYER, NormPlace.BEFORE))
                                    .with(new FeedForward(activation, false))
                                    .withParallel(root.truth("use_parallel_residual", true)))
                    .build();
        }
    }
}
