package dev.outrider.nn.tokenizer;

import dev.outrider.nn.tokenizer.VocabularyFile.Part;
import dev.outrider.nn.tokenizer.VocabularyFile.Vocabulary;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Checks of tokens that are found in a text before it is divided into words.
final class AddedTokenChecks {
    /// The library compares each one with all earlier ones.
    private static final int MAX = 8192;

    private AddedTokenChecks() {}

    /// Checks them and adds them to the vocabulary of a model.
    ///
    /// The library does not read their ids: a token that the model lacks gets the next free
    /// one, so a file could state another id than the library uses.
    ///
    /// @param normalizers those of the file
    /// @return their ids
    static Set<Integer> check(Part file, Vocabulary vocabulary, NormalizerChecks normalizers) {
        if (!file.has("added_tokens")) {
            file.out().putArray("added_tokens");
            return Set.of();
        }
        var tokens = file.parts("added_tokens");
        if (tokens.size() > MAX) {
            throw file.refused(
                    "has %d added tokens; expected at most %d".formatted(tokens.size(), MAX));
        }
        int modelSize = vocabulary.size();
        int largest = -1;
        var ids = new HashSet<Integer>();
        var contents = new HashSet<String>();
        boolean spaceFirst = false;
        boolean stripsRight = false;
        for (var token : tokens) {
            var content = token.in().path("content").asText();
            var known = vocabulary.id(content);
            vocabulary.add(token.in().path("id"), content);
            if (token.text("content").isEmpty() || !contents.add(content)) {
                throw token.wrong("content", "a text of its own");
            }
            int id = token.in().path("id").intValue();
            int next = largest < modelSize ? modelSize : largest + 1;
            if (known.isEmpty() && id != next) {
                throw file.refused(
                        "gives the added token '%s' the id %d, but the next free id, which the library takes, is %d"
                                .formatted(content, id, next));
            }
            largest = Math.max(largest, id);
            ids.add(id);
            token.out().put("id", id);
            for (var flag : List.of("single_word", "lstrip", "special")) {
                token.truth(flag);
            }
            boolean strips = token.truth("rstrip");
            if (token.truth("normalized")) {
                requireNormalizable(token, content, strips && file.has("normalizer"), normalizers);
            }
            spaceFirst |= isSpace(content.codePointAt(0));
            stripsRight |= strips;
        }
        if (spaceFirst && stripsRight) {
            throw file.refused(
                    "has added tokens with rstrip and others that begin with a space; the library cannot keep them apart");
        }
        return ids;
    }

    /// The library searches for the normalised token, even if that is empty.
    private static void requireNormalizable(
            Part token, String content, boolean strips, NormalizerChecks normalizers) {
        if (strips) {
            throw token.wrong("rstrip", "false where normalized is true");
        }
        if (normalizers.mayRemove(content)) {
            throw token.wrong("normalized", "false where the normalizer may remove the token");
        }
    }

    private static boolean isSpace(int character) {
        return Character.isWhitespace(character)
                || Character.isSpaceChar(character)
                || character == '\u0085';
    }
}
