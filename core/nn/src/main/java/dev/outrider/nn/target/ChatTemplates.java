package dev.outrider.nn.target;

import dev.outrider.chat.ChatTemplate;
import dev.outrider.nn.gguf.GgufFile;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Optional;

/// Chat templates of checkpoints.
public final class ChatTemplates {
    private ChatTemplates() {}

    /// The template of a checkpoint, a folder or a GGUF file, if it has one. Templates that write the date always see the same
    /// one, so that results do not depend on the day.
    public static Optional<ChatTemplate> of(Path checkpoint) {
        var clock = InstantSource.fixed(Instant.EPOCH);
        return GgufFile.is(checkpoint)
                ? GgufTemplates.load(checkpoint, clock, ZoneOffset.UTC)
                : ChatTemplate.load(checkpoint, clock, ZoneOffset.UTC);
    }
}
