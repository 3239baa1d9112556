package dev.outrider.nn.target;

import dev.outrider.chat.ChatMessage;
import dev.outrider.chat.ChatRequest;
import dev.outrider.nn.network.NativeMemory;
import dev.outrider.spi.target.ChatFormatter;
import dev.outrider.spi.target.TargetDescription;
import dev.outrider.spi.target.TargetModel;
import java.nio.file.Path;
import java.util.Optional;

/// Loaded checkpoints as targets.
public final class TargetModels {
    private TargetModels() {}

    /// @param name    how reports call it, if not by the folder
    /// @param backend what runs it
    /// @param path    where the checkpoint's chat template may be
    public static TargetModel of(
            Optional<String> name, String backend, LoadedDecoder loaded, Path path) {
        var shape = loaded.config();
        return new NetworkTarget(
                new TargetDescription(
                        name.orElseGet(loaded::name),
                        backend,
                        shape.vocabularySize(),
                        shape.hiddenSize(),
                        shape.layers(),
                        shape.maxPositions(),
                        loaded.parameters(),
                        loaded.endOfSequence(),
                        loaded.digest(),
                        loaded.sources()),
                loaded.tokenizer(),
                loaded.network(),
                loaded.cacheBytesPerRow(),
                NativeMemory::availableBytes,
                chat(path));
    }

    private static Optional<ChatFormatter> chat(Path path) {
        return ChatTemplates.of(path)
                .map(template ->
                        turns ->
                                template.render(
                                        ChatRequest.of(
                                                turns.stream()
                                                        .map(turn ->
                                                                new ChatMessage(
                                                                        turn.role(),
                                                                        turn.content()))
                                                        .toArray(ChatMessage[]::new))));
    }

    /// Checks a number in a target's configuration.
    ///
    /// @throws IllegalArgumentException if it is less than 1
    public static void requirePositive(String key, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(
                    "'%s' must be at least 1, got %d".formatted(key, value));
        }
    }
}
