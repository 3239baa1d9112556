package dev.outrider.spi.target;

import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// Names one of the target's hidden states. Checkpoint dialects count layers differently
/// (docs/reference/algorithms.md A5.6); loaders translate to these names.
@API(status = Status.STABLE, since = "2")
public sealed interface HiddenState {
    /// The residual stream after `layers` decoder layers; 0 is the embedding, L the input of the final norm.
    ///
    /// @param layers decoder layers below the state, at least 0
    record AfterLayer(int layers) implements HiddenState {
        /// Checks the count.
        public AfterLayer {
            if (layers < 0) {
                throw new IllegalArgumentException("layers %d is negative".formatted(layers));
            }
        }
    }

    /// The last layer's output after the final norm: the input of the language-model head.
    record AfterFinalNorm() implements HiddenState {}
}
