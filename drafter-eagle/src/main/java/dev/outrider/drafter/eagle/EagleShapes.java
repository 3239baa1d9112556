package dev.outrider.drafter.eagle;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.FusionConfig;

/// The published draft layers for a target's shape, for benchmarks.
final class EagleShapes {
    private static final int CAPTURED = 3;

    private EagleShapes() {}

    /// How the layer of a generation makes its input.
    ///
    /// @param generation      1 or 3
    /// @param draftVocabulary tokens of EAGLE-3's own head; 0 for all of the target's
    /// @throws IllegalArgumentException if there is no such generation or head
    static FusionConfig fusion(int generation, DecoderConfig target, int draftVocabulary) {
        boolean third = generation == 3;
        if (generation != 1 && !third) {
            throw new IllegalArgumentException(
                    "generation %d is neither 1 nor 3".formatted(generation));
        }
        if (draftVocabulary < 0
                || draftVocabulary > target.vocabularySize()
                || (draftVocabulary > 0 && !third)) {
            throw new IllegalArgumentException(
                    "a draft vocabulary of %d: EAGLE-3 may have 1 to %d tokens, EAGLE-1 has the target's head"
                            .formatted(draftVocabulary, target.vocabularySize()));
        }
        return FusionConfig.of(
                        third
                                ? FusionConfig.Join.WIDE_FIRST_LAYER
                                : FusionConfig.Join.EMBEDDING_FIRST,
                        target.hiddenSize(),
                        draftVocabulary == 0 ? target.vocabularySize() : draftVocabulary).capturing(third ? CAPTURED : 1, FusionConfig.CapturedNorm.NONE).with(third, FusionConfig.Switch.REDUCTION).with(third, FusionConfig.Switch.FIRST_INPUT_NORM).with(third, FusionConfig.Switch.OUTPUT_NORM).with(third, FusionConfig.Switch.OWN_HEAD);
    }
}
