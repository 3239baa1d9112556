package dev.outrider.nn.tokenizer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;

/// Writes parts of a `tokenizer.json`.
final class TokenizerTree {
    private static final String ID = "id";
    private static final Optional<Map.Entry<String, Integer>> NONE = Optional.empty();

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
    static void addSpecialTokens(
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

    /// Adds the tokens around every text that the `tokenizer_config.json` of a Llama tokenizer asks for, in place of those of its
    /// `tokenizer.json`. Transformers does the same on loading, and DeepSeek's files rely on it. If the vocabulary lacks such a
    /// token, `tokenizer.json` decides.
    ///
    /// @param path of the settings
    /// @see "Transformers 4, LlamaTokenizerFast.update_post_processor"
    static void addSpecialTokensAsConfigured(ObjectNode root, Path path) {
        var settings = SentencePieceFiles.json(path);
        if (!settings.path("tokenizer_class").asText().startsWith("LlamaTokenizer")) {
            return;
        }
        boolean begins = adds(settings, "bos", true);
        boolean ends = adds(settings, "eos", false);
        var first = begins ? token(root, settings.path("bos_token"), "<s>") : NONE;
        var last = ends ? token(root, settings.path("eos_token"), "</s>") : NONE;
        if (begins == first.isPresent() && ends == last.isPresent()) {
            addSpecialTokens(root, first, last);
        } else {
            LoggerFactory.getLogger(TokenizerTree.class)
                    .warn(
                            "'{}' asks for the token {} every text, but names none of the vocabulary; the tokens around a text are those of tokenizer.json",
                            path,
                            begins == first.isPresent() ? "after" : "before");
        }
    }

    private static boolean adds(JsonNode settings, String which, boolean usual) {
        var stated = settings.path("add_%s_token".formatted(which));
        return stated.isMissingNode() ? usual : stated.asBoolean();
    }

    private static Optional<Map.Entry<String, Integer>> token(
            ObjectNode root, JsonNode stated, String usual) {
        var content =
                stated.isMissingNode() ? usual : stated.path("content").asText(stated.asText(""));
        return Stream.concat(
                        root.path("added_tokens")
                                .valueStream()
                                .filter(token -> token.path("content").asText().equals(content))
                                .map(token -> token.path(ID)),
                        Stream.of(root.path("model").path("vocab").path(content)))
                .filter(JsonNode::isInt)
                .map(id -> Map.entry(content, id.intValue()))
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
