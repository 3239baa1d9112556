package dev.outrider.nn.network;

import dev.outrider.common.Require;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;

/// Feed-forward layers of which a row activates a few: a router scores all experts, those with the greatest scores compute, and their
/// results are summed with weights from a softmax. If scores are equal, the expert with the lower number comes first.
///
/// @param count            experts of a layer
/// @param chosen           number of experts that a row activates
/// @param intermediateSize width of an expert
/// @param normalised       whether the weights of the chosen experts sum to one: the softmax is then over the chosen experts
///                         alone, which is the same as dividing their weights under the softmax over all by their sum
/// @param biases           whether the router and the experts' projections have biases
/// @param sharedSize       width of a shared expert, which every row activates and whose output a sigmoid scales
/// @param every            the layers with experts: a layer has them if its number, from 1, is a multiple of this
/// @param denseLayers      numbers, from 0, of layers that have none although they would
/// @see "Shazeer et al. 2017, section 2; Jiang et al. 2024 (Mixtral), section 2.1"
public record Experts(
        int count,
        int chosen,
        int intermediateSize,
        boolean normalised,
        boolean biases,
        OptionalInt sharedSize,
        int every,
        Set<Integer> denseLayers) {
    public Experts {
        denseLayers = Set.copyOf(denseLayers);
        Require.that(
                chosen >= 1 && count >= chosen,
                "a row cannot wake %d of %d experts",
                chosen,
                count);
        Require.that(every >= 1, "every %d is not positive", every);
        Require.that(
                intermediateSize >= 1 && (sharedSize.isEmpty() || sharedSize.getAsInt() >= 1),
                "experts of width %d, shared %s; expected positive widths",
                intermediateSize,
                sharedSize);
    }

    /// Experts in all layers, without a shared one, weights normalised.
    public Experts(int count, int chosen, int intermediateSize) {
        this(count, chosen, intermediateSize, true, false, OptionalInt.empty(), 1, Set.of());
    }

    /// Returns whether a layer has experts.
    public boolean in(int layer) {
        return (layer + 1) % every == 0 && !denseLayers.contains(layer);
    }

    /// Returns how many of the first layers have experts.
    public int sparseLayers(int layers) {
        return (int) IntStream.range(0, layers).filter(this::in).count();
    }
}
