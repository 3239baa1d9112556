package dev.outrider.drafter.self;

import dev.outrider.spi.target.PartialPasses.LayerSubset;
import java.util.BitSet;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The sub-layers that are left out: 2 L bits for a decoder of L layers, those of attention first.
/// The first and the last layer always run.
///
/// @param layers  number of layers L, at least 3
/// @param skipped the sub-layers
record SubLayers(int layers, BitSet skipped) {
    SubLayers {
        skipped = (BitSet) skipped.clone();
    }

    /// Returns the maximum number of sub-layers that can be left out.
    static int most(int layers) {
        return 2 * (layers - 2);
    }

    /// Returns a share of the sub-layers, half of them attention, spread evenly over the layers
    /// except the first and the last.
    static SubLayers spread(int layers, double share) {
        int count = (int) Math.clamp(Math.round(share * 2 * layers), 1, most(layers));
        int attention = Math.ceilDiv(count, 2);
        var skipped = new BitSet();
        spread(attention, layers - 2).forEach(skipped::set);
        spread(count - attention, layers - 2).map(layer -> layers + layer).forEach(skipped::set);
        return new SubLayers(layers, skipped);
    }

    /// Returns this many different layers between the first and the last.
    private static IntStream spread(int count, int inner) {
        return IntStream.range(0, count).map(index -> 1 + (2 * index + 1) * inner / (2 * count));
    }

    /// Returns another set of the same size: one sub-layer runs again, another one is left out.
    /// Returns the same set if all possible ones are left out.
    SubLayers swapped(RandomGenerator random) {
        int[] out = skipped.stream().toArray();
        int[] in =
                IntStream.range(0, most(layers))
                        .map(free -> bit(layers, free))
                        .filter(each -> !skipped.get(each))
                        .toArray();
        if (in.length == 0) {
            return this;
        }
        var other = (BitSet) skipped.clone();
        other.clear(out[random.nextInt(out.length)]);
        other.set(in[random.nextInt(in.length)]);
        return new SubLayers(layers, other);
    }

    LayerSubset.Without asSubset() {
        return new LayerSubset.Without(
                skipped.stream().filter(each -> each < layers).boxed().collect(Collectors.toSet()),
                skipped.stream()
                        .filter(each -> each >= layers)
                        .mapToObj(each -> each - layers)
                        .collect(Collectors.toSet()));
    }

    /// Returns the bit of a sub-layer that can be left out, in the order in which they run.
    private static int bit(int layers, int free) {
        int layer = 1 + free / 2;
        return free % 2 == 0 ? layer : layers + layer;
    }
}
