package dev.outrider.engine.decode;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.TargetDescription;
import java.util.Arrays;
import java.util.List;

/// Refuses requests that a target cannot serve, or whose output would be cut short, before anything is opened.
public final class RequestLimits {
    private RequestLimits() {}

    /// Refuses what a target cannot serve.
    ///
    /// @throws OutriderException `PROMPT_EMPTY`, `TOKEN_OUT_OF_RANGE`, `CONTEXT_EXCEEDED`, `SOURCE_MISSING`, `SOURCE_UNEXPECTED`
    public static void require(TargetDescription description, DecodeRequest request) {
        requireSource(description, request.source());
        if (request.prompt().length == 0) {
            throw ErrorCode.PROMPT_EMPTY.error(
                    "the prompt has no tokens, expected at least one",
                    "Write a prompt, or start it with the beginning-of-sequence token.");
        }
        requireTokens(description, Arrays.stream(request.prompt()).boxed().toList(), "prompt");
        requireRoom(description, request.prompt().length, request.maxTokens());
    }

    /// Refuses requests whose output would be cut short.
    ///
    /// @param prompt    tokens of the prompt
    /// @param maxTokens tokens that may follow
    /// @throws OutriderException `CONTEXT_EXCEEDED`
    public static void requireRoom(TargetDescription description, int prompt, int maxTokens) {
        int room = description.maxPositions() - prompt;
        if (maxTokens > room) {
            throw ErrorCode.CONTEXT_EXCEEDED.error(
                    "a prompt of length %d and maxTokens %d need %d positions, but target '%s' has %d"
                            .formatted(
                                    prompt,
                                    maxTokens,
                                    (long) prompt + maxTokens,
                                    description.name(),
                                    description.maxPositions()),
                    room < 1
                            ? "Shorten the prompt, or choose a target with a longer context."
                            : "Set maxTokens to at most %d, shorten the prompt, or choose a target with a longer context."
                                    .formatted(room));
        }
    }

    /// Requires a source that an encoder-decoder can read whole, and no source for any other target.
    ///
    /// @throws OutriderException `SOURCE_MISSING`, `SOURCE_UNEXPECTED`, `TOKEN_OUT_OF_RANGE`, `CONTEXT_EXCEEDED`
    public static void requireSource(TargetDescription description, List<Integer> source) {
        if (description.sources().isEmpty()) {
            if (!source.isEmpty()) {
                throw ErrorCode.SOURCE_UNEXPECTED.error(
                        "there is a source of %d tokens, but target '%s' is a decoder alone and has no encoder to read it"
                                .formatted(source.size(), description.name()),
                        "Write the text into the prompt, or choose an encoder-decoder such as T5 or BART.");
            }
            return;
        }
        if (source.isEmpty()) {
            throw ErrorCode.SOURCE_MISSING.error(
                    "there is no source, but target '%s' is an encoder-decoder and its encoder has to read one"
                            .formatted(description.name()),
                    "Give the text to translate or summarise as the source.");
        }
        int most = description.sources().get().maxPositions();
        if (source.size() > most) {
            throw ErrorCode.CONTEXT_EXCEEDED.error(
                    "the source has %d tokens, but the encoder of target '%s' reads at most %d"
                            .formatted(source.size(), description.name(), most),
                    "Shorten the source, or choose a target that reads longer ones.");
        }
        requireTokens(description, source, "source");
    }

    private static void requireTokens(
            TargetDescription description, List<Integer> tokens, String where) {
        for (int index = 0; index < tokens.size(); index++) {
            int token = tokens.get(index);
            if (token < 0 || token >= description.vocabularySize()) {
                throw ErrorCode.TOKEN_OUT_OF_RANGE.error(
                        "token %d at position %d of the %s is outside the vocabulary of target '%s', expected 0 to %d"
                                .formatted(
                                        token,
                                        index,
                                        where,
                                        description.name(),
                                        description.vocabularySize() - 1),
                        "Encode the %s with the target's own tokenizer.".formatted(where));
            }
        }
    }
}
