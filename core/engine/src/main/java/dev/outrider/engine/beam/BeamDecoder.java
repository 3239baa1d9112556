package dev.outrider.engine.beam;

import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.decode.Generation;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.run.DecodeEvent.FinishReason;
import dev.outrider.spi.run.DecodeListener;
import dev.outrider.spi.target.Capabilities;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;

/// Searches for the best texts with several beams: plainly, or with the guesses of a drafter, which change only the number of
/// passes.
///
/// Thread-safe: every call opens sessions of its own.
///
/// @param decoder  target, drafter and processors; its rule is not asked, since there is nothing to decide about
/// @param settings of the search
public record BeamDecoder(Decoder decoder, BeamSettings settings) {
    /// Searches.
    ///
    /// @param request    of argmax decoding without stop strings
    /// @param randomness of rounds, for drafters that draw
    /// @param listener   told about passes as they come, and about the text of the best hypothesis at the end
    /// @param cancelled  asked before every pass; once it is true the best texts so far are the result
    /// @return the best hypothesis as tokens and text, and all that were asked for
    /// @throws OutriderException as [Decoder#decode]; `CONFIG_INVALID`, `CAPABILITY_MISSING` for what cannot be searched for;
    ///     `TOKEN_OUT_OF_RANGE` for end tokens that are none of the target's
    public Generation decode(
            DecodeRequest request,
            RandomnessSource randomness,
            DecodeListener listener,
            BooleanSupplier cancelled) {
        BeamLimits.requireSearchable(settings, request);
        decoder.drafter()
                .map(Drafter::traits)
                .ifPresent(traits -> BeamLimits.requireTextAlone("the drafter", traits));
        var search = new BeamSearch(settings, endTokens(request), request.maxTokens());
        try (var target = decoder.openTarget(request, capacity(request))) {
            var drafts =
                    new BeamDrafts(
                            () -> decoder.openDrafting(request, listener, Capabilities.none()),
                            request.prompt(),
                            decoder.target().description().vocabularySize());
            try (drafts) {
                var run =
                        new BeamRun(decoder, search, request, target, drafts, randomness, listener);
                run.prefill();
                while (!run.over()) {
                    if (cancelled.getAsBoolean()) {
                        return run.finish(FinishReason.CANCELLED);
                    }
                    run.pass();
                }
                return run.finish();
            }
        }
    }

    private Set<Integer> endTokens(DecodeRequest request) {
        var description = decoder.target().description();
        if (request.ignoreEndOfSequence()) {
            return Set.of();
        }
        for (int token : settings.endTokens()) {
            if (token >= description.vocabularySize()) {
                throw ErrorCode.TOKEN_OUT_OF_RANGE.error(
                        "endTokens has %d, which is outside the vocabulary of target '%s', expected 0 to %d"
                                .formatted(
                                        token,
                                        description.name(),
                                        description.vocabularySize() - 1),
                        "Give ids of the target's own tokenizer.");
            }
        }
        return settings.endTokens().isEmpty()
                ? description.endOfSequence()
                : new HashSet<>(settings.endTokens());
    }

    /// Returns the cache rows for beams that share nothing but the prompt, and for a draft of each, limited by the model's
    /// positions.
    private int capacity(DecodeRequest request) {
        long nodes = decoder.drafter().map(each -> each.traits().maxNodes()).orElse(0);
        long rows = request.prompt().length + settings.beams() * (request.maxTokens() + nodes);
        return (int) Math.min(decoder.target().description().maxPositions(), rows);
    }
}
