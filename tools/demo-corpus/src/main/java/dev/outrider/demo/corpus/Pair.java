package dev.outrider.demo.corpus;

/// A source and its answer.
///
/// @param kind        kind of task
/// @param contentSeed the seed that wrote it; [PairGenerator#pair] with the same seed writes it
///     again
/// @param source      input of an encoder, the task before the text; not empty
/// @param answer      output of a decoder; not empty, and neither begins nor ends in a space
public record Pair(PairKind kind, long contentSeed, String source, String answer) {
    public Pair {
        if (source.isEmpty() || answer.isEmpty() || !answer.strip().equals(answer)) {
            throw new IllegalArgumentException(
                    "a pair needs a source, and an answer without spaces around it (kind %s, seed %d)"
                            .formatted(kind, contentSeed));
        }
    }

    /// Returns a stable name: the kind and the content seed in hexadecimal.
    public String id() {
        return "%s-%016x".formatted(kind.label(), contentSeed);
    }
}
