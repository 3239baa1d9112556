package dev.outrider.drafting.head;

import dev.outrider.drafting.DraftVocabulary;
import dev.outrider.drafting.VocabularyMaps;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.network.CheckpointWeights;
import dev.outrider.nn.network.FusionConfig;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.TargetDescription;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/// A head's checkpoint, read and compared with its target.
///
/// @param layout     of the file
/// @param weights    of the draft layers
/// @param vocabulary the tokens that the head has logits for
public record HeadCheckpoint<L extends HeadLayout>(
        L layout, CheckpointWeights weights, DraftVocabulary vocabulary) {
    private static final System.Logger LOG = System.getLogger(HeadCheckpoint.class.getName());

    /// Reads and checks a checkpoint before a network is built.
    ///
    /// @param drafter name of the drafter, for messages
    /// @param path    from the configuration
    /// @param target  the model that the head is for
    /// @param others  tensors that the caller reads beside the layers'
    /// @param reader  returns the layout; an `IllegalArgumentException` of it means that head and target do not fit
    /// @throws OutriderException `CHECKPOINT_SHAPE_MISMATCH`, `CHECKPOINT_UNSUPPORTED`, `CHECKPOINT_INCOMPLETE` or
    ///     `DRAFTER_VOCABULARY_MISMATCH`
    public static <L extends HeadLayout> HeadCheckpoint<L> read(
            String drafter,
            Path path,
            CheckpointTensors tensors,
            TargetDescription target,
            Function<L, Set<String>> others,
            Supplier<L> reader) {
        var layout = layout(drafter, path, target, reader);
        var config = layout.config();
        requireVocabulary(drafter, path, config.vocabularySize(), target);
        var weights = new CheckpointWeights(config, tensors, layout.names());
        var known = new HashSet<>(weights.read());
        known.addAll(others.apply(layout));
        requireNothingElse(layout, tensors, known);
        var fusion = config.fusion().orElseThrow();
        int targetSize = target.vocabularySize();
        return new HeadCheckpoint<>(
                layout,
                weights,
                fusion.has(FusionConfig.Switch.OWN_HEAD)
                        ? VocabularyMaps.read(tensors, fusion.headSize(), targetSize)
                        : new DraftVocabulary(targetSize, targetSize));
    }

    /// Writes one line about the layout to the log.
    public void log(String drafter, Path path) {
        LOG.log(
                System.Logger.Level.INFO,
                "drafter '%s' at %s: %s".formatted(drafter, path, layout.summary()));
    }

    /// Compares the number of tokens that a head was trained for with the target's.
    ///
    /// @throws OutriderException `DRAFTER_VOCABULARY_MISMATCH`
    public static void requireVocabulary(
            String drafter, Path path, int vocabulary, TargetDescription target) {
        if (vocabulary != target.vocabularySize()) {
            throw ErrorCode.DRAFTER_VOCABULARY_MISMATCH.error(
                    "drafter '%s' at %s was trained for %d tokens, but target '%s' has %d."
                            .formatted(
                                    drafter,
                                    path,
                                    vocabulary,
                                    target.name(),
                                    target.vocabularySize()),
                    "Choose one that was trained for this target.");
        }
    }

    private static <L extends HeadLayout> L layout(
            String drafter, Path path, TargetDescription target, Supplier<L> reader) {
        try {
            return reader.get();
        } catch (IllegalArgumentException e) {
            throw ErrorCode.CHECKPOINT_SHAPE_MISMATCH.error(
                    "drafter '%s' at %s does not fit target '%s': %s"
                            .formatted(drafter, path, target.name(), e.getMessage()),
                    "Choose a head that was trained for this target.",
                    e);
        }
    }

    private static void requireNothingElse(
            HeadLayout layout, CheckpointTensors tensors, Set<String> known) {
        tensors.names().stream()
                .filter(name -> !known.contains(name))
                .filter(name -> !layout.names().mayStayUnread(name, tensors.names()))
                .min(String::compareTo)
                .ifPresent(name -> {
                    throw ErrorCode.CHECKPOINT_UNSUPPORTED.error(
                            "'%s' holds tensor '%s', which a head of the %s layout does not have"
                                    .formatted(tensors.source(), name, layout.dialect()),
                            "Check that config.json and the weights belong together.");
                });
    }
}
