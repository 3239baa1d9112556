package dev.outrider.drafter.medusa.sequence;

import dev.outrider.drafting.Drafting;
import dev.outrider.nn.network.Precision;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import java.nio.file.Path;
import java.util.Optional;

/// Configuration of the drafter `hydra`.
@Doc(
        "Hydra: heads on the target's last hidden state, each of which also sees the tokens drafted before its guess.")
public record HydraConfig(
        @Doc(
                        "Folder of the heads: config.json, and model.safetensors or hydra_lm_head.safetensors.")
                Path path,
        @Inline Drafting drafting,
        @Doc(
                        "Number format of their weights: f32, bf16, f16, int8, int4 or w8a8; a target of 'vector' lends its own when it is"
                                + " not given, otherwise f32.")
                Optional<Precision> precision) {
    SequenceDrafter.Shape draft() {
        return new SequenceDrafter.Shape(drafting, Optional.empty());
    }
}
