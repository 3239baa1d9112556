package dev.outrider.drafter.eagle;

import dev.outrider.drafting.Drafting;
import dev.outrider.nn.network.Precision;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import java.nio.file.Path;
import java.util.Optional;

/// Configuration of the drafter `eagle3`. What the checkpoint's dialect leaves open can be said here.
@Doc("EAGLE-3: one decoder layer over three of the target's layers, with a vocabulary of its own.")
public record Eagle3Config(
        @Doc("Folder of the head: config.json and model.safetensors.") Path path,
        @Inline Drafting drafting,
        @Doc(
                        "Number format of the layer: f32 or bf16, with a target of 'vector' also f16, int8, int4 or w8a8; the target's when it is not given.")
                Optional<Precision> precision,
        @Inline LayoutOverrides overrides) {}
