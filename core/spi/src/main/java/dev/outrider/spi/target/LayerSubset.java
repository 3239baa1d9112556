package dev.outrider.spi.target;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// The layers that a partial pass runs. Layers count from 0. Final norm and head always run, on whatever the last layer left.
@API(status = Status.EXPERIMENTAL, since = "5")
public sealed interface LayerSubset {
    /// The first layers, all the others left out: early exit.
    ///
    /// @param layers how many run, at least 1
    /// @see "Elhoushi et al. 2024 (LayerSkip), section 4.3"
    record First(int layers) implements LayerSubset {
        /// Checks that there is a layer.
        public First {
            if (layers < 1) {
                throw new IllegalArgumentException(
                        "an exit after %d layers, expected at least 1".formatted(layers));
            }
        }
    }

    /// All layers but for some of their sub-layers. What a sub-layer that is left out would add to the residual stream is not added.
    ///
    /// @param attention   layers whose attention is left out
    /// @param feedForward layers whose feed-forward part is left out
    /// @see "Zhang et al. 2023 (Draft & Verify); Xia et al. 2024 (SWIFT), section 4.1"
    record Without(Set<Integer> attention, Set<Integer> feedForward) implements LayerSubset {
        /// Copies the layers and checks that none is negative.
        public Without {
            attention = Set.copyOf(attention);
            feedForward = Set.copyOf(feedForward);
            for (var layers : List.of(attention, feedForward)) {
                if (layers.stream().anyMatch(layer -> layer < 0)) {
                    throw new IllegalArgumentException(
                            "layers %s count from 0".formatted(new TreeSet<>(layers)));
                }
            }
        }
    }
}
