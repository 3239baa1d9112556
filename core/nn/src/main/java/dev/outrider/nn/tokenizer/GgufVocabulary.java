package dev.outrider.nn.tokenizer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.nn.checkpoint.CheckpointJson;
import dev.outrider.nn.gguf.GgufWriter;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Optional;
import java.util.stream.Stream;

/// Writes a `tokenizer.json` with a byte vocabulary and merges as keys of a GGUF file, the reverse of [GgufTokenizer].
public final class GgufVocabulary {
    /// Tokens that a tokenizer adds to every text.
    ///
    /// @param first token before the text
    /// @param last  token after the text
    public record Framing(Optional<Integer> first, Optional<Integer> last) {}

    private final Path path;
    private final JsonNode root;
    private final JsonNode model;

    private GgufVocabulary(Path path, JsonNode root) {
        this.path = path;
        this.root = root;
        model = root.path("model");
    }

    /// Adds the keys of a tokenizer, without tokens that the model has no row for.
    ///
    /// @param path the `tokenizer.json`
    /// @param size number of tokens of the model
    /// @param to   receives the keys
    /// @return the tokens around texts, whose ids the file does not have yet
    /// @throws OutriderException `TOKENIZER_INVALID` if it is of another kind, or as [HfTokenizer#load]
    /// @throws IOException       if the file cannot be read
    public static Framing write(Path path, int size, GgufWriter to) throws IOException {
        int[] plain;
        int[] framed;
        try (var tokenizer = HfTokenizer.load(path)) {
            plain = tokenizer.encode("a", false);
            framed = tokenizer.encode("a", true);
        }
        new GgufVocabulary(path, CheckpointJson.read(path)).write(size, to);
        int last = framed[framed.length - 1];
        var framing =
                new Framing(
                        Optional.of(framed[0]).filter(id -> id != plain[0]),
                        Optional.of(last).filter(id -> id != plain[plain.length - 1]));
        to.truth(GgufTokenizer.STEM + "add_bos_token", framing.first.isPresent())
                .truth(GgufTokenizer.STEM + "add_eos_token", framing.last.isPresent());
        return framing;
    }

    private void write(int size, GgufWriter to) {
        var tokens = new ArrayList<String>();
        for (int id = 0; id < size; id++) {
            tokens.add("[PAD%d]".formatted(id));
        }
        var kinds = new ArrayList<>(Collections.nCopies(size, GgufTokenizer.NORMAL));
        for (var entry : model.path("vocab").properties()) {
            if (entry.getValue().intValue() < size) {
                tokens.set(entry.getValue().intValue(), entry.getKey());
            }
        }
        for (var added : root.path("added_tokens")) {
            int id = added.path("id").intValue();
            if (id >= size) {
                continue;
            }
            boolean special = added.path("special").booleanValue();
            tokens.set(id, added.path("content").textValue());
            kinds.set(id, special ? GgufTokenizer.CONTROL : GgufTokenizer.USER_DEFINED);
        }
        to.text(GgufTokenizer.STEM + "model", "gpt2")
                .text(GgufTokenizer.STEM + "pre", rule().names().getFirst())
                .texts(GgufTokenizer.STEM + "tokens", tokens)
                .numbers(GgufTokenizer.STEM + "token_type", kinds)
                .texts(
                        GgufTokenizer.STEM + "merges",
                        model.path("merges").valueStream().map(GgufVocabulary::merge).toList());
    }

    private static String merge(JsonNode merge) {
        return merge.isArray()
                ? merge.path(0).textValue() + " " + merge.path(1).textValue()
                : merge.textValue();
    }

    /// Returns the rule by which it divides texts.
    private PreTokenizer rule() {
        return Arrays.stream(PreTokenizer.values())
                .filter(each -> each.wholeWords() == model.path("ignore_merges").booleanValue())
                .filter(each -> normalizer(each).equals(meaning(root.path("normalizer"))))
                .filter(each -> steps(each).equals(meaning(root.path("pre_tokenizer"))))
                .findFirst()
                .orElseThrow(() ->
                        VocabularyFile.invalid(
                                path,
                                "divides texts by a rule that has no name in GGUF files; expected one of %s"
                                        .formatted(String.join(", ", PreTokenizer.known()))));
    }

    private static JsonNode normalizer(PreTokenizer rule) {
        var none = JsonNodeFactory.instance.nullNode();
        return rule.composes() ? JsonNodeFactory.instance.objectNode().put("type", "NFC") : none;
    }

    private static JsonNode steps(PreTokenizer rule) {
        var root = JsonNodeFactory.instance.objectNode();
        rule.write(root);
        return meaning(root.path("pre_tokenizer"));
    }

    /// Returns a component without a key that changes no token.
    private static JsonNode meaning(JsonNode component) {
        if (component.isMissingNode()) {
            return JsonNodeFactory.instance.nullNode();
        }
        var copy = component.<JsonNode>deepCopy();
        Stream.concat(Stream.of(copy), copy.path("pretokenizers").valueStream())
                .filter(ObjectNode.class::isInstance)
                .forEach(each -> ((ObjectNode) each).remove("trim_offsets"));
        return copy;
    }
}
