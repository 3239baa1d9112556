package dev.outrider.drafter.self;

import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.target.PartialPasses.LayerSubset;
import dev.outrider.spi.target.TargetDescription;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/// Creates drafters from a target without some of its sub-layers. Thread-safe.
public final class SwiftFactory implements Drafter.Factory<SwiftConfig> {
    private static final int FEWEST_LAYERS = 3;

    @Override
    public String name() {
        return "swift";
    }

    @Override
    public Class<SwiftConfig> configType() {
        return SwiftConfig.class;
    }

    @Override
    public DrafterTraits traits(SwiftConfig config) {
        return config.drafting().traits(false);
    }

    @Override
    public Drafter create(SwiftConfig config, DrafterContext context) {
        var target = context.target();
        SelfErrors.requireOffered(name(), target);
        return new SelfDrafter(
                name(),
                config.drafting(),
                target.description().vocabularySize(),
                choices(config, target.description()));
    }

    private static Supplier<LayerChoice> choices(SwiftConfig config, TargetDescription target) {
        if (config.skip().isPresent()) {
            var fixed = fixed(config.skip().get(), target);
            return () -> (_, _) -> fixed;
        }
        if (target.layers() < FEWEST_LAYERS) {
            throw SelfErrors.nothingToSkip(target);
        }
        var first = SubLayers.spread(target.layers(), config.share());
        return () ->
                new SkipSearch(
                        first, config.search(), new SplittableRandom(config.search().seed()));
    }

    private static LayerSubset fixed(SwiftConfig.Skip skip, TargetDescription target) {
        for (var layers : List.of(skip.attention(), skip.feedForward())) {
            layers.stream()
                    .filter(layer -> layer >= target.layers())
                    .findFirst()
                    .ifPresent(layer -> {
                        throw SelfErrors.noSuchLayer(layer, target);
                    });
        }
        return new LayerSubset.Without(
                Set.copyOf(skip.attention()), Set.copyOf(skip.feedForward()));
    }
}
