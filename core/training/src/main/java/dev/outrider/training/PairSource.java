package dev.outrider.training;

import java.util.stream.Stream;

/// An ordered stream of pairs to train on.
@FunctionalInterface
public interface PairSource {
    /// All pairs from the first, always in the same order; the caller closes the stream. A training run that reaches the
    /// end of a finite stream starts again at its beginning.
    Stream<TextPair> open();

    /// What the pairs are, in a line: a run is resumed only where it is the same.
    default String facts() {
        return "";
    }
}
