package dev.outrider.drafter.self;

import dev.outrider.drafter.self.SelfDrafter.LayerChoice;
import dev.outrider.drafter.self.SkipSearch.SubLayers;
import dev.outrider.drafting.DrafterPlugin;
import dev.outrider.drafting.Drafting;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.PartialPasses;
import dev.outrider.spi.target.PartialPasses.LayerSubset;
import dev.outrider.spi.target.TargetDescription;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Adds the drafters `early-exit` and `swift`.
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

    static final Drafter.Factory<SwiftConfig> SWIFT =
            Drafter.Factory.of(
                    "swift",
                    SwiftConfig.class,
                    config -> config.drafting().traits(false),
                    (config, context) ->
                            drafter(
                                    "swift",
                                    config.drafting(),
                                    context,
                                    target -> skippedSubLayers(config, target)));

    /// Adds them.
    public SelfPlugin() {
        super(EARLY_EXIT, SWIFT);
    }

    /// Returns a drafter that runs some of the target's layers.
    ///
    /// @param choices returns what chooses the layers of each sequence
    private static Drafter drafter(
            String name,
            Drafting drafting,
            DrafterContext context,
            Function<TargetDescription, Supplier<LayerChoice>> choices) {
        var target = context.target();
        if (!target.sessionCapabilities().contains(PartialPasses.class)) {
            throw new OutriderException(
                    ErrorCode.CAPABILITY_MISSING,
                    "drafter '%s' guesses with some of the target's own layers, but target '%s' (%s) runs all of them or none"
                            .formatted(
                                    name,
                                    target.description().name(),
                                    target.description().backend()),
                    "Set 'target: {use: vector}', which can for every decoder alone; or choose another drafter.");
        }
        int vocabulary = target.description().vocabularySize();
        return new SelfDrafter(name, drafting, vocabulary, choices.apply(target.description()));
    }

    private static Supplier<LayerChoice> firstLayers(
            EarlyExitConfig config, TargetDescription target) {
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
        var layers = new LayerSubset.First(config.layer());
        return () -> (_, _) -> layers;
    }

    private static Supplier<LayerChoice> skippedSubLayers(
            SwiftConfig config, TargetDescription target) {
        if (config.skip().isPresent()) {
            var fixed = fixed(config.skip().get(), target);
            return () -> (_, _) -> fixed;
        }
        if (target.layers() < MIN_LAYERS) {
            throw invalid(
                    "drafter 'swift' keeps the first and the last layer, and target '%s' has %d layers, expected at least 3"
                            .formatted(target.name(), target.layers()),
                    "Name the sub-layers in 'skip', or choose a target with more layers.");
        }
        var first = SubLayers.spread(target.layers(), config.share());
        var search = config.search();
        return () -> new SkipSearch(first, search, new SplittableRandom(search.seed()));
    }

    private static LayerSubset fixed(SwiftConfig.Skip skip, TargetDescription target) {
        var wrong =
                Stream.concat(skip.attention().stream(), skip.feedForward().stream())
                        .filter(layer -> layer >= target.layers())
                        .findFirst();
        if (wrong.isPresent()) {
            throw invalid(
                    "drafter 'swift' skips a sub-layer of layer %d, but target '%s' has %d layers, expected 0 to %d"
                            .formatted(
                                    wrong.get(),
                                    target.name(),
                                    target.layers(),
                                    target.layers() - 1),
                    "Name layers that the target has in 'skip'.");
        }
        return new LayerSubset.Without(
                Set.copyOf(skip.attention()), Set.copyOf(skip.feedForward()));
    }

    private static OutriderException invalid(String problem, String remedy) {
        return new OutriderException(ErrorCode.CONFIG_INVALID, problem, remedy);
    }
}
