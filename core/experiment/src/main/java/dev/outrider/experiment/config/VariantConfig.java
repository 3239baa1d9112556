package dev.outrider.experiment.config;

import dev.outrider.common.Require;
import dev.outrider.config.Component;
import dev.outrider.engine.beam.BeamSettings;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.draft.DrafterChoice;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.run.DraftLengthPolicy;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.util.Optional;

/// One way of speculating.
public record VariantConfig(
        @Doc("How tables call it; names that begin with 'plain' are taken.") String name,
        @Doc("What guesses tokens.") DrafterChoice drafter,
        @Doc("What judges the guesses; left out, the lossless rule that fits the drafter.")
                Optional<Component<AcceptanceRule.Factory<?>>> rule,
        @Doc(
                        "Tokens to draft a round: a number, or a policy that chooses it; left out, the drafter's own limit.")
                Optional<Component<DraftLengthPolicy.Factory<?>>> draftLength,
        @Doc("Sampling of this variant and of the plain decoding it is compared with.")
                Optional<SamplingPolicy> sampling,
        @Doc(
                        "Beam search of this variant and of the plain search it is compared with; left out, one text is written token by token.")
                Optional<BeamSettings> decoding) {

    /// Most characters of a name.
    public static final int LONGEST_NAME = 60;

    public VariantConfig {
        Require.that(
                !name.isBlank() && !name.startsWith("plain") && name.length() <= LONGEST_NAME,
                "name '%s' must be 1 to %d characters and not begin with 'plain'",
                name,
                LONGEST_NAME);
    }
}
