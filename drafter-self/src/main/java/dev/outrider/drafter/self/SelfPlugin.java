package dev.outrider.drafter.self;

import dev.outrider.drafting.DrafterPlugin;
import dev.outrider.drafting.Drafting;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.PartialPasses;
import dev.outrider.spi.target.PartialPasses.LayerSubset;
import dev.outrider.spi.target.TargetDescription;
import java.util.function.Function;
import java.util.stream.Stream;

/// Adds the drafters `early-exit` and `skip-layers`.
public final class SelfPlugin extends DrafterPlugin {
    private static final int MIN_LAYERS = 3;

    static final Drafter.Factory<EarlyExitConfig> EARLY_EXIT =
            Drafter.Factory.of(
                    "early-exit",
                    EarlyExitConfig.class,
                    config -> config.drafting().traits(false),
                    (config, context) ->
                            drafter(
                                    "early-exit",
                                    config.drafting(),
                                    context,
                                    target -> firstLayers(config, target)));

    static final Drafter.Factory<SkipLayersConfig> SKIP_LAYERS =
            Drafter.Factory.of(
                    "skip-layers",
                    SkipLayersConfig.class,
                    config -> config.drafting().traits(false),
                    (config, context) ->
                            drafter(
                                    "skip-layers",
                                    config.drafting(),
                                    context,
                                    target -> skippedSubLayers(config, target)));

    /// Adds them.
    public SelfPlugin() {
        super(EARLY_EXIT, SKIP_LAYERS);
    }

    /// Returns a drafter that runs some of the target's layers.
    ///
    /// @param layers returns the layers of the drafts
    private static Drafter drafter(
            String name,
            Drafting drafting,
            DrafterContext context,
            Function<TargetDescription, LayerSubset> layers) {
        var target = context.target();
        if (!target.sessionCapabilities().contains(PartialPasses.class)) {
            throw ErrorCode.CAPABILITY_MISSING.error(
                    "drafter '%s' guesses with some of the target's own layers, but target '%s' (%s) runs all of them or none"
                            .formatted(
                                    name,
                                    target.description().name(),
                                    target.description().backend()),
                    "Set 'target: {use: vector}', which can for every decoder alone; or choose another drafter.");
        }
        int vocabulary = target.description().vocabularySize();
        return new SelfDrafter(name, drafting, vocabulary, layers.apply(target.description()));
    }

    private static LayerSubset firstLayers(EarlyExitConfig config, TargetDescription target) {
        if (config.layer() >= target.layers()) {
            throw invalid(
                    "drafter 'early-exit' exits after layer %d, but target '%s' has %d layers, expected 1 to %d"
                            .formatted(
                                    config.layer(),
                                    target.name(),
                                    target.layers(),
                                    target.layers() - 1),
                    "Set a smaller 'layer'.");
        }
        return new LayerSubset.First(config.layer());
    }

    private static LayerSubset skippedSubLayers(SkipLayersConfig config, TargetDescription target) {
        config.skip().ifPresent(skip -> checkLayers(skip, target));
        if (config.skip().isEmpty() && target.layers() < MIN_LAYERS) {
            throw invalid(
                    "drafter 'skip-layers' keeps the first and the last layer, and target '%s' has %d layers, expected at least 3"
                            .formatted(target.name(), target.layers()),
                    "Name the sub-layers in 'skip', or choose a target with more layers.");
        }
        return config.of(target.layers());
    }

    private static void checkLayers(SkipLayersConfig.Skip skip, TargetDescription target) {
        var wrong =
                Stream.concat(skip.attention().stream(), skip.feedForward().stream())
                        .filter(layer -> layer >= target.layers())
                        .findFirst();
        if (wrong.isPresent()) {
            throw invalid(
                    "drafter 'skip-layers' skips a sub-layer of layer %d, but target '%s' has %d layers, expected 0 to %d"
                            .formatted(
                                    wrong.get(),
                                    target.name(),
                                    target.layers(),
                                    target.layers() - 1),
                    "Name layers that the target has in 'skip'.");
        }
    }

    private static OutriderException invalid(String problem, String remedy) {
        return ErrorCode.CONFIG_INVALID.error(problem, remedy);
    }
}
