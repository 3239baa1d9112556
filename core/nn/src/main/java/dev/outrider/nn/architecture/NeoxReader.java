package dev.outrider.nn.architecture;

import dev.outrider.nn.network.BlockForm;
import dev.outrider.nn.network.BlockForm.FeedForward;
import dev.outrider.nn.network.BlockForm.NormKind;
import dev.outrider.nn.network.BlockForm.NormPlace;
import dev.outrider.nn.network.BlockForm.Norms;
import dev.outrider.nn.network.DecoderConfig;

/// Reads a configuration of GPT-NeoX, such as Pythia's.
///
/// @see "Black et al. 2022, section 2; Biderman et al. 2023 (Pythia)"
final class NeoxReader {
    private NeoxReader() {}

    static DecoderConfig read(ConfigNode root) {
        int hidden = root.positive("hidden_size");
        int heads = root.positive("num_attention_heads");
        if (hidden % heads != 0) {
            throw root.invalid(
                    "hidden_size %d is not divisible by %d heads".formatted(hidden, heads));
        }
        int positions = root.positive("max_position_embeddings");
        var activation = Activations.named(root, root.text("hidden_act", "gelu"), "hidden_act");
        double part =
                root.object("rope_parameters")
                        .map(rope -> rope.number("partial_rotary_factor", 0.25))
                        .orElseGet(() -> root.number("rotary_pct", 0.25));
        boolean bias = root.truth("attention_bias", true);
        var rope = RopeReader.readPartial(root, positions, root.number("rotary_emb_base", 10_000));
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
