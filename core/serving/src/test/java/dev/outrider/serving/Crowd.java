package dev.outrider.serving;

import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.EncodedPrompt;
import dev.outrider.engine.decode.Generation;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.processing.ProcessorChain;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/// A group of requests, and their results.
final class Crowd {
    private static final int PATIENCE_SECONDS = 60;

    private Crowd() {}

    static EncodedPrompt prompt(int... ids) {
        return new EncodedPrompt(Arrays.stream(ids).boxed().toList(), List.of());
    }

    /// Returns what the engine's own decoder writes if there are no other requests.
    static Generation alone(Request request) {
        var variant = request.variant();
        var sampling = request.sampling();
        var decoder =
                variant.decoder()
                        .withRule(variant.pairing(sampling.policy()).rule())
                        .withProcessors(new ProcessorChain(sampling.processors(), true));
        if (request.draftLength().isPresent()) {
            decoder =
                    decoder.withDrafting(
                            decoder.drafter(), new FixedLength(request.draftLength().getAsInt()));
        }
        var ending = request.ending();
        return decoder.decode(
                new DecodeRequest(
                        request.prompt().array(),
                        ending.maxTokens(),
                        sampling.policy(),
                        ending.stop(),
                        ending.ignoreEndOfSequence()),
                RandomnessSource.of(new KeyedRandomStreams(sampling.seed(), sampling.sequence())));
    }

    /// Returns the result of a request; throws its failure.
    static Completion await(Ticket ticket) {
        try {
            return ticket.completion().orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException own ? own : e;
        }
    }
}
