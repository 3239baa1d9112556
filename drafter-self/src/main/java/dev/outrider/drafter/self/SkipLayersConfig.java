package dev.outrider.drafter.self;

import dev.outrider.common.Require;
import dev.outrider.drafting.Drafting;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import dev.outrider.spi.target.PartialPasses.LayerSubset;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Configuration of the drafter `skip-layers`.
@Doc("Skipped sub-layers: the target without some of its attention and feed-forward parts guesses.")
public record SkipLayersConfig(
        @Doc("Sub-layers that are left out; spread evenly when it is not given.")
                Optional<Skip> skip,
        @Doc(
                        "Share of the target's sub-layers that are left out when 'skip' is not given, above 0 and below 1. Those of the"
                                + " first and of the last layer always run.")
                @Default("0.45")
                double share,
        @Inline Drafting drafting) {
    public SkipLayersConfig {
        Require.that(share > 0 && share < 1, "'share' must be between 0 and 1, got %s", share);
    }

    /// Returns the sub-layers of a target: half of the share is attention.
    ///
    /// @param layers of the target, at least 3 if a share is spread
    LayerSubset.Without of(int layers) {
        return skip.map(each ->
                        new LayerSubset.Without(
                                Set.copyOf(each.attention()), Set.copyOf(each.feedForward())))
                .orElseGet(() -> spread(layers, share));
    }

    /// Spreads a share of the sub-layers evenly over the layers except the first and the last.
    static LayerSubset.Without spread(int layers, double share) {
        int inner = layers - 2;
        int count = (int) Math.clamp(Math.round(share * 2 * layers), 1, 2 * inner);
        int attention = Math.ceilDiv(count, 2);
        return new LayerSubset.Without(inner(attention, inner), inner(count - attention, inner));
    }

    /// Returns this many different layers, without the first and the last.
    private static Set<Integer> inner(int count, int inner) {
        return IntStream.range(0, count)
                .mapToObj(index -> 1 + (2 * index + 1) * inner / (2 * count))
                .collect(Collectors.toSet());
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
}
