package dev.outrider.nn.target;

import dev.outrider.chat.ChatMessage;
import dev.outrider.chat.ChatRequest;
import dev.outrider.chat.ChatTemplate;
import dev.outrider.common.Require;
import dev.outrider.nn.network.NativeMemory;
import dev.outrider.spi.target.ChatFormatter;
import dev.outrider.spi.target.TargetDescription;
import dev.outrider.spi.target.TargetModel;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Loaded checkpoints as targets.
public final class TargetModels {
    private TargetModels() {}

    /// @param name    its name in reports, if it is not the folder's
    /// @param backend name of the back end
    /// @param path    of the checkpoint that may have a chat template
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
        return ChatTemplates.of(path).map(TemplateFormatter::new);
    }

    /// Writes conversations with the template of the checkpoint.
    private record TemplateFormatter(ChatTemplate template) implements ChatFormatter {
        @Override
        public String format(List<String> messages) {
            return write(Turn.alternating(messages));
        }

        @Override
        public String write(List<Turn> turns) {
            var messages = turns.stream().map(turn -> new ChatMessage(turn.role(), turn.content()));
            return template.render(ChatRequest.of(messages.toArray(ChatMessage[]::new)));
        }
    }

    /// Checks a number in a target's configuration.
    ///
    /// @throws IllegalArgumentException if it is less than 1
    public static void requirePositive(String key, int value) {
        Require.that(value >= 1, "'%s' must be at least 1, got %d", key, value);
    }
}
