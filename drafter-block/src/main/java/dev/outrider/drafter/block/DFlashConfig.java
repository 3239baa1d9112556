package dev.outrider.drafter.block;

import dev.outrider.drafting.head.BackendKey;
import dev.outrider.drafting.head.HeadKeys;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;

/// Configuration of the drafter `dflash`.
@Doc(
        "DFlash: a few layers over the target's features guess a block of tokens in one pass, each slot independently of the others.")
public record DFlashConfig(
        @Inline HeadKeys head, @Inline BackendKey engine, @Inline BlockOverrides overrides) {
    public DFlashConfig {
        engine.backend().require(head.precision());
    }
}
