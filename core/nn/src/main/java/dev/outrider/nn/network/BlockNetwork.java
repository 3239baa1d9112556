package dev.outrider.nn.network;

/// The backbone of a block drafter with loaded weights: a decoder whose cache holds features of a target. Its rows are a token and
/// the masks after it; they see all features and one another.
///
/// A feature passes through no layer: each layer computes a key and a value of it, at the feature's position. So the cache has a
/// row for every position that the target has read, and a block's rows are dropped after its pass. Passes of one network are
/// serialised; caches are confined to the thread that made them.
///
/// @see "Chen, Liang, Liu 2026 (DFlash), section 3"
public interface BlockNetwork extends AutoCloseable {
    /// Returns its architecture; its [DecoderConfig#fusion] joins by a context.
    DecoderConfig config();

    /// Returns an empty cache for `rows` rows: positions of the context and one block.
    KvCache newCache(int rows);

    /// Appends features as the context's next positions.
    ///
    /// @param cache    without scratch rows
    /// @param features from the target, one row a position
    void keep(KvCache cache, FeatureRows features);

    /// Runs a block at the positions after the context, and leaves the cache as it was.
    ///
    /// @param cache  without scratch rows
    /// @param tokens of the target's vocabulary: the last committed one, then masks
    /// @return states for the head, `[tokens.length, hiddenSize]`, row-major; the caller owns them
    float[] states(KvCache cache, int... tokens);

    /// Logits of such states.
    ///
    /// @param states `[rows, hiddenSize]`
    /// @param logits receives `[rows, headSize]`
    void head(float[] states, int rows, float[] logits);

    /// Releases the weights. Idempotent.
    @Override
    void close();
}
