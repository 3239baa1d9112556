package dev.outrider.drafting.feature;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.spi.target.HiddenState;
import java.util.Optional;

/// The feature that the row of a guessed token gets, whose true one does not exist yet.
public enum Recycling {
    /// The draft layer's stream before its final norm: EAGLE-1 and EAGLE-3.
    BEFORE_NORM,
    /// The normed stream, which the draft layer's head reads: Qwen3-Next, MiMo, EAGLE-3.1.
    AFTER_NORM,
    /// The target's feature of the root, again for every guess.
    TARGET;

    /// Returns the state of the draft layer that a pass has to report.
    Optional<HiddenState> state(DecoderConfig config) {
        return switch (this) {
            case BEFORE_NORM -> Optional.of(new HiddenState.AfterLayer(config.layers()));
            case AFTER_NORM -> Optional.of(new HiddenState.AfterFinalNorm());
            case TARGET -> Optional.empty();
        };
    }
}
