package dev.outrider.drafter.smallmodel;

import dev.outrider.drafter.smallmodel.SmallModelConfig.StatesOf;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.EncoderDecoderNetwork;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.NativeMemory;
import dev.outrider.nn.network.SourceEncoder;
import dev.outrider.nn.shape.ModelPaths;
import dev.outrider.nn.target.DecoderBackend;
import dev.outrider.nn.target.LoadedDecoder;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.TargetDescription.SourceReading;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.target.Tokenizer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// A loaded draft checkpoint.
///
/// @param network        its layers; closed with the drafter
/// @param tokenizer      its tokenizer
/// @param vocabularySize number of its logits and of the token ids it can read
/// @param maxPositions   longest sequence it was made for
/// @param parameters     number of parameters
/// @param digest         lower-case hexadecimal digest of its weights
/// @param sources        how it reads sources, if it is an encoder-decoder
record DraftModel(
        DecoderNetwork network,
        Tokenizer tokenizer,
        int vocabularySize,
        int maxPositions,
        long parameters,
        String digest,
        Optional<SourceReading> sources) {
    /// A draft model that is a decoder alone.
    DraftModel(
            DecoderNetwork network,
            Tokenizer tokenizer,
            int vocabularySize,
            int maxPositions,
            long parameters,
            String digest) {
        this(
                network,
                tokenizer,
                vocabularySize,
                maxPositions,
                parameters,
                digest,
                Optional.empty());
    }

    /// An empty cache. An encoder-decoder reads the source, of a longer one the beginning; a decoder alone does not look at it.
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

    /// Loads draft checkpoints.
    @FunctionalInterface
    interface Loader {
        /// Reads the checkpoint a configuration names.
        DraftModel load(SmallModelConfig config, TargetModel target);
    }

    /// Opens draft checkpoints for what runs them.
    static final class DraftCheckpoints {
        private DraftCheckpoints() {}

        /// @throws OutriderException if files are missing, broken or unsupported, or memory does not suffice
        static DraftModel load(SmallModelConfig config, TargetModel target) {
            var directory = ModelPaths.open(config.path());
            var backend = config.backend();
            if (config.encoder() == StatesOf.TARGET && backend != SmallModelConfig.Backend.VECTOR) {
                throw unshared(target, "the draft model runs on another back end than 'vector'");
            }
            var loaded =
                    switch (backend) {
                        case VECTOR ->
                                LoadedDecoder.loadVector(
                                        directory,
                                        config.precision(),
                                        Optional.empty(),
                                        NativeMemory::availableBytes,
                                        states(config, directory, target));
                        case TORNADO -> DecoderBackend.named("tornado").load(directory);
                    };
            return new DraftModel(
                    loaded.network(),
                    loaded.tokenizer(),
                    loaded.config().vocabularySize(),
                    loaded.config().maxPositions(),
                    loaded.parameters(),
                    loaded.digest(),
                    loaded.sources());
        }

        /// The encoder whose states the draft model shares, if it shares any.
        ///
        /// @throws OutriderException `CAPABILITY_MISSING` if it cannot
        private static Optional<SourceEncoder> states(
                SmallModelConfig config, Checkpoint directory, TargetModel target) {
            if (config.encoder() == StatesOf.OWN) {
                return Optional.empty();
            }
            var states =
                    target.capability(SourceEncoder.class)
                            .orElseThrow(() ->
                                    unshared(target, "the target has no encoder that shares them"));
            var model = ModelConfig.read(directory);
            if (model.encoder().isEmpty()) {
                throw unshared(target, "the draft model is a decoder alone");
            }
            if (model.decoder().hiddenSize() != states.hiddenSize()) {
                throw unshared(
                        target,
                        "they have %d numbers and the draft model's %d"
                                .formatted(states.hiddenSize(), model.decoder().hiddenSize()));
            }
            return Optional.of(states);
        }

        private static OutriderException unshared(TargetModel target, String why) {
            return new OutriderException(
                    ErrorCode.CAPABILITY_MISSING,
                    "drafter 'small-model' cannot share the encoder's states of target '%s': %s"
                            .formatted(target.description().name(), why),
                    "Set 'encoder: own', or use a draft that was trained on this target's states.");
        }
    }

    /// That a draft checkpoint has its target's tokenizer.
    static final class SameVocabulary {
        private static final int DIGEST_SHOWN = 12;

        private SameVocabulary() {}

        /// @param drafter name of the drafter, for messages
        /// @param path    where the checkpoint is
        /// @param otherwise what else there is to do
        /// @throws OutriderException `DRAFTER_VOCABULARY_MISMATCH` if it has another vocabulary, or fewer embeddings than that
        static void require(
                String drafter, Path path, DraftModel model, TargetModel target, String otherwise) {
            var drafts = model.tokenizer();
            var targets = target.tokenizer();
            if (!drafts.digest().equals(targets.digest()) && !samePieces(drafts, targets)) {
                throw new OutriderException(
                        ErrorCode.DRAFTER_VOCABULARY_MISMATCH,
                        "drafter '%s' at %s has the tokenizer %s, but target '%s' has %s."
                                .formatted(
                                        drafter,
                                        path,
                                        shown(drafts),
                                        target.description().name(),
                                        shown(targets)),
                        "Choose a draft checkpoint that was trained with the target's tokenizer; its tokenizer.json must"
                                + " have the same vocabulary and merges. "
                                + otherwise);
            }
            if (model.vocabularySize() < drafts.vocabularySize()) {
                throw new OutriderException(
                        ErrorCode.DRAFTER_VOCABULARY_MISMATCH,
                        "drafter '%s' at %s has %d embeddings, but its tokenizer has %d ids."
                                .formatted(
                                        drafter,
                                        path,
                                        model.vocabularySize(),
                                        drafts.vocabularySize()),
                        "Choose a checkpoint whose vocab_size in config.json covers every id of its tokenizer.json.");
            }
        }

        /// Whether every id is the same piece: files of two formats say the same vocabulary in other words.
        private static boolean samePieces(Tokenizer drafts, Tokenizer targets) {
            int size = targets.vocabularySize();
            return drafts.vocabularySize() == size
                    && IntStream.range(0, size)
                            .allMatch(id -> drafts.piece(id).equals(targets.piece(id)));
        }

        private static String shown(Tokenizer tokenizer) {
            var digest = tokenizer.digest();
            return "%s (%d ids)"
                    .formatted(
                            digest.substring(0, Math.min(DIGEST_SHOWN, digest.length())),
                            tokenizer.vocabularySize());
        }
    }
}
