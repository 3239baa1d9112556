package dev.outrider.drafter.smallmodel;

import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.target.Tokenizer;

/// A loaded draft checkpoint.
///
/// @param network        its layers; closed with the drafter
/// @param tokenizer      its tokenizer
/// @param vocabularySize number of its logits and of the token ids it can read
/// @param maxPositions   longest sequence it was made for
/// @param parameters     number of parameters
/// @param digest         lower-case hexadecimal digest of its weights
record DraftModel(
        DecoderNetwork network,
        Tokenizer tokenizer,
        int vocabularySize,
        int maxPositions,
        long parameters,
        String digest) {
    /// Loads draft checkpoints.
    @FunctionalInterface
    interface Loader {
        /// Reads the checkpoint a configuration names.
        DraftModel load(SmallModelConfig config, TargetModel target);
    }
}
