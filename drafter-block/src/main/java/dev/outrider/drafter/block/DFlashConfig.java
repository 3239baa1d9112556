package dev.outrider.drafter.block;

import dev.outrider.drafting.Drafting;
import dev.outrider.nn.network.Precision;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import java.nio.file.Path;
import java.util.Optional;

/// Configuration of the drafter `dflash`.
@Doc(
        "DFlash: a few layers over the target's features guess a block of tokens in one pass, each slot independently of the others.")
public record DFlashConfig(
        @Doc("Folder of the head: config.json and model.safetensors.") Path path,
        @Inline Drafting drafting,
        @Doc(
                        "Number format of its weights: f32, bf16, f16, int8, int4 or w8a8; a target of 'vector' lends its own when it is not"
                                + " given, otherwise f32.")
                Optional<Precision> precision,
        @Inline BlockOverrides overrides) {}
