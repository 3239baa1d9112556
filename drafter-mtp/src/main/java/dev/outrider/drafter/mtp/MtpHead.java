package dev.outrider.drafter.mtp;

import dev.outrider.common.Undo;
import dev.outrider.drafting.DraftVocabulary;
import dev.outrider.drafting.feature.FeatureDrafter;
import dev.outrider.drafting.feature.Recycling;
import dev.outrider.drafting.feature.TargetFit;
import dev.outrider.nn.network.FeatureNetwork;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.target.TargetModel;
import java.util.List;

/// Loads the multi-token prediction modules of a checkpoint as a drafter.
final class MtpHead {
    /// Name of the drafter, the trainer and the bench.
    static final String NAME = "mtp";

    private static final System.Logger LOG = System.getLogger(MtpHead.class.getName());

    private MtpHead() {}

    /// Loads the modules.
    static Drafter open(MtpConfig config, DrafterContext context) {
        var target = context.target();
        try (var checkpoint = ModuleCheckpoint.open(config.head().path())) {
            var fit = new TargetFit(NAME, target);
            fit.requireVocabulary(
                    config.head().path(), checkpoint.layer().decoder().vocabularySize());
            requireSameModel(checkpoint, target);
            int count = modules(config, checkpoint);
            var said = checkpoint.switches();
            var order = config.halfOrder().orElse(said.order());
            var feed = config.feedNorm().orElse(said.feed());
            var recycling =
                    switch (config.recycle().orElse(said.recycle())) {
                        case PRE -> Recycling.BEFORE_NORM;
                        case POST -> Recycling.AFTER_NORM;
                        case TARGET -> Recycling.TARGET;
                    };
            var networks =
                    checkpoint.load(
                            count,
                            order,
                            (layer, weights) ->
                                    fit.load(
                                            layer,
                                            weights,
                                            config.head().precision(),
                                            config.engine().backend(),
                                            1));
            var drafter =
                    Undo.onFailure(
                            () -> networks.forEach(FeatureNetwork::close),
                            () ->
                                    new FeatureDrafter(
                                            networks,
                                            List.of(feed.state(target.description().layers())),
                                            recycling,
                                            DraftVocabulary.shared(
                                                    networks.getFirst().config().vocabularySize(),
                                                    target.description().vocabularySize()),
                                            config.head().drafting(),
                                            checkpoint.parameters(count, order),
                                            checkpoint.digest()));
            LOG.log(
                    System.Logger.Level.INFO,
                    "drafter 'mtp' at %s: layout %s, %d of %d modules, %s, feed %s, recycle %s"
                            .formatted(
                                    config.head().path(),
                                    checkpoint.layout(),
                                    count,
                                    checkpoint.modules(),
                                    order,
                                    drafter.captured().getFirst(),
                                    recycling));
            return drafter;
        }
    }

    private static int modules(MtpConfig config, ModuleCheckpoint checkpoint) {
        int wanted = config.modules().orElse(checkpoint.modules());
        if (wanted > checkpoint.modules()) {
            throw ErrorCode.CONFIG_INVALID.error(
                    "'modules' is %d, but '%s' holds %d"
                            .formatted(wanted, checkpoint.path(), checkpoint.modules()),
                    "Lower 'modules'; the last one is chained for further steps.");
        }
        return wanted;
    }

    private static void requireSameModel(ModuleCheckpoint checkpoint, TargetModel target) {
        var layer = checkpoint.layer().decoder();
        var description = target.description();
        if (layer.hiddenSize() != description.hiddenSize()
                || checkpoint.layer().targetLayers() != description.layers()) {
            throw ErrorCode.CHECKPOINT_UNSUPPORTED.error(
                    "the modules of '%s' belong to a model of %d layers and hidden size %d, but target '%s' has %d and %d"
                            .formatted(
                                    checkpoint.path(),
                                    checkpoint.layer().targetLayers(),
                                    layer.hiddenSize(),
                                    description.name(),
                                    description.layers(),
                                    description.hiddenSize()),
                    "Choose modules that were trained with this target.");
        }
    }
}
