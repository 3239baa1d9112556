package dev.outrider.drafter.eagle;

import dev.outrider.drafting.head.BackendKey;
import dev.outrider.drafting.head.HeadKeys;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;

/// Configuration of the drafter `eagle`. A tree of `kind: dynamic` is EAGLE-2.
@Doc(
        "EAGLE-1 and EAGLE-2: one decoder layer guesses the target's next feature from its last one"
                + " and the next token.")
public record EagleConfig(
        @Inline HeadKeys head,
        @Inline BackendKey engine,
        @Doc(
                        "Whether the columns of fc.weight for the feature come before those for the"
                                + " embedding. Published heads have the embedding first, and the file"
                                + " cannot tell.")
                @Default("false")
                boolean featureFirst) {
    public EagleConfig {
        engine.backend().require(head.precision());
    }
}
