package dev.outrider.nn.draft;

import java.util.Arrays;

/// How a drafter's logits relate to the target's vocabulary: id `i` means the same token on both sides for
/// every `i < width`. Target ids from `width` on are never drafted and have probability 0.
///
/// Two checkpoints with one tokenizer can differ in the number of padding rows; the shared ids are then the
/// smaller number.
///
/// @param width      number of a drafter's logits that are used
/// @param targetSize number of the target's logits, V
public record DraftVocabulary(int width, int targetSize) {
    public DraftVocabulary {
        if (width < 1 || width > targetSize) {
            throw new IllegalArgumentException(
                    "width %d is not between 1 and targetSize %d".formatted(width, targetSize));
        }
    }

    /// The ids that both a drafter with `drafterSize` logits and a target with `targetSize` logits have.
    public static DraftVocabulary shared(int drafterSize, int targetSize) {
        return new DraftVocabulary(Math.min(drafterSize, targetSize), targetSize);
    }

    /// A law over the drafter's ids as a law over the target's.
    ///
    /// @param law shape `[width]`
    /// @return shape `[targetSize]`; the same array when the sizes agree
    double[] widen(double[] law) {
        return width == targetSize ? law : Arrays.copyOf(law, targetSize);
    }
}
