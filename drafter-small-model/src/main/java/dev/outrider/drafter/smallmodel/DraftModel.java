package dev.outrider.drafter.smallmodel;

import dev.outrider.common.CacheMemory;
import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.EncoderDecoderNetwork;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.target.TargetDescription.SourceReading;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.target.Tokenizer;
import java.util.List;
import java.util.Optional;

/// A loaded draft checkpoint.
///
/// @param network        its layers; closed with the drafter
/// @param tokenizer      its tokenizer
/// @param vocabularySize number of its logits and of the token ids it can read
/// @param maxPositions   longest sequence of the model
/// @param parameters     number of parameters
/// @param digest         lower-case hexadecimal digest of its weights
/// @param sources        its reading of sources, if it is an encoder-decoder
record DraftModel(
        DecoderNetwork network,
        Tokenizer tokenizer,
        int vocabularySize,
        int maxPositions,
        long parameters,
        String digest,
        Optional<SourceReading> sources) {
    /// Returns an empty cache. An encoder-decoder reads the source, cut to its positions; a decoder alone ignores it.
    ///
    /// @param source in its own tokens; tokens that it does not have are left out
    KvCache newCache(int rows, List<Integer> source) {
        if (sources.isPresent() && network instanceof EncoderDecoderNetwork reading) {
            var known =
                    source.stream()
                            .filter(token -> token < vocabularySize)
                            .limit(sources.get().maxPositions())
                            .toList();
            var read = known.isEmpty() ? sources.get().start() : known;
            return reading.newCache(rows, read.stream().mapToInt(Integer::intValue).toArray());
        }
        return network.newCache(rows);
    }

    /// Returns the bytes of a token in a cache; 0 if they are unknown.
    long cacheBytesPerRow() {
        return network.capability(VectorNetwork.class)
                .map(vector -> VectorNetwork.cacheBytesPerRow(vector.config()))
                .orElse(0L);
    }

    /// Loads draft checkpoints.
    @FunctionalInterface
    interface Loader {
        /// Reads the checkpoint of a configuration.
        DraftModel load(SmallModelConfig config, TargetModel target);
    }

    /// A drafter that runs one draft model and owns it.
    interface User extends Drafter, CacheMemory {
        DraftModel model();

        @Override
        default long parameters() {
            return model().parameters();
        }

        @Override
        default String digest() {
            return model().digest();
        }

        @Override
        default long bytesPerPosition() {
            return model().cacheBytesPerRow();
        }

        @Override
        default void close() {
            model().network().close();
        }
    }
}
