package dev.outrider.experiment.predict;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Optional;

/// What is foretold of one variant.
///
/// @param variant     its name
/// @param drafter     name of its drafter
/// @param rule        name of the rule that decides
/// @param temperature of sampling; 0 is greedy
/// @param predicted   tokens per round; empty if it was refused
/// @param measured    tokens per round of a comparison, if there was one
/// @param refusal     why nothing is predicted
public record PredictedSide(
        String variant,
        String drafter,
        String rule,
        double temperature,
        Optional<TokenRate> predicted,
        Optional<TokenRate> measured,
        Optional<String> refusal) {
    /// Measured over predicted tokens per round, less 1.
    @JsonProperty
    public Optional<Double> difference() {
        return predicted.flatMap(foretold ->
                measured.map(found -> found.tokensPerRound() / foretold.tokensPerRound() - 1));
    }

    PredictedSide withMeasured(TokenRate found) {
        return new PredictedSide(
                variant, drafter, rule, temperature, predicted, Optional.of(found), refusal);
    }
}
