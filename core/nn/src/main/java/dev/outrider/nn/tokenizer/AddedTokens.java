package dev.outrider.nn.tokenizer;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Tokens that are found in a text before it is cut into words.
final class AddedTokens {
    /// The library compares each with all before it.
    private static final int MAX = 8192;

    private AddedTokens() {}

    /// Checks them and adds them to the vocabulary of a model.
    ///
    /// The library does not read their ids: what the model lacks gets the next free one, so that a file could say one
    /// and mean another.
    ///
    /// @param normalizers those of the file
    /// @return their ids
    static Set<Integer> check(Part file, Vocabulary vocabulary, Normalizers normalizers) {
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

    /// The library looks for what the normalizers leave of the token, even where that is nothing.
    private static void requireNormalizable(
            Part token, String content, boolean strips, Normalizers normalizers) {
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
