package dev.outrider.drafter.block;

import dev.outrider.nn.network.FusionConfig;
import dev.outrider.drafting.DraftVocabulary;
import dev.outrider.drafting.VocabularyMaps;
import dev.outrider.drafting.feature.TargetFit;
import dev.outrider.nn.architecture.ConfigNode;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.network.BlockNetwork;
import dev.outrider.nn.network.CheckpointWeights;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.TargetModel;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;

/// Opens a checkpoint's folder, has its layout read, checks every tensor, and loads it for a target. Logs what was decided.
///
/// @param kind   what it takes
/// @param target whom it drafts for
record BlockLoader(BlockKind kind, TargetModel target) {
    private static final System.Logger LOG = System.getLogger(BlockLoader.class.getName());

    /// @throws OutriderException if files are missing, broken or unsupported, or made for another target
    Drafter load(
            Path path,
            Optional<Precision> precision,
            BlockOverrides overrides,
            BlockDrafting drafting) {
        var directory = new Checkpoint(path);
        var root = ConfigNode.read(directory.config());
        try (var tensors = directory.openTensors()) {
            var layout = layout(path, root, tensors, overrides);
            kind.require(path, layout.heads());
            requireRoom(path, layout, drafting);
            var drafter = load(path, tensors, layout, precision, drafting);
            LOG.log(
                    System.Logger.Level.INFO,
                    "drafter '%s' at %s: %s".formatted(kind.drafter(), path, layout.summary()));
            return drafter;
        }
    }

    /// A head whose sizes contradict the target's was made for another one.
    private BlockLayout layout(
            Path path, ConfigNode root, CheckpointTensors tensors, BlockOverrides overrides) {
        try {
            return BlockReader.read(root, tensors, target.description(), overrides);
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

    private void requireRoom(Path path, BlockLayout layout, BlockDrafting drafting) {
        int wanted = drafting.drafting().plan().maxDepth();
        if (wanted > layout.slots().guesses()) {
            throw new OutriderException(
                    ErrorCode.CONFIG_INVALID,
                    "drafts of drafter '%s' are %d deep, but a block of %s guesses %d tokens"
                            .formatted(kind.drafter(), wanted, path, layout.slots().guesses()),
                    "Give a 'length' or 'tree' of at most %d levels."
                            .formatted(layout.slots().guesses()));
        }
        if (drafting.acceptanceThreshold() > 0 && !layout.heads().confidence()) {
            throw new OutriderException(
                    ErrorCode.CONFIG_INVALID,
                    "'acceptanceThreshold' is %s, but %s has no confidence head"
                            .formatted(drafting.acceptanceThreshold(), path),
                    "Leave it out, or stop by 'confidenceThreshold' or 'entropyStop'.");
        }
    }

    private Drafter load(
            Path path,
            CheckpointTensors tensors,
            BlockLayout layout,
            Optional<Precision> precision,
            BlockDrafting drafting) {
        var description = target.description();
        var config = layout.config();
        TargetFit.requireVocabulary(kind.drafter(), path, config.vocabularySize(), description);
        var weights = new CheckpointWeights(config, tensors, layout.names());
        var read = new HashSet<>(weights.read());
        int targetSize = description.vocabularySize();
        var fusion = config.fusion().orElseThrow();
        var vocabulary =
                fusion.has(FusionConfig.Switch.OWN_HEAD)
                        ? VocabularyMaps.read(tensors, fusion.headSize(), targetSize)
                        : new DraftVocabulary(targetSize, targetSize);
        var kept =
                precision
                        .or(() ->
                                target.capability(VectorNetwork.class)
                                        .map(VectorNetwork::precision))
                        .orElse(Precision.F32);
        var confidence =
                layout.heads().confidence()
                        ? Optional.of(ConfidenceHead.read(tensors, layout, read))
                        : Optional.<ConfidenceHead>empty();
        var markov =
                layout.heads()
                        .markov()
                        .map(form -> MarkovHead.read(tensors, layout, form, kept, read));
        Optional<BlockNetwork> backbone = Optional.empty();
        boolean whole = false;
        try {
            layout.requireNothingElse(tensors, read);
            backbone =
                    Optional.of(
                            new TargetFit(kind.drafter(), target)
                                    .loadBlock(config, weights, precision));
            var draft =
                    new BlockDraft(
                            backbone.get(),
                            markov,
                            confidence,
                            layout.slots(),
                            layout.states(),
                            vocabulary,
                            drafting);
            long parameters =
                    Weight.parameters(config)
                            + markov.map(MarkovHead::parameters).orElse(0L)
                            + confidence.map(head -> head.weight().length + 1L).orElse(0L);
            var drafter = new BlockDrafter(draft, parameters, tensors.digest());
            whole = true;
            return drafter;
        } finally {
            if (!whole) {
                markov.ifPresent(MarkovHead::close);
                backbone.ifPresent(BlockNetwork::close);
            }
        }
    }
}
