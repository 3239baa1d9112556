package dev.outrider.treeverify.pass;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Experts;
import dev.outrider.nn.network.Weight;
import java.util.Optional;
import java.util.OptionalInt;

/// Sizes of layers with experts in a device's program; 0 without experts.
///
/// @param config  the decoder
/// @param maxRows maximum rows of one run of the program
public record ExpertSizes(DecoderConfig config, int maxRows) {
    /// Returns the outputs of an expert in a matrix of all experts, filled up to whole groups of work items.
    public int padded(Weight weight) {
        int inner = form().orElseThrow().intermediateSize();
        boolean down = weight == Weight.EXPERT_DOWN || weight == Weight.EXPERT_DOWN_BIAS;
        int outputs = down ? config.hiddenSize() : 2 * inner;
        return Math.ceilDiv(outputs, PassCost.TILE) * PassCost.TILE;
    }

    /// Returns the biases of all outputs of a layer's experts in such a matrix; 0 without biases.
    int biases(Weight weight) {
        return form().filter(Experts::biases)
                .map(each -> Math.multiplyExact(each.count(), padded(weight)))
                .orElse(0);
    }

    /// Returns the experts of layers that have them.
    public Optional<Experts> form() {
        return config.form().feedForward().experts();
    }

    /// Returns the number of layers with experts.
    public int sparseLayers() {
        return form().map(each -> each.sparseLayers(config.layers())).orElse(0);
    }

    /// Returns the outputs of the router: the experts' scores, and the factor of a shared expert before its sigmoid; 0 without any.
    public int scores() {
        return form().map(Experts::count).orElse(0) + (sharedSize() > 0 ? 1 : 0);
    }

    /// Returns the width of the shared expert, or 0.
    public int sharedSize() {
        return form().map(Experts::sharedSize).orElse(OptionalInt.empty()).orElse(0);
    }

    /// Returns the maximum choices of experts in a pass.
    public int maxChoices() {
        return maxRows * form().map(Experts::chosen).orElse(0);
    }

    /// Returns the length of the array of choices: for each expert the number of rows that chose it, their indices and the indices
    /// of their choices, at most `maxRows` of both; then the chosen experts of each row.
    public int choices() {
        return form().map(Experts::count).orElse(0) * (1 + 2 * maxRows) + maxChoices();
    }
}
