package dev.outrider.drafting;

import dev.outrider.common.Require;
import dev.outrider.spi.sampling.Support;
import dev.outrider.spi.sampling.TokenHistory;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/// The mapping of a drafter's logits to the target's vocabulary. Target tokens without a logit of the drafter are
/// never drafted and have probability 0.
///
/// In most drafters, id `i` means the same token on both sides for every `i < width`: two checkpoints with one tokenizer can differ
/// in the number of padding rows, and the shared ids are then the smaller number. A drafter with a vocabulary of its own, chosen
/// from the target's, lists its tokens.
///
/// Immutable and thread-safe.
///
/// @see "Li et al. 2025 (EAGLE-3); Zhao et al. 2025 (FR-Spec)"
public final class DraftVocabulary {
    private final int width;
    private final int targetSize;
    private final int[] tokens;

    private DraftVocabulary(int width, int targetSize, int[] tokens) {
        Require.between("width", width, 1, targetSize);
        this.width = width;
        this.targetSize = targetSize;
        this.tokens = tokens;
    }

    /// The drafter's ids are the target's.
    ///
    /// @param width      number of a drafter's logits that are used
    /// @param targetSize number of the target's logits, V
    public DraftVocabulary(int width, int targetSize) {
        this(width, targetSize, new int[0]);
    }

    /// The ids that both a drafter with `drafterSize` logits and a target with `targetSize` logits have.
    public static DraftVocabulary shared(int drafterSize, int targetSize) {
        return new DraftVocabulary(Math.min(drafterSize, targetSize), targetSize);
    }

    /// The drafter's id `i` means the target's token `tokens[i]`.
    ///
    /// @param tokens     strictly ascending
    /// @param targetSize number of the target's logits, V
    public static DraftVocabulary of(int[] tokens, int targetSize) {
        for (int id = 0; id < tokens.length; id++) {
            int before = id == 0 ? -1 : tokens[id - 1];
            Require.that(
                    tokens[id] > before && tokens[id] < targetSize,
                    "token %d of id %d is not above %d and below %d",
                    tokens[id],
                    id,
                    before,
                    targetSize);
        }
        return new DraftVocabulary(tokens.length, targetSize, tokens.clone());
    }

    /// Number of a drafter's logits that are used.
    public int width() {
        return width;
    }

    /// Number of the target's logits, V.
    public int targetSize() {
        return targetSize;
    }

    /// Returns whether the drafter's ids are all of the target's.
    boolean whole() {
        return tokens.length == 0 && width == targetSize;
    }

    /// The target's token for a drafter's id.
    public int token(int id) {
        return tokens.length == 0 ? id : tokens[id];
    }

    /// The drafter's id of a target's token, if it has one.
    public OptionalInt id(int token) {
        int id = tokens.length == 0 ? token : Arrays.binarySearch(tokens, token);
        return id < 0 || id >= width ? OptionalInt.empty() : OptionalInt.of(id);
    }

    /// The drafter's ids of the distinct tokens of a history.
    IntStream seen(TokenHistory history) {
        return history.distinct().stream()
                .mapToObj(this::id)
                .filter(OptionalInt::isPresent)
                .mapToInt(OptionalInt::getAsInt);
    }

    /// Returns a history of the drafter's ids, for processors that only read which tokens have occurred.
    TokenHistory translate(TokenHistory history) {
        return tokens.length == 0 ? history : TokenHistory.of(seen(history).toArray());
    }

    /// The support of a distribution over the drafter's ids as that of the distribution over the target's; a copy.
    Support widen(Support support) {
        return tokens.length == 0 ? support.copy() : support.mapped(this::token);
    }

    /// A distribution over the drafter's ids as a distribution over the target's.
    ///
    /// @param distribution shape `[width]`
    /// @return shape `[targetSize]`; the same array when the sizes agree
    double[] widen(double[] distribution) {
        if (tokens.length == 0) {
            return width == targetSize ? distribution : Arrays.copyOf(distribution, targetSize);
        }
        var wide = new double[targetSize];
        for (int id = 0; id < width; id++) {
            wide[tokens[id]] = distribution[id];
        }
        return wide;
    }
}
