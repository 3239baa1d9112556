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
    /// Measured over predicted tokens per round, less 1; nothing where the prediction is too uncertain.
    @JsonProperty
    public Optional<Double> difference() {
        return known().flatMap(foretold ->
                measured.map(found -> found.tokensPerRound() / foretold.tokensPerRound() - 1));
    }

    /// Why the prediction says nothing, and what would; empty where it says something, or there is none.
    @JsonProperty
    public Optional<String> uncertain() {
        return predicted
                .filter(rate -> !rate.certain())
                .map(rate ->
                        "%.2f [%.2f, %.2f] %s; 'outrider predict --measure' and 'outrider bench' measure it, and about %d times as many texts (prompts.limit, repetitions) would foretell it to a tenth"
                                .formatted(
                                        rate.tokensPerRound(),
                                        rate.low(),
                                        rate.high(),
                                        rate.low() < 1
                                                ? "reaches below the one token that every round yields: of what was drawn little lay on the texts"
                                                : "is wider than its number: the texts are few or unlike",
                                        rate.times()));
    }

    /// The prediction, if it says anything.
    Optional<TokenRate> known() {
        return predicted.filter(TokenRate::certain);
    }

    PredictedSide withMeasured(TokenRate found) {
        return new PredictedSide(
                variant, drafter, rule, temperature, predicted, Optional.of(found), refusal);
    }
}
