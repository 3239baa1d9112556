package dev.outrider.nn.network;

import java.util.Optional;

/// The backbone of a block drafter with loaded weights, if its [DecoderConfig#fusion] joins by a context: a decoder whose cache
/// holds features of a target. Its rows are a token and the masks after it; they see all features and one another.
///
/// A feature passes through no layer: each layer computes a key and a value of it, at the feature's position. So the cache has a
/// row for every position that the target has read, and a block's rows are dropped after its pass. Passes of one network are
/// serialised; caches are confined to the thread that made them.
///
/// @see "Chen, Liang, Liu 2026 (DFlash), section 3"
public interface BlockNetwork extends FeatureNetwork {
    /// Appends features as the context's next positions.
    ///
    /// @param cache    without scratch rows
    /// @param features from the target, one row a position
    void keep(KvCache cache, FeatureRows features);

    /// Appends features as [#keep] does, then runs a block at the positions after the context, whose rows the cache does not keep.
    ///
    /// @param cache  without scratch rows
    /// @param tokens of the target's vocabulary: the last committed one, then masks
    /// @param first  the first row with logits
    /// @param logits receives those of as many rows as there is space for, `[rows, headSize]`
    /// @return the head's inputs, `[tokens.length, hiddenSize]`, row-major; the caller owns them
    float[] states(
            KvCache cache, Optional<FeatureRows> features, int[] tokens, int first, float[] logits);
}
