package dev.outrider.nn.tokenizer;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outrider.nn.tokenizer.VocabularyFile.Growth;
import dev.outrider.nn.tokenizer.VocabularyFile.Part;
import dev.outrider.nn.tokenizer.VocabularyFile.Vocabulary;
import java.util.List;

/// Checks of the post-processors of the tokenizers library, which add special tokens around a text.
/// Templates for pairs of texts are left out, because pairs are never encoded.
final class PostProcessorChecks {
    private static final List<String> KNOWN =
            List.of(
                    "Sequence",
                    "BertProcessing",
                    "ByteLevel",
                    "RobertaProcessing",
                    "TemplateProcessing");
    private static final int MAX_PIECES = 64;

    private final Vocabulary vocabulary;
    private final Growth growth;
    private boolean framed;

    PostProcessorChecks(Vocabulary vocabulary, Growth growth) {
        this.vocabulary = vocabulary;
        this.growth = growth;
    }

    void check(Part part) {
        growth.count(part);
        switch (part.type(KNOWN)) {
            case "Sequence" -> part.parts("processors").forEach(this::check);
            case "ByteLevel" -> SplittingChecks.checkByteLevel(part);
            case "BertProcessing" -> frame(part);
            case "RobertaProcessing" -> {
                frame(part);
                part.truth("trim_offsets");
                part.truth("add_prefix_space");
            }
            case "TemplateProcessing" -> {
                once(part);
                template(part);
            }
            default -> throw new IllegalStateException("a kind is not handled");
        }
    }

    /// The library cannot add special tokens around a text that already has some.
    private void once(Part part) {
        if (framed) {
            throw part.refused(
                    "has a second component that adds special tokens, %s; expected one"
                            .formatted(part.where()));
        }
        framed = true;
    }

    private void frame(Part part) {
        once(part);
        for (var key : List.of("sep", "cls")) {
            var token = part.in().path(key);
            if (!token.isArray() || token.size() != 2) {
                throw part.wrong(key, "a token and its id");
            }
            requireToken(part, token.path(1), token.path(0));
            part.out().set(key, token);
        }
    }

    private void template(Part part) {
        var known = part.part("special_tokens");
        int texts = 0;
        var pieces = part.parts("single");
        if (pieces.size() > MAX_PIECES) {
            throw part.refused(
                    "has %s.single of %d pieces; expected at most %d"
                            .formatted(part.where(), pieces.size(), MAX_PIECES));
        }
        for (var piece : pieces) {
            if (piece.has("Sequence")) {
                var sequence = piece.part("Sequence");
                sequence.oneOf("id", List.of("A"));
                sequence.out().put("type_id", 0);
                texts++;
            } else {
                var special = piece.part("SpecialToken");
                specialToken(known, special.text("id"));
                special.out().put("type_id", 0);
            }
        }
        if (texts != 1) {
            throw part.refused(
                    "has %s.single with the text %d times; expected once"
                            .formatted(part.where(), texts));
        }
        part.out().putArray("pair");
    }

    private void specialToken(Part known, String name) {
        if (known.out().has(name)) {
            return;
        }
        var token = known.part(name);
        var ids = token.in().path("ids");
        var tokens = token.in().path("tokens");
        if (!ids.isArray()
                || !tokens.isArray()
                || ids.size() != tokens.size()
                || ids.size() > MAX_PIECES) {
            throw known.wrong(name, "as many ids as tokens");
        }
        for (int i = 0; i < ids.size(); i++) {
            requireToken(token, ids.path(i), tokens.path(i));
        }
        token.out().put("id", name);
        token.out().set("ids", ids);
        token.out().set("tokens", tokens);
    }

    private void requireToken(Part part, JsonNode id, JsonNode token) {
        if (!id.isInt() || !token.isTextual() || !vocabulary.is(id.intValue(), token.textValue())) {
            throw part.refused(
                    "has in %s the token %s with the id %s, which its vocabulary has not"
                            .formatted(part.where(), token, id));
        }
    }
}
