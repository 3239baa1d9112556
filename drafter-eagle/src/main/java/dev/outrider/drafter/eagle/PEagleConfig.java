package dev.outrider.drafter.eagle;

import dev.outrider.drafter.eagle.LayoutOverrides.LayerOverrides;
import dev.outrider.drafting.head.BackendKey;
import dev.outrider.drafting.head.HeadKeys;
import dev.outrider.drafting.head.LayoutKeys;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import java.util.Optional;

/// Configuration of the drafter `p-eagle`.
@Doc(
        "P-EAGLE: EAGLE-3's layer guesses several tokens in one pass, each independently of the others.")
public record PEagleConfig(
        @Inline HeadKeys head,
        @Inline BackendKey engine,
        @Inline LayerOverrides overrides,
        @Doc("Token that stands for what is to be guessed, in place of the checkpoint's.")
                Optional<Integer> maskToken) {
    public PEagleConfig {
        LayoutKeys.requireToken(maskToken);
        engine.backend().require(head.precision());
    }
}
