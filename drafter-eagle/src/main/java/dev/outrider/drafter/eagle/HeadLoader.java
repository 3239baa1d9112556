package dev.outrider.drafter.eagle;

import dev.outrider.drafting.DraftVocabulary;
import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.feature.FeatureDraft;
import dev.outrider.drafting.feature.FeatureDrafter;
import dev.outrider.drafting.feature.TargetFit;
import dev.outrider.nn.architecture.ConfigNode;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.network.CheckpointWeights;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.Weight;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.TargetDescription;
import dev.outrider.spi.target.TargetModel;
import java.nio.file.Path;
import java.util.Optional;

/// Opens a head's folder, has its layout read, and loads it for a target. Prints what was decided.
///
/// @param kind   what it takes
/// @param target  whom it drafts for
record HeadLoader(HeadKind kind, TargetModel target) {
    private static final System.Logger LOG = System.getLogger(HeadLoader.class.getName());

    /// Reads one layout family.
    @FunctionalInterface
    interface LayoutReader {
        HeadLayout read(ConfigNode root, CheckpointTensors tensors, TargetDescription target);
    }

    /// @throws OutriderException if files are missing, broken or unsupported, or made for another target
    Drafter load(Path path, Optional<Precision> precision, Drafting drafting, LayoutReader reader) {
        var fit = new TargetFit(kind.drafter(), target);
        var directory = new Checkpoint(path);
        var root = ConfigNode.read(directory.config());
        try (var tensors = directory.openTensors()) {
            kind.require(tensors);
            var layout = layout(reader, root, tensors, path);
            var config = layout.config();
            fit.requireVocabulary(path, config.vocabularySize());
            var weights = new CheckpointWeights(config, tensors, layout.names());
            layout.requireNothingElse(tensors, weights.read());
            var fusion = config.fusion().orElseThrow();
            int targetSize = target.description().vocabularySize();
            var vocabulary =
                    fusion.ownHead()
                            ? VocabularyMaps.read(tensors, fusion.headSize(), targetSize)
                            : new DraftVocabulary(targetSize, targetSize);
            var network = fit.load(config, weights, precision);
            LOG.log(
                    System.Logger.Level.INFO,
                    "drafter '%s' at %s: %s".formatted(kind.drafter(), path, layout.summary()));
            return new FeatureDrafter(
                    new FeatureDraft(
                            network, layout.captured(), layout.recycling(), vocabulary, drafting),
                    Weight.parameters(config),
                    tensors.digest());
        }
    }

    /// A head whose sizes contradict the target's was made for another one.
    private HeadLayout layout(
            LayoutReader reader, ConfigNode root, CheckpointTensors tensors, Path path) {
        try {
            return reader.read(root, tensors, target.description());
        } catch (IllegalArgumentException e) {
            throw new OutriderException(
                    ErrorCode.CHECKPOINT_SHAPE_MISMATCH,
                    "drafter '%s' at %s does not fit target '%s': %s"
                            .formatted(
                                    kind.drafter(),
                                    path,
                                    target.description().name(),
                                    e.getMessage()),
                    "Choose a head that was trained for this target.",
                    e);
        }
    }
}
