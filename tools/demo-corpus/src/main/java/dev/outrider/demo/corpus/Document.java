package dev.outrider.demo.corpus;

/// One generated text.
///
/// @param kind         kind of task
/// @param contentSeed  the seed that wrote it; [CorpusGenerator#document] with the same seed writes
///     it again
/// @param prompt       a model's input; not empty, and never ends in a space, so that the
///     continuation starts a token
/// @param continuation the text after the prompt; not empty
public record Document(TaskKind kind, long contentSeed, String prompt, String continuation) {
    public Document {
        if (prompt.isEmpty() || continuation.isEmpty()) {
            throw new IllegalArgumentException(
                    "a document needs a prompt and a continuation (kind %s, seed %d)"
                            .formatted(kind, contentSeed));
        }
        if (prompt.endsWith(" ")) {
            throw new IllegalArgumentException(
                    "a prompt may not end in a space: \"%s\"".formatted(prompt));
        }
    }

    /// Returns prompt and continuation as one text, as a model is trained on it.
    public String text() {
        return prompt + continuation;
    }

    /// Returns a stable name: the kind and the content seed in hexadecimal.
    public String id() {
        return "%s-%016x".formatted(kind.label(), contentSeed);
    }
}
