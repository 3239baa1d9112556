package dev.outrider.drafter.eagle;

import dev.outrider.nn.runtime.ElementType;
import dev.outrider.spi.Default;
import dev.outrider.spi.Doc;
import dev.outrider.spi.SamplingPolicy;
import dev.outrider.spi.TreePlan;
import java.nio.file.Path;
import java.util.Optional;

/// Configuration of the drafter `eagle`. A tree of `kind: dynamic` is EAGLE-2.
@Doc(
        "EAGLE-1 and EAGLE-2: one decoder layer guesses the target's next feature from its last one"
                + " and the next token.")
public record EagleConfig(
        @Doc("Folder of the head: config.json and model.safetensors.") Path path,
        @Doc(
                        "Tokens drafted a round as a chain, at least 1; 5 when neither 'length' nor"
                                + " 'tree' is given.")
                Optional<Integer> length,
        @Doc("Shape of the drafts, in place of 'length'; a dynamic tree is EAGLE-2.")
                Optional<TreePlan> tree,
        @Doc("How the drafter samples; the target's own sampling when it is not given.")
                Optional<SamplingPolicy> sampling,
        @Doc("Stop guessing below a token that was less probable than this, 0 (off) to 1.")
                @Default("0")
                double confidenceThreshold,
        @Doc("Number format of the layer: f32 or bf16; the target's when it is not given.")
                Optional<ElementType> precision,
        @Doc(
                        "Whether the columns of fc.weight for the feature come before those for the"
                                + " embedding. Published heads have the embedding first, and the file"
                                + " cannot tell.")
                @Default("false")
                boolean featureFirst) {
    public EagleConfig {
        Drafting.of(length, tree, sampling, confidenceThreshold);
    }

    Drafting drafting() {
        return Drafting.of(length, tree, sampling, confidenceThreshold);
    }
}
