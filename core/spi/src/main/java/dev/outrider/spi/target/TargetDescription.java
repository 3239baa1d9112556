package dev.outrider.spi.target;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// Name, sizes and digest of a target, for capability checks, cost models and provenance.
///
/// @param name           in reports
/// @param backend        back end and precision, such as `vector/bf16`
/// @param vocabularySize number of logits V
/// @param hiddenSize     width of a hidden state
/// @param layers         number of decoder layers L
/// @param maxPositions   longest sequence of the model
/// @param parameters     number of parameters
/// @param endOfSequence  token ids that end a sequence; may be empty
/// @param digest         lower-case hexadecimal digest of its weights
/// @param sources        how an encoder-decoder reads; empty for a decoder alone
@API(status = Status.STABLE, since = "2")
public record TargetDescription(
        String name,
        String backend,
        int vocabularySize,
        int hiddenSize,
        int layers,
        int maxPositions,
        long parameters,
        Set<Integer> endOfSequence,
        String digest,
        Optional<SourceReading> sources) {
    /// Copies the tokens.
    public TargetDescription {
        endOfSequence = Set.copyOf(endOfSequence);
    }

    /// A target that has no encoder.
    ///
    /// @param name           in reports
    /// @param backend        back end and precision, such as `vector/bf16`
    /// @param vocabularySize number of logits V
    /// @param hiddenSize     width of a hidden state
    /// @param layers         number of decoder layers L
    /// @param maxPositions   longest sequence of the model
    /// @param parameters     number of parameters
    /// @param endOfSequence  token ids that end a sequence; may be empty
    /// @param digest         lower-case hexadecimal digest of its weights
    public TargetDescription(
            String name,
            String backend,
            int vocabularySize,
            int hiddenSize,
            int layers,
            int maxPositions,
            long parameters,
            Set<Integer> endOfSequence,
            String digest) {
        this(
                name,
                backend,
                vocabularySize,
                hiddenSize,
                layers,
                maxPositions,
                parameters,
                endOfSequence,
                digest,
                Optional.empty());
    }

    /// Reading of an encoder-decoder: its encoder reads a source, and its decoder writes after a prompt of its own.
    ///
    /// @param maxPositions longest source in tokens, special ones included
    /// @param start        token ids that the decoder's prompt begins with, at least one, such as the pad token of T5
    /// @see "Vaswani et al. 2017, section 3.1; Raffel et al. 2020 (T5), section 2.1"
    public record SourceReading(int maxPositions, List<Integer> start) {
        /// Copies the tokens and checks that a sequence can begin.
        public SourceReading {
            start = List.copyOf(start);
            if (maxPositions < 1) {
                throw new IllegalArgumentException(
                        "maxPositions %d is not positive".formatted(maxPositions));
            }
            if (start.isEmpty()) {
                throw new IllegalArgumentException("a decoder begins with at least one token");
            }
        }
    }
}
