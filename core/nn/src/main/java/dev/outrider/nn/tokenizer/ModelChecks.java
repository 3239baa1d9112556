package dev.outrider.nn.tokenizer;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outrider.nn.tokenizer.VocabularyFile.Part;
import dev.outrider.nn.tokenizer.VocabularyFile.Vocabulary;
import java.util.ArrayDeque;
import java.util.List;

/// Checks of the models of the tokenizers library, which divide words into pieces.
final class ModelChecks {
    private static final List<String> KNOWN = List.of("BPE", "Unigram", "WordLevel", "WordPiece");

    /// Every position of a text is compared with every piece that begins there.
    private static final int LONGEST_PIECE = 512;

    private static final int MAX_PREFIXES = 64;

    private static final int LONGEST_WORD = 200;

    private ModelChecks() {}

    /// Adds the pieces to a vocabulary.
    static void addPieces(Part model, Vocabulary vocabulary) {
        var vocab = model.in().path("vocab");
        if (vocab.isObject()) {
            for (var entry : vocab.properties()) {
                vocabulary.add(entry.getValue(), entry.getKey());
            }
        } else if (vocab.isArray()) {
            for (int id = 0; id < vocab.size(); id++) {
                vocabulary.add(id, scoredPiece(model, vocab.path(id)));
            }
        } else {
            throw model.refused("has no model.vocab");
        }
    }

    private static String scoredPiece(Part model, JsonNode piece) {
        if (!piece.isArray()
                || piece.size() != 2
                || !piece.path(0).isTextual()
                || !piece.path(1).isNumber()) {
            throw model.refused(
                    "has the piece %s in model.vocab; expected a string and a number"
                            .formatted(piece));
        }
        return piece.path(0).textValue();
    }

    static void check(Part model, Vocabulary vocabulary) {
        // Files of the first versions do not name the model; all are BPE.
        var type = "BPE";
        if (model.has("type") || !model.has("merges")) {
            type = model.type(KNOWN);
        } else {
            model.out().put("type", type);
        }
        if (type.equals("Unigram") != model.in().path("vocab").isArray()) {
            throw model.refused("has a model.vocab of another kind of model than " + type);
        }
        model.out().set("vocab", model.in().path("vocab"));
        switch (type) {
            case "BPE" -> bpe(model);
            case "Unigram" -> unigram(model);
            case "WordPiece" -> {
                requireUnknown(model, vocabulary);
                model.text("continuing_subword_prefix");
                model.integer("max_input_chars_per_word", 1, LONGEST_WORD);
            }
            case "WordLevel" -> requireUnknown(model, vocabulary);
            default -> throw new IllegalStateException("a kind is not handled");
        }
    }

    private static void bpe(Part model) {
        if (model.has("dropout") && model.in().path("dropout").doubleValue() != 0) {
            throw model.wrong("dropout", "none, since the same text shall give the same ids");
        }
        model.text("unk_token", "");
        model.text("end_of_word_suffix", "");
        var prefix = model.text("continuing_subword_prefix", "");
        for (var key : List.of("fuse_unk", "byte_fallback", "ignore_merges")) {
            model.truth(key, false);
        }
        var merges = model.in().path("merges");
        if (!merges.isArray()) {
            throw model.refused("has no model.merges");
        }
        for (var merge : merges) {
            if (!prefix.isEmpty() && !right(merge).startsWith(prefix)) {
                throw model.refused(
                        "merges %s, but what follows begins with the continuing_subword_prefix '%s'"
                                .formatted(merge, prefix));
            }
        }
        model.out().set("merges", merges);
    }

    private static String right(JsonNode merge) {
        return merge.isArray()
                ? merge.path(1).asText()
                : merge.asText().substring(merge.asText().indexOf(' ') + 1);
    }

    private static void unigram(Part model) {
        int size = model.in().path("vocab").size();
        if (model.has("unk_id")) {
            model.integer("unk_id", 0, size - 1);
        }
        model.truth("byte_fallback", false);
        var pieces = model.in().path("vocab").valueStream().map(piece -> piece.path(0).textValue());
        var prefixes = new ArrayDeque<String>();
        for (var piece : (Iterable<String>) pieces.sorted()::iterator) {
            while (!prefixes.isEmpty() && !piece.startsWith(prefixes.getLast())) {
                prefixes.removeLast();
            }
            prefixes.add(piece);
            if (SplittingChecks.bytes(piece) > LONGEST_PIECE || prefixes.size() > MAX_PREFIXES) {
                throw model.refused(
                        "has the piece '%s...'; expected at most %d bytes and at most %d pieces that begin one another"
                                .formatted(
                                        piece.substring(0, Math.min(40, piece.length())),
                                        LONGEST_PIECE,
                                        MAX_PREFIXES));
            }
        }
    }

    private static void requireUnknown(Part model, Vocabulary vocabulary) {
        var unknown = model.text("unk_token");
        if (vocabulary.id(unknown).isEmpty() || !model.in().path("vocab").has(unknown)) {
            throw model.wrong("unk_token", "a piece of model.vocab");
        }
    }
}
