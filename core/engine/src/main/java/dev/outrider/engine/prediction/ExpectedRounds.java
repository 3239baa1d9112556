package dev.outrider.engine.prediction;

import dev.outrider.engine.check.OnFailure;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.model.RoundChain;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;

/// The expected number of rounds in which a decoder writes a text that its target has written.
///
/// The drafter's own session drafts at every position of the text. With `S_l(i)` the probability that a round that begins at
/// position i keeps its first l guesses and these are the text's, given that the text is what comes out ([TextReading]),
///
/// ```
/// u(0) = 1,   u(j) = sum_i u(i) (S_{j-i-1}(i) - S_{j-i}(i)),   rounds = sum_i u(i)
/// ```
///
/// where `S_0 = 1` and u(i) is the probability that a round begins at i. Because the rule is lossless, the rounds are a Markov chain
/// along a given text, and the mean over the target's texts is what decoding itself would measure. Positions are weighted by the
/// probability that a round begins there: a plain mean over positions would count positions in the middle of long rounds too often
/// (docs/reference/algorithms.md A12.5).
///
/// Thread-safe: every call opens sessions of its own.
///
/// @param decoder the decoder that is predicted
/// @see "Leviathan et al. 2023, section 3.1, for positions that have the same acceptance"
public record ExpectedRounds(Decoder decoder) {
    /// @throws OutriderException CAPABILITY_MISSING if its rounds cannot be predicted: a lossy rule, lengths that depend on
    ///                           earlier rounds, a drafter that reads rejected nodes
    public ExpectedRounds {
        var rule = decoder.rule().traits();
        require(
                rule.lossless(),
                "rule '%s' is lossy: what it would write is not the target's text"
                        .formatted(rule.name()));
        require(
                decoder.drafter().isEmpty() || decoder.lengths() instanceof FixedLength,
                "lengths '%s' depend on rounds, and a prediction runs none"
                        .formatted(decoder.lengths().name()));
        require(
                decoder.drafter().map(each -> !each.traits().readsRejectedNodes()).orElse(true),
                "the drafter reads what rounds rejected, and a prediction runs none");
        decoder =
                decoder.withOnFailure(
                        OnFailure.STOP); // a drafter that failed is not one that guesses nothing
    }

    private static void require(boolean predictable, String problem) {
        if (!predictable) {
            throw ErrorCode.CAPABILITY_MISSING.error(
                    problem, "Measure it with 'outrider bench', or leave it out.");
        }
    }

    /// Returns the expected number of rounds; if guesses are drawn, an unbiased estimate of it.
    ///
    /// @param request    the request of the text
    /// @param written    what the target wrote, at least one token
    /// @param randomness for drafts that are drawn, by any number
    /// @throws OutriderException as [Decoder#decode]; DATA_INVALID if the target would not write the text under the request's policy;
    ///                           CAPABILITY_MISSING if the rule's odds cannot be computed for such drafts
    public double of(DecodeRequest request, int[] written, RandomnessSource randomness) {
        if (decoder.drafter().isEmpty()) {
            return written.length;
        }
        var chain = new RoundChain(written.length);
        try (var reading = new TextReading(decoder, request, written, randomness)) {
            for (int position = 0; position < written.length - 1; position++) {
                chain.next(reading.next());
            }
        }
        return chain.rounds();
    }
}
