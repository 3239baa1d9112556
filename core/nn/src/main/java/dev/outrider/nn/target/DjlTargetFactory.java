package dev.outrider.nn.target;

import dev.outrider.chat.ChatMessage;
import dev.outrider.chat.ChatRequest;
import dev.outrider.chat.ChatTemplate;
import dev.outrider.nn.checkpoint.CheckpointDirectory;
import dev.outrider.nn.runtime.NativeMemory;
import dev.outrider.nn.runtime.TensorRuntime;
import dev.outrider.spi.target.ChatFormatter;
import dev.outrider.spi.target.TargetDescription;
import dev.outrider.spi.target.TargetModel;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Opens the target `djl`. Thread-safe.
public final class DjlTargetFactory implements TargetModel.Factory<DjlTargetConfig> {
    @Override
    public String name() {
        return "djl";
    }

    @Override
    public Class<DjlTargetConfig> configType() {
        return DjlTargetConfig.class;
    }

    @Override
    public TargetModel open(DjlTargetConfig config) {
        var directory = new CheckpointDirectory(config.path());
        config.threads().ifPresent(TensorRuntime::useThreads);
        var loaded =
                LoadedDecoder.load(
                        directory,
                        config.precision(),
                        config.implementation(),
                        config.maxPositions(),
                        NativeMemory::availableBytes);
        var shape = loaded.config();
        return new DjlTargetModel(
                new TargetDescription(
                        config.name().orElseGet(loaded::name),
                        "djl/" + config.precision().name().toLowerCase(Locale.ROOT),
                        shape.vocabularySize(),
                        shape.hiddenSize(),
                        shape.layers(),
                        shape.maxPositions(),
                        loaded.parameters(),
                        loaded.endOfSequence(),
                        loaded.digest()),
                loaded.tokenizer(),
                loaded.network(),
                loaded.cacheBytesPerRow(),
                NativeMemory::availableBytes,
                chat(config.path()));
    }

    /// Templates that write the date always see the same one, so that results do not depend on the day.
    private static Optional<ChatFormatter> chat(Path directory) {
        return ChatTemplate.load(directory, InstantSource.fixed(Instant.EPOCH), ZoneOffset.UTC)
                .map(template -> messages -> template.render(conversation(messages)));
    }

    private static ChatRequest conversation(List<String> messages) {
        var turns = new ArrayList<ChatMessage>();
        for (var message : messages) {
            turns.add(new ChatMessage(turns.size() % 2 == 0 ? "user" : "assistant", message));
        }
        return ChatRequest.of(turns.toArray(ChatMessage[]::new));
    }
}
