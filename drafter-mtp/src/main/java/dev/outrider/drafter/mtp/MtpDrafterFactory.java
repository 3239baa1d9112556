package dev.outrider.drafter.mtp;

import dev.outrider.drafting.DraftVocabulary;
import dev.outrider.drafting.feature.FeatureDraft;
import dev.outrider.drafting.feature.FeatureDrafter;
import dev.outrider.drafting.feature.Recycling;
import dev.outrider.drafting.feature.TargetFit;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.TargetModel;
import java.util.List;

/// Makes drafters from a checkpoint's multi-token prediction modules. Thread-safe.
public final class MtpDrafterFactory implements Drafter.Factory<MtpConfig> {
    private static final System.Logger LOG = System.getLogger(MtpDrafterFactory.class.getName());

    @Override
    public String name() {
        return "mtp";
    }

    @Override
    public Class<MtpConfig> configType() {
        return MtpConfig.class;
    }

    @Override
    public DrafterTraits traits(MtpConfig config) {
        return FeatureDrafter.traits(config.drafting());
    }

    @Override
    public Drafter create(MtpConfig config, DrafterContext context) {
        var target = context.target();
        try (var checkpoint = ModuleCheckpoint.open(config.path())) {
            var fit = new TargetFit(name(), target);
            fit.requireVocabulary(config.path(), checkpoint.layer().decoder().vocabularySize());
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
                            (layer, weights) -> fit.load(layer, weights, config.precision()));
            var draft =
                    new FeatureDraft(
                            networks,
                            List.of(feed.state(target.description().layers())),
                            recycling,
                            DraftVocabulary.shared(
                                    networks.getFirst().config().vocabularySize(),
                                    target.description().vocabularySize()),
                            config.drafting());
            LOG.log(
                    System.Logger.Level.INFO,
                    "drafter 'mtp' at %s: layout %s, %d of %d modules, %s, feed %s, recycle %s"
                            .formatted(
                                    config.path(),
                                    checkpoint.layout(),
                                    count,
                                    checkpoint.modules(),
                                    order,
                                    draft.captured().getFirst(),
                                    recycling));
            return new FeatureDrafter(
                    draft, checkpoint.parameters(count, order), checkpoint.digest());
        }
    }

    private static int modules(MtpConfig config, ModuleCheckpoint checkpoint) {
        int wanted = config.modules().orElse(checkpoint.modules());
        if (wanted > checkpoint.modules()) {
            throw new OutriderException(
                    ErrorCode.CONFIG_INVALID,
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
            throw new OutriderException(
                    ErrorCode.CHECKPOINT_UNSUPPORTED,
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
