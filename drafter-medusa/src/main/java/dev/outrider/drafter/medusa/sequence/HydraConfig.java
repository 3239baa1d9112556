package dev.outrider.drafter.medusa.sequence;

import dev.outrider.drafting.head.BackendKey;
import dev.outrider.drafting.head.HeadKeys;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;

/// Configuration of the drafter `hydra`.
@Doc(
        "Hydra: heads on the target's last hidden state, each of which also sees the tokens drafted before its guess. The file may be hydra_lm_head.safetensors.")
public record HydraConfig(@Inline HeadKeys head, @Inline BackendKey engine) {
    public HydraConfig {
        engine.backend().require(head.precision());
    }
}
