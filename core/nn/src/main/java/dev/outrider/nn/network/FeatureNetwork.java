package dev.outrider.nn.network;

/// A draft layer with loaded weights: a decoder whose rows have a token and a feature of the position before it.
///
/// Row t pairs the feature of position t with the token of position t + 1, has position t, and predicts the token after
/// token t + 1. Passes of one network are serialised; caches and results are confined to the thread that
/// made them.
///
/// @see "Li et al. 2024 (EAGLE), section 4.1"
public interface FeatureNetwork extends AutoCloseable {
    /// Returns its architecture, with [DecoderConfig#fusion].
    DecoderConfig config();

    /// Returns an empty cache for `rows` rows.
    KvCache newCache(int rows);

    /// Runs some rows and appends them to the block's cache as scratch rows.
    ///
    /// In the result, the state `AfterLayer(config().layers())` is the stream before the final norm, and the state
    /// `AfterFinalNorm` is the head's input, which is the same if there is no final norm. Logits have
    /// [FusionConfig#headSize] numbers.
    ///
    /// @param block    tokens of the target's vocabulary
    /// @param features one row per token
    /// @param outputs  what to report
    PassResult forward(RowBlock block, FeatureRows features, PassOutputs outputs);

    /// Releases the weights. Idempotent.
    @Override
    void close();
}
