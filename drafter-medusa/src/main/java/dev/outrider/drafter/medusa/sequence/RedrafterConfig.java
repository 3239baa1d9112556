package dev.outrider.drafter.medusa.sequence;

import dev.outrider.drafting.Drafting;
import dev.outrider.nn.network.Precision;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import java.nio.file.Path;
import java.util.Optional;

/// Configuration of the drafter `redrafter`.
@Doc("ReDrafter: one recurrent head on the target's last hidden state, for all guesses.")
public record RedrafterConfig(
        @Doc("Folder of the head: config.json and model.safetensors.") Path path,
        @Inline Drafting drafting,
        @Doc(
                        "Beams that are searched and verified with shared prefixes, as published; in place of 'length' and 'tree'.")
                Optional<Beam> beam,
        @Doc(
                        "Number format of its weights: f32, bf16, f16, int8, int4 or w8a8; a target of 'vector' lends its own when it is"
                                + " not given, otherwise f32.")
                Optional<Precision> precision) {
    public RedrafterConfig {
        if (beam.isPresent() && (drafting.length().isPresent() || drafting.tree().isPresent())) {
            throw new IllegalArgumentException(
                    "'beam' excludes 'length' and 'tree': it is the shape of the drafts");
        }
    }

    SequenceDrafter.Shape draft() {
        return new SequenceDrafter.Shape(drafting, beam);
    }
}
