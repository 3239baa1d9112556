package dev.outrider.serving;

import dev.outrider.engine.decode.EncodedPrompt;
import dev.outrider.serving.ServingRequest.Ending;
import dev.outrider.serving.ServingRequest.Sampling;
import dev.outrider.serving.ServingRequest.Scores;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntFunction;

/// A request that tests change one part at a time.
record Request(
        ServedVariant variant,
        EncodedPrompt prompt,
        Sampling sampling,
        Ending ending,
        Scores scores,
        OptionalInt draftLength,
        Optional<Duration> deadline,
        String client) {
    /// A request for the most probable tokens, of no particular client.
    static Request of(ServedVariant variant, EncodedPrompt prompt, int maxTokens) {
        return new Request(
                variant,
                prompt,
                argmax(),
                after(maxTokens),
                noScores(),
                OptionalInt.empty(),
                Optional.empty(),
                "");
    }

    /// The same request with another sampling policy.
    Request withSampling(Sampling other) {
        return new Request(variant, prompt, other, ending, scores, draftLength, deadline, client);
    }

    /// The same request with another condition of its end.
    Request withEnding(Ending other) {
        return new Request(variant, prompt, sampling, other, scores, draftLength, deadline, client);
    }

    /// The same request with other reported scores.
    Request withScores(Scores other) {
        return new Request(variant, prompt, sampling, ending, other, draftLength, deadline, client);
    }

    /// The same request with drafts of at most this depth.
    Request withDraftLength(int tokens) {
        var most = OptionalInt.of(tokens);
        return new Request(variant, prompt, sampling, ending, scores, most, deadline, client);
    }

    /// The same request with a deadline.
    Request withDeadline(Duration within) {
        var limit = Optional.of(within);
        return new Request(variant, prompt, sampling, ending, scores, draftLength, limit, client);
    }

    /// The same request of a client.
    Request withClient(String name) {
        return new Request(variant, prompt, sampling, ending, scores, draftLength, deadline, name);
    }

    ServingRequest made() {
        return new ServingRequest(
                variant, prompt, sampling, ending, scores, draftLength, deadline, client);
    }

    static Ticket submit(ServingEngine engine, Request request, ServingListener listener) {
        return engine.submit(request.made(), listener);
    }

    static List<Ticket> submit(
            ServingEngine engine, List<Request> group, IntFunction<ServingListener> listeners) {
        return engine.submit(group.stream().map(Request::made).toList(), listeners);
    }

    /// Always the most probable token.
    static Sampling argmax() {
        return new Sampling(SamplingPolicy.argmax(), List.of(), 0, 0);
    }

    /// Sampling without processors.
    static Sampling sampling(SamplingPolicy policy, long seed) {
        return new Sampling(policy, List.of(), seed, 0);
    }

    /// Ends at an end-of-sequence token, or after so many tokens.
    static Ending after(int maxTokens) {
        return new Ending(maxTokens, List.of(), false);
    }

    /// Reports no scores.
    static Scores noScores() {
        return new Scores(OptionalInt.empty(), OptionalInt.empty());
    }
}
