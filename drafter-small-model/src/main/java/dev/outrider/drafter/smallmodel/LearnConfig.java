package dev.outrider.drafter.smallmodel;

import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.training.Divergence;
import dev.outrider.training.RoundTraining;

/// How a draft model learns from the rounds that it drafts for.
///
/// @param rate       learning rate, the same at every step
/// @param every      sequences that are waited for
/// @param steps      steps on them
/// @param tokens     nodes of a sequence that are read, rejected guesses and the prompt included
/// @param divergence how far the draft is from the target
@Doc(
        "How a draft model learns from the rounds that it drafts for: it is shown the target's distribution wherever it drew a guess,"
                + " rejected ones included. Memory: four bytes for each of these places and token of the vocabulary.")
record LearnConfig(
        @Doc("Learning rate of AdamW, the same at every step.") @Default("0.0005") double rate,
        @Doc("Sequences after which it learns.") @Default("1") int every,
        @Doc("Steps that it then takes on them.") @Default("1") int steps,
        @Doc(
                        "Most nodes of a sequence that it learns from, prompt and rejected guesses included; what comes later is not learned.")
                @Default("512")
                int tokens,
        @Doc("How the draft's distribution is compared with the target's.") @Default("forward-kl")
                Divergence divergence) {
    LearnConfig {
        settings(rate, divergence);
        if (every < 1 || steps < 1 || tokens < 2) {
            throw new IllegalArgumentException(
                    "every is %d, steps %d and tokens %d; expected at least 1, 1 and 2"
                            .formatted(every, steps, tokens));
        }
    }

    RoundTraining.Settings settings() {
        return settings(rate, divergence);
    }

    private static RoundTraining.Settings settings(double rate, Divergence divergence) {
        return new RoundTraining.Settings(rate, divergence);
    }
}
