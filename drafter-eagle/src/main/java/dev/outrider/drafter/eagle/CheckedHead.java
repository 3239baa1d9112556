package dev.outrider.drafter.eagle;

import dev.outrider.nn.network.FusionConfig;
import dev.outrider.drafting.DraftVocabulary;
import dev.outrider.drafting.VocabularyMaps;
import dev.outrider.drafting.feature.TargetFit;
import dev.outrider.nn.architecture.ConfigNode;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.network.CheckpointWeights;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.TargetDescription;
import java.nio.file.Path;

/// A head every tensor of which has been checked against its layout, and the layout against the target it is for.
///
/// @param layout     what it is
/// @param vocabulary what it guesses
/// @param weights    its tensors; they die with the file
record CheckedHead(HeadLayout layout, DraftVocabulary vocabulary, CheckpointWeights weights) {
    /// Reads one layout family.
    @FunctionalInterface
    interface LayoutReader {
        HeadLayout read(ConfigNode root, CheckpointTensors tensors, TargetDescription target);
    }

    /// @param path where the head lies, for messages
    /// @throws OutriderException if tensors are missing, broken or unsupported, or made for another target
    static CheckedHead read(
            HeadKind kind,
            Path path,
            ConfigNode root,
            CheckpointTensors tensors,
            TargetDescription target,
            LayoutReader reader) {
        kind.require(tensors);
        var layout = layout(kind, path, root, tensors, target, reader);
        var config = layout.config();
        TargetFit.requireVocabulary(kind.drafter(), path, config.vocabularySize(), target);
        var weights = new CheckpointWeights(config, tensors, layout.names());
        layout.requireNothingElse(tensors, weights.read());
        var fusion = config.fusion().orElseThrow();
        int targetSize = target.vocabularySize();
        var vocabulary =
                fusion.has(FusionConfig.Switch.OWN_HEAD)
                        ? VocabularyMaps.read(tensors, fusion.headSize(), targetSize)
                        : new DraftVocabulary(targetSize, targetSize);
        return new CheckedHead(layout, vocabulary, weights);
    }

    /// A head whose sizes contradict the target's was made for another one.
    private static HeadLayout layout(
            HeadKind kind,
            Path path,
            ConfigNode root,
            CheckpointTensors tensors,
            TargetDescription target,
            LayoutReader reader) {
        try {
            return reader.read(root, tensors, target);
        } catch (IllegalArgumentException e) {
            throw new OutriderException(
                    ErrorCode.CHECKPOINT_SHAPE_MISMATCH,
                    "drafter '%s' at %s does not fit target '%s': %s"
                            .formatted(kind.drafter(), path, target.name(), e.getMessage()),
                    "Choose a head that was trained for this target.",
                    e);
        }
    }
}
