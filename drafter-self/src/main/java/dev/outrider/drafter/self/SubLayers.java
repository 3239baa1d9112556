package dev.outrider.drafter.self;

import dev.outrider.spi.target.PartialPasses.LayerSubset;
import java.util.BitSet;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Which sub-layers are left out: of a decoder of L layers 2 L bits, those of attention first. The first and the last layer always run.
///
/// @param layers  number of layers L, at least 3
/// @param skipped the sub-layers
record SubLayers(int layers, BitSet skipped) {
    SubLayers {
        skipped = (BitSet) skipped.clone();
    }

    /// Most sub-layers that can be left out.
    static int most(int layers) {
        return 2 * (layers - 2);
    }

    /// As many as a share asks for, half of them attention, spread evenly over the layers that can do without.
    static SubLayers spread(int layers, double share) {
        int count = (int) Math.clamp(Math.round(share * 2 * layers), 1, most(layers));
        int attention = Math.ceilDiv(count, 2);
        var skipped = new BitSet();
        spread(attention, layers - 2).forEach(skipped::set);
        spread(count - attention, layers - 2).map(layer -> layers + layer).forEach(skipped::set);
        return new SubLayers(layers, skipped);
    }

    /// So many different layers of those between the first and the last.
    private static IntStream spread(int count, int inner) {
        return IntStream.range(0, count).map(index -> 1 + (2 * index + 1) * inner / (2 * count));
    }

    /// Another set of as many: one sub-layer runs again, another one is left out. The same set if all that can be are left out.
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

    /// The sub-layers that can be left out, in the order in which they run.
    private static int bit(int layers, int free) {
        int layer = 1 + free / 2;
        return free % 2 == 0 ? layer : layers + layer;
    }
}
