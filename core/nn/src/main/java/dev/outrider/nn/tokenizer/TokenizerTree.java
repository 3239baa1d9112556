package dev.outrider.nn.tokenizer;

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

    /// Adds tokens before and after every text.
    ///
    /// @param first piece and id of the token before
    /// @param last  piece and id of the token after
    static void frame(
            ObjectNode root,
            Optional<Map.Entry<String, Integer>> first,
            Optional<Map.Entry<String, Integer>> last) {
        var node = root.putObject("post_processor").put("type", "TemplateProcessing");
        var single = node.putArray("single");
        var pair = node.putArray("pair");
        var special = node.putObject("special_tokens");
        first.ifPresent(token -> token(single, special, token));
        text(single, "A");
        last.ifPresent(token -> token(single, special, token));
        for (var which : new String[] {"A", "B"}) {
            first.ifPresent(token -> token(pair, special, token));
            text(pair, which);
            last.ifPresent(token -> token(pair, special, token));
        }
    }

    private static void text(ArrayNode template, String which) {
        template.addObject().putObject("Sequence").put(ID, which).put("type_id", 0);
    }

    private static void token(
            ArrayNode template, ObjectNode special, Map.Entry<String, Integer> token) {
        template.addObject().putObject("SpecialToken").put(ID, token.getKey()).put("type_id", 0);
        var known = special.putObject(token.getKey()).put(ID, token.getKey());
        known.putArray("ids").add(token.getValue());
        known.putArray("tokens").add(token.getKey());
    }
}
