package dev.outrider.drafter.eagle;

import dev.outrider.drafting.Drafting;
import dev.outrider.nn.network.Precision;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import java.nio.file.Path;
import java.util.Optional;

/// Configuration of the drafter `eagle`. A tree of `kind: dynamic` is EAGLE-2.
@Doc(
        "EAGLE-1 and EAGLE-2: one decoder layer guesses the target's next feature from its last one"
                + " and the next token.")
public record EagleConfig(
        @Doc("Folder of the head: config.json and model.safetensors.") Path path,
        @Inline Drafting drafting,
        @Doc(
                        "Number format of the layer: f32 or bf16, with a target of 'vector' also f16, int8, int4 or w8a8; the target's when it is not given.")
                Optional<Precision> precision,
        @Doc(
                        "Whether the columns of fc.weight for the feature come before those for the"
                                + " embedding. Published heads have the embedding first, and the file"
                                + " cannot tell.")
                @Default("false")
                boolean featureFirst) {}
