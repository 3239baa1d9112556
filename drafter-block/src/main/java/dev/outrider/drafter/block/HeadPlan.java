package dev.outrider.drafter.block;

import dev.outrider.common.Require;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import java.util.Locale;
import java.util.Optional;

/// The heads to train, beside the backbone.
public record HeadPlan(
        @Doc("Width of the Markov head's embeddings; 0 for no such head.") @Default("32")
                int markovRank,
        @Doc("The Markov head: vanilla, gated or rnn.") @Default("vanilla") String markovType,
        @Doc("Weight of the confidence head's loss; 0 for no such head.") @Default("1")
                double confidenceWeight,
        @Doc("Whether the confidence head reads the Markov head's embedding of the token before.")
                @Default("true")
                boolean confidenceReadsMarkov) {
    /// None: DFlash.
    static final HeadPlan NONE = new HeadPlan(0, "vanilla", 0, false);

    public HeadPlan {
        Require.that(
                markovRank >= 0 && confidenceWeight >= 0,
                "'markovRank' (%d) and 'confidenceWeight' (%s) must be at least 0",
                markovRank,
                confidenceWeight);
        type(markovType);
    }

    /// Returns the form of the trained heads.
    HeadForm form() {
        var markov =
                markovRank == 0
                        ? Optional.<HeadForm.Markov>empty()
                        : Optional.of(new HeadForm.Markov(markovRank, type(markovType)));
        boolean confidence = confidenceWeight > 0;
        return new HeadForm(
                markov, confidence, confidence && markov.isPresent() && confidenceReadsMarkov);
    }

    private static HeadForm.Type type(String name) {
        for (var type : HeadForm.Type.values()) {
            if (type.name().toLowerCase(Locale.ROOT).equals(name)) {
                return type;
            }
        }
        throw new IllegalArgumentException(
                "'markovType' must be vanilla, gated or rnn, got '%s'".formatted(name));
    }
}
