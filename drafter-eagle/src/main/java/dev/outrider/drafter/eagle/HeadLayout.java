package dev.outrider.drafter.eagle;

import dev.outrider.nn.network.FusionConfig;
import dev.outrider.drafting.feature.Recycling;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.HiddenState;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What was found in a checkpoint, in the project's own terms: every dialect is translated to this.
///
/// @param dialect   whose layout it is
/// @param config    the draft layer
/// @param names     what its tensors are called
/// @param captured  the target's states it reads
/// @param recycling what it passes on from guess to guess
/// @param mask      what its rows of guesses read, if all guesses are made in one pass
record HeadLayout(
        String dialect,
        DecoderConfig config,
        EagleNames names,
        List<HiddenState> captured,
        Recycling recycling,
        Optional<MaskRow> mask) {
    HeadLayout {
        captured = List.copyOf(captured);
    }

    /// The same with a mask.
    HeadLayout masked(MaskRow row) {
        return new HeadLayout(dialect, config, names, captured, recycling, Optional.of(row));
    }

    /// Refuses tensors that would have to be used and are not.
    ///
    /// @param read names of those that are
    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED`
    void requireNothingElse(CheckpointTensors tensors, Set<String> read) {
        tensors.names().stream()
                .filter(name -> !read.contains(name))
                .filter(name -> !names.mayStayUnread(name, tensors.names()))
                .min(String::compareTo)
                .ifPresent(name -> {
                    throw new OutriderException(
                            ErrorCode.CHECKPOINT_UNSUPPORTED,
                            "'%s' holds tensor '%s', which a head of the %s layout does not have"
                                    .formatted(tensors.source(), name, dialect),
                            "Check that config.json and the weights belong together.");
                });
    }

    /// Whether a head of another layout drafts the same from the same numbers, whichever file the embedding is in.
    boolean drafts(HeadLayout other) {
        return withoutEmbedding().equals(other.withoutEmbedding())
                && captured.equals(other.captured)
                && recycling == other.recycling;
    }

    private DecoderConfig withoutEmbedding() {
        return config.fused(config.fusion().orElseThrow().with(false, FusionConfig.Switch.OWN_EMBEDDING));
    }

    /// Whether guesses are made from the state that the head reads (`norm_output`).
    boolean recyclesNormed() {
        return switch (recycling) {
            case AFTER_NORM -> true;
            case BEFORE_NORM, TARGET -> false;
        };
    }

    /// The captured states as numbers of layers the residual stream has passed; without the one after the final norm.
    List<Integer> capturedLayers() {
        return captured.stream()
                .filter(HiddenState.AfterLayer.class::isInstance)
                .map(state -> ((HiddenState.AfterLayer) state).layers())
                .toList();
    }

    /// One line for people: what was decided about the dialect's switches.
    String summary() {
        var fusion = config.fusion().orElseThrow();
        return ("layout %s; reads %s; %d layer(s) of %d, rope theta %s; halves %s; residual %s;"
                        + " norm before the head %s; %s; head of %d tokens, %s; embedding %s")
                .formatted(
                        dialect,
                        captured.stream().map(HeadLayout::text).toList(),
                        config.layers(),
                        config.hiddenSize(),
                        config.ropeTheta(),
                        fusion.join(),
                        fusion.has(FusionConfig.Switch.NORMED_RESIDUAL) ? "normed" : "as it is",
                        fusion.has(FusionConfig.Switch.OUTPUT_NORM) ? "yes" : "no",
                        mask.map(row -> "mask token %d".formatted(row.token()))
                                .orElse("passes on " + recycling),
                        fusion.headSize(),
                        fusion.has(FusionConfig.Switch.OWN_HEAD) ? "its own" : "the target's",
                        fusion.has(FusionConfig.Switch.OWN_EMBEDDING) ? "its own" : "the target's");
    }

    private static String text(HiddenState state) {
        return switch (state) {
            case HiddenState.AfterLayer(int layers) ->
                    "residual stream after %d layers".formatted(layers);
            case HiddenState.AfterFinalNorm() -> "state after the final norm";
        };
    }
}
