package dev.outrider.drafter.block;

import dev.outrider.common.Undo;
import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.feature.TargetFit;
import dev.outrider.drafting.head.HeadCheckpoint;
import dev.outrider.nn.architecture.ConfigNode;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.shape.ModelPaths;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
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
        return DFLASH.load(
                config.head().path(),
                config.head().precision(),
                config.overrides(),
                config.head().drafting(),
                0,
                context.target());
    }

    static Drafter open(DSparkConfig config, DrafterContext context) {
        return DSPARK.load(
                config.head().path(),
                config.head().precision(),
                config.overrides(),
                config.head().drafting(),
                config.acceptanceThreshold(),
                context.target());
    }

    private Drafter load(
            Path path,
            Optional<Precision> precision,
            BlockOverrides overrides,
            Drafting drafting,
            double acceptanceThreshold,
            TargetModel target) {
        var directory = ModelPaths.open(path);
        var root = ConfigNode.read(directory.config());
        try (var tensors = directory.openTensors()) {
            var head =
                    HeadCheckpoint.read(
                            drafter,
                            path,
                            tensors,
                            target.description(),
                            BlockLayout::headTensors,
                            () -> {
                                var layout =
                                        BlockReader.read(
                                                root, tensors, target.description(), overrides);
                                require(path, layout.heads());
                                return layout;
                            });
            requireRoom(path, head.layout(), drafting, acceptanceThreshold);
            var loaded = load(head, tensors, precision, drafting, acceptanceThreshold, target);
            head.log(drafter, path);
            return loaded;
        }
    }

    private BlockDrafter load(
            HeadCheckpoint<BlockLayout> head,
            CheckpointTensors tensors,
            Optional<Precision> precision,
            Drafting drafting,
            double acceptanceThreshold,
            TargetModel target) {
        var layout = head.layout();
        var kept =
                precision
                        .or(() ->
                                target.capability(VectorNetwork.class)
                                        .map(VectorNetwork::precision))
                        .orElse(Precision.F32);
        var confidence =
                layout.heads().confidence()
                        ? Optional.of(ConfidenceHead.read(tensors, layout))
                        : Optional.<ConfidenceHead>empty();
        var markov =
                layout.heads().markov().map(form -> MarkovHead.read(tensors, layout, form, kept));
        return Undo.onFailure(
                () -> markov.ifPresent(MarkovHead::close),
                () -> {
                    var loaded =
                            new BlockDrafter(
                                    new TargetFit(drafter, target)
                                            .load(layout.config(), head.weights(), precision),
                                    markov,
                                    confidence,
                                    layout.slots(),
                                    layout.captured(),
                                    head.vocabulary(),
                                    drafting,
                                    acceptanceThreshold,
                                    Weight.parameters(layout.config())
                                            + markov.map(MarkovHead::parameters).orElse(0L)
                                            + confidence
                                                    .map(each -> each.weight().length + 1L)
                                                    .orElse(0L),
                                    tensors.digest());
                    return loaded;
                });
    }

    /// Refuses a checkpoint with the heads of the other kind.
    private void require(Path path, HeadForm heads) {
        var found = heads.markov().isPresent() || heads.confidence() ? DSPARK : DFLASH;
        if (found != this) {
            throw new OutriderException(
                    ErrorCode.CHECKPOINT_UNSUPPORTED,
                    "'%s' has %s Markov or confidence head; drafter '%s' expects a checkpoint of %s"
                            .formatted(path, found == DSPARK ? "a" : "no", drafter, text),
                    "Choose the drafter '%s' for it, or another checkpoint."
                            .formatted(found.drafter));
        }
    }

    private void requireRoom(
            Path path, BlockLayout layout, Drafting drafting, double acceptanceThreshold) {
        int wanted = drafting.plan().maxDepth();
        if (wanted > layout.slots().guesses()) {
            throw new OutriderException(
                    ErrorCode.CONFIG_INVALID,
                    "drafts of drafter '%s' are %d deep, but a block of %s guesses %d tokens"
                            .formatted(drafter, wanted, path, layout.slots().guesses()),
                    "Give a 'length' or 'tree' of at most %d levels."
                            .formatted(layout.slots().guesses()));
        }
        if (acceptanceThreshold > 0 && !layout.heads().confidence()) {
            throw new OutriderException(
                    ErrorCode.CONFIG_INVALID,
                    "'acceptanceThreshold' is %s, but %s has no confidence head"
                            .formatted(acceptanceThreshold, path),
                    "Leave it out, or stop by 'confidenceThreshold' or 'entropyStop'.");
        }
    }
}
