package dev.outrider.drafter.smallmodel;

import dev.outrider.spi.Tokenizer;

/// A tokenizer of single letters, identified by its size.
///
/// @param vocabularySize number of ids
record LetterTokenizer(int vocabularySize) implements Tokenizer {
    @Override
    public int[] encode(String text, boolean addSpecialTokens) {
        return text.chars().map(letter -> letter - 'a').toArray();
    }

    @Override
    public String decode(int[] ids) {
        var text = new StringBuilder();
        for (int id : ids) {
            text.append(piece(id));
        }
        return text.toString();
    }

    @Override
    public String piece(int id) {
        return Character.toString('a' + id);
    }

    @Override
    public TokenStream stream() {
        throw new AssertionError("drafters do not decode");
    }

    @Override
    public String digest() {
        return "%012x%052x".formatted(vocabularySize, 0);
    }
}
