package dev.outrider.spi.target;

import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// What a target is, for capability checks, cost models and provenance.
///
/// @param name           how reports call it
/// @param backend        back end and precision, such as `vector/bf16`
/// @param vocabularySize number of logits V
/// @param hiddenSize     width of a hidden state
/// @param layers         number of decoder layers L
/// @param maxPositions   longest sequence it was made for
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
    /// @param name           how reports call it
    /// @param backend        back end and precision, such as `vector/bf16`
    /// @param vocabularySize number of logits V
    /// @param hiddenSize     width of a hidden state
    /// @param layers         number of decoder layers L
    /// @param maxPositions   longest sequence it was made for
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
}
