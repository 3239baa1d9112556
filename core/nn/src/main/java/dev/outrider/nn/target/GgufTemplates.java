package dev.outrider.nn.target;

import dev.outrider.chat.ChatTemplate;
import dev.outrider.nn.gguf.GgufFile;
import dev.outrider.nn.gguf.GgufMetadata;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The chat templates of a GGUF file.
final class GgufTemplates {
    private static final String TEMPLATE = "tokenizer.chat_template";
    private static final String TOOLS = "tool_use";

    private GgufTemplates() {}

    static Optional<ChatTemplate> load(Path path, InstantSource clock, ZoneId zone) {
        try (var file = GgufFile.open(path)) {
            var metadata = file.metadata();
            var templates = new HashMap<String, String>();
            metadata.text(TEMPLATE).ifPresent(text -> templates.put("default", text));
            metadata.text("%s.%s".formatted(TEMPLATE, TOOLS))
                    .ifPresent(text -> templates.put(TOOLS, text));
            return ChatTemplate.of(path, templates, specialTokens(metadata), clock, zone);
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
