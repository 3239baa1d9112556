package dev.outrider.demo.corpus;

/// One generated text: a prompt and its continuation, or a source and its answer.
///
/// @param kind         label of its [TaskKind] or [CorpusGenerator.PairKind]
/// @param contentSeed  the seed that wrote it; [CorpusGenerator] with the same seed writes it again
/// @param prompt       a model's input; not empty, and never ends in a space, so that the
///     continuation starts a token. Of a pair: the source, with the task before it
/// @param continuation the text after the prompt, or the answer; not empty
public record Document(String kind, long contentSeed, String prompt, String continuation) {
    public Document {
        if (prompt.isEmpty() || continuation.isEmpty() || prompt.endsWith(" ")) {
            throw new IllegalArgumentException(
                    "the %s of seed %d has the prompt \"%s\" and the continuation \"%s\"; neither may be empty, and a prompt may not end in a space"
                            .formatted(kind, contentSeed, prompt, continuation));
        }
    }

    /// The two parts of a text, as its writer returns them.
    record Parts(String prompt, String continuation) {}

    /// Returns prompt and continuation as one text, as a model is trained on it.
    public String text() {
        return prompt + continuation;
    }

    /// Returns a stable name: the kind and the content seed in hexadecimal.
    public String id() {
        return "%s-%016x".formatted(kind, contentSeed);
    }
}
