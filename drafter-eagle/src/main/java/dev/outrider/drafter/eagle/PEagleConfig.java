package dev.outrider.drafter.eagle;

import dev.outrider.drafting.Drafting;
import dev.outrider.nn.network.Precision;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import java.nio.file.Path;
import java.util.Optional;

/// Configuration of the drafter `p-eagle`.
@Doc(
        "P-EAGLE: EAGLE-3's layer guesses several tokens in one pass, each independently of the others.")
public record PEagleConfig(
        @Doc("Folder of the head: config.json and model.safetensors.") Path path,
        @Inline Drafting drafting,
        @Doc(
                        "Number format of the layer: f32 or bf16, with a target of 'vector' also f16, int8, int4 or w8a8; the target's when it is not given.")
                Optional<Precision> precision,
        @Inline PEagleOverrides overrides) {}
