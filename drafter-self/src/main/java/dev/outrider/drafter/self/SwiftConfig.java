package dev.outrider.drafter.self;

import dev.outrider.common.Require;
import dev.outrider.drafting.Drafting;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Configuration of the drafter `swift`.
@Doc(
        "Skipped sub-layers: the target without some of its attention and feed-forward parts guesses. Which ones, is given or found while a"
                + " text is written (SWIFT).")
public record SwiftConfig(
        @Doc("Sub-layers that are left out; found on the fly when it is not given.")
                Optional<Skip> skip,
        @Doc(
                        "Share of the target's sub-layers that are left out when they are found on the fly, above 0 and below 1. Those of the"
                                + " first and of the last layer always run.")
                @Default("0.45")
                double share,
        @Doc("How they are found.") @Default("{}") Search search,
        @Inline Drafting drafting) {
    public SwiftConfig {
        Require.that(share > 0 && share < 1, "'share' must be between 0 and 1, got %s", share);
    }

    /// Sub-layers by their layers.
    public record Skip(
            @Doc("Layers without attention; they count from 0.") @Default("[]")
                    List<Integer> attention,
            @Doc("Layers without the feed-forward part; they count from 0.") @Default("[]")
                    List<Integer> feedForward) {
        public Skip {
            attention = List.copyOf(attention);
            feedForward = List.copyOf(feedForward);
            Require.that(
                    !attention.isEmpty() || !feedForward.isEmpty(),
                    "'skip' names no sub-layer: what is left is the target itself");
            requireLayers("attention", attention);
            requireLayers("feedForward", feedForward);
        }

        private static void requireLayers(String key, List<Integer> layers) {
            Set<Integer> seen = new HashSet<>();
            for (int layer : layers) {
                Require.that(
                        layer >= 0 && seen.add(layer),
                        "'%s' must be different layers from 0 on, got %s",
                        key,
                        layers);
            }
        }
    }

    /// The search for sub-layers.
    public record Search(
            @Doc(
                            "Most passes in a sequence that try a set, 0 to 10000; 0 keeps the one that is spread evenly.")
                    @Default("8")
                    int evaluations,
            @Doc("Sets that are tried on the same tokens, the best one so far included, 2 to 100.")
                    @Default("4")
                    int together,
            @Doc("Tokens that a set is tried on, 1 to 1024.") @Default("32") int tokens,
            @Doc("Seed of the sets that are tried.") @Default("1") long seed) {
        private static final int MAX_EVALUATIONS = 10_000;
        private static final int MAX_TOGETHER = 100;
        private static final int MAX_TOKENS = 1024;

        public Search {
            Require.between("evaluations", evaluations, 0, MAX_EVALUATIONS);
            Require.between("together", together, 2, MAX_TOGETHER);
            Require.between("tokens", tokens, 1, MAX_TOKENS);
        }
    }
}
