package dev.outrider.drafter.block;

import dev.outrider.common.Undo;
import dev.outrider.drafting.feature.TargetFit;
import dev.outrider.drafting.head.BackendKey;
import dev.outrider.drafting.head.HeadCheckpoint;
import dev.outrider.drafting.head.HeadKeys;
import dev.outrider.drafting.head.HeadMatrices;
import dev.outrider.drafting.head.HeadTensors;
import dev.outrider.nn.architecture.ConfigNode;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.shape.ModelPaths;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.target.TargetModel;
import java.nio.file.Path;
import java.util.Optional;

/// The kinds of block drafters, which differ in their heads; loads them.
enum BlockHead {
    DFLASH("dflash", "DFlash, without them"),
    DSPARK("dspark", "DSpark, with one or both");

    private final String drafter;
    private final String text;

    BlockHead(String drafter, String text) {
        this.drafter = drafter;
        this.text = text;
    }

    /// Returns the name of the drafter that runs it.
    String drafter() {
        return drafter;
    }

    static Drafter open(DFlashConfig config, DrafterContext context) {
        return DFLASH.load(config.head(), config.engine(), config.overrides(), 0, context.target());
    }

    static Drafter open(DSparkConfig config, DrafterContext context) {
        return DSPARK.load(
                config.head(),
                config.engine(),
                config.overrides(),
                config.acceptanceThreshold(),
                context.target());
    }

    private Drafter load(
            HeadKeys keys,
            BackendKey engine,
            BlockOverrides overrides,
            double acceptanceThreshold,
            TargetModel target) {
        var directory = ModelPaths.open(keys.path());
        var root = ConfigNode.read(directory.config());
        try (var tensors = directory.openTensors()) {
            var head =
                    HeadCheckpoint.read(
                            drafter,
                            keys.path(),
                            tensors,
                            target.description(),
                            BlockLayout::headTensors,
                            () -> BlockReader.read(root, tensors, target.description(), overrides));
            require(keys.path(), head.layout().heads());
            requireRoom(keys, head.layout(), acceptanceThreshold);
            var loaded = load(keys, engine, head, tensors, acceptanceThreshold, target);
            head.log(drafter, keys.path());
            return loaded;
        }
    }

    private BlockDrafter load(
            HeadKeys keys,
            BackendKey engine,
            HeadCheckpoint<BlockLayout> head,
            CheckpointTensors tensors,
            double acceptanceThreshold,
            TargetModel target) {
        var layout = head.layout();
        var confidence =
                layout.heads().confidence()
                        ? Optional.of(ConfidenceHead.read(tensors, layout))
                        : Optional.<ConfidenceHead>empty();
        var source = new HeadTensors(tensors, text);
        var matrices = new HeadMatrices(drafter, source::matrix, keys.precision(), engine, target);
        return Undo.onFailure(
                matrices::close,
                () -> {
                    var markov =
                            layout.heads()
                                    .markov()
                                    .map(form -> MarkovHead.read(source, matrices, layout, form));
                    return new BlockDrafter(
                            new TargetFit(drafter, target)
                                    .load(
                                            layout.config(),
                                            head.weights(),
                                            keys.precision(),
                                            engine.backend(),
                                            layout.slots().size()),
                            markov,
                            confidence,
                            layout.slots(),
                            layout.captured(),
                            head.vocabulary(),
                            keys.drafting(),
                            acceptanceThreshold,
                            Weight.parameters(layout.config())
                                    + markov.map(MarkovHead::parameters).orElse(0L)
                                    + confidence.map(ConfidenceHead::parameters).orElse(0L),
                            tensors.digest());
                });
    }

    /// Refuses a checkpoint with the heads of the other kind.
    private void require(Path path, HeadForm heads) {
        var found = heads.markov().isPresent() || heads.confidence() ? DSPARK : DFLASH;
        if (found != this) {
            throw ErrorCode.CHECKPOINT_UNSUPPORTED.error(
                    "'%s' has %s Markov or confidence head; drafter '%s' expects a checkpoint of %s"
                            .formatted(path, found == DSPARK ? "a" : "no", drafter, text),
                    "Choose the drafter '%s' for it, or another checkpoint."
                            .formatted(found.drafter));
        }
    }

    private void requireRoom(HeadKeys keys, BlockLayout layout, double acceptanceThreshold) {
        int wanted = keys.drafting().plan().maxDepth();
        if (wanted > layout.slots().guesses()) {
            throw ErrorCode.CONFIG_INVALID.error(
                    "drafts of drafter '%s' are %d deep, but a block of %s guesses %d tokens"
                            .formatted(drafter, wanted, keys.path(), layout.slots().guesses()),
                    "Give a 'length' or 'tree' of at most %d levels."
                            .formatted(layout.slots().guesses()));
        }
        if (acceptanceThreshold > 0 && !layout.heads().confidence()) {
            throw ErrorCode.CONFIG_INVALID.error(
                    "'acceptanceThreshold' is %s, but %s has no confidence head"
                            .formatted(acceptanceThreshold, keys.path()),
                    "Leave it out, or stop by 'confidenceThreshold' or 'entropyStop'.");
        }
    }
}
