package dev.outrider.drafter.eagle;

import dev.outrider.drafting.head.BackendKey;
import dev.outrider.drafting.head.HeadKeys;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;

/// Configuration of the drafter `eagle3`. It can set what the checkpoint's dialect leaves out.
@Doc("EAGLE-3: one decoder layer over three of the target's layers, with a vocabulary of its own.")
public record Eagle3Config(
        @Inline HeadKeys head, @Inline BackendKey engine, @Inline LayoutOverrides overrides) {
    public Eagle3Config {
        engine.backend().require(head.precision());
    }
}
