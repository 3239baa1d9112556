package dev.outrider.nn.target;

import dev.outrider.chat.ChatTemplate;
import dev.outrider.nn.gguf.GgufFile;
import dev.outrider.nn.gguf.GgufMetadata;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Chat templates of checkpoints.
public final class ChatTemplates {
    private static final String TEMPLATE = "tokenizer.chat_template";
    private static final String TOOLS = "tool_use";

    private ChatTemplates() {}

    /// Returns the template of a checkpoint, a folder or a GGUF file, if it has one. Templates that write the date always get the
    /// same one, so that results do not depend on the day.
    public static Optional<ChatTemplate> of(Path checkpoint) {
        var clock = InstantSource.fixed(Instant.EPOCH);
        return GgufFile.is(checkpoint)
                ? ofGguf(checkpoint, clock)
                : ChatTemplate.load(checkpoint, clock, ZoneOffset.UTC);
    }

    private static Optional<ChatTemplate> ofGguf(Path path, InstantSource clock) {
        try (var file = GgufFile.open(path)) {
            var metadata = file.metadata();
            var templates = new HashMap<String, String>();
            metadata.text(TEMPLATE).ifPresent(text -> templates.put("default", text));
            metadata.text("%s.%s".formatted(TEMPLATE, TOOLS))
                    .ifPresent(text -> templates.put(TOOLS, text));
            return ChatTemplate.of(path, templates, specialTokens(metadata), clock, ZoneOffset.UTC);
        }
    }

    private static Map<String, String> specialTokens(GgufMetadata metadata) {
        var tokens = metadata.texts("tokenizer.ggml.tokens");
        var special = new HashMap<String, String>();
        for (var name : List.of("bos", "eos")) {
            var id = metadata.natural("tokenizer.ggml.%s_token_id".formatted(name));
            if (id.isPresent() && id.getAsInt() < tokens.size()) {
                special.put(name + "_token", tokens.get(id.getAsInt()));
            }
        }
        return special;
    }
}
