package dev.outrider.nn.tokenizer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Optional;

/// Writes parts of a `tokenizer.json`.
final class TokenizerTree {
    private static final String ID = "id";

    private TokenizerTree() {}

    /// Adds a token that is found in a text before it is divided into words.
    static void added(ArrayNode tokens, int id, String content, boolean special) {
        tokens.addObject()
                .put(ID, id)
                .put("content", content)
                .put("single_word", false)
                .put("lstrip", false)
                .put("rstrip", false)
                .put("normalized", false)
                .put("special", special);
    }

    /// Adds tokens before and after every text. Pairs of texts are never encoded.
    ///
    /// @param first piece and id of the token before
    /// @param last  piece and id of the token after
    static void frame(
            ObjectNode root,
            Optional<Map.Entry<String, Integer>> first,
            Optional<Map.Entry<String, Integer>> last) {
        var node = root.putObject("post_processor").put("type", "TemplateProcessing");
        var single = node.putArray("single");
        node.putArray("pair");
        var special = node.putObject("special_tokens");
        first.ifPresent(token -> token(single, special, token));
        single.addObject().putObject("Sequence").put(ID, "A").put("type_id", 0);
        last.ifPresent(token -> token(single, special, token));
    }

    /// Adds the tokens around every text that the `tokenizer_config.json` of a Llama tokenizer asks
    /// for and its `tokenizer.json` lacks, as DeepSeek's does. Transformers adds them on loading.
    static void frameAsConfigured(ObjectNode root, JsonNode settings) {
        var first = configured(root, settings, "bos");
        var last = configured(root, settings, "eos");
        boolean framed =
                root.path("post_processor").findValuesAsText("type").stream()
                        .anyMatch(type -> type.endsWith("Processing"));
        boolean llama = settings.path("tokenizer_class").asText().startsWith("LlamaTokenizer");
        if (llama && !framed && (first.isPresent() || last.isPresent())) {
            frame(root, first, last);
        }
    }

    private static Optional<Map.Entry<String, Integer>> configured(
            ObjectNode root, JsonNode settings, String which) {
        var stated = settings.path(which + "_token");
        var content = stated.path("content").asText(stated.asText());
        if (!settings.path("add_%s_token".formatted(which)).asBoolean()) {
            return Optional.empty();
        }
        return root.path("added_tokens")
                .valueStream()
                .filter(token -> token.path("content").asText().equals(content))
                .map(token -> Map.entry(content, token.path(ID).asInt()))
                .findFirst();
    }

    private static void token(
            ArrayNode template, ObjectNode special, Map.Entry<String, Integer> token) {
        template.addObject().putObject("SpecialToken").put(ID, token.getKey()).put("type_id", 0);
        var known = special.putObject(token.getKey()).put(ID, token.getKey());
        known.putArray("ids").add(token.getValue());
        known.putArray("tokens").add(token.getKey());
    }
}
