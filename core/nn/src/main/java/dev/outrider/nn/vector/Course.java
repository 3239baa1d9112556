package dev.outrider.nn.vector;

import dev.outrider.spi.target.PartialPasses.LayerSubset;
import java.util.Set;

/// What a pass runs: some layers in a row, perhaps without some of their sub-layers.
///
/// @param from        first layer
/// @param to          the layer after the last one
/// @param attention   layers whose attention is left out
/// @param feedForward layers whose feed-forward part is left out
record Course(int from, int to, Set<Integer> attention, Set<Integer> feedForward) {
    /// All layers from one on.
    static Course from(int layer, int layers) {
        requireLayer(layer, layers + 1);
        return new Course(layer, layers, Set.of(), Set.of());
    }

    /// @throws IllegalArgumentException if a network of so many layers does not have them
    static Course of(LayerSubset subset, int layers) {
        return switch (subset) {
            case LayerSubset.First(int first) -> {
                requireLayer(first, layers + 1);
                yield new Course(0, first, Set.of(), Set.of());
            }
            case LayerSubset.Without(var attention, var feedForward) -> {
                attention.forEach(layer -> requireLayer(layer, layers));
                feedForward.forEach(layer -> requireLayer(layer, layers));
                yield new Course(0, layers, attention, feedForward);
            }
        };
    }

    boolean attends(int layer) {
        return !attention.contains(layer);
    }

    boolean feeds(int layer) {
        return !feedForward.contains(layer);
    }

    private static void requireLayer(int layer, int bound) {
        if (layer < 0 || layer >= bound) {
            throw new IllegalArgumentException(
                    "layer %d is not between 0 and %d".formatted(layer, bound - 1));
        }
    }
}
