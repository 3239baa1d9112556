package dev.outrider.engine.beam;

import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.util.List;

/// Refuses requests that make no sense with beams, or cannot be served.
public final class BeamLimits {
    private BeamLimits() {}

    /// @throws OutriderException `CONFIG_INVALID` if tokens are to be sampled, or if the settings do not say clearly when a
    ///                           hypothesis ends
    static void requireSearchable(BeamSettings settings, DecodeRequest request) {
        requireArgmax(request.policy());
        requireEnds(settings, request.stop(), request.ignoreEndOfSequence(), request.maxTokens());
    }

    /// A search maximises; it does not draw.
    ///
    /// @throws OutriderException `CONFIG_INVALID`
    public static void requireArgmax(SamplingPolicy policy) {
        if (!policy.equals(SamplingPolicy.argmax())) {
            throw ErrorCode.CONFIG_INVALID.error(
                    "a beam search looks for the most probable texts, but the sampling is %s"
                            .formatted(policy),
                    "Leave out 'sampling' or set temperature, topK, topP, minP and repetitionPenalty to their defaults, or leave out"
                            + " 'decoding'.");
        }
    }

    /// Requires that hypotheses end by tokens, and that the model has such a token.
    ///
    /// @param stop texts that are to end them
    /// @throws OutriderException `CONFIG_INVALID`
    public static void requireEnds(
            BeamSettings settings, List<String> stop, boolean ignoreEndOfSequence, int maxTokens) {
        if (!stop.isEmpty()) {
            throw ErrorCode.CONFIG_INVALID.error(
                    "a beam search ends hypotheses by tokens, but 'stop' has texts",
                    "Leave out 'stop', and name the tokens in 'endTokens' of 'decoding'.");
        }
        if (ignoreEndOfSequence && !settings.endTokens().isEmpty()) {
            throw ErrorCode.CONFIG_INVALID.error(
                    "endTokens is %s, but ignoreEndOfSequence passes over tokens that end a text"
                            .formatted(settings.endTokens()),
                    "Leave out one of the two.");
        }
        if (settings.minTokens() > maxTokens) {
            throw ErrorCode.CONFIG_INVALID.error(
                    "minTokens %d of the beam search is above maxTokens %d"
                            .formatted(settings.minTokens(), maxTokens),
                    "Set minTokens to at most maxTokens.");
        }
    }

    /// Requires that a drafter of a search reads the texts of the beams and nothing of the target.
    ///
    /// @param drafter how errors call it
    /// @throws OutriderException `CAPABILITY_MISSING`
    public static void requireTextAlone(String drafter, DrafterTraits traits) {
        if (traits.needsHiddenStates() || traits.readsRejectedNodes()) {
            throw ErrorCode.CAPABILITY_MISSING.error(
                    "%s cannot draft for beams, because it reads %s"
                            .formatted(
                                    drafter,
                                    traits.needsHiddenStates()
                                            ? "hidden states of the target"
                                            : "the target's scores of rejected guesses"),
                    "Choose a drafter that drafts from the text, such as 'prompt-lookup' or 'small-model'.");
        }
    }
}
