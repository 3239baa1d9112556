package dev.outrider.experiment.config;

import dev.outrider.config.Component;
import dev.outrider.engine.beam.BeamSettings;
import dev.outrider.engine.decode.Overlap;
import dev.outrider.spi.config.Default;
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
                Optional<BeamSettings> decoding,
        @Default("false")
                @Doc(
                        "Let the drafter work for the next round on a thread of its own while the target verifies this one; the output is the same."
                                + " For drafters that have something to do then, such as small-model with the target's tokenizer.")
                OverlapSetting overlap) {

    /// Most characters of a name.
    public static final int LONGEST_NAME = 60;

    public VariantConfig {
        if (name.isBlank() || name.startsWith("plain") || name.length() > LONGEST_NAME) {
            throw new IllegalArgumentException(
                    "name '%s' must be 1 to %d characters and not begin with 'plain'"
                            .formatted(name, LONGEST_NAME));
        }
    }

    /// Whether the drafter works while the target verifies: `true`, `false`, or `{branches: 4}`.
    public sealed interface OverlapSetting {
        /// Returns the decoder's setting.
        Overlap overlap();

        /// Stages take turns.
        @Doc("It drafts when the target is done.")
        record False() implements OverlapSetting {
            @Override
            public Overlap overlap() {
                return Overlap.NONE;
            }
        }

        /// Stages overlap.
        ///
        /// @param branches most outcomes of a round to work on
        @Doc("It drafts for likely outcomes of the round while the target is at work.")
        record True(
                @Doc(
                                "Most outcomes of a round to work on at a time, 1 to 256: places where the target may leave the draft, and tokens"
                                        + " that may follow. Each is a row more in the passes of the drafter.")
                        @Default("8")
                        int branches)
                implements OverlapSetting {
            /// Checks the number.
            public True {
                Overlap.BESIDE.branches(branches);
            }

            @Override
            public Overlap overlap() {
                return Overlap.BESIDE.branches(branches);
            }
        }
    }
}
