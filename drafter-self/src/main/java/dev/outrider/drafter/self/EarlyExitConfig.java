package dev.outrider.drafter.self;

import dev.outrider.common.Require;
import dev.outrider.drafting.Drafting;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;

/// Configuration of the drafter `early-exit`.
@Doc(
        "Early exit: the target's first layers guess, with its own norm and head, and the pass that verifies goes on above them."
                + " Worth it on targets that were trained to exit early (LayerSkip).")
public record EarlyExitConfig(
        @Doc("Layers of the target that guess, at least 1 and fewer than it has.") int layer,
        @Inline Drafting drafting) {
    public EarlyExitConfig {
        Require.atLeast("layer", layer, 1);
    }
}
