package dev.outrider.drafter.eagle;

import dev.outrider.drafting.VocabularyMaps;
import dev.outrider.drafting.feature.Recycling;
import dev.outrider.drafting.head.HeadLayout;
import dev.outrider.drafting.head.TensorLayout;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.FusionConfig.Switch;
import dev.outrider.nn.network.Weight;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenState.AfterLayer;
import java.util.EnumMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// The content of a checkpoint, the same for every layout.
///
/// @param dialect   name of the layout
/// @param config    the draft layers
/// @param names     of the tensors
/// @param captured  the target's states that the head reads
/// @param recycling the feature that a guess passes on to the next one
/// @param mask      input of the rows of guesses, if all guesses are made in one pass
record EagleLayout(
        String dialect,
        DecoderConfig config,
        TensorLayout names,
        List<HiddenState> captured,
        Recycling recycling,
        Optional<Mask> mask)
        implements HeadLayout {
    /// The input of a row that guesses from a mask.
    ///
    /// @param token  the mask token
    /// @param hidden the learned feature that replaces the target's states
    @SuppressWarnings("ArrayRecordComponent") // read, never compared
    record Mask(int token, float[] hidden) {
        /// Name of the feature's tensor.
        static final String TENSOR = "mask_hidden";
    }

    EagleLayout {
        captured = List.copyOf(captured);
    }

    /// Returns the names of tensors.
    ///
    /// @param fusion   name of the matrix over the features, without `.weight`
    /// @param layer    prefix of a layer; `N` stands for its number
    /// @param captured number of norms of captured states; 0 for one norm over all of them
    /// @param eagle3   whether that matrix reads captured states; it reads embedding and feature otherwise
    static TensorLayout names(String fusion, String layer, int captured, boolean eagle3) {
        var names = new EnumMap<Weight, List<String>>(Weight.class);
        names.put(Weight.EMBEDDING, List.of("embed_tokens.weight"));
        names.put(Weight.FINAL_NORM, List.of("norm.weight"));
        names.put(Weight.HEAD, List.of("lm_head.weight"));
        names.put(Weight.STREAM_NORM, List.of(layer + "hidden_norm.weight"));
        if (eagle3) {
            names.put(Weight.REDUCTION, List.of(fusion + ".weight"));
            names.put(
                    Weight.CAPTURED_NORM,
                    captured == 0
                            ? List.of("input_norm.weight")
                            : IntStream.range(0, captured)
                                    .mapToObj("fc_norm.%d.weight"::formatted)
                                    .toList());
        } else {
            names.put(Weight.JOIN, List.of(fusion + ".weight"));
            names.put(Weight.JOIN_BIAS, List.of(fusion + ".bias"));
            names.put(Weight.EMBEDDING_NORM, List.of("embed_layernorm.weight"));
            names.put(Weight.FEATURE_NORM, List.of("hidden_layernorm.weight"));
        }
        return new TensorLayout(
                layer,
                names,
                name ->
                        VocabularyMaps.NAMES.contains(name)
                                || name.equals(Mask.TENSOR)
                                || name.endsWith("rotary_emb.inv_freq"));
    }

    /// Returns the same layout with a mask.
    EagleLayout masked(Mask with) {
        return new EagleLayout(dialect, config, names, captured, recycling, Optional.of(with));
    }

    /// Returns whether a head of another layout drafts the same with the same numbers, independent of the file with the embedding.
    boolean drafts(EagleLayout other) {
        return withoutEmbedding().equals(other.withoutEmbedding())
                && captured.equals(other.captured)
                && recycling == other.recycling;
    }

    /// Returns whether guesses are made from the head's input (`norm_output`).
    boolean recyclesNormed() {
        return recycling == Recycling.AFTER_NORM;
    }

    /// Returns the captured states as numbers of layers that the residual stream has passed, without the state after
    /// the final norm.
    List<Integer> capturedLayers() {
        return captured.stream()
                .filter(AfterLayer.class::isInstance)
                .map(state -> ((AfterLayer) state).layers())
                .toList();
    }

    @Override
    public String summary() {
        var fusion = config.fusion().orElseThrow();
        return ("layout %s; reads %s; %d layer(s) of %d, rope theta %s; halves %s; residual %s;"
                        + " norm before the head %s; %s; head of %d tokens, %s; embedding %s")
                .formatted(
                        dialect,
                        captured.stream().map(EagleLayout::text).toList(),
                        config.layers(),
                        config.hiddenSize(),
                        config.ropeTheta(),
                        fusion.join(),
                        fusion.has(Switch.NORMED_RESIDUAL) ? "normed" : "as it is",
                        fusion.has(Switch.OUTPUT_NORM) ? "yes" : "no",
                        mask.map(row -> "mask token %d".formatted(row.token()))
                                .orElse("passes on " + recycling),
                        fusion.headSize(),
                        fusion.has(Switch.OWN_HEAD) ? "its own" : "the target's",
                        fusion.has(Switch.OWN_EMBEDDING) ? "its own" : "the target's");
    }

    private DecoderConfig withoutEmbedding() {
        return config.fused(config.fusion().orElseThrow().with(false, Switch.OWN_EMBEDDING));
    }

    private static String text(HiddenState state) {
        return switch (state) {
            case AfterLayer(int layers) -> "residual stream after %d layers".formatted(layers);
            case HiddenState.AfterFinalNorm() -> "state after the final norm";
        };
    }
}
